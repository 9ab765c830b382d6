import { type SQL, sql } from 'drizzle-orm';
import type { LocationRef } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';

export async function existsLocation(db: Db, { type, id }: LocationRef, inScope: SQL): Promise<boolean> {
  const table = type === 'market' ? markets : vendingMachines;
  return (
    (await firstRow(db, sql`select 1 as one from ${table} where ${table.id} = ${id} and ${inScope}`)) !== undefined
  );
}

type Asked = { ref: LocationRef; currency: string; timeZone: string; from: Date; until: Date };
type Sum = { units: number; amount: string };

const sold = ({ ref, currency, from, until }: Asked): SQL =>
  sql`from sales s where ${ref.type === 'market' ? sql`s.market_id` : sql`s.machine_id`} = ${ref.id}
      and s.sale_date >= ${from.toISOString()}::timestamptz and s.sale_date < ${until.toISOString()}::timestamptz
      and s.successful and not s.refunded and s.currency = ${currency}`;

const sums = sql`sum(s.quantity)::int as units, sum(s.total_amount)::numeric(14,2)::text as amount`;

export function findSalesByDay(db: Db, asked: Asked): Promise<(Sum & { day: string; sales: number })[]> {
  return rows(
    db,
    sql`select (s.sale_date at time zone ${asked.timeZone})::date::text as day, count(*)::int as sales, ${sums}
        ${sold(asked)} group by 1 order by 1`,
  );
}

export function findSalesByHour(db: Db, asked: Asked): Promise<(Sum & { hour: number })[]> {
  return rows(
    db,
    sql`select extract(hour from s.sale_date at time zone ${asked.timeZone})::int as hour, ${sums}
        ${sold(asked)} group by 1 order by 1`,
  );
}

export function findSalesByProduct(db: Db, asked: Asked): Promise<(Sum & { productName: string })[]> {
  return rows(
    db,
    sql`select coalesce(s.product_name, 'Unknown product') as "productName", ${sums}
        ${sold(asked)} group by 1 order by sum(s.total_amount) desc, 1`,
  );
}

const itemsOf = ({ type, id }: LocationRef): SQL =>
  type === 'market'
    ? sql`select 'market_item' as item_type, id, current_quantity as on_hand, created_at, deleted_at,
            coalesce(par_quantity, 2 * minimum_quantity) as target from inventory_items where market_id = ${id}`
    : sql`select 'machine_slot' as item_type, id, current_quantity as on_hand, created_at, deleted_at,
            coalesce(par_quantity, max_quantity) as target from vending_machine_inventory where machine_id = ${id}`;

export async function sumTarget(db: Db, ref: LocationRef): Promise<number> {
  const found = await firstRow<{ target: number }>(
    db,
    sql`select coalesce(sum(target), 0)::int as target from (${itemsOf(ref)}) t where deleted_at is null`,
  );
  return found?.target ?? 0;
}

/**
 * Units and empty slots at the end of each day. A day without a movement has no row of its own: what the last one before
 * left was there all along, until the next. Today is what is there now.
 */
export function findStockDays(
  db: Db,
  ref: LocationRef,
  { from, until, timeZone }: { from: string; until: string; timeZone: string },
): Promise<{ day: string; units: number; empty: number }[]> {
  const goneOn = sql`(deleted_at at time zone ${timeZone})::date`;
  const sums = sql`sum(greatest(0, closing))::int as units, count(*) filter (where closing <= 0)::int as empty`;
  return rows(
    db,
    sql`with items as (${itemsOf(ref)}), held as (
          select i.item_type, i.id, ${goneOn} as gone, x.day, x.closing,
                 lead(x.day, 1, ${until}::date) over (partition by i.id order by x.day) as next
          from items i cross join lateral (
            (select d.day, d.closing from item_days d where d.item_type = i.item_type and d.item_id = i.id and d.day < ${from}::date
             order by d.day desc limit 1)
            union all
            select d.day, d.closing from item_days d
            where d.item_type = i.item_type and d.item_id = i.id and d.day >= ${from}::date and d.day < ${until}::date) x)
        select days.day::text as day, days.units, days.empty from (
          select ${from}::date + n as day, ${sums}
          from held cross join lateral generate_series(
            greatest(day, ${from}::date) - ${from}::date, least(next, coalesce(gone, next)) - ${from}::date - 1) n
          where closing is not null group by 1
          union all
          select ${until}::date, ${sums} from (select on_hand as closing from items
            where deleted_at is null or ${goneOn} > ${until}::date) today having count(*) > 0) days
        order by days.day`,
  );
}
