import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
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
  routes: { name: string; stops: number; done: number }[];
};

type Asked = { markets: SQL; routes: SQL; day: string; days: DayRange };

/** Markets by status, the routes of a day and how long those of some days took: what the dashboard opens with, in one statement. */
export function findFigures(db: Db, { markets: marketInScope, routes: routeInScope, day, days }: Asked) {
  return firstRow<Figures>(
    db,
    sql`select m.*, t.*, r.routes from
        (select count(*)::int as total, count(*) filter (where ${markets.status} = 'active')::int as active,
           count(*) filter (where ${markets.status} = 'maintenance')::int as maintenance,
           count(*) filter (where ${markets.status} = 'inactive')::int as inactive,
           coalesce(sum(${markets.lowStockCount}), 0)::int as low
         from ${markets} where ${marketInScope}) m,
        (select round(avg(round(extract(epoch from ${routes.completedAt} - ${routes.startedAt}) / 60)))::int as "actualMin",
           round(avg(${routes.estimatedTime}))::int as "plannedMin"
         from ${routes}
         where ${routes.status} = 'completed' and ${routes.date} between ${days.from} and ${days.to}
           and ${routes.startedAt} is not null and ${routeInScope}) t,
        (select coalesce(json_agg(json_build_object('name', ${routes.name}, 'stops', s.stops, 'done', s.done) order by ${routes.id}), '[]')
           as routes
         from ${routes} cross join lateral (
           select count(*)::int as stops, count(*) filter (where t.completed)::int as done
           from route_stops t where t.route_id = ${routes.id}) s
         where ${routes.date} = ${day} and ${routeInScope}) r`,
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
    sql`select t.name as "productName", t.units,
          (select coalesce(p.merged_into, p.id) from products p where lower(p.name) = lower(t.name) order by p.id limit 1) as "productId"
        from (select d.product_name as name, sum(d.units)::int as units
              from ${from} d
              where d.day between ${days.from} and ${days.to} and d.product_name <> '' and ${inScope}
              group by d.product_name having sum(d.units) > 0
              order by units desc, d.product_name limit ${limit}) t
        order by t.units desc, t.name`,
  );
}
