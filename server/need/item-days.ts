import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { inOneLongTransaction } from '../db/statements/unhurried.ts';

/** Makes every day of every item anew out of ledger and sales. Nobody can sell or count while it runs. */
export async function rebuildItemDays(db: Db): Promise<void> {
  await inOneLongTransaction(db, (tx) => tx.execute(sql`select rebuild_item_days(), rebuild_foreign_days()`));
}

/** Makes the sums that reports read anew out of the days of items. */
export async function rebuildDaySums(db: Db): Promise<void> {
  await inOneLongTransaction(db, (tx) => tx.execute(sql`select rebuild_stock_days()`));
}

const figures = sql`sum(units) as units, sum(amount) as amount, sum(empty_seconds) as empty_seconds, sum(emptied) as emptied,
  sum(filled) as filled, sum(items) as items, sum(empty_now) as empty_now`;

/** One kept table against the rows, by what tells its sums apart. */
const differing = (table: SQL, columns: SQL): SQL => sql`
  select count(*) from (
    select ${columns}, ${figures} from (
      select ${columns}, units, amount, empty_seconds, emptied, filled, items, empty_now from ${table}
      union all
      select ${columns}, -units, -amount, -empty_seconds, -emptied, -filled, -items, -empty_now from facts) both_sides
    group by ${columns}) d
  where units <> 0 or amount <> 0 or empty_seconds <> 0 or emptied <> 0 or filled <> 0 or items <> 0 or empty_now <> 0`;

/** Stretches of days against the days of places. */
const wrongStretches = sql`
  select count(*) from (
    select first_day, location_type, location_id, sum(units) as units, sum(amount) as amount, sum(cost) as cost, sum(costed) as costed,
           sum(empty_seconds) as empty_seconds, sum(emptied) as emptied, sum(filled) as filled, sum(filled_on) as filled_on from (
      select first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on from place_stretches
      union all
      select stretch_of(day), location_type, location_id, -units, -amount, -cost, -costed, -empty_seconds, -emptied, -filled,
             (emptied - filled)::bigint * (day - date '2000-01-01') from place_days where day > '-infinity') both_sides
    group by 1, 2, 3) d
  where (units, amount, cost, costed, empty_seconds, emptied, filled, filled_on) <> (0, 0, 0, 0, 0, 0, 0, 0)`;

/** Blocks of four and of 64 days against the days of places. */
const wrongBlocks = sql`
  select count(*) from (
    select days, first_day, location_type, location_id, sum(units) as units, sum(amount) as amount, sum(cost) as cost,
           sum(costed) as costed, sum(empty_seconds) as empty_seconds, sum(emptied) as emptied, sum(filled) as filled,
           sum(filled_on) as filled_on from (
      select days, first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on
      from place_blocks
      union all
      select b.days, first_of_days(day, b.days), location_type, location_id, -units, -amount, -cost, -costed, -empty_seconds, -emptied,
             -filled, (emptied - filled)::bigint * (day - date '2000-01-01')
      from place_days cross join (values (4), (64)) as b(days) where day > '-infinity') both_sides
    group by 1, 2, 3, 4) d
  where (units, amount, cost, costed, empty_seconds, emptied, filled, filled_on) <> (0, 0, 0, 0, 0, 0, 0, 0)`;

const wrongKindStretches = sql`
  select count(*) from (
    select first_day, product_id, product_name, category, own_cost, sum(units) as units, sum(amount) as amount,
           sum(empty_seconds) as empty_seconds, sum(emptied) as emptied, sum(filled) as filled, sum(filled_on) as filled_on from (
      select first_day, product_id, product_name, category, own_cost, units, amount, empty_seconds, emptied, filled, filled_on from kind_stretches
      union all
      select stretch_of(day), product_id, product_name, category, own_cost, -units, -amount, -empty_seconds, -emptied, -filled,
             (emptied - filled)::bigint * (day - date '2000-01-01') from kind_days where day > '-infinity') both_sides
    group by 1, 2, 3, 4, 5) d
  where (units, amount, empty_seconds, emptied, filled, filled_on) <> (0, 0, 0, 0, 0, 0)`;

/** Days of items that leave out more or less than was paid back; of days whose sales are in files nothing can be told. */
export async function countWrongRefunds(db: Db): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`with told as (
          select case when machine_id is null then 'market_item' else 'machine_slot' end as item_type, item_id,
                 (sale_date at time zone o.time_zone)::date as day, sum(quantity) as units
          from sales cross join operator o where o.id = 1 and item_id is not null and successful and refunded group by 1, 2, 3)
        select count(*)::int as n from (select * from item_days where refunded <> 0) d full join told using (item_type, item_id, day)
        where day >= greatest(first_kept_day('sales'), first_kept_day('stock_movements'))
          and d.refunded is distinct from told.units`,
  );
  return found?.n ?? 0;
}

/** Days whose units in other currencies are more or fewer than the sales say. */
export async function countWrongForeignDays(db: Db): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`with told as (
          select (sale_date at time zone o.time_zone)::date as day,
                 case when machine_id is null then 'market_item' else 'machine_slot' end as item_type, item_id, sum(quantity) as units
          from sales cross join operator o
          where o.id = 1 and item_id is not null and successful and not refunded and sales.currency <> o.currency group by 1, 2, 3
          union all
          select day, 'slotless', item_id, sum(foreign_units) from slotless_sales where foreign_units <> 0 group by 1, 3)
        select count(*)::int as n
        from (select * from foreign_days where units <> 0) d full join told using (day, item_type, item_id)
        where day >= first_kept_day('sales') and d.units is distinct from told.units`,
  );
  return found?.n ?? 0;
}

/** Days of what was sold in no slot that differ from the sales. */
export async function countWrongSlotlessDays(db: Db): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`with told as (
          select day, item_id, sum(units) as units, sum(amount) as amount from slotless_sales group by 1, 2
          having sum(units) <> 0 or sum(amount) <> 0)
        select count(*)::int as n
        from (select * from item_days where item_type = 'slotless' and (units <> 0 or amount <> 0)) d full join told using (day, item_id)
        where day >= first_kept_day('sales') and (d.units, d.amount) is distinct from (told.units, told.amount)`,
  );
  return found?.n ?? 0;
}

/** Sums that reports read and that differ from the days of items they are made of: none, unless something wrote past them. */
export async function countWrongDaySums(db: Db): Promise<number> {
  const kind = sql`day, item_type, product_id, product_name, category, own_cost`;
  const found = await firstRow<{ n: number }>(
    db,
    sql`with facts as materialized (
          select day, item_type, product_id, product_name, category, own_cost, location_type, location_id,
                 coalesce(route_designation, '') as route_designation, units, amount,
                 case when living then sold_out_seconds else 0 end as empty_seconds,
                 (living and closing is not distinct from 0)::int as emptied, (living and empty_before)::int as filled, 0 as items,
                 0 as empty_now
          from item_days join stock_sellers using (item_type, item_id)
          union all
          select '-infinity', item_type, product_id, product_name, category, own_cost, location_type, location_id,
                 coalesce(route_designation, ''), 0, 0, 0, 0, 0, living::int,
                 (living and coalesce((select d.closing = 0 from item_days d
                   where d.item_type = s.item_type and d.item_id = s.item_id and d.closing is not null order by d.day desc limit 1), false))::int
          from stock_sellers s)
        select ((${differing(sql`kind_days`, kind)}) + (${differing(sql`place_days`, sql`day, location_type, location_id`)})
          + (${differing(sql`designation_days`, sql`day, route_designation`)}) + (${wrongStretches}) + (${wrongBlocks})
          + (${wrongKindStretches}))::int as n`,
  );
  return found?.n ?? 0;
}
