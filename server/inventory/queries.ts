import { type SQL, sql } from 'drizzle-orm';
import type { InventoryItem, LowStockItem } from '../../contract/inventory.ts';
import type { Slot } from '../../contract/machines.ts';
import { usualRules } from '../../domain/operator-rules.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { atMost, plannedOnce } from '../db/postgres/kept-plans.ts';
import { findKeys, isOneOf, type Key } from '../db/statements/pieces.ts';
import { writtenOnce } from '../db/statements/told.ts';
import { vendingMachines } from '../machines/tables.ts';
import { markets } from '../markets/tables.ts';
import type { ItemRef } from './ledger-queries.ts';
import { inventoryItems, machineSlots } from './tables.ts';

/** True for a slot `s` that is sold out, or holds less than the operator's percentage of what fits. */
export const slotIsLow = sql`is_under_percent(s.current_quantity, s.max_quantity,
  coalesce((select low_slot_percent from operator where id = 1), ${usualRules.lowSlotPercent}::int))`;

/** Units missing to the targets of a machine's slots, as a sum of its own; null where it has none. */
export const missingInSlots = (machineId: SQL): SQL => sql`
  (select sum(greatest(0, coalesce(i.par_quantity, i.max_quantity) - i.current_quantity))::int
     from vending_machine_inventory i where i.machine_id = ${machineId} and i.deleted_at is null)`;

/**
 * The slot of a machine that a number told by others means: as it is written, or else the only one that differs in capitals
 * alone. One row or none; the limit forces looking it up by the index, whatever the planner believes of the table.
 */
export const slotCalled = (machineId: SQL, slotNumber: SQL): SQL => sql`
  (select s.* from vending_machine_inventory s where s.machine_id = ${machineId} and s.deleted_at is null
     and s.slot_number = coalesce(
       (select e.slot_number from vending_machine_inventory e
        where e.machine_id = ${machineId} and e.deleted_at is null and e.slot_number = ${slotNumber}),
       (select min(o.slot_number) from vending_machine_inventory o
        where o.machine_id = ${machineId} and o.deleted_at is null and lower(o.slot_number) = lower(${slotNumber})
        having count(*) = 1))
   limit 1)`;

/** An instant as it travels: lists of stock are long, so the database writes the text. */
const wireInstant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What a reply tells of an item; its source joins the products as `p` and the balances as `b`. */
export const itemFields = writtenOnce(sql`${inventoryItems.id} as id, ${inventoryItems.marketId} as "marketId",
  ${inventoryItems.productId} as "productId", ${inventoryItems.productName} as "productName",
  ${inventoryItems.currentQuantity} as "currentQuantity", ${inventoryItems.minimumQuantity} as "minimumQuantity",
  ${inventoryItems.parQuantity} as "parQuantity", p.unit_price::text as price, p.unit_cost::text as cost,
  ${wireInstant(sql`${inventoryItems.lastRestocked}`)} as "lastRestocked",
  ${wireInstant(sql`${inventoryItems.updatedAt}`)} as "updatedAt", coalesce(b.version, 0) as version`);

/** Items of the markets that the condition admits, or of one of them. */
export function findItems(db: Db, marketInScope: SQL, only: SQL = sql`true`): Promise<InventoryItem[]> {
  return rows<InventoryItem>(
    db,
    plannedOnce(sql`select ${itemFields}
        from ${inventoryItems}
        join ${markets} on ${markets.id} = ${inventoryItems.marketId}
        left join products p on p.id = ${inventoryItems.productId}
        left join item_balances b on b.item_type = 'market_item' and b.item_id = ${inventoryItems.id}
        where ${inventoryItems.deletedAt} is null and ${marketInScope} and ${only}
        order by ${inventoryItems.marketId}, lower(${inventoryItems.productName}), ${inventoryItems.id}`),
  );
}

/** Markets in the order of `findItems`, with how many items each has. */
export function findMarketsWithItems(db: Db, marketInScope: SQL): Promise<Key[]> {
  return findKeys(
    db,
    sql`select ${markets.id} as id, ${markets.itemCount} as rows from ${markets} where ${marketInScope} order by ${markets.id}`,
  );
}

export const ofMarkets = (ids: readonly number[]): SQL => isOneOf(inventoryItems.marketId, ids);
export const ofMarket = (id: number): SQL => sql`${inventoryItems.marketId} = ${id}`;
export const areItems = (ids: readonly number[]): SQL => isOneOf(inventoryItems.id, ids);
export const isItem = (id: number): SQL => sql`${inventoryItems.id} = ${id}`;

export const lowStockFields = sql`${inventoryItems.id} as id, ${inventoryItems.marketId} as "marketId",
  ${markets.name} as "marketName", ${inventoryItems.productName} as "productName",
  ${inventoryItems.currentQuantity} as "currentQuantity", ${inventoryItems.minimumQuantity} as "minimumQuantity"`;

/** What stands after `select`'s columns: items at or below their minimum, the most short first. */
const lowStock = (marketInScope: SQL, only: SQL): SQL =>
  sql`from ${inventoryItems} join ${markets} on ${markets.id} = ${inventoryItems.marketId}
      where ${inventoryItems.isLow} and ${inventoryItems.deletedAt} is null and ${marketInScope} and ${only}
      order by ${inventoryItems.minimumQuantity} - ${inventoryItems.currentQuantity} desc,
        lower(${inventoryItems.productName}), ${inventoryItems.id}`;

export function findLowStock(db: Db, marketInScope: SQL, ids: readonly number[]): Promise<LowStockItem[]> {
  return rows<LowStockItem>(
    db,
    sql`select ${lowStockFields} ${lowStock(marketInScope, isOneOf(inventoryItems.id, ids))}`,
  );
}

export function findFirstLowStock(db: Db, marketInScope: SQL, limit: number): Promise<LowStockItem[]> {
  return rows<LowStockItem>(
    db,
    plannedOnce(sql`select ${lowStockFields} ${lowStock(marketInScope, sql`true`)} limit ${atMost(limit)}`),
  );
}

export function findLowStockKeys(db: Db, marketInScope: SQL): Promise<Key[]> {
  return findKeys(db, sql`select ${inventoryItems.id} as id ${lowStock(marketInScope, sql`true`)}`);
}

const selectSlots = writtenOnce(sql`select ${machineSlots.id} as id, ${machineSlots.machineId} as "machineId",
          ${machineSlots.productId} as "productId", ${machineSlots.productName} as "productName",
          ${machineSlots.productCode} as "productCode", ${machineSlots.slotNumber} as "slotNumber",
          ${machineSlots.currentQuantity} as "currentQuantity", ${machineSlots.maxQuantity} as "maxQuantity",
          ${machineSlots.maxQuantity} as capacity, ${machineSlots.parQuantity} as "parQuantity",
          ${machineSlots.minimumQuantity} as "minimumQuantity", ${machineSlots.price}::text as price,
          ${machineSlots.cost}::text as cost, ${machineSlots.category} as category, ${machineSlots.brand} as brand,
          ${machineSlots.expirationDate}::text as "expirationDate", ${machineSlots.planned} as planned,
          (select p.picture from products p where p.id = ${machineSlots.productId}) as picture,
          ${wireInstant(sql`${machineSlots.lastRestocked}`)} as "lastRestocked",
          ${wireInstant(sql`${machineSlots.updatedAt}`)} as "updatedAt", coalesce(b.version, 0) as version
        from ${machineSlots}
        join ${vendingMachines} on ${vendingMachines.id} = ${machineSlots.machineId}
        left join item_balances b on b.item_type = 'machine_slot' and b.item_id = ${machineSlots.id}`);
const slotOrder =
  writtenOnce(sql`order by ${machineSlots.machineId}, substring(${machineSlots.slotNumber} from '^[^0-9]*'),
          substring(${machineSlots.slotNumber} from '[0-9]+')::numeric nulls first, ${machineSlots.slotNumber}`);

/** Slots of the machines that the condition admits, or of one of them; A2 comes before A10. */
export function findSlots(db: Db, machineInScope: SQL, only: SQL = sql`true`): Promise<Slot[]> {
  return rows<Slot>(
    db,
    plannedOnce(
      sql`${selectSlots} where ${machineSlots.deletedAt} is null and ${machineInScope} and ${only} ${slotOrder}`,
    ),
  );
}

/** Machines in the order of `findSlots`, with how many slots each has. */
export function findMachinesWithSlots(db: Db, machineInScope: SQL): Promise<Key[]> {
  return findKeys(
    db,
    sql`select ${vendingMachines.id} as id, ${vendingMachines.slotCount} as rows from ${vendingMachines}
        where ${machineInScope} order by ${vendingMachines.id}`,
  );
}

export const ofMachines = (ids: readonly number[]): SQL => isOneOf(machineSlots.machineId, ids);
export const ofMachine = (id: number): SQL => sql`${machineSlots.machineId} = ${id}`;
export const isSlot = (id: number): SQL => sql`${machineSlots.id} = ${id}`;

export async function existsMarket(db: Db, inScope: SQL, id: number): Promise<boolean> {
  const found = await firstRow(db, sql`select 1 as one from ${markets} where ${markets.id} = ${id} and ${inScope}`);
  return found !== undefined;
}

export function findItemRefs(db: Db, marketId: number): Promise<ItemRef[]> {
  return rows<ItemRef>(
    db,
    sql`select 'market_item' as "itemType", id as "itemId" from inventory_items
        where market_id = ${marketId} and deleted_at is null`,
  );
}

export function findSlotRefs(db: Db, machineId: number): Promise<ItemRef[]> {
  return rows<ItemRef>(
    db,
    sql`select 'machine_slot' as "itemType", id as "itemId" from vending_machine_inventory
        where machine_id = ${machineId} and deleted_at is null`,
  );
}

/** Ids of those of the markets that the condition admits, held in the order of their ids until the transaction ends. */
export async function lockMarkets(db: Db, inScope: SQL, ids: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select ${markets.id} as id from ${markets}
        where ${markets.id} in (select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
          and ${inScope} order by ${markets.id} for update`,
  );
  return found.map((row) => row.id);
}

export async function existsMachine(db: Db, inScope: SQL, id: number): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select 1 as one from ${vendingMachines} where ${vendingMachines.id} = ${id} and ${inScope}`,
  );
  return found !== undefined;
}

/** Model and designation of a machine that the condition admits. */
export function findMachineModel(
  db: Db,
  inScope: SQL,
  id: number,
): Promise<{ model: string | null; routeDesignation: string | null } | undefined> {
  return firstRow(
    db,
    sql`select ${vendingMachines.model} as model, ${vendingMachines.routeDesignation} as "routeDesignation"
        from ${vendingMachines} where ${vendingMachines.id} = ${id} and ${inScope}`,
  );
}

export async function existsEvent(db: Db, eventId: string): Promise<boolean> {
  const found = await firstRow(db, sql`select 1 as one from event_keys where event_id = ${eventId}::uuid`);
  return found !== undefined;
}

/** Routes of markets, by the id of the market; null where it is on none. */
export async function findDesignationsOfMarkets(db: Db, ids: readonly number[]): Promise<Map<number, string | null>> {
  const found = await rows<{ id: number; designation: string | null }>(
    db,
    sql`select ${markets.id} as id, ${markets.routeDesignation} as designation from ${markets} where ${isOneOf(markets.id, ids)}`,
  );
  return new Map(found.map(({ id, designation }) => [id, designation]));
}

export async function findDesignationOfMachine(db: Db, id: number): Promise<string | null> {
  const found = await firstRow<{ designation: string | null }>(
    db,
    sql`select route_designation as designation from vending_machines where id = ${id}`,
  );
  return found?.designation ?? null;
}
