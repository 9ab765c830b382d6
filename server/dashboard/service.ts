import type { z } from 'zod';
import type { dashboardStats } from '../../contract/dashboard.ts';
import { addDays } from '../../domain/time.ts';
import { hoursText } from '../../domain/units.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { marketInScope, routeInScope, scopeOf } from '../scope/service.ts';
import { today } from '../settings/service.ts';
import { countLowStock, countMarkets, findRoutesOfDay, findTopProducts, meanDurations } from './stats-queries.ts';

const windowDays = 30;
const dayMs = 24 * 3_600_000;
const topProducts = 5;

type Stats = z.output<typeof dashboardStats>;

export async function getStats(deps: Deps, caller: Caller): Promise<Stats> {
  const scope = await scopeOf(deps, caller);
  const since = new Date(deps.clock.now().getTime() - windowDays * dayMs);
  const [counts, lowStockAlerts, routes, means] = await Promise.all([
    countMarkets(deps.db, marketInScope(scope)),
    countLowStock(deps.db, marketInScope(scope)),
    findRoutesOfDay(deps.db, routeInScope(scope), await today(deps.db, deps.clock)),
    meanDurations(deps.db, routeInScope(scope), since),
  ]);
  const { total, ...marketsByStatus } = counts;
  return {
    totalMarkets: total,
    lowStockAlerts,
    todayRoute: routeText(routes.map((route) => route.name)),
    avgDeliveryTime: hoursText(means.actualMin),
    marketsByStatus,
    stopsToday: routes.reduce((sum, route) => sum + route.stops, 0),
    stopsDoneToday: routes.reduce((sum, route) => sum + route.done, 0),
    plannedDeliveryTime: hoursText(means.plannedMin),
  };
}

function routeText(names: readonly string[]): string {
  if (names.length > 1) return `${names.length} routes`;
  return names[0] ?? 'No route';
}

type TopProduct = { productName: string; units: number; share: number };

/** Best sellers of 30 days; `share` is the part of the best one's units, 0 to 1. */
export async function listTopProducts(deps: Deps, caller: Caller): Promise<TopProduct[]> {
  const to = await today(deps.db, deps.clock);
  const days = { after: addDays(to, -windowDays), to, limit: topProducts };
  const found = await findTopProducts(deps.db, await scopeOf(deps, caller), days);
  const best = found[0]?.units ?? 0;
  return found.map((row) => ({ ...row, share: Math.round((1000 * row.units) / best) / 1000 }));
}
