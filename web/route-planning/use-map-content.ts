import { useMemo } from 'react';
import type { OptimizeResult } from '../../contract/routes.ts';
import { formatTime } from '../http/format.ts';
import { type MapPlace, type MapRoute, type Series, seriesOf } from '../map/map-data.ts';
import { useRoadRoutes } from '../map/use-directions.ts';
import { type Candidate, sharedDesignation } from './places/locations.ts';
import { inOrder, lineOf, orderOf, toMapPlace } from './plan/plan.ts';

type Wanted = {
  all: readonly Candidate[];
  chosen: readonly Candidate[];
  plan: OptimizeResult | null;
  designations: readonly string[];
};

/** What the map and its list show: everything loaded, or only the selection, numbered once it is planned. */
export function useMapContent({ all, chosen, plan, designations }: Wanted) {
  const shown = chosen.length > 0 ? chosen : all;
  const order = useMemo(() => orderOf(plan), [plan]);

  const planSeries = seriesOf(designations, sharedDesignation(chosen)) ?? 1;

  const places = useMemo((): MapPlace[] => {
    const series = (place: Candidate): Series | undefined =>
      order.has(place.key) ? planSeries : seriesOf(designations, place.routeDesignation);
    return inOrder(shown, order).map((place) => toMapPlace(place, order, series(place)));
  }, [shown, order, designations, planSeries]);

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
  return { places, routes, arrivals };
}
