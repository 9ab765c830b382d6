import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { inOneLongTransaction } from '../db/statements/unhurried.ts';

/** One kept table against what it sums, by what tells its sums apart. */
const differing = (table: SQL, columns: SQL, facts: SQL): SQL => sql`
  select count(*) from (
    select ${columns}, sum(units) as units, sum(amount) as amount from (
      select ${columns}, units, amount from ${table} where day >= first_kept_day('sales')
      union all
      select ${columns}, -units, -amount from ${facts} where day >= first_kept_day('sales')) both_sides
    group by ${columns}) d
  where units <> 0 or amount <> 0`;

/** Daily sums that differ from the sales, and sums by product and route that differ from these; of months in files nothing is told. */
export async function countWrongDailySums(db: Db): Promise<number> {
  const found = await inOneLongTransaction(db, (tx) => firstRow<{ n: number }>(tx, wrongSums));
  return found?.n ?? 0;
}

const wrongSums = sql`with sold as (
    select (sale_date at time zone o.time_zone)::date as day, coalesce(route_designation, '') as route_designation,
           coalesce(product_name, '') as product_name, coalesce(payment_method, '') as payment_method,
           quantity as units, case when s.currency = o.currency then total_amount else 0 end as amount
    from sales s cross join operator o where o.id = 1 and successful and not refunded)
  select ((${differing(sql`sales_daily`, sql`day, route_designation, product_name, payment_method`, sql`sold`)})
    + (${differing(sql`sales_by_product`, sql`day, product_name`, sql`sales_daily`)})
    + (${differing(sql`sales_by_route`, sql`day, route_designation`, sql`sales_daily`)}))::int as n`;

/** Makes the daily sums anew out of the sales. Nobody can sell while it runs. */
export async function rebuildDailySums(db: Db): Promise<void> {
  await inOneLongTransaction(db, async (tx) => {
    await tx.execute(sql`select rebuild_sales_daily()`);
    // The triggers moved these by what changed: that leaves a sum as wrong as it was before.
    await tx.execute(sql`delete from sales_by_product`);
    await tx.execute(sql`delete from sales_by_route`);
    await tx.execute(
      sql`insert into sales_by_product select day, product_name, sum(units), sum(amount) from sales_daily group by 1, 2`,
    );
    await tx.execute(
      sql`insert into sales_by_route select day, route_designation, sum(units), sum(amount) from sales_daily group by 1, 2`,
    );
  });
}
