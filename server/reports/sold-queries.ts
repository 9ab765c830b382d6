import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import { lengthOf } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

/** Days that the ledger is read before a range, to know what was there when it began. */
const lookBackDays = 60;

/** What is counted: these days, and one route designation or all. */
export type Wish = { range: DayRange; before: DayRange; route: string | null };

/** Every slot and item with its place, product and what one unit costs; deleted ones have sold, too. */
export const sellers = (route: string | null): SQL => sql`(
  select 'machine_slot' as item_type, s.id as item_id, 'vending_machine' as location_type, m.id as location_id,
         m.name as location_name, m.route_designation, s.product_name, coalesce(s.category, p.category) as category,
         coalesce(s.cost, p.unit_cost) as cost, s.deleted_at is null and m.deleted_at is null as living
  from vending_machine_inventory s join vending_machines m on m.id = s.machine_id
  left join products p on p.id = s.product_id where ${ofRoute(route)}
  union all
  select 'market_item', i.id, 'market', m.id, m.name, m.route_designation, i.product_name, p.category, p.unit_cost,
         i.deleted_at is null and m.deleted_at is null
  from inventory_items i join markets m on m.id = i.market_id
  left join products p on p.id = i.product_id where ${ofRoute(route)})`;

const ofRoute = (route: string | null): SQL => (route === null ? sql`true` : sql`m.route_designation = ${route}`);

/**
 * Seconds that each item was empty in a range. A day without a movement has no row: what was there in the evening of the last
 * one was there all along.
 */
export const emptyTime = ({ from, to }: DayRange): SQL => sql`(
  select item_type, item_id, sum(
           case when day >= ${from}::date then sold_out_seconds else 0 end
         + case when closing = 0 then 86400 * greatest(0,
             least(coalesce(next_day, ${to}::date + 1), ${to}::date + 1) - greatest(day + 1, ${from}::date)) else 0 end
         )::float8 as seconds
  from (select item_type, item_id, day, closing, sold_out_seconds,
               lead(day) over (partition by item_type, item_id order by day) as next_day
        from item_days where day between ${from}::date - ${lookBackDays}::int and ${to}::date) d
  group by 1, 2)`;

export type TradeRow = {
  key: string;
  label: string;
  locationType: 'market' | 'vending_machine' | null;
  locationId: number | null;
  units: number;
  amount: string;
  amountBefore: string;
  margin: string;
  costedAmount: string;
  soldOutShare: number | null;
};

type Group = { key: SQL; label: SQL; locationType: SQL; locationId: SQL; only: SQL };

const noPlace = { locationType: sql`null::text`, locationId: sql`null::int`, only: sql`true` };
const place = { locationType: sql`s.location_type`, locationId: sql`s.location_id` };
const placeKey = { key: sql`s.location_type || ':' || s.location_id`, label: sql`s.location_name` };
const named = (column: SQL): SQL => sql`coalesce(${column}, '')`;

const groups = {
  product: { key: sql`s.product_name`, label: sql`s.product_name`, ...noPlace },
  category: { key: named(sql`s.category`), label: named(sql`s.category`), ...noPlace },
  route: { key: named(sql`s.route_designation`), label: named(sql`s.route_designation`), ...noPlace },
  location: { ...placeKey, ...place, only: sql`true` },
  machine: { ...placeKey, ...place, only: sql`s.location_type = 'vending_machine'` },
  market: { ...placeKey, ...place, only: sql`s.location_type = 'market'` },
} satisfies Record<string, Group>;

/** Sales of a range, grouped; groups with neither sales nor stock are left out. */
export function findTrade(db: Db, wish: Wish, by: keyof typeof groups): Promise<TradeRow[]> {
  const { range, before, route } = wish;
  const group: Group = groups[by];
  const inRange = sql`d.day between ${range.from} and ${range.to}`;
  const wholeTime = 86_400 * lengthOf(range);
  return rows<TradeRow>(
    db,
    sql`with sold as (
          select item_type, item_id, coalesce(sum(units) filter (where ${inRange}), 0)::int as units,
                 coalesce(sum(amount) filter (where ${inRange}), 0) as amount,
                 coalesce(sum(amount) filter (where not ${inRange}), 0) as amount_before
          from item_days d where d.day between ${before.from} and ${range.to} group by 1, 2)
        select ${group.key} as key, ${group.label} as label, ${group.locationType} as "locationType",
               ${group.locationId} as "locationId", coalesce(sum(d.units), 0)::int as units,
               coalesce(sum(d.amount), 0)::numeric(14, 2)::text as amount,
               coalesce(sum(d.amount_before), 0)::numeric(14, 2)::text as "amountBefore",
               coalesce(sum(d.amount - d.units * s.cost) filter (where s.cost is not null), 0)::numeric(14, 2)::text as margin,
               coalesce(sum(d.amount) filter (where s.cost is not null), 0)::numeric(14, 2)::text as "costedAmount",
               (sum(e.seconds) filter (where s.living) / nullif(count(*) filter (where s.living) * ${wholeTime}::float8, 0))::float8
                 as "soldOutShare"
        from ${sellers(route)} s left join sold d using (item_type, item_id)
        left join ${emptyTime(range)} e using (item_type, item_id)
        where ${group.only} group by 1, 2, 3, 4
        having sum(d.amount) <> 0 or sum(d.amount_before) <> 0 or bool_or(s.living)
        order by sum(d.amount) desc nulls last, 2`,
  );
}

export type DayRow = { day: string; units: number; amount: string };

/** Sales by day, as the daily sums have them: with what belongs to no known slot. */
export function findSalesDays(db: Db, { range, before, route }: Wish): Promise<DayRow[]> {
  return rows<DayRow>(
    db,
    sql`select day::text as day, sum(units)::int as units, sum(amount)::text as amount from sales_daily
        where day between ${before.from} and ${range.to} ${route === null ? sql`` : sql`and route_designation = ${route}`}
        group by 1 order by 1`,
  );
}
