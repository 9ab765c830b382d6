import { type SQL, sql } from 'drizzle-orm';
import type { LightspeedOutlet, LightspeedProduct, LightspeedSale } from '../../contract/lightspeed.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order } from '../db/statements/paging.ts';

export type ListWish = { configId: number; search?: string | undefined; page?: string | undefined; limit: number };

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function matching(search: string | undefined, text: SQL): SQL {
  const words = wordsOf(search).map((word) => containsWord(sql`plain_text(${text})`, word));
  return sql.join([sql`true`, ...words], sql` and `);
}

const counted = (db: Db, source: SQL, condition: SQL) => async (): Promise<number> => {
  const found = await firstRow<{ n: number }>(db, sql`select count(*)::int as n from ${source} where ${condition}`);
  return found?.n ?? 0;
};

const ordered = (sort: string, values: Record<string, Pick<Order, 'value' | 'type'>>, id: SQL): Order => {
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  return { name, down, id, ...(values[name] ?? { value: id, type: 'bigint' }) };
};

type OutletRow = Omit<LightspeedOutlet, 'market'> & { marketId: number | null; marketName: string | null };

export async function pageOutlets(db: Db, wish: ListWish & { sort: string }) {
  const source = sql`vendor_devices d left join markets m on m.id = d.market_id`;
  const condition = sql`d.config_id = ${wish.configId} and ${matching(wish.search, sql`concat_ws(' ', d.name, d.city)`)}`;
  const page = await findPage<OutletRow>(db, {
    fields: sql`d.id, d.vendor_id as "lightspeedId", d.name, nullif(concat_ws(', ', d.address, d.city, d.state), '') as address,
      d.details->>'currency' as currency, d.details->>'timeZone' as "timeZone", d.removed, d.link,
      d.link_reason as "linkReason", m.id as "marketId", m.name as "marketName"`,
    source,
    condition,
    order: ordered(wish.sort, { name: { value: sql`lower(d.name)`, type: 'text' } }, sql`d.id`),
    page: wish.page,
    limit: wish.limit,
    total: counted(db, source, condition),
  });
  const rows = page.rows.map(({ marketId, marketName, ...outlet }) => ({
    ...outlet,
    market: marketId === null ? null : { id: marketId, name: marketName ?? '' },
  }));
  return { ...page, rows };
}

/** The catalogue's price where the outlet has none of its own. */
export function pageProducts(db: Db, wish: ListWish & { sort: string }) {
  const source = sql`vendor_stock s left join vendor_products p
    on p.config_id = s.config_id and p.vendor_id = s.details->>'lightspeedId'`;
  const text = sql`concat_ws(' ', s.product_name, s.product_code, p.category, p.supplier)`;
  const condition = sql`s.config_id = ${wish.configId} and not s.removed and ${matching(wish.search, text)}`;
  const orders = {
    name: { value: sql`lower(coalesce(p.name, s.product_name))`, type: 'text' as const },
    quantity: { value: sql`s.quantity`, type: 'bigint' as const },
  };
  return findPage<LightspeedProduct>(db, {
    fields: sql`s.id, coalesce(p.vendor_id, s.details->>'lightspeedId', s.vendor_id) as "lightspeedId",
      s.config_id as "configId", coalesce(p.name, s.product_name) as name, coalesce(p.sku, s.product_code) as sku,
      coalesce(p.description, s.details->>'description') as description, coalesce(s.price, p.price)::text as price,
      coalesce(p.cost::text, s.details->>'cost') as cost, coalesce(p.category, s.details->>'category') as category,
      coalesce(p.supplier, s.details->>'supplier') as supplier, s.quantity as "currentQuantity",
      (s.details->>'reorderPoint')::float8 as "reorderPoint", (s.details->>'reorderLevel')::float8 as "reorderLevel",
      s.device_id as "locationId", s.details->>'locationName' as "locationName",
      ${instant(sql`greatest(s.updated_at, p.updated_at)`)} as "lastSyncAt"`,
    source,
    condition,
    order: ordered(wish.sort, orders, sql`s.id`),
    page: wish.page,
    limit: wish.limit,
    total: counted(db, source, condition),
  });
}

/** An exchange is told in lines of both kinds: what the whole of it came to says which it was. */
const statusOfAll = sql`case when s.status in ('completed', 'refunded') and (s.details->>'total')::numeric <> 0
  then case when (s.details->>'total')::numeric > 0 then 'completed' else 'refunded' end else s.status end`;

/** One row a sale: its first line stands for it, since each line carries what is told of the whole. */
export function pageSales(db: Db, wish: ListWish) {
  const source = sql`vendor_sales s`;
  const isFirst = sql`not exists (select from vendor_sales o
    where o.config_id = s.config_id and o.ledger_source = s.ledger_source and o.ledger_id = s.ledger_id and o.id < s.id)`;
  const text = sql`concat_ws(' ', s.order_id, s.details->>'locationName', s.details->>'customerName')`;
  const condition = sql`s.config_id = ${wish.configId} and ${isFirst} and ${matching(wish.search, text)}`;
  return findPage<LightspeedSale>(db, {
    fields: sql`s.id, s.ledger_id as "lightspeedId", s.config_id as "configId", ${instant(sql`s.sold_at`)} as "saleDate",
      s.details->>'receiptNumber' as "receiptNumber", ${statusOfAll} as status, coalesce(s.details->>'total', s.amount::text) as total,
      coalesce(s.details->>'subtotal', s.amount::text) as subtotal, coalesce(s.details->>'tax', s.tax::text, '0.00') as tax,
      s.currency, s.device_id as "locationId", s.details->>'locationName' as "locationName",
      s.details->>'customerName' as "customerName", s.details->>'customerEmail' as "customerEmail",
      coalesce((s.details->>'itemCount')::float8, s.quantity) as "itemCount"`,
    source,
    condition,
    order: { name: 'date', value: sql`s.sold_at`, type: 'timestamptz', id: sql`s.id`, down: true },
    page: wish.page,
    limit: wish.limit,
    total: counted(db, source, condition),
  });
}
