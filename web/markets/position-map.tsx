import { useMemo, useState } from 'react';
import type { Point } from '../../domain/location.ts';
import { useAsMapPlaces, useMapPlaces } from '../locations/find/use-map-places.ts';
import { LocationMap } from '../map/location-map.tsx';
import { type MapPlace, mapZoom } from '../map/map-data.ts';

type Props = {
  point: Point | null;
  name: string;
  styleUrl: string | null;
  onPick: (point: Point) => void;
};

/** Nobody has this id: the mark of what is being placed. */
const unsavedId = 0;
const markets = { type: 'market' } as const;
const none: readonly never[] = [];

/** Where to put something: the markets that are shown, a click sets the place. */
export function PositionMap({ point, name, styleUrl, onPick }: Props) {
  const onMap = useMapPlaces(markets, point === null);
  const others = useAsMapPlaces(onMap.places);
  const [picked, setPicked] = useState<{ at: string; view: string } | null>(null);
  const at = point ? keyOf(point) : 'nowhere';
  // The map stays where it was clicked, and goes to where a position was typed or asked for.
  const view = picked?.at === at ? picked.view : at;
  const places = useMemo((): MapPlace[] => {
    if (point) return [{ type: 'market', id: unsavedId, name: name || 'Here', address: '', ...point, series: 1 }];
    return others;
  }, [others, name, point]);
  return (
    <div>
      <div className="h-72 overflow-hidden rounded border border-line">
        <LocationMap
          label="Pick the place on the map"
          places={places}
          groups={point ? none : onMap.groups}
          extent={point ? null : onMap.bounds}
          onView={onMap.onView}
          styleUrl={styleUrl}
          minHeight={286}
          maxZoom={mapZoom.several}
          fitKey={view}
          onPick={(place) => {
            setPicked({ at: keyOf(place), view });
            onPick(place);
          }}
        />
      </div>
      <p className="mt-1 text-12 text-text-3">Click the map where it stands.</p>
    </div>
  );
}

/** At the decimals that are written into the form. */
function keyOf({ lat, lng }: Point): string {
  return `${lat.toFixed(6)},${lng.toFixed(6)}`;
}
