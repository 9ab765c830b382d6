import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { atMost, plannedOnce } from '../db/postgres/kept-plans.ts';
import { markets } from '../markets/tables.ts';
import { routes } from '../route-planning/tables.ts';
import type { Scope } from '../scope/service.ts';

type Figures = {
  total: number;
  active: number;
  maintenance: number;
  inactive: number;
  /** Items of all markets that are low, by the count that each market keeps. */
  low: number;
  /** Means in whole minutes over the routes that the route report counts as completed on the days; null without any. */
  actualMin: number | null;
  plannedMin: number | null;
  /** The actual mean of each day on which any was completed. */
  deliveryDays: { day: string; minutes: number }[];
  routes: number;
  firstRoute: string | null;
  stops: number;
  done: number;
  late: number;
};

type Asked = {
  markets: SQL;
  routes: SQL;
  day: string;
  days: DayRange;
  /** A route is late from more than so many whole minutes on. */
  lateAfterMin: number;
  now: Date;
};

/** Markets by status, the routes of a day and how long those of some days took: what the dashboard opens with, in one statement. */
export function findFigures(db: Db, asked: Asked) {
  const { markets: marketInScope, routes: routeInScope, day, days, lateAfterMin, now } = asked;
  const isLate = (behind: SQL): SQL => sql`round(extract(epoch from ${behind}) / 60) > ${lateAfterMin}`;
  const stops = sql`route_stops t where t.route_id = ${routes.id}`;
  const next = sql`(select t.estimated_arrival from ${stops} and not t.completed and t.skipped_reason is null
    order by t.stop_order, t.id limit 1)`;
  const behind = sql`(select t.actual_arrival - t.estimated_arrival from ${stops}
    and t.actual_arrival is not null and t.estimated_arrival is not null order by t.stop_order desc, t.id desc limit 1)`;
  return firstRow<Figures>(
    db,
    plannedOnce(sql`select m.*, t.*, s.*, r.* from
        (select count(*)::int as total, count(*) filter (where ${markets.status} = 'active')::int as active,
           count(*) filter (where ${markets.status} = 'maintenance')::int as maintenance,
           count(*) filter (where ${markets.status} = 'inactive')::int as inactive,
           coalesce(sum(${markets.lowStockCount}), 0)::int as low
         from ${markets} where ${marketInScope}) m,
        (select round(sum(a.minutes) / sum(a.timed))::int as "actualMin", round(sum(a.planned) / sum(a.plans))::int as "plannedMin",
           coalesce(json_agg(json_build_object('day', a.day, 'minutes', round(a.minutes / a.timed)) order by a.day)
             filter (where a.timed > 0), '[]') as "deliveryDays"
         from (select ${routes.date} as day, count(${routes.completedAt}) as timed, count(${routes.estimatedTime}) as plans,
             -- In floating point, to the nearest minute, half of one up: in decimals it takes twice as long.
             sum(floor(date_part('epoch', ${routes.completedAt} - ${routes.startedAt}) / 60 + 0.5))::numeric as minutes,
             sum(${routes.estimatedTime})::numeric as planned
           from ${routes}
           where ${routes.status} = 'completed' and ${routes.date} between ${days.from} and ${days.to}
             and ${routes.startedAt} is not null and ${routeInScope}
           group by ${routes.date}) a) t,
        (select count(*)::int as stops, (count(*) filter (where t.completed))::int as done
         from ${routes} join route_stops t on t.route_id = ${routes.id} where ${routes.date} = ${day} and ${routeInScope}) s,
        (select count(*)::int as routes, min(${routes.name}) as "firstRoute",
           -- The two arrivals are looked up for routes that are not driven to their end, which are few in the evening.
           count(*) filter (where case when ${routes.status} = 'completed' then false
             else coalesce(${isLate(sql`${now.toISOString()}::timestamptz - ${next}`)}, false)
               or ${routes.status} = 'in_progress' and ${isLate(behind)} end)::int as late
         from ${routes} where ${routes.date} = ${day} and ${routeInScope}) r`),
  );
}

/** Best sellers of days, by units, with the product that has the name today. */
export function findTopProducts(db: Db, scope: Scope, { days, limit }: { days: DayRange; limit: number }) {
  // Sales are summed by designation: a field worker sees the own one's.
  const from = scope.everything ? sql`sales_by_product` : sql`sales_daily`;
  const named = scope.everything || scope.designation ? sql`true` : sql`false`;
  const inScope = scope.everything ? named : sql`d.route_designation = ${scope.designation ?? ''} and ${named}`;
  return rows<{ productName: string; productId: number | null; units: number }>(
    db,
    plannedOnce(sql`select t.name as "productName", t.units,
          (select coalesce(p.merged_into, p.id) from products p where lower(p.name) = lower(t.name) order by p.id limit 1) as "productId"
        from (select d.product_name as name, sum(d.units)::int as units
              from ${from} d
              where d.day between ${days.from} and ${days.to} and d.product_name <> '' and ${inScope}
              group by d.product_name having sum(d.units) > 0
              order by units desc, d.product_name limit ${atMost(limit)}) t
        order by t.units desc, t.name`),
  );
}
