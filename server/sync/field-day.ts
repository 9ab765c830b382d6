import { and, eq, or, sql } from 'drizzle-orm';
import type { FieldDay } from '../../contract/sync.ts';
import { instantIn } from '../../domain/time.ts';
import { firstRow } from '../db/database.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { loadScheduledRoutes } from '../route-planning/service.ts';
import { routes } from '../route-planning/tables.ts';
import { getOperator, today } from '../settings/service.ts';

/** So many are counted: more than anybody does in a day, and a sign-in that many share does not slow down with each entry. */
const mostUpdates = 2_000;

/** A person's day: the routes they drive today, else those of their designation, and what they did. */
export async function fieldDay(deps: Deps, caller: Caller): Promise<FieldDay> {
  const day = await today(deps.db, deps.clock);
  const { timeZone } = await getOperator(deps.db);
  const designation = caller.routeDesignation ? eq(routes.routeDesignation, caller.routeDesignation) : undefined;
  const mine = or(eq(routes.driverId, caller.userId), designation);
  const own = await loadScheduledRoutes(deps.db, and(eq(routes.date, day), mine));
  const begin = instantIn(timeZone, day, 0).toISOString();
  const updates = await firstRow<{ n: number }>(
    deps.db,
    plannedOnce(sql`select count(*)::int as n from (
          select from stock_movements where actor_id = ${caller.userId} and received_at >= ${begin}
            and effective_at >= ${begin}::timestamptz - interval '7 days'
          -- By the index, which then is read no farther than to the last that counts.
          order by received_at limit ${mostUpdates}) m`),
  );
  return {
    routes: own.map((route) => route.name),
    routesAssigned: own.length,
    completedStops: own.reduce((sum, route) => sum + route.completedStops, 0),
    totalStops: own.reduce((sum, route) => sum + route.totalStops, 0),
    todaysUpdates: updates?.n ?? 0,
  };
}
