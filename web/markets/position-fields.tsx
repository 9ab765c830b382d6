import { useState } from 'react';
import type { Point } from '../../domain/location.ts';
import { useSession } from '../auth/api.ts';
import { toNumber } from '../http/parse.ts';
import { latePart } from '../ui/address/late-code.tsx';
import { Button } from '../ui/button.tsx';
import { type DegreeField, DegreeFields } from '../ui/forms/degree-fields.tsx';
import { demoPosition } from './demo-position.ts';
import { FindAddress } from './find-address.tsx';

const PositionMap = latePart(
  async () => (await import('./position-map.tsx')).PositionMap,
  <div className="h-72 rounded border border-line bg-map-land" />,
);

type Props = {
  latitude: DegreeField;
  longitude: DegreeField;
  /** Name of what stands there. */
  name: string;
  /** As typed so far; with an address search it can be found. */
  address: string;
  onPosition: (position: { lat: string; lng: string }) => void;
};

/** Six decimals are a tenth of a metre. */
const decimals = 6;

/** Latitude and longitude, typed, picked on a map, or taken from where the person stands. */
export function PositionFields({ latitude, longitude, name, address, onPosition }: Props) {
  const { operator, map } = useSession();
  const [picking, setPicking] = useState(false);
  const own = useAskedPosition((point) => onPosition(textOf(point)));
  return (
    <>
      <DegreeFields latitude={latitude} longitude={longitude} required onPosition={onPosition} />
      <div className="col-span-2 grid gap-2">
        <div className="flex flex-wrap gap-2">
          <Button icon="pin" aria-expanded={picking} onClick={() => setPicking(!picking)} className="max-lg:min-h-12">
            Pick on the map
          </Button>
          <Button
            icon="navigate"
            pending={own.asking}
            pendingLabel="Asking for your position..."
            onClick={own.ask}
            className="max-lg:min-h-12"
          >
            Use my position
          </Button>
          {map.findsAddresses && <FindAddress address={address} onPosition={onPosition} />}
          {operator.isDemo && (
            <Button onClick={() => onPosition(demoPosition(Math.random))} className="max-lg:min-h-12">
              Random coordinates
            </Button>
          )}
        </div>
        {own.refusal && (
          <p role="alert" className="text-12 text-bad-text">
            {own.refusal}
          </p>
        )}
        {picking && (
          <PositionMap
            point={pointOf(latitude.value, longitude.value)}
            name={name}
            styleUrl={map.styleUrl}
            onPick={(point) => onPosition(textOf(point))}
          />
        )}
      </div>
    </>
  );
}

function textOf({ lat, lng }: Point): { lat: string; lng: string } {
  return { lat: lat.toFixed(decimals), lng: lng.toFixed(decimals) };
}

function pointOf(latitude: string, longitude: string): Point | null {
  if (latitude.trim() === '' || longitude.trim() === '') return null;
  const point = { lat: toNumber(latitude), lng: toNumber(longitude) };
  return Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180 ? point : null;
}

const pickInstead = 'Pick the place on the map instead.';
const permissionDenied = 1;
const timedOut = 3;

function sentenceFor(code: number): string {
  if (code === permissionDenied) {
    return `Your browser does not share your position with this site. Allow it in the site's settings and try again. ${pickInstead}`;
  }
  if (code === timedOut) return `Your position took too long to find. ${pickInstead}`;
  return `Your position cannot be found here. ${pickInstead}`;
}

/** Asks the browser once where the person is; a refusal is explained. */
function useAskedPosition(found: (point: Point) => void) {
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const ask = (): void => {
    if (!('geolocation' in navigator)) {
      setRefusal(`This browser cannot tell your position. ${pickInstead}`);
      return;
    }
    setAsking(true);
    setRefusal(null);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false);
        found({ lat: coords.latitude, lng: coords.longitude });
      },
      ({ code }) => {
        setAsking(false);
        setRefusal(sentenceFor(code));
      },
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    );
  };
  return { asking, refusal, ask };
}
