import type { ReactNode } from 'react';
import { type MapPlace, placeKey, placeLabel, stopLabel } from '../map-data.ts';

type PlaceInfoProps = { place: MapPlace; actions?: ((place: MapPlace) => ReactNode) | undefined };

/** What the window over a marker says: name, address and what can be done there. */
export function PlaceInfo({ place, actions }: PlaceInfoProps) {
  return (
    <div className="grid gap-1">
      <p className="pr-6 font-semibold text-text">{placeLabel(place)}</p>
      <p className="text-text-2">{place.address}</p>
      {actions && <div className="mt-2 flex flex-wrap gap-2">{actions(place)}</div>}
    </div>
  );
}

type GroupInfoProps = { places: readonly MapPlace[]; onChoose: (place: MapPlace) => void };

/** Several locations at one spot: choose one. */
export function GroupInfo({ places, onChoose }: GroupInfoProps) {
  return (
    <div className="grid gap-1">
      <p className="pr-6 font-semibold text-text">{places.length} locations at this place</p>
      <ul className="-mx-2 max-h-48 overflow-auto">
        {places.map((place) => (
          <li key={placeKey(place)}>
            <button
              type="button"
              className="min-h-8 w-full rounded px-2 py-1 text-left text-text hover:bg-hover"
              onClick={() => onChoose(place)}
            >
              {stopLabel(place)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
