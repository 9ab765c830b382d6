import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';

export type StockValue = {
  units: number;
  total: string;
  atCost: string;
  /** Part of the total that is valued at price, because no cost is known. */
  atPrice: string;
  /** Units with neither cost nor price: worth something, but nobody said what. */
  unvaluedUnits: number;
};

/** All but the few deleted ones: joining every item with its market takes half as long again. */
const atMarkets = (route: string | null): SQL =>
  route === null
    ? sql`i.market_id not in (select m.id from markets m where m.deleted_at is not null)`
    : sql`i.market_id in (select m.id from markets m where m.deleted_at is null and m.route_designation = ${route})`;

/**
 * What the stock at markets is worth: at cost, else at price. First by product, then in money: there
 * are many items and few products.
 */
export async function valueOfItems(db: Db, route: string | null): Promise<StockValue> {
  const found = await firstRow<StockValue>(
    db,
    sql`select coalesce(sum(s.units), 0)::int as units,
               coalesce(sum(s.units * coalesce(p.unit_cost, p.unit_price)), 0)::numeric(14, 2)::text as total,
               coalesce(sum(s.units * p.unit_cost), 0)::numeric(14, 2)::text as "atCost",
               coalesce(sum(s.units * p.unit_price) filter (where p.unit_cost is null), 0)::numeric(14, 2)::text as "atPrice",
               coalesce(sum(s.units) filter (where coalesce(p.unit_cost, p.unit_price) is null), 0)::int as "unvaluedUnits"
        from (select i.product_id, sum(i.current_quantity) as units
              from inventory_items i where i.deleted_at is null and ${atMarkets(route)} group by 1) s
        left join products p on p.id = s.product_id`,
  );
  return found ?? { units: 0, total: '0.00', atCost: '0.00', atPrice: '0.00', unvaluedUnits: 0 };
}
