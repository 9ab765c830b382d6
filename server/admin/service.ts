import type { Administration } from '../../contract/admin.ts';
import type { Role } from '../../domain/permissions.ts';
import type { Deps } from '../deps.ts';
import { designationsInUse } from '../settings/service.ts';
import { countPeople, sumRoutes } from './queries.ts';

type Filter = { route?: string | undefined; role?: Role | undefined };

/** The counters, and a card for each route that has an active place; places and people without a route have none. */
export async function administration({ db }: Deps, { route, role }: Filter): Promise<Administration> {
  const [sums, people, routeDesignations] = await Promise.all([
    sumRoutes(db, route),
    countPeople(db, { route, role }),
    designationsInUse(db),
  ]);
  const total = (name: 'locations' | 'markets' | 'inventoryItems' | 'lowStock'): number =>
    sums.reduce((sum, one) => sum + one[name], 0);
  const routes = sums.flatMap(({ markets: _, designation, ...rest }) =>
    designation && rest.activeLocations > 0 ? [{ ...rest, designation, name: `Route ${designation}` }] : [],
  );
  return {
    totalLocations: total('locations'),
    markets: total('markets'),
    totalInventoryItems: total('inventoryItems'),
    lowStock: total('lowStock'),
    activeRoutes: routes.length,
    systemUsers: people,
    routes,
    routeDesignations,
  };
}
