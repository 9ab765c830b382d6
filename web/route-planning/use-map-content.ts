import { useMemo } from 'react';
import type { OptimizeResult } from '../../contract/routes.ts';
import { formatTime } from '../http/format.ts';
import type { PlacesOnMap } from '../locations/find/use-map-places.ts';
import { type MapGroup, type MapPlace, type MapRoute, type Series, seriesOf } from '../map/map-data.ts';
import { useRoadRoutes } from '../map/use-directions.ts';
import { type Candidate, sharedDesignation, toCandidate } from './places/locations.ts';
import { inOrder, lineOf, orderOf, toMapPlace } from './plan/plan.ts';

type Wanted = {
  onMap: PlacesOnMap;
  chosen: readonly Candidate[];
  /** Beside what is chosen, the others are shown too. */
  withOthers: boolean;
  plan: OptimizeResult | null;
  designations: readonly string[];
};

/** Up to so many chosen ones each stand out from the others; of more, neighbours are merged as everywhere. */
const mostApart = 60;

const noGroups: readonly MapGroup[] = [];

/** What the map and its list show: everything that matches, or only the selection, numbered once it is planned. */
export function useMapContent({ onMap, chosen, withOthers, plan, designations }: Wanted) {
  const loaded = useMemo(() => onMap.places.map(toCandidate), [onMap.places]);
  const isAll = chosen.length === 0 || withOthers;
  const order = useMemo(() => orderOf(plan), [plan]);

  const planSeries = seriesOf(designations, sharedDesignation(chosen)) ?? 1;

  const places = useMemo((): MapPlace[] => {
    const series = (place: Candidate): Series | undefined =>
      order.has(place.key) ? planSeries : seriesOf(designations, place.routeDesignation);
    const own = inOrder(chosen, order).map((place) => ({
      ...toMapPlace(place, order, series(place)),
      ...(withOthers && chosen.length <= mostApart ? { isApart: true } : {}),
    }));
    if (!isAll) return own;
    const ownKeys = new Set(chosen.map((place) => place.key));
    const others = loaded.filter((place) => !ownKeys.has(place.key));
    return [...own, ...others.map((place) => toMapPlace(place, order, series(place)))];
  }, [loaded, chosen, isAll, withOthers, order, designations, planSeries]);

  const straight = useMemo(() => (plan && plan.optimizedOrder.length > 0 ? lineOf(plan) : null), [plan]);
  const lines = useMemo((): MapRoute[] => {
    if (!straight) return [];
    return [{ key: 'plan', name: 'Plan', series: planSeries, points: straight, doneCount: 0, followsRoads: false }];
  }, [straight, planSeries]);
  const routes = useRoadRoutes(lines);

  const arrivals = useMemo(
    () =>
      new Map(
        [...order].map(([key, { number: _number, arrivalAt, ...rest }]) => [
          key,
          { at: arrivalAt, time: formatTime(arrivalAt), ...rest },
        ]),
      ),
    [order],
  );
  const selected = useMemo(() => new Set(withOthers ? chosen.map((place) => place.key) : []), [withOthers, chosen]);
  return {
    places,
    groups: isAll ? onMap.groups : noGroups,
    extent: isAll ? onMap.bounds : null,
    routes,
    arrivals,
    selected,
  };
}
