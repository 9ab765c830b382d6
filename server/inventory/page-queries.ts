import { type SQL, sql } from 'drizzle-orm';
import type { InventoryRow, StockFilter } from '../../contract/inventory.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/like.ts';
import { findPage, type Order, type Page } from '../db/paging.ts';
import { markets } from '../markets/tables.ts';
import { itemFields } from './queries.ts';
import { inventoryItems } from './tables.ts';

export type Filter = { search?: string | undefined; stock: StockFilter; market?: number | undefined };
export type Wish = Filter & { sort: string; page?: string | undefined; limit: number };

const { currentQuantity, minimumQuantity, lastRestocked } = inventoryItems;

/** Stock as a share of the minimum, in thousandths, word for word as in its index. */
const cover = sql`(${currentQuantity}::bigint * 1000 / greatest(${minimumQuantity}, 1))`;
const lowBelow = 1000;

const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  cover: { value: cover, type: 'bigint' },
  product: { value: sql`lower(${inventoryItems.productName})`, type: 'text' },
  market: { value: sql`lower(${markets.name})`, type: 'text' },
  stock: { value: sql`${currentQuantity}`, type: 'bigint' },
  minimum: { value: sql`${minimumQuantity}`, type: 'bigint' },
  restocked: { value: sql`coalesce(${lastRestocked}, '-infinity')`, type: 'timestamptz' },
};

function orderOf(sort: string): Order {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  return { name, down, id: sql`${inventoryItems.id}`, ...(orders[name] ?? { value: cover, type: 'bigint' }) };
}

/**
 * Each word stands in the name of the product or of the market. Names are few and items many: the distinct names are walked
 * along their index, and the items looked up by the matching ones.
 */
function matches(word: string): SQL {
  const names = sql`array(
    with recursive names as (
      (select lower(product_name) as name from inventory_items where deleted_at is null order by 1 limit 1)
      union all
      select (select lower(n.product_name) from inventory_items n
              where n.deleted_at is null and lower(n.product_name) > names.name order by 1 limit 1)
      from names where names.name is not null)
    select name from names where ${containsWord(sql`plain_text(name)`, word)})`;
  const places = sql`array(select s.id from markets s where s.deleted_at is null and ${containsWord(sql`plain_text(s.name)`, word)})`;
  return sql`(lower(${inventoryItems.productName}) = any(${names}) or ${inventoryItems.marketId} = any(${places}))`;
}

function conditionOf({ search, stock, market }: Filter, marketInScope: SQL): SQL {
  const parts = [sql`${inventoryItems.deletedAt} is null`, marketInScope, ...wordsOf(search).map(matches)];
  if (stock === 'low') parts.push(sql`${cover} < ${lowBelow}`);
  if (stock === 'in-stock') parts.push(sql`${cover} >= ${lowBelow}`);
  if (market !== undefined) parts.push(sql`${inventoryItems.marketId} = ${market}`);
  return sql.join(parts, sql` and `);
}

const itemsOfMarkets = sql`${inventoryItems} join ${markets} on ${markets.id} = ${inventoryItems.marketId}`;
const rowSource = sql`${itemsOfMarkets} left join products p on p.id = ${inventoryItems.productId}
  left join item_balances b on b.item_type = 'market_item' and b.item_id = ${inventoryItems.id}`;
const rowFields = sql`${itemFields}, ${markets.name} as "marketName"`;

export function findItemPage(db: Db, marketInScope: SQL, wish: Wish): Promise<Page<InventoryRow>> {
  const condition = conditionOf(wish, marketInScope);
  return findPage<InventoryRow>(db, {
    fields: rowFields,
    source: rowSource,
    condition,
    order: orderOf(wish.sort),
    page: wish.page,
    limit: wish.limit,
    total: () => countItems(db, marketInScope, wish),
  });
}

async function countItems(db: Db, marketInScope: SQL, filter: Filter): Promise<number> {
  const isWhole = wordsOf(filter.search).length === 0 && filter.market === undefined;
  if (isWhole) {
    // The sums that every market keeps tell how many items there are without reading them.
    const low = filter.stock === 'all' ? 0 : await countLow(db, marketInScope);
    if (filter.stock === 'low') return low;
    const found = await firstRow<{ items: number }>(
      db,
      sql`select coalesce(sum(${markets.itemCount}), 0)::int as items from ${markets} where ${marketInScope}`,
    );
    return (found?.items ?? 0) - low;
  }
  return count(db, conditionOf(filter, marketInScope));
}

const countLow = (db: Db, marketInScope: SQL): Promise<number> =>
  count(db, conditionOf({ stock: 'low' }, marketInScope));

async function count(db: Db, condition: SQL): Promise<number> {
  const found = await firstRow<{ items: number }>(
    db,
    sql`select count(*)::int as items from ${itemsOfMarkets} where ${condition}`,
  );
  return found?.items ?? 0;
}

export async function findRow(db: Db, marketInScope: SQL, id: number): Promise<InventoryRow | undefined> {
  return firstRow<InventoryRow>(
    db,
    sql`select ${rowFields} from ${rowSource}
        where ${inventoryItems.id} = ${id} and ${inventoryItems.deletedAt} is null and ${marketInScope}`,
  );
}

type Worth = { totalValue: string; itemsAtPrice: number; itemsWithoutValue: number };
type Coverage = { totalItems: number; marketsCovered: number; totalMarkets: number };

export async function sumItems(db: Db, marketInScope: SQL): Promise<Worth & Coverage & { lowStockItems: number }> {
  const [coverage, lowStockItems, worth] = await Promise.all([
    firstRow<Coverage>(
      db,
      sql`select coalesce(sum(${markets.itemCount}), 0)::int as "totalItems", count(*)::int as "totalMarkets",
            (count(*) filter (where ${markets.itemCount} > 0))::int as "marketsCovered"
          from ${markets} where ${marketInScope}`,
    ),
    countLow(db, marketInScope),
    firstRow<Worth>(
      db,
      // First by product, then in money: there are many items and few products.
      sql`select coalesce(sum(s.units * coalesce(p.unit_cost, p.unit_price)), 0)::numeric(16, 2)::text as "totalValue",
            coalesce(sum(s.items) filter (where p.unit_cost is null and p.unit_price is not null), 0)::int as "itemsAtPrice",
            coalesce(sum(s.items) filter (where p.unit_cost is null and p.unit_price is null), 0)::int as "itemsWithoutValue"
          from (select ${inventoryItems.productId} as product_id, sum(${currentQuantity}) as units, count(*) as items
                from ${itemsOfMarkets}
                where ${inventoryItems.deletedAt} is null and ${currentQuantity} > 0 and ${marketInScope} group by 1) s
          left join products p on p.id = s.product_id`,
    ),
  ]);
  return {
    ...(coverage ?? { totalItems: 0, marketsCovered: 0, totalMarkets: 0 }),
    lowStockItems,
    ...(worth ?? { totalValue: '0.00', itemsAtPrice: 0, itemsWithoutValue: 0 }),
  };
}
