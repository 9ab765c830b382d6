import type { ScheduledRoute } from '../../../contract/routes.ts';

/** A day with more routes than this is searched; fewer are seen at one glance. */
export const manyRoutes = 20;
/** Cards that are built at once: a thousand are felt at each key of the search. */
export const routesShownAtOnce = 60;

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const statusOrder: Record<string, number> = { in_progress: 0, planned: 1 };
const placeOf = ({ status }: ScheduledRoute): number => statusOrder[status] ?? 2;

/** The routes with every word in their name, designation or driver; of many those under way come first. */
export function findRoutes(routes: readonly ScheduledRoute[], words: string): readonly ScheduledRoute[] {
  if (routes.length <= manyRoutes) return routes;
  const wanted = plain(words).split(/\s+/).filter(Boolean);
  return routes
    .filter(({ name, routeDesignation, driverName }) => {
      const told = plain(`${name} ${routeDesignation ?? ''} ${driverName ?? ''}`);
      return wanted.every((word) => told.includes(word));
    })
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}
