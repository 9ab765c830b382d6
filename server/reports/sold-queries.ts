import { type SQL, sql } from 'drizzle-orm';
import { type DayRange, lengthOf, type SalesGroup } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { machineSays } from '../machines/service.ts';
import { sumsOfDesignations, sumsOfKinds } from './day-sums.ts';
import { idOfPlace, sumsOfPlaces, typeOfPlace } from './place-sums.ts';
import type { Wish } from './wish.ts';

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

/**
 * Rows that are told apart by what they are called today, and what of their amount is known to be margin; or places, which are
 * named when the rows to be shown are known.
 */
type Group = { label: SQL; source: (wish: Wish) => SQL; margin: SQL; costed: SQL } | { markets: 'apart' | 'together' };

const cost = sql`coalesce(nullif(s.own_cost, -1), p.unit_cost)`;
const ofKind = {
  source: (wish: Wish) => sql`${sumsOfKinds(wish)} s left join products p on p.id = s.product_id`,
  margin: sql`sum(s.amount - s.units * ${cost})`,
  costed: sql`sum(s.amount) filter (where ${cost} is not null)`,
};
const priced = { margin: sql`sum(s.costed - s.cost)`, costed: sql`sum(s.costed)` };

const groups: Record<SalesGroup, Group> = {
  product: { ...ofKind, label: sql`s.product_name` },
  category: { ...ofKind, label: sql`coalesce(nullif(s.category, ''), p.category, '')` },
  route: {
    ...priced,
    source: (wish: Wish) => sql`${sumsOfDesignations(wish)} s`,
    label: sql`s.route_designation`,
  },
  location: { markets: 'apart' },
  // Machines by name and all markets in one line, so that the lines come to the whole.
  machine: { markets: 'together' },
};

/** True where the books begin in the range or before it: of the time before them nothing is known. */
export const booksBegun = ({ to }: DayRange): SQL => sql`(select min(b.day) from item_days b) <= ${to}::date`;

/** Share of the range that all of `places` stood empty, from the seconds that each of them did. */
export const emptyShare = (wish: Wish, empty: SQL, places: SQL): SQL =>
  sql`case when ${booksBegun(wish.range)}
        then (${empty} / nullif(${places} * ${86_400 * lengthOf(wish.range)}::float8, 0))::float8 end`;

export type Totals = { units: number; amount: string; amountBefore: string; margin: string; costedAmount: string };

/** Sales that belong to no slot or item: one row more, so that the rows add up to the total. */
export type Rest = { units: number; amount: string; amountBefore: string };

export type PageWish = { sort: string; search?: string | undefined; page?: string | undefined; limit: number };

const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  sales: { value: sql`g.amount`, type: 'numeric' },
  name: { value: sql`lower(g.name)`, type: 'text' },
  units: { value: sql`g.units`, type: 'bigint' },
  change: { value: sql`round(coalesce((g.amount - g.before) / nullif(abs(g.before), 0), 0), 6)`, type: 'numeric' },
  margin: { value: sql`g.margin`, type: 'numeric' },
  out: { value: sql`round(coalesce(g.share, -1)::numeric, 9)`, type: 'numeric' },
};
const bySales: Pick<Order, 'value' | 'type'> = { value: sql`g.amount`, type: 'numeric' };

type Asked = PageWish & { by: SalesGroup; rest: Rest | null };

/** A page of the sales of a range, grouped; groups with neither sales nor stock are left out. */
export function findTradePage(db: Db, wish: Wish, asked: Asked): Promise<Page<TradeRow>> {
  const { by, sort, search, rest, page, limit } = asked;
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const words = wordsOf(search);
  const nameOf = (table: SQL, type: string): SQL =>
    sql`(select n.name from ${table} n where g.location_type = ${type} and n.id = g.location_id)`;
  return findPage<TradeRow>(db, {
    common: sql`with ${words.length === 0 ? sql`g` : sql`grouped`} as materialized (
        ${groupedBy(groups[by], wish)} ${rest ? restRow(rest) : sql``})
      ${words.length === 0 ? sql`` : sql`, g as materialized (select * from grouped g where ${sql.join(words.map(isCalled), sql` and `)})`}`,
    fields: sql`coalesce(g.location_type || ':' || g.location_id, g.key) as key,
      coalesce(g.label, ${nameOf(sql`vending_machines`, 'vending_machine')}, ${nameOf(sql`markets`, 'market')}) as label,
      g.location_type as "locationType", g.location_id as "locationId", g.units::int as units,
      g.amount::numeric(14, 2)::text as amount, g.before::numeric(14, 2)::text as "amountBefore",
      g.margin::numeric(14, 2)::text as margin, g.costed::numeric(14, 2)::text as "costedAmount", g.share as "soldOutShare"`,
    // The names are joined only where rows are sorted by them.
    source: sql`(select g.*, coalesce(g.label, v.name, k.name) as name from g
      left join vending_machines v on g.location_type = 'vending_machine' and v.id = g.location_id
      left join markets k on g.location_type = 'market' and k.id = g.location_id) g`,
    condition: sql`true`,
    order: { name, down, id: sql`g.id`, ...(orders[name] ?? bySales) },
    page,
    limit,
    total: sql`select count(*)::int from g`,
  });
}

/** One row for each group; what is told of it besides its figures. */
function groupedBy(group: Group, wish: Wish): SQL {
  const figures = sql`o.units, o.amount, o.before, coalesce(o.margin, 0) as margin, coalesce(o.costed, 0) as costed,
    ${emptyShare(wish, sql`o.empty`, sql`o.places`)} as share`;
  const isTold = sql`o.units <> 0 or o.amount <> 0 or o.before <> 0 or o.places > 0`;
  if ('label' in group) {
    return sql`
      select row_number() over (order by o.label) as id, o.label as key, o.label, null::text as location_type, null::int as location_id,
             ${figures}
      from (select ${group.label}, sum(s.units), sum(s.amount), sum(s.before), ${group.margin}, ${group.costed}, sum(s.places),
              sum(s.empty) from ${group.source(wish)} group by 1)
        as o(label, units, amount, before, margin, costed, places, empty)
      where ${isTold}`;
  }
  // No place has the number 0: it is all markets together.
  const ofPlace = (value: SQL): SQL => sql`case when o.place > 0 then ${value} end`;
  return sql`
    select o.place as id, case when o.place = 0 then 'markets' end as key, case when o.place = 0 then 'All micro markets' end as label,
           ${ofPlace(typeOfPlace(sql`o.place`))} as location_type, ${ofPlace(idOfPlace(sql`o.place`))} as location_id, ${figures}
    from (select s.*, s.costed - s.cost as margin from ${sumsOfPlaces(wish, sql`true`, group.markets)} s) o
    where ${isTold}`;
}

const restRow = ({ units, amount, amountBefore }: Rest): SQL => sql`
  union all select -1, 'no-slot', 'In no slot of today', null, null, ${units}::int, ${amount}::numeric, ${amountBefore}::numeric,
    0, 0, null`;

/** A group by what it is called; a place by all that a search of places reads. */
function isCalled(word: string): SQL {
  const ofMarket = sql`g.location_id in (select n.id from markets n where ${containsWord(sql`n.search_text`, word)})`;
  return sql`case g.location_type when 'vending_machine' then ${machineSays(sql`g.location_id`, word)}
    when 'market' then ${ofMarket} else ${containsWord(sql`plain_text(g.label)`, word)} end`;
}

export type DayRow = { day: string; units: number; amount: string };

const salesDays = ({ range, before, route }: Wish): SQL => sql`
  select day::text as day, sum(units)::int as units, sum(amount)::text as amount from sales_by_route
  where day between ${before.from} and ${range.to} ${route === null ? sql`` : sql`and route_designation = ${route}`}
  group by 1 having sum(units) <> 0 or sum(amount) <> 0 order by 1`;

/** Sales by day, as the daily sums have them: with what belongs to no known slot. */
export const findSalesDays = (db: Db, wish: Wish): Promise<DayRow[]> => rows<DayRow>(db, salesDays(wish));

/** The same, and what all places sold together: the sum of the rows of a trade page, however they are grouped. */
export async function findDaysAndTotals(db: Db, wish: Wish): Promise<Totals & { days: DayRow[] }> {
  const money = (sum: SQL): SQL => sql`coalesce(${sum}, 0)::numeric(14, 2)::text`;
  const found = await firstRow<Totals & { days: DayRow[] | null }>(
    db,
    sql`select coalesce(sum(s.units), 0)::int as units, ${money(sql`sum(s.amount)`)} as amount,
               ${money(sql`sum(s.before)`)} as "amountBefore", ${money(priced.margin)} as margin,
               ${money(priced.costed)} as "costedAmount", (select json_agg(t) from (${salesDays(wish)}) t) as days
        from ${sumsOfDesignations(wish)} s`,
  );
  const nothing = { units: 0, amount: '0.00', amountBefore: '0.00', margin: '0.00', costedAmount: '0.00' };
  return { ...nothing, ...found, days: found?.days ?? [] };
}
