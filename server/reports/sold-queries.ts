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
 * one was there all along. Only days that knew an empty slot are read, and the day after those that ended so.
 */
export const emptyTime = ({ from, to }: DayRange): SQL => sql`(
  select d.item_type, d.item_id, sum(
           case when d.day >= ${from}::date then d.sold_out_seconds else 0 end
         + case when d.closing = 0 then 86400 * greatest(0, coalesce(
             (select min(n.day) from item_days n where n.item_type = d.item_type and n.item_id = d.item_id
                and n.day > d.day and n.day <= ${to}::date), ${to}::date + 1) - greatest(d.day + 1, ${from}::date)) else 0 end
         )::float8 as seconds
  from item_days d
  where d.day between ${from}::date - ${lookBackDays}::int and ${to}::date and (d.sold_out_seconds > 0 or d.closing = 0)
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

type Group = { key: SQL; label: SQL; locationType: SQL; locationId: SQL; only: SQL; days?: SQL };

const noPlace = { locationType: sql`null::text`, locationId: sql`null::int`, only: sql`true` };
const place = { locationType: sql`s.location_type`, locationId: sql`s.location_id` };
const placeKey = { key: sql`s.location_type || ':' || s.location_id`, label: sql`s.location_name` };
/** Machines by name and all markets in one line, so that the lines come to the whole. */
const unlessMarket = (value: SQL, market: SQL): SQL =>
  sql`case s.location_type when 'market' then ${market} else ${value} end`;
const named = (column: SQL): SQL => sql`coalesce(${column}, '')`;

const groups = {
  product: { key: sql`s.product_name`, label: sql`s.product_name`, ...noPlace },
  category: { key: named(sql`s.category`), label: named(sql`s.category`), ...noPlace },
  route: { key: named(sql`s.route_designation`), label: named(sql`s.route_designation`), ...noPlace },
  location: { ...placeKey, ...place, only: sql`true` },
  machine: {
    key: unlessMarket(placeKey.key, sql`'markets'`),
    label: unlessMarket(placeKey.label, sql`'All micro markets'`),
    locationType: unlessMarket(place.locationType, sql`null`),
    locationId: unlessMarket(place.locationId, sql`null`),
    only: sql`true`,
  },
  market: { ...placeKey, ...place, only: sql`s.location_type = 'market'`, days: sql`d.item_type = 'market_item'` },
} satisfies Record<string, Group>;

/** Sales of a range, grouped; groups with neither sales nor stock are left out. */
export function findTrade(db: Db, wish: Wish, by: keyof typeof groups): Promise<TradeRow[]> {
  const { range, before, route } = wish;
  const group: Group = groups[by];
  const inRange = sql`d.day between ${range.from} and ${range.to}`;
  const wholeTime = 86_400 * lengthOf(range);
  const grouped = sql`${group.key} as key, ${group.label} as label, ${group.locationType} as "locationType",
                      ${group.locationId} as "locationId"`;
  // Days are summed by group at once: sums of each item beside them would be as many as there are slots.
  return rows<TradeRow>(
    db,
    sql`with sold as (
          select ${grouped}, sum(d.units) filter (where ${inRange}) as units, sum(d.amount) filter (where ${inRange}) as amount,
                 sum(d.amount) filter (where not ${inRange}) as before,
                 sum(d.amount - d.units * s.cost) filter (where ${inRange}) as margin,
                 sum(d.amount) filter (where ${inRange} and s.cost is not null) as costed, count(*) as days, 0 as places,
                 null::float8 as empty
          from item_days d join ${sellers(route)} s using (item_type, item_id)
          where ${group.only} and ${group.days ?? sql`true`} and d.day between ${before.from} and ${range.to} group by 1, 2, 3, 4
        ), stocked as (
          select ${grouped}, null::bigint, null::numeric, null::numeric, null::numeric, null::numeric, 0, count(*) as places,
                 sum(e.seconds) as empty
          from ${sellers(route)} s left join ${emptyTime(range)} e using (item_type, item_id)
          where ${group.only} and s.living group by 1, 2, 3, 4)
        select key, label, "locationType", "locationId", coalesce(sum(units), 0)::int as units,
               coalesce(sum(amount), 0)::numeric(14, 2)::text as amount,
               coalesce(sum(before), 0)::numeric(14, 2)::text as "amountBefore",
               coalesce(sum(margin), 0)::numeric(14, 2)::text as margin,
               coalesce(sum(costed), 0)::numeric(14, 2)::text as "costedAmount",
               case when sum(days) > 0 or sum(empty) is not null
                 then (coalesce(sum(empty), 0) / nullif(sum(places) * ${wholeTime}::float8, 0))::float8 end as "soldOutShare"
        from (select * from sold union all select * from stocked) g group by 1, 2, 3, 4
        having sum(amount) <> 0 or sum(before) <> 0 or sum(places) > 0
        order by sum(amount) desc nulls last, 2`,
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
