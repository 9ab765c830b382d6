import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { markets } from '../markets/tables.ts';
import { routes } from '../route-planning/tables.ts';
import type { Scope } from '../scope/service.ts';

type MarketCounts = { total: number; active: number; maintenance: number; inactive: number; low: number };

/** Markets by status, and the items of all that are low, by the count that each market keeps. */
export async function countMarkets(db: Db, inScope: SQL): Promise<MarketCounts> {
  const found = await firstRow<MarketCounts>(
    db,
    sql`select count(*)::int as total, count(*) filter (where ${markets.status} = 'active')::int as active,
          count(*) filter (where ${markets.status} = 'maintenance')::int as maintenance,
          count(*) filter (where ${markets.status} = 'inactive')::int as inactive,
          coalesce(sum(${markets.lowStockCount}), 0)::int as low
        from ${markets} where ${inScope}`,
  );
  return found ?? { total: 0, active: 0, maintenance: 0, inactive: 0, low: 0 };
}

export function findRoutesOfDay(db: Db, inScope: SQL, day: string) {
  return rows<{ name: string; stops: number; done: number }>(
    db,
    sql`select ${routes.name} as name, s.stops, s.done
        from ${routes} cross join lateral (
          select count(*)::int as stops, count(*) filter (where t.completed)::int as done
          from route_stops t where t.route_id = ${routes.id}) s
        where ${routes.date} = ${day} and ${inScope} order by ${routes.id}`,
  );
}

/** Means in whole minutes over the routes that the route report counts as completed on these days; 0 without any. */
export async function meanDurations(db: Db, inScope: SQL, { from, to }: DayRange) {
  const found = await firstRow<{ actualMin: number | null; plannedMin: number | null }>(
    db,
    sql`select round(avg(round(extract(epoch from ${routes.completedAt} - ${routes.startedAt}) / 60)))::int as "actualMin",
          round(avg(${routes.estimatedTime}))::int as "plannedMin"
        from ${routes}
        where ${routes.status} = 'completed' and ${routes.date} between ${from} and ${to}
          and ${routes.startedAt} is not null and ${inScope}`,
  );
  return { actualMin: found?.actualMin ?? 0, plannedMin: found?.plannedMin ?? 0 };
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
