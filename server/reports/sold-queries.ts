import { type SQL, sql } from 'drizzle-orm';
import { type DayRange, lengthOf } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { sumsOfDesignations, sumsOfKinds, sumsOfPlaces, type Wish } from './day-sums.ts';

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

/** Rows that are summed once more, by what they are called today, and what of their amount is known to be margin. */
type Group = { source: (wish: Wish) => SQL; key: SQL; label: SQL; place?: SQL; margin: SQL; costed: SQL };

const cost = sql`coalesce(nullif(s.own_cost, -1), p.unit_cost)`;
const ofKind = {
  source: (wish: Wish) => sql`${sumsOfKinds(wish)} s left join products p on p.id = s.product_id`,
  margin: sql`sum(s.amount - s.units * ${cost})`,
  costed: sql`sum(s.amount) filter (where ${cost} is not null)`,
};
const priced = { margin: sql`sum(s.costed - s.cost)`, costed: sql`sum(s.costed)` };

const namedPlaces = (wish: Wish, only: SQL): SQL =>
  sql`(select s.*, coalesce(v.name, k.name) as name from ${sumsOfPlaces(wish, only)} s
       left join vending_machines v on s.location_type = 'vending_machine' and v.id = s.location_id
       left join markets k on s.location_type = 'market' and k.id = s.location_id) s`;
const placeKey = sql`s.location_type || ':' || s.location_id`;
const placed = sql`s.location_type, s.location_id`;
const isMarket = sql`s.location_type = 'market'`;

const category = sql`coalesce(nullif(s.category, ''), p.category, '')`;
const groups = {
  product: { ...ofKind, key: sql`s.product_name`, label: sql`s.product_name` },
  category: { ...ofKind, key: category, label: category },
  route: {
    ...priced,
    source: (wish: Wish) => sql`${sumsOfDesignations(wish)} s`,
    key: sql`s.route_designation`,
    label: sql`s.route_designation`,
  },
  location: {
    ...priced,
    source: (wish: Wish) => namedPlaces(wish, sql`true`),
    key: placeKey,
    label: sql`s.name`,
    place: placed,
  },
  // Machines by name and all markets in one line, so that the lines come to the whole.
  machine: {
    ...priced,
    source: (wish: Wish) => namedPlaces(wish, sql`true`),
    key: sql`case when ${isMarket} then 'markets' else ${placeKey} end`,
    label: sql`case when ${isMarket} then 'All micro markets' else s.name end`,
    place: sql`case when not ${isMarket} then s.location_type end, case when not ${isMarket} then s.location_id end`,
  },
  market: {
    ...priced,
    source: (wish: Wish) => namedPlaces(wish, sql`d.location_type = 'market'`),
    key: placeKey,
    label: sql`s.name`,
    place: placed,
  },
} satisfies Record<string, Group>;

/** True where the books begin in the range or before it: of the time before them nothing is known. */
export const booksBegun = ({ to }: DayRange): SQL => sql`(select min(b.day) from item_days b) <= ${to}::date`;

/** Sales of a range, grouped; groups with neither sales nor stock are left out. */
export function findTrade(db: Db, wish: Wish, by: keyof typeof groups): Promise<TradeRow[]> {
  const { source, key, label, place, margin, costed }: Group = groups[by];
  const wholeTime = 86_400 * lengthOf(wish.range);
  return rows<TradeRow>(
    db,
    sql`select g.key, g.label, g.location_type as "locationType", g.location_id as "locationId", g.units::int as units,
               g.amount::numeric(14, 2)::text as amount, g.before::numeric(14, 2)::text as "amountBefore",
               coalesce(g.margin, 0)::numeric(14, 2)::text as margin, coalesce(g.costed, 0)::numeric(14, 2)::text as "costedAmount",
               case when ${booksBegun(wish.range)}
                 then (g.empty / nullif(g.places * ${wholeTime}::float8, 0))::float8 end as "soldOutShare"
        from (select ${key}, ${label}, ${place ?? sql`null::text, null::int`}, sum(s.units), sum(s.amount), sum(s.before),
                ${margin}, ${costed}, sum(s.places), sum(s.empty)
              from ${source(wish)} group by 1, 2, 3, 4)
          as g(key, label, location_type, location_id, units, amount, before, margin, costed, places, empty)
        where g.amount <> 0 or g.before <> 0 or g.places > 0
        order by g.amount desc, 2`,
  );
}

export type DayRow = { day: string; units: number; amount: string };

/** Sales by day, as the daily sums have them: with what belongs to no known slot. */
export function findSalesDays(db: Db, { range, before, route }: Wish): Promise<DayRow[]> {
  return rows<DayRow>(
    db,
    sql`select day::text as day, sum(units)::int as units, sum(amount)::text as amount from sales_by_route
        where day between ${before.from} and ${range.to} ${route === null ? sql`` : sql`and route_designation = ${route}`}
        group by 1 having sum(units) <> 0 or sum(amount) <> 0 order by 1`,
  );
}
