import { type SQL, sql } from 'drizzle-orm';
import { usualRules } from '../../domain/operator-rules.ts';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';

/** Minutes after the planned arrival from which a stop counts as late. */
const lateMin = sql`coalesce((select late_after_min from operator where id = 1), ${usualRules.lateAfterMin}::int)`;

export type RouteRow = {
  id: number;
  name: string;
  date: string;
  routeDesignation: string | null;
  status: string;
  stops: number;
  visited: number;
  skipped: number;
  late: number;
  plannedKm: number;
  drivenKm: number;
  plannedMin: number;
  actualMin: number | null;
};

/**
 * Routes of the days with what was planned and what was done. Legs to stops that nobody visited were not driven; where legs are
 * not known, the share of stops stands for them.
 */
export function findRoutes(db: Db, range: DayRange, route: string | null): Promise<RouteRow[]> {
  return rows<RouteRow>(
    db,
    sql`select r.id, r.name, r.date::text as date, r.route_designation as "routeDesignation", r.status,
               s.stops, s.visited, s.skipped, s.late, r.total_distance as "plannedKm",
               coalesce(r.total_distance * coalesce(s.driven / nullif(s.legs, 0), s.visited::float8 / nullif(s.stops, 0)), 0)::float8
                 as "drivenKm",
               r.estimated_time as "plannedMin",
               case when r.status = 'completed'
                 then round(extract(epoch from r.completed_at - r.started_at) / 60)::int end as "actualMin"
        from routes r cross join lateral (
          select count(*)::int as stops, count(*) filter (where t.completed)::int as visited,
                 count(*) filter (where t.skipped_reason is not null)::int as skipped,
                 count(*) filter (where t.actual_arrival > t.estimated_arrival + ${lateMin} * interval '1 minute')::int as late,
                 sum(t.leg_distance_km) as legs, sum(t.leg_distance_km) filter (where t.completed) as driven
          from route_stops t where t.route_id = r.id) s
        where r.date between ${range.from} and ${range.to} ${ofRoute(route)}
        order by r.date desc, r.name, r.id`,
  );
}

const ofRoute = (route: string | null): SQL => (route === null ? sql`` : sql`and r.route_designation = ${route}`);

export async function countMarketsByStatus(db: Db, route: string | null) {
  const found = await firstRow<{ active: number; maintenance: number }>(
    db,
    sql`select count(*) filter (where status = 'active')::int as active,
               count(*) filter (where status = 'maintenance')::int as maintenance
        from markets where deleted_at is null ${route === null ? sql`` : sql`and route_designation = ${route}`}`,
  );
  return found ?? { active: 0, maintenance: 0 };
}
