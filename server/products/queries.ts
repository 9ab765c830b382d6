import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Db, firstRow } from '../db/database.ts';
import { productBarcodes, productPictures, products } from './tables.ts';

const barcodes = sql<string[]>`coalesce((select json_agg(b.code order by b.code) from product_barcodes b
  where b.product_id = ${products.id}), '[]'::json)`;

const productFields = {
  id: products.id,
  name: products.name,
  brand: products.brand,
  category: products.category,
  unitPrice: products.unitPrice,
  unitCost: products.unitCost,
  caseSize: products.caseSize,
  shelfLifeDays: products.shelfLifeDays,
  picture: products.picture,
  version: products.changeSeq,
  updatedAt: products.updatedAt,
  barcodes,
};

type NewProduct = typeof products.$inferInsert;
type Page = { pattern: string | null; barcode: string | null; after: number | null; limit: number };

/** A page of the catalogue by (name, id); `after` is the id that ended the page before. */
export function findProducts(db: Db, page: Page) {
  const order = sql`(lower(${products.name}), ${products.id})`;
  const rest =
    page.after === null
      ? undefined
      : sql`${order} > (select lower(p.name), p.id from products p where p.id = ${page.after})`;
  return db
    .select(productFields)
    .from(products)
    .where(and(isNull(products.mergedInto), matches(page), rest))
    .orderBy(sql`lower(${products.name})`, asc(products.id))
    .limit(page.limit);
}

function matches({ pattern, barcode }: Page): SQL | undefined {
  if (pattern === null) return undefined;
  const coded = sql`${products.id} in (select b.product_id from product_barcodes b
    where b.normal_code = ${barcode} or b.code like ${pattern})`;
  return or(sql`${products.name} ilike ${pattern}`, sql`${products.brand} ilike ${pattern}`, coded);
}

export async function findProduct(db: Db, condition: SQL) {
  const [found] = await findProductsWhere(db, condition);
  return found;
}

export type ProductRow = NonNullable<Awaited<ReturnType<typeof findProduct>>>;

export const hasId = (id: number): SQL => eq(products.id, id);
export const hasBarcode = (normalCode: string): SQL =>
  sql`${products.id} = (select b.product_id from product_barcodes b where b.normal_code = ${normalCode})`;

/** The product an id stands for now: itself, or the one it was merged into. */
export async function findKeptId(db: Db, id: number): Promise<number | null> {
  const [found] = await db
    .select({ id: sql<number>`coalesce(${products.mergedInto}, ${products.id})` })
    .from(products)
    .where(eq(products.id, id));
  return found?.id ?? null;
}

/** The oldest product of a name, whatever its capitals. */
export async function findProductIdByName(db: Db, name: string): Promise<number | null> {
  const [found] = await db
    .select({ id: sql<number>`coalesce(${products.mergedInto}, ${products.id})` })
    .from(products)
    .where(sql`lower(${products.name}) = lower(${name})`)
    .orderBy(asc(products.id))
    .limit(1);
  return found?.id ?? null;
}

export type Namesake = { name: string; keptName: string };

/** Another product of a name, whatever its capitals, and the one it was merged into. */
export async function findNamesake(db: Db, name: string, id: number | null): Promise<Namesake | undefined> {
  return firstRow(
    db,
    sql`select p.name, coalesce(k.name, p.name) as "keptName" from products p left join products k on k.id = p.merged_into
        where lower(p.name) = lower(${name}) and coalesce(p.merged_into, p.id) is distinct from ${id} order by p.id limit 1`,
  );
}

/** Held until the transaction ends: two people adding one new name at once make one product. */
export async function lockProductName(db: Db, name: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('product'), hashtext(lower(${name})))`);
}

export async function insertProduct(db: Db, product: NewProduct): Promise<number | null> {
  const [inserted] = await db.insert(products).values(product).returning({ id: products.id });
  return inserted?.id ?? null;
}

export async function updateProductFields(db: Db, id: number, fields: Partial<NewProduct>): Promise<void> {
  await db.update(products).set(fields).where(eq(products.id, id));
}

export type Barcode = { code: string; normalCode: string };

export async function insertBarcodes(db: Db, productId: number, codes: readonly Barcode[]): Promise<void> {
  if (codes.length === 0) return;
  await db.insert(productBarcodes).values(codes.map((code) => ({ ...code, productId })));
}

/** The first of these codes that another product has, and which. */
export function findBarcodeOwner(
  db: Db,
  productId: number,
  codes: readonly Barcode[],
): Promise<{ normalCode: string; name: string } | undefined> {
  return firstRow(
    db,
    sql`select b.normal_code as "normalCode", p.name from product_barcodes b join products p on p.id = b.product_id
        where b.product_id <> ${productId} and b.normal_code in (
          select jsonb_array_elements_text(${JSON.stringify(codes.map(({ normalCode }) => normalCode))}::jsonb))
        order by b.code limit 1`,
  );
}

export async function deleteBarcodes(db: Db, productId: number): Promise<void> {
  await db.delete(productBarcodes).where(eq(productBarcodes.productId, productId));
}

export const findProductsWhere = (db: Db, condition: SQL) => db.select(productFields).from(products).where(condition);

type Kept = { id: number; content: Buffer; by: number; at: Date };

export async function savePicture(db: Db, { id, content, by, at }: Kept): Promise<void> {
  // The embedded database and PostgreSQL's driver send bytes differently: as text both take them.
  const encoded = sql`decode(${content.toString('base64')}, 'base64')`;
  await db.execute(
    sql`insert into product_pictures (product_id, content, uploaded_by, uploaded_at)
        values (${id}, ${encoded}, ${by}, ${at.toISOString()}::timestamptz)
        on conflict (product_id) do update set content = excluded.content, uploaded_by = excluded.uploaded_by,
          uploaded_at = excluded.uploaded_at`,
  );
}

export async function findPicture(db: Db, id: number): Promise<Buffer | null> {
  const [found] = await db
    .select({ content: sql<string>`encode(${productPictures.content}, 'base64')` })
    .from(productPictures)
    .where(eq(productPictures.productId, id));
  return found ? Buffer.from(found.content, 'base64') : null;
}

export async function deletePicture(db: Db, id: number): Promise<void> {
  await db.delete(productPictures).where(eq(productPictures.productId, id));
}

/** Two edits of one product come one after the other. */
export async function lockProduct(db: Db, id: number): Promise<void> {
  await db.execute(sql`select from products where id = ${id} for update`);
}
