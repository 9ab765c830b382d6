import { type SQL, sql } from 'drizzle-orm';
import type { SalesGroup } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { foreignKinds, sumsOfDesignations, sumsOfKinds } from './day-sums.ts';
import { foreignUnitsIn } from './foreign.ts';
import { findPlacePage } from './place-page.ts';
import { emptyShare, type PageWish, type Rest, restLine, type TradeRow, type Wish } from './wish.ts';

/** Rows that are told apart by what they are called today, and what of their amount is known to be margin. */
type Group = { label: SQL; source: (wish: Wish) => SQL; margin: SQL; costed: SQL };

const cost = sql`coalesce(nullif(s.own_cost, -1), o.unit_cost)`;
const ofKind = {
  source: (wish: Wish) => sql`
    ${sumsOfKinds(wish)} s left join ${foreignKinds(wish)} f using (product_id, product_name, category, own_cost)
    left join products o on o.id = s.product_id left join products p on p.id = coalesce(o.merged_into, o.id)`,
  margin: sql`sum(s.amount - (s.units - coalesce(f.foreign_units, 0)) * ${cost})`,
  costed: sql`sum(s.amount) filter (where ${cost} is not null)`,
};
const priced = { margin: sql`sum(s.costed - s.cost)`, costed: sql`sum(s.costed)` };

const groups: Record<Exclude<SalesGroup, 'location' | 'machine'>, Group> = {
  // What was sold in no slot is called as the catalogue has it, where it has it, and what the sale says of it is a stopgap.
  product: { ...ofKind, label: sql`coalesce(nullif(s.product_name, ''), p.name, '')` },
  category: {
    ...ofKind,
    label: sql`case when s.product_name = '' then coalesce(nullif(p.category, ''), s.category)
      else coalesce(nullif(s.category, ''), p.category, '') end`,
  },
  route: {
    ...priced,
    source: (wish: Wish) => sql`${sumsOfDesignations(wish)} s`,
    label: sql`s.route_designation`,
  },
};

export type Totals = { units: number; amount: string; amountBefore: string; margin: string; costedAmount: string };
/** With the days of both ranges, and what of the units was paid in another currency. */
type DaysAndTotals = Totals & { days: DayRow[]; foreignUnits: number };

const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  sales: { value: sql`g.amount`, type: 'numeric' },
  name: { value: sql`lower(g.label)`, type: 'text' },
  units: { value: sql`g.units`, type: 'bigint' },
  change: { value: sql`round(coalesce((g.amount - g.before) / nullif(abs(g.before), 0), 0), 6)`, type: 'numeric' },
  margin: { value: sql`g.margin`, type: 'numeric' },
  out: { value: sql`round(coalesce(g.share, -1)::numeric, 9)`, type: 'numeric' },
};
const bySales: Pick<Order, 'value' | 'type'> = { value: sql`g.amount`, type: 'numeric' };

type Asked = PageWish & { by: SalesGroup; rest: Rest | null };

/** A page of the sales of a range, grouped; groups with neither sales nor stock are left out. */
export function findTradePage(db: Db, wish: Wish, { by, ...asked }: Asked): Promise<Page<TradeRow>> {
  if (by === 'location') return findPlacePage(db, wish, { ...asked, markets: 'apart' });
  // Machines by name and all markets in one line, so that the lines come to the whole.
  if (by === 'machine') return findPlacePage(db, wish, { ...asked, markets: 'together' });
  const { sort, search, rest, page, limit } = asked;
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const words = wordsOf(search).map((word) => containsWord(sql`plain_text(g.label)`, word));
  return findPage<TradeRow>(db, {
    isPlannedOnce: words.length === 0,
    common: sql`with grouped as (${groupedBy(groups[by], wish)} ${rest ? restRow(rest) : sql``}),
      g as materialized (select * from grouped g where ${sql.join([sql`true`, ...words], sql` and `)})`,
    fields: sql`g.key, g.label, null as "locationType", null::int as "locationId", g.units::int as units,
      g.amount::numeric(14, 2)::text as amount, g.before::numeric(14, 2)::text as "amountBefore",
      g.margin::numeric(14, 2)::text as margin, g.costed::numeric(14, 2)::text as "costedAmount", g.share as "soldOutShare"`,
    source: sql`g`,
    condition: sql`true`,
    order: { name, down, id: sql`g.id`, ...(orders[name] ?? bySales) },
    page,
    limit,
    total: sql`select count(*)::int from g`,
  });
}

/** One row for each group. */
const groupedBy = ({ label, source, margin, costed }: Group, wish: Wish): SQL => sql`
  select row_number() over (order by o.label) as id, o.label as key, o.label, o.units, o.amount, o.before,
         coalesce(o.margin, 0) as margin, coalesce(o.costed, 0) as costed, ${emptyShare(wish, sql`o.empty`, sql`o.places`)} as share
  from (select ${label}, sum(s.units), sum(s.amount), sum(s.before), ${margin}, ${costed}, sum(s.places), sum(s.empty)
        from ${source(wish)} group by 1)
    as o(label, units, amount, before, margin, costed, places, empty)
  where o.units <> 0 or o.amount <> 0 or o.before <> 0 or o.places > 0`;

const restRow = ({ units, amount, amountBefore }: Rest): SQL => sql`
  union all select -1, ${restLine.key}, ${restLine.label}, ${units}::int, ${amount}::numeric, ${amountBefore}::numeric, 0, 0, null`;

export type DayRow = { day: string; units: number; amount: string };

/** Of a route: by the designation that places have today, as the lines are. */
const salesDays = ({ range, before, route }: Wish): SQL => sql`
  select day::text as day, sum(units)::int as units, sum(amount)::text as amount
  from ${route === null ? sql`sales_by_route` : sql`designation_days`}
  where day between ${before.from} and ${range.to} ${route === null ? sql`` : sql`and route_designation = ${route}`}
  group by 1 having sum(units) <> 0 or sum(amount) <> 0 order by 1`;

/** Sales by day; of all routes with those of which nothing but their sum is known any more. */
export const findSalesDays = (db: Db, wish: Wish): Promise<DayRow[]> => rows<DayRow>(db, salesDays(wish));

/** The same, and what all places sold together: the sum of the rows of a trade page, however they are grouped. */
export async function findDaysAndTotals(db: Db, wish: Wish): Promise<DaysAndTotals> {
  const money = (sum: SQL): SQL => sql`coalesce(${sum}, 0)::numeric(14, 2)::text`;
  const found = await firstRow<Omit<DaysAndTotals, 'days'> & { days: DayRow[] | null }>(
    db,
    plannedOnce(sql`
      select coalesce(sum(s.units), 0)::int as units, ${money(sql`sum(s.amount)`)} as amount,
             ${money(sql`sum(s.before)`)} as "amountBefore", ${money(priced.margin)} as margin,
             ${money(priced.costed)} as "costedAmount", (select json_agg(t) from (${salesDays(wish)}) t) as days,
             (select ${foreignUnitsIn(wish)}) as "foreignUnits"
      from ${sumsOfDesignations(wish)} s`),
  );
  const nothing = {
    ...{ units: 0, amount: '0.00', amountBefore: '0.00', margin: '0.00', costedAmount: '0.00' },
    foreignUnits: 0,
  };
  return { ...nothing, ...found, days: found?.days ?? [] };
}
