import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { ItemType } from '../../../domain/inventory.ts';
import type { Db } from '../../db/database.ts';
import { firstRow } from '../../db/database.ts';
import { isOneOf } from '../../db/statements/pieces.ts';
import { inventoryItems, machineSlots } from '../tables.ts';

/** Writes of what stands where: products of markets and slots of machines. Quantities are the ledger's alone. */

type NewItem = Omit<typeof inventoryItems.$inferInsert, 'currentQuantity'>;
type NewSlot = Omit<typeof machineSlots.$inferInsert, 'currentQuantity'>;

export async function insertItem(db: Db, item: NewItem): Promise<number | null> {
  const [inserted] = await db.insert(inventoryItems).values(item).returning({ id: inventoryItems.id });
  return inserted?.id ?? null;
}

export async function updateItemFields(db: Db, id: number, fields: Partial<NewItem>): Promise<void> {
  await db.update(inventoryItems).set(fields).where(eq(inventoryItems.id, id));
}

export async function insertSlot(db: Db, slot: NewSlot): Promise<number | null> {
  const [inserted] = await db.insert(machineSlots).values(slot).returning({ id: machineSlots.id });
  return inserted?.id ?? null;
}

export async function updateSlotFields(db: Db, id: number, fields: Partial<NewSlot>): Promise<void> {
  await db.update(machineSlots).set(fields).where(eq(machineSlots.id, id));
}

/** Minimums of several items, in one statement: the sums of their markets follow once. */
export async function updateMinimums(
  db: Db,
  minimums: readonly { id: number; minimumQuantity: number }[],
  at: Date,
): Promise<void> {
  const list = sql`jsonb_to_recordset(${JSON.stringify(minimums)}::jsonb) as m(id int, "minimumQuantity" int)`;
  await db.execute(
    sql`update inventory_items i set minimum_quantity = m."minimumQuantity", updated_at = ${at.toISOString()}::timestamptz
        from ${list} where i.id = m.id`,
  );
}

export async function updateItemsDeleted(db: Db, ids: readonly number[], at: Date): Promise<void> {
  await db
    .update(inventoryItems)
    .set({ deletedAt: at, updatedAt: at })
    .where(and(isOneOf(inventoryItems.id, ids), isNull(inventoryItems.deletedAt)));
}

export async function updateItemsRestored(db: Db, ids: readonly number[], at: Date): Promise<void> {
  await db.update(inventoryItems).set({ deletedAt: null, updatedAt: at }).where(isOneOf(inventoryItems.id, ids));
}

type Gone = { id: number; marketId: number; productName: string };

/** Those of the items that were taken off their markets. */
export function findDeletedItems(db: Db, ids: readonly number[]): Promise<Gone[]> {
  return db
    .select({ id: inventoryItems.id, marketId: inventoryItems.marketId, productName: inventoryItems.productName })
    .from(inventoryItems)
    .where(and(isOneOf(inventoryItems.id, ids), isNotNull(inventoryItems.deletedAt)))
    .orderBy(inventoryItems.id)
    .for('update');
}

export async function updateItemsOfMarketDeleted(db: Db, marketId: number, at: Date): Promise<void> {
  await db
    .update(inventoryItems)
    .set({ deletedAt: at, updatedAt: at })
    .where(and(eq(inventoryItems.marketId, marketId), isNull(inventoryItems.deletedAt)));
}

export async function updateSlotsOfMachineDeleted(db: Db, machineId: number, at: Date): Promise<void> {
  await db
    .update(machineSlots)
    .set({ deletedAt: at, updatedAt: at })
    .where(and(eq(machineSlots.machineId, machineId), isNull(machineSlots.deletedAt)));
}

/**
 * The item's version, its balance locked: balances are locked before items everywhere, so that two writers never wait
 * for each other in a circle.
 */
export async function lockVersion(db: Db, itemType: ItemType, itemId: number): Promise<number> {
  await db.execute(
    sql`insert into item_balances (item_type, item_id) values (${itemType}, ${itemId}) on conflict do nothing`,
  );
  const found = await firstRow<{ version: number }>(
    db,
    sql`select version from item_balances where item_type = ${itemType} and item_id = ${itemId} for update`,
  );
  return found?.version ?? 0;
}

/** An edit of other fields moves the version as a movement does: If-Match notices both. */
export const updateVersion = (db: Db, itemType: ItemType, itemId: number): Promise<void> =>
  updateVersions(db, itemType, [itemId]);

export async function updateVersions(db: Db, itemType: ItemType, itemIds: readonly number[]): Promise<void> {
  await db.execute(
    sql`update item_balances set version = version + 1 where item_type = ${itemType} and ${isOneOf(sql`item_id`, itemIds)}`,
  );
}
