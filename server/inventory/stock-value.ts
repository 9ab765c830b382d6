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

/** Units of each product; a product may come twice. */
const unitsOf = (route: string | null): SQL => {
  const items = sql`inventory_items i where i.deleted_at is null`;
  if (route !== null)
    return sql`select i.product_id, sum(i.current_quantity) as units from ${items} and i.market_id in (
      select m.id from markets m where m.deleted_at is null and m.route_designation = ${route}) group by 1`;
  // All less the few that are gone, and those at the few deleted markets: an index holds what is summed, but not where it is.
  return sql`select i.product_id, sum(i.current_quantity) as units from inventory_items i group by 1
    union all select i.product_id, -sum(i.current_quantity) from inventory_items i where i.deleted_at is not null group by 1
    union all select i.product_id, -sum(i.current_quantity) from ${items} and i.market_id in (
      select m.id from markets m where m.deleted_at is not null) group by 1`;
};

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
        from (${unitsOf(route)}) s
        left join products p on p.id = s.product_id`,
  );
  return found ?? { units: 0, total: '0.00', atCost: '0.00', atPrice: '0.00', unvaluedUnits: 0 };
}
