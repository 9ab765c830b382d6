import type { ScheduledRoute } from '../../../contract/routes.ts';
import { shortName } from './route-progress.ts';

type Named = Pick<ScheduledRoute, 'id' | 'name' | 'routeDesignation' | 'driverName' | 'vehicleName'>;

/**
 * What each route is called on the map, by its id. One that runs more than once in the day is told apart by who drives it,
 * else by what is driven; where both are the same, so is the name.
 */
export function namesOnMap(routes: readonly Named[]): ReadonlyMap<number, string> {
  return new Map(routes.map((route) => [route.id, `${plainName(route)}${detailOf(route, routes)}`]));
}

/** What each route is called where one of them is chosen: short, and never the same for two. */
export function namesToChoose(routes: readonly Named[]): ReadonlyMap<number, string> {
  const names = routes.map((route) => `${shortName(route)}${detailOf(route, routes)}`);
  return new Map(
    routes.map(({ id }, at) => {
      const name = names[at] ?? '';
      const isTwin = names.filter((one) => one === name).length > 1;
      return [id, isTwin ? `${name} (${names.slice(0, at + 1).filter((one) => one === name).length})` : name];
    }),
  );
}

const plainName = (route: Named): string => (route.routeDesignation ? `Route ${shortName(route)}` : route.name);

function detailOf(route: Named, all: readonly Named[]): string {
  const runs = all.filter((one) => plainName(one) === plainName(route));
  if (differ(runs.map((run) => run.driverName))) return `, ${route.driverName ?? 'no driver'}`;
  if (differ(runs.map((run) => run.vehicleName))) return `, ${route.vehicleName ?? 'no vehicle'}`;
  return '';
}

const differ = (names: readonly (string | null)[]): boolean => new Set(names).size > 1;
