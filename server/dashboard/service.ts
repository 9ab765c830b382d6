import type { z } from 'zod';
import type { dashboardStats } from '../../contract/dashboard.ts';
import { AppError } from '../../domain/errors.ts';
import { spanUpTo } from '../../domain/report.ts';
import { hoursAndMinutes } from '../../domain/units.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { marketInScope, routeInScope, type Scope, scopeOf, toldAlike } from '../scope/service.ts';
import { getOperator, today } from '../settings/service.ts';
import { findFigures, findTopProducts } from './stats-queries.ts';

const topProducts = 5;

type Stats = z.output<typeof dashboardStats>;

export async function getStats(deps: Deps, caller: Caller): Promise<Stats> {
  const scope = await scopeOf(deps, caller);
  return toldAlike(deps, scope, { asked: ['dashboard'], read: () => readStats(deps, scope) });
}

async function readStats(deps: Deps, scope: Scope): Promise<Stats> {
  const day = await today(deps.db, deps.clock);
  const found = await findFigures(deps.db, {
    markets: marketInScope(scope),
    routes: routeInScope(scope),
    day,
    // As the report of a month has it: who looks up where the figure comes from finds the same.
    days: spanUpTo('month', day),
    lateAfterMin: (await getOperator(deps.db)).lateAfterMin,
    now: deps.clock.now(),
  });
  if (!found) throw new AppError('internal', 'The figures were not read.');
  const { active, maintenance, inactive } = found;
  return {
    totalMarkets: found.total,
    lowStockAlerts: found.low,
    todayRoute: routeText(found),
    avgDeliveryTime: timeText(found.actualMin),
    marketsByStatus: { active, maintenance, inactive },
    stopsToday: found.stops,
    stopsDoneToday: found.done,
    lateRoutes: found.late,
    plannedDeliveryTime: timeText(found.plannedMin),
    deliveryDays: found.deliveryDays,
  };
}

const timeText = (minutes: number | null): string => (minutes === null ? '0h' : hoursAndMinutes(minutes));

function routeText({ routes, firstRoute }: { routes: number; firstRoute: string | null }): string {
  if (routes > 1) return `${routes} routes`;
  return firstRoute ?? 'No route';
}

type TopProduct = { productName: string; productId: number | null; units: number; share: number };

/** Best sellers of 30 days; `share` is the part of the best one's units, 0 to 1. */
export async function listTopProducts(deps: Deps, caller: Caller): Promise<TopProduct[]> {
  const days = spanUpTo('month', await today(deps.db, deps.clock));
  const found = await findTopProducts(deps.db, await scopeOf(deps, caller), { days, limit: topProducts });
  const best = found[0]?.units ?? 0;
  return found.map((row) => ({ ...row, share: Math.round((1000 * row.units) / best) / 1000 }));
}
