import { and, eq } from 'drizzle-orm';
import { listRestOffers, orderRest as orderRestCall } from '../../contract/incidents.ts';
import {
  createRoute as createRouteCall,
  getRoute as getRouteCall,
  listDriversOfDay,
  listLocationInventory,
  listRouteChoices,
  listRoutes,
  listScheduledRoutes as listScheduledRoutesCall,
  optimizeRoute,
  pageRoutes,
  pageScheduledRoutes,
  updateRoute,
  updateStop,
} from '../../contract/routes.ts';
import { atOnceOrInPieces, isOneOf } from '../db/statements/pieces.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { handle } from '../http/handle.ts';
import { routeInScope, scopeOf } from '../scope/service.ts';
import { today } from '../settings/service.ts';
import { listStockOfLocation } from './location-stock.ts';
import { optimize } from './optimize/optimize.ts';
import { changeStatus, completeStop } from './progress/by-hand.ts';
import {
  findDayPage,
  findDepots,
  findDrivers,
  findDriversOfDay,
  findRouteKeys,
  findRoutePage,
  findRoutes,
  findVehicles,
  routeFilter,
} from './queries.ts';
import { toRoute } from './replies.ts';
import { restOffers } from './retiming/rest-offers.ts';
import { orderRest } from './retiming/rest-order.ts';
import { createRoute, getRoute, listScheduledRoutes, withStops } from './service.ts';
import { routes } from './tables.ts';

export const routePlanningEndpoints = (deps: Deps) => [
  handle(listRoutes, async ({ caller, query }) => {
    const scope = routeInScope(await scopeOf(deps, caller));
    const wanted = routeFilter(scope, query);
    return atOnceOrInPieces({
      upTo: async (limit) => (await findRoutes(deps.db, wanted, limit)).map(toRoute),
      keys: () => findRouteKeys(deps.db, wanted),
      read: async (ids) => (await findRoutes(deps.db, and(wanted, isOneOf(routes.id, ids)))).map(toRoute),
    });
  }),
  handle(pageRoutes, async ({ caller, query }) => {
    const scope = routeInScope(await scopeOf(deps, caller));
    const day = await today(deps.db, deps.clock);
    const page = await findRoutePage(deps.db, scope, { ...query, past: query.past === 'true', today: day });
    return { ...page, rows: page.rows.map(toRoute) };
  }),
  handle(listRestOffers, restOffersOf(deps)),
  handle(getRouteCall, async ({ caller, params }) => getRoute(deps.db, await scopeOf(deps, caller), params.id)),
  handle(listScheduledRoutesCall, async ({ caller, query }) => {
    const day = query.date ?? (await today(deps.db, deps.clock));
    return listScheduledRoutes(deps.db, and(routeInScope(await scopeOf(deps, caller)), eq(routes.date, day)));
  }),
  handle(pageScheduledRoutes, async ({ caller, query }) => {
    const { q, date, ...wish } = query;
    const day = date ?? (await today(deps.db, deps.clock));
    const page = await findDayPage(deps.db, routeInScope(await scopeOf(deps, caller)), { ...wish, day, search: q });
    return { ...page, rows: await withStops(deps.db, page.rows) };
  }),
  handle(createRouteCall, ({ caller, body }) => createRoute(deps, caller, body)),
  handle(updateRoute, ({ caller, params, body }) => changeStatus(deps, caller, params.id, body)),
  handle(updateStop, ({ caller, params, body }) => completeStop(deps, caller, params.id, body)),
  handle(orderRestCall, ({ caller, params, body }) => orderRest(deps, caller, params.id, body.stopIds)),
  handle(optimizeRoute, ({ caller, body }) => optimize(deps, caller, body)),
  handle(listRouteChoices, async () => ({
    drivers: await findDrivers(deps.db),
    vehicles: (await findVehicles(deps.db)).map(({ id, name, depotId, capacityTotes }) => ({
      id,
      name,
      depotId,
      capacityTotes,
    })),
    depots: (await findDepots(deps.db)).map(({ id, name, latitude, longitude, isDefault }) => ({
      id,
      name,
      latitude,
      longitude,
      isDefault,
    })),
  })),
  handle(listDriversOfDay, async ({ caller, query }) =>
    findDriversOfDay(deps.db, routeInScope(await scopeOf(deps, caller)), query.date),
  ),
  handle(listLocationInventory, async ({ caller, query }) =>
    listStockOfLocation(deps.db, await scopeOf(deps, caller), query),
  ),
];

function restOffersOf(deps: Deps) {
  const offers = restOffers(deps);
  return ({ caller }: { caller: Caller }) => offers(caller);
}
