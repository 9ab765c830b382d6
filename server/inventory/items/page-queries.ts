import { type SQL, sql } from 'drizzle-orm';
import type { InventoryRow, StockFilter } from '../../../contract/inventory.ts';
import type { Db } from '../../db/database.ts';
import { firstRow } from '../../db/database.ts';
import { countedLately, rememberMany } from '../../db/many.ts';
import { containsWord, wordsOf } from '../../db/statements/like.ts';
import { findPage, type Order, type Page } from '../../db/statements/paging.ts';
import { isOneOf } from '../../db/statements/pieces.ts';
import { writtenOnce } from '../../db/statements/told.ts';
import type { Clock } from '../../deps.ts';
import { markets } from '../../markets/tables.ts';
import { itemFields } from '../queries.ts';
import { inventoryItems } from '../tables.ts';

type Filter = {
  search?: string | undefined;
  stock: StockFilter;
  market?: number | undefined;
  ids?: readonly number[] | undefined;
};
export type Wish = Filter & { sort: string; page?: string | undefined; limit: number };

const { currentQuantity, minimumQuantity, lastRestocked } = inventoryItems;

/** Stock as a share of the minimum, in thousandths, word for word as in its index. */
const cover = sql`(${currentQuantity}::bigint * 1000 / greatest(${minimumQuantity}, 1))`;
const lowBelow = 1000;

/** As lists of items and slots have it, so that one index serves both. */
const evenId = sql`(${inventoryItems.id}::bigint * 2)`;

const orders: Record<string, Pick<Order, 'value' | 'type'> & { id?: SQL }> = {
  cover: { value: cover, type: 'bigint' },
  product: { value: sql`lower(${inventoryItems.productName})`, type: 'text', id: evenId },
  market: { value: sql`lower(${markets.name})`, type: 'text' },
  stock: { value: sql`${currentQuantity}`, type: 'bigint', id: evenId },
  minimum: { value: sql`${minimumQuantity}`, type: 'bigint' },
  restocked: { value: sql`coalesce(${lastRestocked}, '-infinity')`, type: 'timestamptz' },
};

function orderOf(sort: string): Order {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  return { name, down, id: sql`${inventoryItems.id}`, ...(orders[name] ?? { value: cover, type: 'bigint' }) };
}

/** What a word of the search stands in: names of products, and markets; null: of too many to list. */
type Hit = { word: string; names: string[]; markets: number[] | null };

/** The ids of more markets than this stay in the database. */
const mostMarkets = 500;

/**
 * Where each word stands. Names are few and items many: the distinct names are walked along their index, once for all words,
 * and the items looked up by the matching ones.
 */
async function findHits(db: Db, words: readonly string[]): Promise<Hit[]> {
  if (words.length === 0) return [];
  const list = (columns: SQL[]): SQL => sql.join(columns, sql`, `);
  const inNames = list(
    words.map((word, n) => sql`array_agg(name) filter (where ${containsWord(sql`plain`, word)}) as ${column('n', n)}`),
  );
  // What a search of markets reads is stored, and holds the name among other things: it spares most names the comparison.
  const inMarkets = list(
    words.map((word, n) => {
      const isNamed = sql`${containsWord(sql`search_text`, word)} and ${containsWord(sql`plain_text(name)`, word)}`;
      const number = sql`count(*) filter (where ${isNamed})`;
      const ids = sql`coalesce(array_agg(id) filter (where ${isNamed}), '{}')`;
      return sql`case when ${number} <= ${mostMarkets} then ${ids} end as ${column('m', n)}`;
    }),
  );
  const found = await firstRow<Record<string, (string | number)[] | null>>(
    db,
    sql`with recursive names as (
          (select lower(product_name) as name from inventory_items where deleted_at is null order by 1 limit 1)
          union all
          select (select lower(n.product_name) from inventory_items n
                  where n.deleted_at is null and lower(n.product_name) > names.name order by 1 limit 1)
          from names where names.name is not null)
        select * from (select ${inNames} from (select name, plain_text(name) as plain from names where name is not null) p) a,
          (select ${inMarkets} from markets where deleted_at is null) b`,
  );
  return words.map((word, n) => ({
    word,
    names: (found?.[`n${n}`] ?? []).map(String),
    markets: found?.[`m${n}`]?.map(Number) ?? null,
  }));
}

const column = (letter: 'n' | 'm', n: number): SQL => sql.raw(`"${letter}${n}"`);

/** A list as one parameter, so that its length does not make another statement. */
const anyOf = (list: readonly (string | number)[], type: 'text' | 'int'): SQL =>
  sql`any(array(select value::${sql.raw(type)} from jsonb_array_elements_text(${JSON.stringify(list)}::jsonb)))`;

function matches({ word, names, markets: places }: Hit): SQL {
  const named = sql`lower(${inventoryItems.productName}) = ${anyOf(names, 'text')}`;
  const placed = places
    ? sql`${inventoryItems.marketId} = ${anyOf(places, 'int')}`
    : sql`${inventoryItems.marketId} in (select s.id from markets s
        where s.deleted_at is null and ${containsWord(sql`plain_text(s.name)`, word)})`;
  if (places?.length === 0) return named;
  return names.length === 0 ? placed : sql`(${named} or ${placed})`;
}

type Narrowed = Pick<Filter, 'stock' | 'market' | 'ids'> & { hits: readonly Hit[] };

function conditionOf({ hits, stock, market, ids }: Narrowed, marketInScope: SQL): SQL {
  const parts = [sql`${inventoryItems.deletedAt} is null`, marketInScope, ...hits.map(matches)];
  if (stock === 'low') parts.push(sql`${cover} < ${lowBelow}`);
  if (stock === 'in-stock') parts.push(sql`${cover} >= ${lowBelow}`);
  if (market !== undefined) parts.push(sql`${inventoryItems.marketId} = ${market}`);
  if (ids) parts.push(isOneOf(inventoryItems.id, ids));
  return sql.join(parts, sql` and `);
}

const itemsOfMarkets = writtenOnce(
  sql`${inventoryItems} join ${markets} on ${markets.id} = ${inventoryItems.marketId}`,
);
const rowSource = writtenOnce(sql`${itemsOfMarkets} left join products p on p.id = ${inventoryItems.productId}
  left join item_balances b on b.item_type = 'market_item' and b.item_id = ${inventoryItems.id}`);
const rowFields = writtenOnce(sql`${itemFields}, ${markets.name} as "marketName"`);

type On = { db: Db; clock: Clock; seesAll: boolean };

/** `seesAll`: the items of all markets, of which thousands are counted anew every five seconds. */
export async function findItemPage(
  { seesAll, ...on }: On,
  marketInScope: SQL,
  wish: Wish,
): Promise<Page<InventoryRow>> {
  const narrowed = { ...wish, hits: await findHits(on.db, wordsOf(wish.search)) };
  const condition = conditionOf(narrowed, marketInScope);
  const what = seesAll && isWhole(narrowed) ? `inventory ${wish.stock}` : null;
  const known = what === null ? null : countedLately(on, what);
  const page = await findPage<InventoryRow>(on.db, {
    isPlannedOnce: narrowed.hits.length === 0,
    fields: rowFields,
    source: rowSource,
    condition,
    order: orderOf(wish.sort),
    page: wish.page,
    limit: wish.limit,
    total: known === null ? countItems(marketInScope, narrowed) : async () => known,
  });
  if (what !== null && known === null) rememberMany(on, what, page.total);
  return page;
}

const isWhole = ({ hits, market, ids }: Narrowed): boolean => hits.length === 0 && market === undefined && !ids;

/** A statement that counts the items. */
function countItems(marketInScope: SQL, filter: Narrowed): SQL {
  if (!isWhole(filter)) return count(conditionOf(filter, marketInScope));
  const low = count(conditionOf({ stock: 'low', hits: [] }, marketInScope));
  if (filter.stock === 'low') return low;
  // The sums that every market keeps tell how many items there are without reading them.
  const all = sql`select coalesce(sum(${markets.itemCount}), 0)::int from ${markets} where ${marketInScope}`;
  return filter.stock === 'all' ? all : sql`select (${all}) - (${low})`;
}

const count = (condition: SQL): SQL => sql`select count(*)::int from ${itemsOfMarkets} where ${condition}`;

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
  const [coverage, low, worth] = await Promise.all([
    firstRow<Coverage>(
      db,
      sql`select coalesce(sum(${markets.itemCount}), 0)::int as "totalItems", count(*)::int as "totalMarkets",
            (count(*) filter (where ${markets.itemCount} > 0))::int as "marketsCovered"
          from ${markets} where ${marketInScope}`,
    ),
    firstRow<{ low: number }>(
      db,
      sql`select (${count(conditionOf({ stock: 'low', hits: [] }, marketInScope))}) as low`,
    ),
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
    lowStockItems: low?.low ?? 0,
    ...(worth ?? { totalValue: '0.00', itemsAtPrice: 0, itemsWithoutValue: 0 }),
  };
}
