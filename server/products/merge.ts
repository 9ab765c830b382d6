import { sql } from 'drizzle-orm';
import type { MergePreview, Product } from '../../contract/products.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { moveStockBack, moveStockToProduct, type Placed } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { findProduct, findProductsWhere, hasId, type ProductRow } from './queries.ts';
import { toProduct } from './service.ts';

type Wish = { keptId: number; mergedIds: readonly number[]; dryRun: boolean };

const listed = (ids: readonly number[]) =>
  sql`(select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

/**
 * Makes products other names of one that is kept: their stock, their barcodes and the names they were known under before lead
 * to it from now on. What is only asked for changes nothing.
 */
export function mergeProducts(deps: Deps, caller: Caller, { keptId, mergedIds, dryRun }: Wish): Promise<MergePreview> {
  const ids = [...new Set(mergedIds)];
  return deps.db.transaction(async (tx) => {
    const kept = await lockProduct(tx, keptId);
    if (ids.includes(keptId)) throw refused('A product cannot be merged into itself. Choose another one.');
    const merged = await findProductsWhere(tx, sql`${hasMerged(false)} and id in ${listed(ids)}`);
    if (merged.length !== ids.length)
      throw refused('One of these products was merged or removed meanwhile. Choose again.');
    const preview = { kept: toProduct(kept), merged: await previewOf(tx, merged) };
    if (dryRun) return preview;
    for (const one of merged) await mergeOne(tx, caller, { kept, one });
    await publish(tx, { topic: 'products', ids: [keptId, ...ids] });
    await publish(tx, { topic: 'stock', ids: [] });
    return { ...preview, kept: await read(tx, keptId) };
  });
}

const refused = (sentence: string) => new AppError('conflict', sentence);
const hasMerged = (merged: boolean) => (merged ? sql`merged_into is not null` : sql`merged_into is null`);

async function lockProduct(tx: Db, id: number): Promise<ProductRow> {
  await tx.execute(sql`select from products where id = ${id} for update`);
  const found = await findProduct(tx, sql`${hasMerged(false)} and ${hasId(id)}`);
  if (!found) throw notFound('product');
  return found;
}

async function read(tx: Db, id: number): Promise<Product> {
  const found = await findProduct(tx, hasId(id));
  if (!found) throw notFound('product');
  return toProduct(found);
}

async function previewOf(tx: Db, merged: readonly ProductRow[]): Promise<MergePreview['merged']> {
  const counts = await rows<{ id: number; items: number; slots: number }>(
    tx,
    sql`select p.id, (select count(*)::int from inventory_items i where i.product_id = p.id and i.deleted_at is null) as items,
               (select count(*)::int from vending_machine_inventory s where s.product_id = p.id and s.deleted_at is null) as slots
        from products p where p.id in ${listed(merged.map(({ id }) => id))}`,
  );
  return merged.map(({ id, name, barcodes }) => {
    const count = counts.find((row) => row.id === id);
    return { id, name, barcodes, items: count?.items ?? 0, slots: count?.slots ?? 0 };
  });
}

type Pair = { kept: ProductRow; one: ProductRow };

async function mergeOne(tx: Db, caller: Caller, { kept, one }: Pair): Promise<void> {
  const placed = await moveStockToProduct(tx, one.id, kept);
  const codes = await rows<{ code: string }>(
    tx,
    sql`update product_barcodes set product_id = ${kept.id} where product_id = ${one.id} returning code`,
  );
  // Names that led to this one lead on.
  await tx.execute(
    sql`update products set merged_into = ${kept.id}, updated_at = now() where id = ${one.id} or merged_into = ${one.id}`,
  );
  await tx.execute(
    sql`insert into product_merges (kept_id, merged_id, item_ids, slot_ids, barcodes, merged_by)
        values (${kept.id}, ${one.id}, ${numbers(placed.itemIds)}, ${numbers(placed.slotIds)},
          (select coalesce(array_agg(value), '{}') from jsonb_array_elements_text(${JSON.stringify(codes.map(({ code }) => code))}::jsonb)),
          ${caller.userId})`,
  );
  await recordAudit(tx, caller, {
    action: 'product.merge',
    objectType: 'product',
    objectId: kept.id,
    detail: { merged: one.id, name: one.name, items: placed.itemIds.length, slots: placed.slotIds.length },
  });
}

const numbers = (ids: readonly number[]) =>
  sql`(select coalesce(array_agg(value::int), '{}') from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

type Merge = Placed & { id: number; keptId: number; barcodes: string[] };

/** Undoes the last merge of a product: it gets back its stock and its barcodes, unless somebody gave them away meanwhile. */
export function unmergeProduct(deps: Deps, caller: Caller, id: number): Promise<Product> {
  return deps.db.transaction(async (tx) => {
    const merge = await firstRow<Merge>(
      tx,
      sql`select id, kept_id as "keptId", item_ids as "itemIds", slot_ids as "slotIds", barcodes from product_merges
          where merged_id = ${id} and undone_at is null order by id desc limit 1 for update`,
    );
    const one = await findProduct(tx, sql`${hasMerged(true)} and ${hasId(id)}`);
    if (!merge || !one) throw notFound('merge of this product');
    await tx.execute(sql`update products set merged_into = null, updated_at = now() where id = ${id}`);
    // Names that led to it before it was merged itself.
    await tx.execute(
      sql`update products set merged_into = ${id}, updated_at = now() where merged_into = ${merge.keptId}
            and id in (select merged_id from product_merges where kept_id = ${id} and undone_at is null)`,
    );
    await moveStockBack(tx, merge, { from: merge.keptId, to: one });
    await tx.execute(
      sql`update product_barcodes set product_id = ${id} where product_id = ${merge.keptId}
            and code in (select jsonb_array_elements_text(${JSON.stringify(merge.barcodes)}::jsonb))`,
    );
    await tx.execute(sql`update product_merges set undone_at = now() where id = ${merge.id}`);
    const detail = { kept: merge.keptId };
    await recordAudit(tx, caller, { action: 'product.unmerge', objectType: 'product', objectId: id, detail });
    await publish(tx, { topic: 'products', ids: [id, merge.keptId] });
    await publish(tx, { topic: 'stock', ids: [] });
    return read(tx, id);
  });
}
