import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { inOneLongTransaction } from '../db/statements/unhurried.ts';

type Kept = { table: SQL; by: string[]; sums: string[]; facts: SQL };

const names = (list: readonly string[]): SQL =>
  sql.join(
    list.map((name) => sql.identifier(name)),
    sql`, `,
  );

/** Sums of one kept table that differ from what they sum. */
function differing({ table, by, sums, facts }: Kept): SQL {
  const each = (form: (sum: SQL) => SQL, between: SQL): SQL =>
    sql.join(
      sums.map((name) => form(sql`${sql.identifier(name)}`)),
      between,
    );
  return sql`(select count(*) from (
    select ${names(by)} from (
      select ${names([...by, ...sums])} from ${table}
      union all
      select ${names(by)}, ${each((sum) => sql`-${sum}`, sql`, `)} from ${facts}) both_sides
    group by ${names(by)} having ${each((sum) => sql`sum(${sum}) <> 0`, sql` or `)}) d)`;
}

const byPlace = { by: ['first_day', 'currency', 'place', 'system'], sums: ['lines', 'failed', 'revenue'] };
const ofGrain = (grain: 'day' | 'week', from: SQL): SQL =>
  sql`(select * from payment_places where grain = ${grain} and first_day >= (select ${from} from books)) g`;
const sinceKept = (table: SQL): SQL => sql`(select * from ${table} where day >= (select kept from books)) k`;

/** Each kept table against the payments, or against the finer one that it comes from. */
const kept: readonly Kept[] = [
  {
    table: sinceKept(sql`payment_days`),
    by: ['day', 'currency', 'system', 'payment_method', 'card_type', 'status'],
    sums: ['lines', 'units', 'amount', 'revenue', 'fee', 'fee_lines'],
    facts: sql`paid`,
  },
  {
    table: sinceKept(sql`payment_hours`),
    by: ['day', 'currency', 'hour', 'system'],
    sums: ['lines', 'amount', 'revenue'],
    facts: sql`paid`,
  },
  { ...byPlace, table: ofGrain('day', sql`kept`), facts: sql`(select *, day as first_day from paid) f` },
  {
    ...byPlace,
    table: ofGrain('week', sql`monday`),
    facts: sql`(select date_trunc('week', first_day)::date as first_day, currency, place, system, lines, failed, revenue
      from ${ofGrain('day', sql`monday`)}) f`,
  },
  {
    ...byPlace,
    table: sql`payment_blocks`,
    facts: sql`(select block_of(first_day) as first_day, currency, place, system, lines, failed, revenue
      from payment_places where grain = 'week') f`,
  },
];

/** Sums of payments by day, hour and place that differ from the payments; of months in files nothing is told. */
export async function countWrongPaymentSums(db: Db): Promise<number> {
  const wrong = sql`with books as (
      select time_zone as zone, first_kept_day('sales') as kept, date_trunc('week', first_kept_day('sales'))::date as monday
      from operator where id = 1),
    paid as (
      select (paid_at at time zone zone)::date as day, extract(hour from paid_at at time zone zone)::smallint as hour,
             currency, system, payment_method, card_type, status, place, 1 as lines, quantity as units, amount, revenue,
             coalesce(fee, 0) as fee, (fee is not null)::int as fee_lines, (status = 'failed')::int as failed
      from payments cross join books where paid_at >= kept::timestamp at time zone zone)
    select (${sql.join(kept.map(differing), sql` + `)})::int as n`;
  return (await inOneLongTransaction(db, (tx) => firstRow<{ n: number }>(tx, wrong)))?.n ?? 0;
}

/** Makes the sums of payments anew. Nobody can sell while it runs. */
export async function rebuildPaymentSums(db: Db): Promise<void> {
  await inOneLongTransaction(db, async (tx) => {
    await tx.execute(sql`select rebuild_payments()`);
    // The triggers moved these by what changed: that leaves a sum as wrong as it was before.
    await tx.execute(sql`delete from payment_blocks`);
    await tx.execute(
      sql`insert into payment_blocks select block_of(first_day), place, system, currency, sum(lines), sum(failed), sum(revenue)
          from payment_places where grain = 'week' group by 1, 2, 3, 4`,
    );
  });
}
