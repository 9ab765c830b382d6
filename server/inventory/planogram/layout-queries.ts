import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { ItemType } from '../../../domain/inventory.ts';
import type { Db } from '../../db/database.ts';
import { firstRow } from '../../db/database.ts';
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

export async function updateItemDeleted(db: Db, id: number, at: Date): Promise<void> {
  await db
    .update(inventoryItems)
    .set({ deletedAt: at, updatedAt: at })
    .where(and(eq(inventoryItems.id, id), isNull(inventoryItems.deletedAt)));
}

/** An item that was taken off its market. */
export async function findDeletedItem(
  db: Db,
  id: number,
): Promise<{ marketId: number; productName: string } | undefined> {
  const [found] = await db
    .select({ marketId: inventoryItems.marketId, productName: inventoryItems.productName })
    .from(inventoryItems)
    .where(and(eq(inventoryItems.id, id), isNotNull(inventoryItems.deletedAt)))
    .for('update');
  return found;
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
export async function updateVersion(db: Db, itemType: ItemType, itemId: number): Promise<void> {
  await db.execute(
    sql`update item_balances set version = version + 1 where item_type = ${itemType} and item_id = ${itemId}`,
  );
}
