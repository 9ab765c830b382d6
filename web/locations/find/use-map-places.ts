import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { type ListedPlace, mapPlaces, type PlaceGroup } from '../../../contract/locations.ts';
import { call } from '../../http/client.ts';
import { toLatLng } from '../../http/parse.ts';
import type { MapBox, MapPlace, MapView } from '../../map/map-data.ts';
import type { PlaceWish } from './places.ts';

export type PlacesOnMap = {
  places: readonly ListedPlace[];
  groups: readonly PlaceGroup[];
  /** Around all that match, in view or not. */
  bounds: MapBox | null;
  /** Which wish this answers: the map fits to another one only when its places are there. */
  answers: string;
  isLoading: boolean;
  /** Why there is nothing to draw; null: it is there, or on its way. */
  failure: unknown;
  retry: () => void;
  /** What the map shows at the moment; null: it is not drawn yet. */
  view: MapView | null;
  onView: (view: MapView) => void;
};

const none: readonly never[] = [];

/**
 * What a map draws of the locations that match. Few are asked for once. Of many the server makes groups, anew for each part
 * of the map that is looked at: no browser ever holds them all.
 */
export function useMapPlaces(wish: PlaceWish, wanted = true): PlacesOnMap {
  const [view, setView] = useState<MapView | null>(null);
  const whole = useQuery({ ...asked(wish), enabled: wanted, placeholderData: keepPreviousData });
  const isMany = (whole.data?.groups.length ?? 0) > 0;
  const part = useQuery({
    ...asked({ ...wish, ...(view ? askedBox(view) : {}) }),
    enabled: wanted && isMany && view !== null && !whole.isPlaceholderData,
    placeholderData: keepPreviousData,
  });
  const partOfWish = part.data?.route === wish.route && part.data?.search === wish.search ? part.data : undefined;
  const shown = isMany && partOfWish?.low === wish.low ? partOfWish : whole.data;
  return {
    places: shown?.places ?? none,
    groups: shown?.groups ?? none,
    bounds: whole.data?.bounds ?? null,
    answers: JSON.stringify(whole.data ? [whole.data.route, whole.data.search, whole.data.low] : null),
    isLoading: whole.isPending,
    failure: whole.isError && !whole.data ? whole.error : null,
    retry: () => void whole.refetch(),
    view,
    onView: useCallback((next: MapView) => setView((now) => (isSame(now, next) ? now : next)), []),
  };
}

type Asked = PlaceWish & { zoom?: number };

function asked(query: Asked) {
  const { route, search, low } = query;
  return {
    queryKey: [mapPlaces.path, query],
    queryFn: async () => ({ route, search, low, ...(await call(mapPlaces, { query })) }),
  };
}

/** The part of the map that is asked for, on a grid: a map that is moved a little needs nothing new. */
function askedBox({ west, south, east, north, zoom }: MapView): MapBox & { zoom: number } {
  const near = Math.max(0, Math.round(zoom));
  const step = 180 / 2 ** near;
  const down = (degrees: number, least: number): number => Math.max(least, Math.floor(degrees / step) * step);
  const up = (degrees: number, most: number): number => Math.min(most, Math.ceil(degrees / step) * step);
  return { west: down(west, -180), south: down(south, -90), east: up(east, 180), north: up(north, 90), zoom: near };
}

const isSame = (a: MapView | null, b: MapView): boolean => a !== null && JSON.stringify(a) === JSON.stringify(b);

/** The single ones as the map draws them. */
export function useAsMapPlaces(places: readonly ListedPlace[]): MapPlace[] {
  return useMemo(
    () =>
      places.map((place) => ({
        type: place.type,
        id: place.id,
        name: place.name,
        address: place.address,
        ...toLatLng(place),
      })),
    [places],
  );
}
