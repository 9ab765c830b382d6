import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { allFigures, sumsOfPlaces } from './place-sums.ts';
import { emptyShare, type PageWish, type Wish } from './wish.ts';

export type MarketRow = {
  id: number;
  name: string;
  status: string;
  stockedUnits: number;
  targetUnits: number;
  items: number;
  lowStockCount: number;
  routeDesignation: string | null;
  units: number;
  amount: string;
  amountBefore: string;
  margin: string;
  costedAmount: string;
  soldOutShare: number | null;
};

/** The stock level of the domain, as the database reckons it. */
const level = sql`(case when g.target_units <= 0 then 0
  else greatest(0, least(100, round(100.0 * g.stocked_units / g.target_units))) end)::int`;

const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  name: { value: sql`lower(g.name)`, type: 'text' },
  status: { value: sql`g.status::text`, type: 'text' },
  level: { value: level, type: 'bigint' },
  items: { value: sql`g.item_count`, type: 'bigint' },
  before: { value: sql`g.before`, type: 'numeric' },
  margin: { value: sql`g.margin`, type: 'numeric' },
  out: { value: sql`round(coalesce(g.share, -1)::numeric, 9)`, type: 'numeric' },
};
const bySales: Pick<Order, 'value' | 'type'> = { value: sql`g.amount`, type: 'numeric' };

/** A page of the living markets with what each sold. */
export function findMarketPage(db: Db, wish: Wish, { sort, search, page, limit }: PageWish): Promise<Page<MarketRow>> {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const condition = [
    sql`m.deleted_at is null`,
    ...(wish.route === null ? [] : [sql`m.route_designation = ${wish.route}`]),
    ...wordsOf(search).map((word) => containsWord(sql`m.search_text`, word)),
  ];
  const ofRoute =
    wish.route === null
      ? sql`true`
      : sql`d.location_id in (select r.id from markets r where r.route_designation = ${wish.route})`;
  const sums = sumsOfPlaces(wish, {
    only: sql`d.location_type = 'market' and ${ofRoute}`,
    markets: 'apart',
    figures: allFigures,
  });
  return findPage<MarketRow>(db, {
    isPlannedOnce: wordsOf(search).length === 0,
    common: sql`with g as materialized (
      select m.id, m.name, m.status, m.stocked_units, m.target_units, m.item_count, m.route_designation,
             coalesce(s.units, 0) as units, coalesce(s.amount, 0) as amount, coalesce(s.before, 0) as before,
             coalesce(s.costed - s.cost, 0) as margin, coalesce(s.costed, 0) as costed,
             ${emptyShare(wish, sql`s.empty`, sql`s.places`)} as share
      from markets m left join ${sums} s on s.place = m.id::bigint * 2
      where ${sql.join(condition, sql` and `)})`,
    fields: sql`g.id, g.name, g.status, g.stocked_units as "stockedUnits", g.target_units as "targetUnits", g.item_count as items,
      (select count(*)::int from inventory_items i where i.market_id = g.id and i.deleted_at is null and i.is_low
         and i.current_quantity < i.minimum_quantity) as "lowStockCount",
      g.route_designation as "routeDesignation", g.units::int as units, g.amount::numeric(14, 2)::text as amount,
      g.before::numeric(14, 2)::text as "amountBefore", g.margin::numeric(14, 2)::text as margin,
      g.costed::numeric(14, 2)::text as "costedAmount", g.share as "soldOutShare"`,
    source: sql`g`,
    condition: sql`true`,
    order: { name, down, id: sql`g.id`, ...(orders[name] ?? bySales) },
    page,
    limit,
    total: sql`select count(*)::int from g`,
  });
}
