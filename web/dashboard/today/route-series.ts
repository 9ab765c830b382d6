import type { ScheduledRoute } from '../../../contract/routes.ts';
import { type Series, seriesOf } from '../../map/map-data.ts';

const seriesList: readonly Series[] = [1, 2, 3, 4, 5];

/** Colour and shape of each route by its id: that of its designation on every screen, else by its place in the day. */
export function seriesOfRoutes(
  routes: readonly ScheduledRoute[],
  designations: readonly string[],
): ReadonlyMap<number, Series> {
  return new Map(
    routes.map((route, at) => [
      route.id,
      seriesOf(designations, route.routeDesignation) ?? seriesList[at % seriesList.length] ?? 1,
    ]),
  );
}
