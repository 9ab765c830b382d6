import { useMemo, useState } from 'react';
import type { ListedPlace } from '../../contract/locations.ts';
import { incidentSeverity } from '../../domain/incident.ts';
import type { IncidentTyped } from '../../domain/incident-form.ts';
import { severityLabel } from '../../domain/incident-words.ts';
import type { Point } from '../../domain/place.ts';
import { milesToKm } from '../../domain/units.ts';
import { useSession } from '../auth/api.ts';
import { toLatLng, toNumber } from '../http/parse.ts';
import { PlaceChooser } from '../locations/find/place-chooser.tsx';
import { useAsMapPlaces, useMapPlaces } from '../locations/find/use-map-places.ts';
import { LocationMap } from '../map/location-map.tsx';
import { type MapIncident, mapZoom, placeLabel } from '../map/map-data.ts';
import { type DegreeField, DegreeFields } from '../ui/forms/degree-fields.tsx';

type Props = {
  latitude: DegreeField;
  longitude: DegreeField;
  /** What is typed so far: its circle is drawn while it is placed. */
  incident: IncidentTyped;
  onPosition: (position: { lat: string; lng: string }) => void;
};

/** Six decimals are a tenth of a metre. */
const decimals = 6;
const everything = {};

/** Where an incident is: a tap on the map, a known place, or typed. */
export function IncidentPlace({ latitude, longitude, incident, onPosition }: Props) {
  const { map } = useSession();
  const onMap = useMapPlaces(everything);
  const places = useAsMapPlaces(onMap.places);
  const [near, setNear] = useState<ListedPlace | null>(null);
  const circle = useCircle(incident);
  // The map stays where it was tapped, and goes to a place that was chosen from the list.
  const [view] = useState<Point | undefined>(() => circle[0]);
  const chosen = useMemo(() => (near ? toLatLng(near) : undefined), [near]);

  // A tap elsewhere or another position typed is not at that place any more.
  const position = chosen && typed(chosen);
  const isThere = position?.lat === latitude.value && position.lng === longitude.value;

  function put(at: Point): void {
    onPosition(typed(at));
  }

  function choose(place: ListedPlace | undefined): void {
    if (!place) return;
    setNear(place);
    put(toLatLng(place));
  }

  return (
    <div className="col-span-2 grid grid-cols-2 items-start gap-4">
      <div className="col-span-2">
        <div className="relative h-64 overflow-hidden rounded border border-line">
          <LocationMap
            label="Tap where the incident is"
            places={places}
            groups={onMap.groups}
            extent={onMap.bounds}
            onView={onMap.onView}
            incidents={circle}
            styleUrl={map.styleUrl}
            minHeight={254}
            center={chosen ?? view}
            zoom={(chosen ?? view) ? mapZoom.several : undefined}
            onPick={put}
            onSelect={({ type, id }) => choose(onMap.places.find((place) => place.type === type && place.id === id))}
          />
        </div>
        <p className="mt-1 text-12 text-text-3">Tap the map where it is, or choose a place near it.</p>
      </div>
      <PlaceChooser
        label="At or near"
        chosen={near && isThere ? placeLabel(near) : undefined}
        onChoose={choose}
        className="col-span-2"
      />
      <DegreeFields latitude={latitude} longitude={longitude} required onPosition={onPosition} />
    </div>
  );
}

const typed = ({ lat, lng }: Point) => ({ lat: lat.toFixed(decimals), lng: lng.toFixed(decimals) });

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
