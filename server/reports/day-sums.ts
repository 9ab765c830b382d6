import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import { lengthOf } from '../../domain/report.ts';
import { foreignIn } from './foreign.ts';
import { addends, type Figure, type Rows } from './stretches.ts';
import type { Wish } from './wish.ts';

/** A table of sums by day, and the columns that tell its sums apart. */
type DaySums = { table: SQL; columns: SQL; condition: SQL; priced: boolean };

const within = ({ from, to }: DayRange): SQL => sql`d.day between ${from}::date and ${to}::date`;

/**
 * Seconds that living slots and items stood empty in a range. Whole days without a row of their own lie between a row that ended
 * empty and the next one: from those empty now, less what ended empty on a day or after it, plus what was filled after it.
 */
function emptySeconds(range: DayRange): SQL {
  const { from, to } = range;
  return sql`coalesce(sum(d.empty_seconds) filter (where ${within(range)}), 0) + 86400::float8 * (
    ${lengthOf(range)}::int * sum(d.empty_now)
    - sum(case when d.day >= ${from}::date then d.emptied * (least(d.day, ${to}::date) - ${from}::date + 1)
                 - d.filled * (least(d.day, ${to}::date + 1) - ${from}::date) else 0 end))`;
}

/** One row for each of what the sums are told apart by. */
function rangeSums({ table, columns, condition, priced }: DaySums, { range, before }: Wish): SQL {
  const inRange = within(range);
  const prices = priced
    ? sql`sum(d.cost) filter (where ${inRange}) as cost, sum(d.costed) filter (where ${inRange}) as costed,`
    : sql``;
  return sql`(
    select ${columns}, coalesce(sum(d.units) filter (where ${inRange}), 0) as units,
           coalesce(sum(d.amount) filter (where ${inRange}), 0) as amount,
           coalesce(sum(d.amount) filter (where ${within(before)}), 0) as before, ${prices}
           sum(d.items) as places, ${emptySeconds(range)} as empty
    from ${table} d where (d.day = '-infinity' or d.day >= ${before.from}::date) and ${condition} group by ${columns})`;
}

/**
 * True of what stands in a place of a route, with the places that are gone: living ones and others are listed by an index each. By the
 * route of its place alone, all machines would be read for a few.
 */
function isOnRoute(route: string): SQL {
  const machines = sql`select m.id from vending_machines m where m.route_designation = ${route}`;
  const markets = sql`select m.id from markets m where m.route_designation = ${route}`;
  return sql`(
    v.location_type = 'vending_machine' and v.location_id = any(array(
      ${machines} and m.deleted_at is null union all ${machines} and m.deleted_at is not null))
    or v.location_type = 'market' and v.location_id = any(array(${markets})))`;
}

/** By what slots and items hold; of one route out of the days of its items, which are not many. */
export function kindDays({ before, route }: Wish): SQL {
  if (route === null) return sql`kind_days`;
  const kind = sql`v.item_type, v.product_id, v.product_name, v.category, v.own_cost`;
  return sql`(
    select x.day, ${kind}, x.units, x.amount, x.spoiled, x.missing, case when v.living then x.sold_out_seconds else 0 end as empty_seconds,
           (v.living and x.closing is not distinct from 0)::int as emptied, (v.living and x.empty_before)::int as filled,
           0 as items, 0 as empty_now
    from stock_sellers v cross join lateral (
      select * from item_days i where i.item_type = v.item_type and i.item_id = v.item_id and i.day >= ${before.from}::date) x
    where ${isOnRoute(route)}
    union all
    select '-infinity'::date, ${kind}, 0, 0, 0, 0, 0, 0, 0, 1, coalesce((
      select (i.closing = 0)::int from item_days i where i.item_type = v.item_type and i.item_id = v.item_id and i.closing is not null
      order by i.day desc limit 1), 0)
    from stock_sellers v where ${isOnRoute(route)} and v.living)`;
}

const kind = sql`d.product_id, d.product_name, d.category, d.own_cost`;

const figures: readonly Figure[] = ['units', 'amount', 'before', 'empty'];
const ofKinds: Rows[] = [
  { days: 16, table: sql`kind_stretches`, firstDay: sql`d.first_day` },
  { days: 1, table: sql`kind_days`, firstDay: sql`d.day` },
];

/** One row for each kind; of all places together by stretches of days, because there kinds have sold nearly every day. */
export function sumsOfKinds(wish: Wish): SQL {
  if (wish.route !== null) {
    return rangeSums({ table: kindDays(wish), columns: kind, condition: sql`true`, priced: false }, wish);
  }
  return sql`(
    select ${kind}, sum(d.units) as units, coalesce(sum(d.amount), 0) as amount, coalesce(sum(d.before), 0) as before,
           sum(d.items) as places, sum(d.empty) as empty
    from (${addends(wish, { rows: ofKinds, columns: kind, condition: sql`true`, figures })}) d group by ${kind})`;
}

/** One row for each designation, with the cost of what was paid in the operator's currency. */
export function sumsOfDesignations(wish: Wish): SQL {
  const sums = rangeSums(
    {
      table: sql`designation_days`,
      columns: sql`d.route_designation`,
      condition: wish.route === null ? sql`true` : sql`d.route_designation = ${wish.route}`,
      priced: true,
    },
    wish,
  );
  return sql`(
    select route_designation, s.units, s.amount, s.before, s.cost - coalesce(f.cost, 0) as cost, s.costed, s.places, s.empty
    from ${sums} s left join (
      select d.route_designation, sum(d.cost) as cost from ${foreignIn(wish)} group by 1) f using (route_designation))`;
}

/** Units of each kind that were paid in another currency. */
export const foreignKinds = (wish: Wish): SQL =>
  sql`(select ${kind}, sum(d.units) as foreign_units from ${foreignIn(wish)} and d.location_id is not null group by ${kind})`;
