import { type SQL, sql } from 'drizzle-orm';
import { usualRules } from '../../domain/operator-rules.ts';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { findPage, type Order, type Window } from '../db/statements/paging.ts';

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
  plannedKm: number;
  drivenKm: number;
  plannedMin: number;
  actualMin: number | null;
};

/** With what else the sums of days are made of. */
export type RouteSums = RouteRow & { skipped: number; late: number };

/** What became of the stops of a route `r`. */
const stopSums = sql`lateral (
  select count(*)::int as stops, count(*) filter (where t.completed)::int as visited,
         count(*) filter (where t.skipped_reason is not null)::int as skipped,
         count(*) filter (where t.actual_arrival > t.estimated_arrival + ${lateMin} * interval '1 minute')::int as late,
         sum(t.leg_distance_km) as legs, sum(t.leg_distance_km) filter (where t.completed) as driven
  from route_stops t where t.route_id = r.id) s`;

/** Legs to stops that nobody visited were not driven; where legs are not known, the share of stops stands for them. */
const drivenKm = sql`coalesce(r.total_distance
  * coalesce(s.driven / nullif(s.legs, 0), s.visited::float8 / nullif(s.stops, 0)), 0)::float8`;

const actualMin = sql`(case when r.status = 'completed'
  then round(extract(epoch from r.completed_at - r.started_at) / 60)::int end)`;

const lineFields = sql`r.id, r.name, r.date::text as date, r.route_designation as "routeDesignation", r.status, s.stops, s.visited,
  r.total_distance as "plannedKm", ${drivenKm} as "drivenKm", r.estimated_time as "plannedMin", ${actualMin} as "actualMin"`;

const ofDays = ({ from, to }: DayRange, route: string | null): SQL =>
  sql`r.date between ${from} and ${to} ${ofRoute(route)}`;

/** Routes of the days with what was planned and what was done. */
export function findRoutes(db: Db, range: DayRange, route: string | null): Promise<RouteSums[]> {
  return rows<RouteSums>(
    db,
    sql`select ${lineFields}, s.skipped, s.late from routes r cross join ${stopSums} where ${ofDays(range, route)}
        order by r.date desc, r.name, r.id`,
  );
}

/** `ofStops`: the stops of every route have to be read to put the routes in order, not only those of the page. */
type RouteOrder = Pick<Order, 'value' | 'type'> & { ofStops?: true };

const orders: Record<string, RouteOrder> = {
  name: { value: sql`lower(r.name)`, type: 'text' },
  visited: { value: sql`s.visited`, type: 'bigint', ofStops: true },
  driven: { value: sql`round(${drivenKm}::numeric, 6)`, type: 'numeric', ofStops: true },
  planned: { value: sql`round(r.total_distance::numeric, 6)`, type: 'numeric' },
  time: { value: sql`coalesce(${actualMin}, 0)`, type: 'bigint' },
  'planned-time': { value: sql`r.estimated_time`, type: 'bigint' },
};
const byDate: RouteOrder = { value: sql`r.date - date '2000-01-01'`, type: 'bigint' };

export type LinesWish = { sort: string; page?: string | undefined; limit: number };

/** A page of these routes. */
export function findRoutePage(db: Db, asked: LinesWish & { range: DayRange; route: string | null }) {
  const { range, route, sort, page, limit } = asked;
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const { ofStops, ...order } = orders[name] ?? byDate;
  const condition = ofDays(range, route);
  const routesOf = (window: Window): SQL =>
    ofStops
      ? sql`routes r`
      : sql`(select r.* from routes r ${window({ condition, value: order.value, id: sql`r.id` })}) r`;
  return findPage<RouteRow>(db, {
    fields: lineFields,
    source: (window) => sql`${routesOf(window)} cross join ${stopSums}`,
    condition,
    order: { name, down, id: sql`r.id`, ...order },
    page,
    limit,
    total: sql`select count(*)::int from routes r where ${condition}`,
  });
}

export type RouteDay = {
  day: string;
  routes: number;
  completed: number;
  plannedKm: number;
  drivenKm: number;
  plannedMin: number;
  /** Of the completed ones. */
  completedPlannedMin: number;
  actualMin: number;
  stops: number;
  visited: number;
  skipped: number;
  late: number;
};

/** What the routes of each day come to: of these days, or of a range and one designation. */
export function findRouteDays(
  db: Db,
  asked: { days: readonly string[] } | { range: DayRange; route: string },
): Promise<RouteDay[]> {
  const isAsked =
    'days' in asked
      ? sql`r.date in (select value::date from jsonb_array_elements_text(${JSON.stringify(asked.days)}::jsonb))`
      : ofDays(asked.range, asked.route);
  return rows<RouteDay>(
    db,
    sql`select g.date::text as day, count(*)::int as routes, count(g.actual)::int as completed, sum(g.planned_km) as "plannedKm",
               sum(g.driven_km) as "drivenKm", sum(g.planned)::int as "plannedMin",
               coalesce(sum(g.planned) filter (where g.actual is not null), 0)::int as "completedPlannedMin",
               coalesce(sum(g.actual), 0)::int as "actualMin", sum(g.stops)::int as stops, sum(g.visited)::int as visited,
               sum(g.skipped)::int as skipped, sum(g.late)::int as late
        from (select r.date, r.total_distance as planned_km, ${drivenKm} as driven_km, r.estimated_time as planned,
                     ${actualMin} as actual, s.stops, s.visited, s.skipped, s.late
              from routes r cross join ${stopSums} where ${isAsked}) g
        group by g.date order by g.date`,
  );
}

/**
 * A text per day with routes that is another as soon as what they come to may be: a change of a route or of its stops gives the route a
 * number above all there were, and the rule for late stops counts.
 */
export function findDayMarks(db: Db, { from, to }: DayRange): Promise<{ day: string; mark: string }[]> {
  return rows<{ day: string; mark: string }>(
    db,
    sql`select r.date::text as day, concat_ws('/', count(*), sum(r.change_seq), max(r.change_seq), ${lateMin}) as mark
        from routes r where r.date between ${from} and ${to} group by r.date order by r.date`,
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
