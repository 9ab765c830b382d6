import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { rows } from '../../db/database.ts';

/** Slots and items of the field, by id. */
export type Placed = { itemIds: number[]; slotIds: number[] };

const listed = (ids: readonly number[]) =>
  sql`(select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

/** Slots and items that hold one product become those of another, under its name; returns which. */
export async function moveStockToProduct(tx: Db, from: number, to: { id: number; name: string }): Promise<Placed> {
  const items = await rows<{ id: number }>(
    tx,
    sql`update inventory_items set product_id = ${to.id}, product_name = ${to.name}, updated_at = now()
        where product_id = ${from} returning id`,
  );
  const slots = await rows<{ id: number }>(
    tx,
    sql`update vending_machine_inventory set product_id = ${to.id}, product_name = ${to.name}, updated_at = now()
        where product_id = ${from} returning id`,
  );
  return { itemIds: items.map(({ id }) => id), slotIds: slots.map(({ id }) => id) };
}

/** Gives slots and items back, those that nobody filled with another product meanwhile. */
export async function moveStockBack(
  tx: Db,
  placed: Placed,
  { from, to }: { from: number; to: { id: number; name: string } },
): Promise<void> {
  const back = sql`product_id = ${to.id}, product_name = ${to.name}, updated_at = now() where product_id = ${from}`;
  await tx.execute(sql`update inventory_items set ${back} and id in ${listed(placed.itemIds)}`);
  await tx.execute(sql`update vending_machine_inventory set ${back} and id in ${listed(placed.slotIds)}`);
}
