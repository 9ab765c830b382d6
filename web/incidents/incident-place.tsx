import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { listMachines } from '../../contract/machines.ts';
import { incidentSeverity } from '../../domain/incident.ts';
import type { IncidentTyped } from '../../domain/incident-form.ts';
import { severityLabel } from '../../domain/incident-words.ts';
import { locationKey, type Point } from '../../domain/place.ts';
import { milesToKm } from '../../domain/units.ts';
import { useSession } from '../auth/api.ts';
import { toLatLng, toNumber } from '../http/parse.ts';
import { queryFor } from '../http/query-client.ts';
import { LocationMap } from '../map/location-map.tsx';
import { type MapIncident, type MapPlace, mapZoom, placeKey, placeLabel } from '../map/map-data.ts';
import { useMarketsWithInventory } from '../markets/api.ts';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';

type FieldProps = {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
};

type Props = {
  latitude: FieldProps;
  longitude: FieldProps;
  /** What is typed so far: its circle is drawn while it is placed. */
  incident: IncidentTyped;
  onPosition: (position: { lat: string; lng: string }) => void;
};

/** Six decimals are a tenth of a metre. */
const decimals = 6;

/** Where an incident is: a tap on the map, a known place, or typed. */
export function IncidentPlace({ latitude, longitude, incident, onPosition }: Props) {
  const { map } = useSession();
  const places = usePlaces();
  const [near, setNear] = useState('');
  const circle = useCircle(incident);
  // The map stays where it was tapped, and goes to a place that was chosen from the list.
  const [view] = useState<Point | undefined>(() => circle[0]);
  const chosen = places.find((place) => placeKey(place) === near);

  function put({ lat, lng }: Point): void {
    onPosition({ lat: lat.toFixed(decimals), lng: lng.toFixed(decimals) });
  }

  function choose(key: string): void {
    setNear(key);
    const place = places.find((one) => placeKey(one) === key);
    if (place) put(place);
  }

  return (
    <div className="col-span-2 grid grid-cols-2 items-start gap-4">
      <div className="col-span-2">
        <div className="relative h-64 overflow-hidden rounded border border-line">
          <LocationMap
            label="Tap where the incident is"
            places={places}
            incidents={circle}
            styleUrl={map.styleUrl}
            minHeight={254}
            center={chosen ?? view}
            zoom={(chosen ?? view) ? mapZoom.several : undefined}
            onPick={put}
            onSelect={(ref) => choose(locationKey(ref))}
          />
        </div>
        <p className="mt-1 text-12 text-text-3">Tap the map where it is, or choose a place near it.</p>
      </div>
      <Select
        label="At or near"
        options={[
          { value: '', label: 'Choose a place' },
          ...places.map((place) => ({ value: placeKey(place), label: placeLabel(place) })),
        ]}
        value={near}
        onChange={choose}
        className="col-span-2"
      />
      <TextField label="Latitude" required inputMode="text" autoComplete="off" {...latitude} />
      <TextField label="Longitude" required inputMode="text" autoComplete="off" {...longitude} />
    </div>
  );
}

function usePlaces(): MapPlace[] {
  const { data: markets } = useMarketsWithInventory();
  const { data: machines } = useQuery(queryFor(listMachines, { query: {} }));
  return useMemo(
    () => [
      ...(markets ?? []).map((market): MapPlace => ({ type: 'market', ...shown(market) })),
      ...(machines ?? []).map((machine): MapPlace => ({ type: 'vending_machine', ...shown(machine) })),
    ],
    [markets, machines],
  );
}

type Located = { id: number; name: string; address: string; latitude: string; longitude: string };

const shown = (place: Located) => ({ id: place.id, name: place.name, address: place.address, ...toLatLng(place) });

/** Nobody has this id: the circle of what is being placed. */
const unsavedId = 0;

/** The circle as typed so far; none while its place or its radius is none. */
function useCircle({ title, latitude, longitude, radius, severity }: IncidentTyped): MapIncident[] {
  const { operator } = useSession();
  const unit = operator.distanceUnit;
  return useMemo(() => {
    const known = incidentSeverity.safeParse(severity);
    const [lat, lng, size] = [toNumber(latitude), toNumber(longitude), toNumber(radius)];
    if (latitude.trim() === '' || longitude.trim() === '' || !known.success) return [];
    if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && size > 0)) return [];
    const radiusKm = unit === 'mi' ? milesToKm(size) : size;
    const word = severityLabel[known.data];
    return [
      { id: unsavedId, title: title || 'New incident', detail: word, lat, lng, radiusKm, severity: known.data, word },
    ];
  }, [title, latitude, longitude, radius, severity, unit]);
}
