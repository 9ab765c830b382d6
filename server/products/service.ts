import type { SQL } from 'drizzle-orm';
import type { Product } from '../../contract/products.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { maxBarcodes, normalBarcode, type ProductInput, type ProductUpdate } from '../../domain/product.ts';
import { requireNewest } from '../audit/older-edit.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { blanksToNull } from '../db/statements/blanks.ts';
import { containing } from '../db/statements/like.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import {
  type Barcode,
  deleteBarcodes,
  findBarcodeOwner,
  findKeptId,
  findNamesake,
  findProduct,
  findProductIdByName,
  findProducts,
  findProductsWhere,
  hasBarcode,
  hasId,
  insertBarcodes,
  insertProduct,
  lockProduct,
  lockProductName,
  type ProductRow,
  updateProductFields,
} from './queries.ts';

export { type ImportedProduct, saveImportedProducts, takeBackProducts } from './imported.ts';

type Page = { search?: string | undefined; after?: number | undefined; limit: number };

export async function listProducts(deps: Deps, page: Page): Promise<Product[]> {
  const search = page.search?.trim() ?? '';
  const found = await findProducts(deps.db, {
    pattern: search === '' ? null : containing(search),
    barcode: search === '' ? null : normalBarcode(search),
    after: page.after ?? null,
    limit: page.limit,
  });
  return found.map(toProduct);
}

export async function findProductByBarcode(
  deps: Deps,
  code: string,
): Promise<{ found: boolean; product: Product | null }> {
  const product = await findProduct(deps.db, hasBarcode(normalBarcode(code)));
  return { found: product !== undefined, product: product ? toProduct(product) : null };
}

export async function createProduct(deps: Deps, caller: Caller, input: ProductInput): Promise<Product> {
  const { barcodes, ...fields } = input;
  return deps.db.transaction(async (tx) => {
    await requireOwnName(tx, fields.name, null);
    const id = await addProduct(tx, caller, { ...fields, at: deps.clock.now() });
    await keepBarcodes(tx, id, comparable(barcodes));
    return written(tx, id);
  });
}

type Edit = { input: ProductUpdate; version: number | null };

export async function updateProduct(deps: Deps, caller: Caller, id: number, edit: Edit): Promise<Product> {
  const { barcodes, ...rest } = edit.input;
  const fields = blanksToNull(rest);
  return deps.db.transaction(async (tx) => {
    await lockProduct(tx, id);
    const before = await findProduct(tx, hasId(id));
    if (!before) throw notFound('product');
    const versions = { read: edit.version, held: before.version };
    await requireNewest(tx, versions, { subject: 'This product was', objectType: 'product', id });
    if (fields.name && fields.name.toLowerCase() !== before.name.toLowerCase())
      await requireOwnName(tx, fields.name, id);
    await updateProductFields(tx, id, { ...fields, updatedAt: deps.clock.now() });
    if (barcodes) {
      await deleteBarcodes(tx, id);
      await keepBarcodes(tx, id, comparable(barcodes));
    }
    const detail = { ...changedFields(before, fields), ...(barcodes ? { barcodes: [before.barcodes, barcodes] } : {}) };
    await recordAudit(tx, caller, { action: 'product.update', objectType: 'product', objectId: id, detail });
    await publish(tx, { topic: 'products', ids: [id] });
    return written(tx, id);
  });
}

/** What is entered, counted or imported by its name finds one product, whatever the capitals: a second of that name would never be found. */
async function requireOwnName(tx: Db, name: string, id: number | null): Promise<void> {
  await lockProductName(tx, name);
  const taken = await findNamesake(tx, name, id);
  if (!taken) return;
  const what = taken.keptName === taken.name ? 'is in the catalogue already' : `is another name of ${taken.keptName}`;
  const sentence = `${taken.name} ${what}. Change that product, or give this one a name of its own.`;
  throw new AppError('conflict', sentence, { fields: { name: sentence } });
}

/** A barcode belongs to one product: who gives another's is told whose it is. */
async function keepBarcodes(tx: Db, id: number, codes: readonly Barcode[]): Promise<void> {
  const owner = await findBarcodeOwner(tx, id, codes);
  if (owner) {
    const typed = codes.find(({ normalCode }) => normalCode === owner.normalCode);
    const sentence = `The barcode ${typed?.code} belongs to ${owner.name}.`;
    throw new AppError('conflict', sentence, { fields: { barcodes: sentence } });
  }
  await insertBarcodes(tx, id, codes);
}

/** Adds to what the product has by now: the list that a phone knows may be days old. */
export async function addBarcode(deps: Deps, caller: Caller, id: number, code: string): Promise<Product> {
  return deps.db.transaction(async (tx) => {
    const keptId = await findKeptId(tx, id);
    if (keptId !== null) await lockProduct(tx, keptId);
    const before = keptId === null ? undefined : await findProduct(tx, hasId(keptId));
    if (!before) throw notFound('product');
    if ((await findKeptId(tx, keptId ?? id)) !== keptId)
      throw new AppError('conflict', `${before.name} was just merged into another product. Try again.`);
    if (before.barcodes.some((known) => normalBarcode(known) === normalBarcode(code))) return toProduct(before);
    if (before.barcodes.length >= maxBarcodes)
      throw new AppError(
        'conflict',
        `${before.name} has ${maxBarcodes} barcodes, the most there can be. Remove one first.`,
      );
    await keepBarcodes(tx, before.id, comparable([code]));
    await updateProductFields(tx, before.id, { updatedAt: deps.clock.now() });
    const detail = { barcode: code };
    await recordAudit(tx, caller, {
      action: 'product.add-barcode',
      objectType: 'product',
      objectId: before.id,
      detail,
    });
    await publish(tx, { topic: 'products', ids: [before.id] });
    return written(tx, before.id);
  });
}

type NewProduct = {
  name: string;
  brand?: string | null | undefined;
  category?: string | null | undefined;
  unitPrice?: string | null | undefined;
  unitCost?: string | null | undefined;
  caseSize?: number | null | undefined;
  shelfLifeDays?: number | null | undefined;
  at: Date;
};

/** The product of the catalogue with this name, whatever its capitals; made from what is known when there is none. */
export async function productNamed(tx: Db, caller: Caller, product: NewProduct): Promise<number> {
  await lockProductName(tx, product.name);
  return (await findProductIdByName(tx, product.name)) ?? (await addProduct(tx, caller, product));
}

async function addProduct(tx: Db, caller: Caller, { at, ...fields }: NewProduct): Promise<number> {
  const id = await insertProduct(tx, { ...blanksToNull(fields), createdAt: at, updatedAt: at });
  if (id === null) throw new AppError('internal', 'The product was not stored.');
  await recordAudit(tx, caller, {
    action: 'product.create',
    objectType: 'product',
    objectId: id,
    detail: { name: fields.name },
  });
  await publish(tx, { topic: 'products', ids: [id] });
  return id;
}

/** One entry per GTIN: its 12- and 13-digit forms are the same code. */
function comparable(codes: readonly string[]): Barcode[] {
  return [...new Map(codes.map((code) => [normalBarcode(code), code])).entries()].map(([normalCode, code]) => ({
    normalCode,
    code,
  }));
}

async function written(tx: Db, id: number): Promise<Product> {
  const row = await findProduct(tx, hasId(id));
  if (!row) throw new AppError('internal', 'The product was not stored.');
  return toProduct(row);
}

export function toProduct(row: ProductRow): Product {
  return { ...row, updatedAt: row.updatedAt.toISOString() };
}

/** Products under a condition on the table, as they travel. */
export async function loadProducts(db: Db, condition: SQL): Promise<Product[]> {
  return (await findProductsWhere(db, condition)).map(toProduct);
}
