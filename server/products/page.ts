import { type SQL, sql } from 'drizzle-orm';
import type { Product } from '../../contract/products.ts';
import { normalBarcode } from '../../domain/product.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import type { Deps } from '../deps.ts';

type Gap = 'all' | 'cost' | 'price' | 'barcode';
type Wish = { search?: string | undefined; gaps: Gap; sort: string; page?: string | undefined; limit: number };

const cents = (column: SQL): SQL => sql`coalesce((${column} * 100)::bigint, -1)`;
/** Millionths of the price that remain after cost; one that nobody knows is below every other. */
const margin = sql`coalesce(round(1000000 * (p.unit_price - p.unit_cost) / nullif(p.unit_price, 0))::bigint, -100000000000000000::bigint)`;
const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  name: { value: sql`lower(p.name)`, type: 'text' },
  brand: { value: sql`lower(coalesce(p.brand, ''))`, type: 'text' },
  category: { value: sql`lower(coalesce(p.category, ''))`, type: 'text' },
  price: { value: cents(sql`p.unit_price`), type: 'bigint' },
  cost: { value: cents(sql`p.unit_cost`), type: 'bigint' },
  margin: { value: margin, type: 'bigint' },
  changed: { value: sql`p.updated_at`, type: 'timestamptz' },
};
const byName = { value: sql`lower(p.name)`, type: 'text' } as const;

const hasNoBarcode = sql`not exists (select from product_barcodes b where b.product_id = p.id)`;
const lacks: Record<Gap, SQL> = {
  all: sql`true`,
  cost: sql`p.unit_cost is null`,
  price: sql`p.unit_price is null`,
  barcode: hasNoBarcode,
};

/** A page of the catalogue; names that lead to another product are not listed. */
export function pageProducts({ db }: Deps, wish: Wish): Promise<Page<Product>> {
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const condition = conditionOf(wish);
  return findPage<Product>(db, {
    isPlannedOnce: !wish.search?.trim(),
    fields: sql`p.id, p.name, p.brand, p.category, p.unit_price::text as "unitPrice", p.unit_cost::text as "unitCost",
      p.case_size as "caseSize", p.shelf_life_days as "shelfLifeDays", p.picture, p.change_seq::float8 as version,
      to_char(p.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "updatedAt",
      coalesce((select json_agg(b.code order by b.code) from product_barcodes b where b.product_id = p.id), '[]'::json) as barcodes`,
    source: sql`products p`,
    condition,
    order: { name, down, id: sql`p.id`, ...(orders[name] ?? byName) },
    page: wish.page,
    limit: wish.limit,
    total: sql`select count(*)::int from products p where ${condition}`,
  });
}

function conditionOf({ search, gaps }: Wish): SQL {
  const text = search?.trim() ?? '';
  const words = wordsOf(text).map((word) =>
    containsWord(sql`plain_text(concat_ws(' ', p.name, p.brand, p.category))`, word),
  );
  const coded = sql`p.id in (select b.product_id from product_barcodes b where b.normal_code = ${normalBarcode(text)})`;
  const found = words.length === 0 ? sql`true` : sql`((${sql.join(words, sql` and `)}) or ${coded})`;
  return sql`p.merged_into is null and ${lacks[gaps]} and ${found}`;
}
