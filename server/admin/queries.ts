import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '../../domain/permissions.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';

type Sum = {
  designation: string | null;
  locations: number;
  markets: number;
  activeLocations: number;
  inventoryItems: number;
  lowStock: number;
  workers: number;
  lastActivity: string | null;
};

const ofRoute = (alias: SQL, route: string | undefined): SQL =>
  route === undefined ? sql`true` : sql`${alias}.route_designation = ${route}`;

/** Sums by route designation, those without one together under null. */
export function sumRoutes(db: Db, route: string | undefined): Promise<Sum[]> {
  return rows<Sum>(
    db,
    sql`with places as (
          select nullif(m.route_designation, '') as designation, m.status, 1 as market, m.item_count as items,
                 m.low_stock_count as low, greatest(m.last_updated, m.updated_at) as at
          from markets m where m.deleted_at is null and ${ofRoute(sql`m`, route)}
          union all
          select nullif(v.route_designation, ''), v.status, 0, v.slot_count, v.slots_under_percent,
                 greatest(v.updated_at, v.last_restocked)
          from vending_machines v where v.deleted_at is null and ${ofRoute(sql`v`, route)}
        )
        select p.designation, count(*)::int as locations, sum(p.market)::int as markets,
               (count(*) filter (where p.status = 'active'))::int as "activeLocations", sum(p.items)::int as "inventoryItems",
               sum(p.low)::int as "lowStock",
               (select count(*)::int from users u where u.is_active and u.route_designation = p.designation) as workers,
               to_char(max(p.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastActivity"
        from places p group by p.designation order by p.designation`,
  );
}

/** People who may sign in. */
export async function countPeople(
  db: Db,
  filter: { route: string | undefined; role: Role | undefined },
): Promise<number> {
  const who = filter.role ? sql`u.role = ${filter.role}` : sql`true`;
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from users u where u.is_active and ${who} and ${ofRoute(sql`u`, filter.route)}`,
  );
  return found?.n ?? 0;
}
