import type { ListedPlace } from '../../../contract/locations.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { locationKey, type Point } from '../../../domain/place.ts';
import { totesFor } from '../../../domain/totes.ts';
import { toLatLng } from '../../http/parse.ts';
import type { PlaceWish } from '../../locations/find/places.ts';

/** A location that may be visited, as both lists and the map show it. */
export type Candidate = LocationRef &
  Point & {
    key: string;
    name: string;
    /** Address of a market, location text of a machine. */
    where: string;
    address: string;
    status: string;
    routeDesignation: string | null;
    /** Products or slots at or under their minimum. */
    lowCount: number;
    /** As typed; null: any time. */
    accessHours: string | null;
    /** That it needs to its targets. */
    totes: number;
  };

export function toCandidate(place: ListedPlace): Candidate {
  return {
    type: place.type,
    id: place.id,
    key: locationKey(place),
    ...toLatLng(place),
    name: place.name,
    where: place.place,
    address: place.address,
    status: place.status,
    routeDesignation: place.routeDesignation,
    lowCount: place.lowCount,
    accessHours: place.accessHours ?? null,
    totes: totesFor(place.missingUnits ?? 0),
  };
}

export type Filter = { route: string; asked: string; lowOnly: boolean };

/** The filter as the server takes it. */
export function wishOf({ route, asked, lowOnly }: Filter): PlaceWish {
  return {
    ...(route ? { route } : {}),
    ...(asked ? { search: asked } : {}),
    ...(lowOnly ? { low: 'true' } : {}),
  };
}

/** The designation all chosen locations share; null when they differ. */
export function sharedDesignation(chosen: readonly Candidate[]): string | null {
  const found = new Set(chosen.map((place) => place.routeDesignation));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}
