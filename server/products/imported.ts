import { type SQL, sql } from 'drizzle-orm';
import { normalBarcode } from '../../domain/product.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { madeIds, rowsBefore, type WrittenRow } from '../db/statements/written-before.ts';
import { publish } from '../live/hub.ts';

/** A product out of a file or a partner system. Null keeps what is stored. */
export type ImportedProduct = {
  /** What finds the product again; without one its name does. */
  barcode: string | null;
  name: string | null;
  /** For a new product whose source has no name. */
  fallbackName: string;
  brand: string | null;
  category: string | null;
  unitPrice: string | null;
  unitCost: string | null;
  caseSize: number | null;
  shelfLifeDays?: number | null;
  packageSize: string | null;
};

const listed = (products: readonly ImportedProduct[]): SQL => {
  const given = products.map((product, row) => ({
    ...product,
    row,
    normalCode: product.barcode === null ? null : normalBarcode(product.barcode),
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g("row" int, barcode text, "normalCode" text, name text,
    "fallbackName" text, brand text, category text, "unitPrice" numeric(10,2), "unitCost" numeric(10,2), "caseSize" int,
    "packageSize" text, "shelfLifeDays" int)`;
};

/** The product a row means: of its barcode, or the oldest of its name where it has no barcode. */
const meant = sql`coalesce(
  (select b.product_id from product_barcodes b where b.normal_code = g."normalCode"),
  (select coalesce(p.merged_into, p.id) from products p where g."normalCode" is null and lower(p.name) = lower(coalesce(g.name, g."fallbackName"))
   order by p.id limit 1))`;

/** Creates and updates products by barcode, many per statement; barcodes (or names) must differ within one call. */
export async function saveImportedProducts(
  tx: Db,
  products: readonly ImportedProduct[],
  at: Date,
): Promise<{ created: number; updated: number }> {
  if (products.length === 0) return { created: 0, updated: 0 };
  const updated = await updateKnown(tx, products, at);
  const created = await insertNew(tx, products, at);
  const touched = [...updated, ...created].map((row) => row.id);
  if (touched.length) await publish(tx, { topic: 'products', ids: touched });
  return { created: created.length, updated: updated.length };
}

function updateKnown(tx: Db, products: readonly ImportedProduct[], at: Date): Promise<{ id: number }[]> {
  return rows<{ id: number }>(
    tx,
    sql`update products p set name = n.name, brand = n.brand, category = n.category, unit_price = n.price, unit_cost = n.cost,
          case_size = n."caseSize", package_size = n.size, shelf_life_days = n.life, updated_at = ${at.toISOString()}::timestamptz
        from (select distinct on (o.id) o.id, coalesce(g.name, o.name) as name, coalesce(g.brand, o.brand) as brand,
                coalesce(g.category, o.category) as category, coalesce(g."unitPrice", o.unit_price) as price,
                coalesce(g."unitCost", o.unit_cost) as cost, coalesce(g."caseSize", o.case_size) as "caseSize",
                coalesce(g."packageSize", o.package_size) as size, coalesce(g."shelfLifeDays", o.shelf_life_days) as life
              from ${listed(products)} join products o on o.id = ${meant} order by o.id, g."row") n
        where p.id = n.id and (p.name, p.brand, p.category, p.unit_price, p.unit_cost, p.case_size, p.package_size, p.shelf_life_days)
          is distinct from (n.name, n.brand, n.category, n.price, n.cost, n."caseSize", n.size, n.life)
        returning p.id`,
  );
}

function insertNew(tx: Db, products: readonly ImportedProduct[], at: Date): Promise<{ id: number }[]> {
  const when = sql`${at.toISOString()}::timestamptz`;
  return rows<{ id: number }>(
    tx,
    sql`with fresh as materialized (
          select nextval(pg_get_serial_sequence('products', 'id'))::int as id, g.* from ${listed(products)}
          where ${meant} is null),
        named as (
          insert into products (id, name, brand, category, unit_price, unit_cost, case_size, package_size, shelf_life_days, created_at,
            updated_at)
          select f.id, coalesce(f.name, f."fallbackName"), f.brand, f.category, f."unitPrice", f."unitCost", f."caseSize",
            f."packageSize", f."shelfLifeDays", ${when}, ${when} from fresh f returning id),
        coded as (
          insert into product_barcodes (normal_code, code, product_id)
          select f."normalCode", f.barcode, f.id from fresh f where f."normalCode" is not null)
        select id from named`,
  );
}

/** Takes back what an import wrote: its new products go with their barcodes, changed ones read as before. */
export async function takeBackProducts(tx: Db, written: readonly WrittenRow[], at: Date): Promise<void> {
  await tx.execute(sql`delete from products where id in ${madeIds(written)}`);
  await tx.execute(
    sql`update products p set name = n.name, brand = n.brand, category = n.category, unit_price = n.unit_price,
          unit_cost = n.unit_cost, case_size = n.case_size, package_size = n.package_size, shelf_life_days = n.shelf_life_days,
          updated_at = ${at.toISOString()}::timestamptz
        from ${rowsBefore(written, sql`products`)} n where p.id = n.id`,
  );
  await publish(tx, { topic: 'products', ids: written.map(({ id }) => id) });
}
