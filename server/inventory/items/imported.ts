import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { rows } from '../../db/database.ts';
import { madeIds, rowsBefore, type WrittenRow } from '../../db/statements/written-before.ts';
import { publish } from '../../live/hub.ts';
import { lockBalances } from '../ledger-queries.ts';
import { lockFronts } from '../planogram/planogram-queries.ts';
import { recordFirstCounts } from './first-counts.ts';

/** A slot out of a file. Null keeps what is stored; the quantity in it is the ledger's alone. */
export type ImportedSlot = {
  machineId: number;
  slotNumber: string;
  productName: string;
  productCode: string | null;
  /** GTIN-14 of the product, where it has one. */
  normalCode: string | null;
  price: string;
  cost: string | null;
  category: string | null;
  brand: string | null;
  maxQuantity: number | null;
  parQuantity: number | null;
  minimumQuantity: number | null;
  /** What is in a new slot: its first count. Null, or a slot that is known: the ledger has the say. */
  quantity?: number | null;
};

type Touched = { id: number; machineId: number };
type Made = Touched & { slotNumber: string };

/** What a new slot holds where a file does not say. */
export const defaultCapacity = 10;

/** A par level is never more than the slot holds; none stays none. */
const within = (par: SQL, capacity: SQL): SQL => sql`case when ${par} is not null then least(${par}, ${capacity}) end`;

/** Slots with the product of the catalogue that each one means. */
const listed = (slots: readonly ImportedSlot[]): SQL =>
  sql`(select s.*, coalesce(
         (select b.product_id from product_barcodes b where b.normal_code = s."normalCode"),
         (select coalesce(p.merged_into, p.id) from products p where lower(p.name) = lower(s."productName") order by p.id limit 1)) as "productId"
       from jsonb_to_recordset(${JSON.stringify(slots)}::jsonb) as s("machineId" int, "slotNumber" text, "productName" text,
         "productCode" text, "normalCode" text, price numeric(10,2), cost numeric(10,2), category text, brand text,
         "maxQuantity" int, "parQuantity" int, "minimumQuantity" int)) g`;

/**
 * Creates and changes slots by machine and slot number as the machine has it, many per statement; these must differ within one
 * call, in more than capitals.
 */
export async function saveImportedSlots(
  tx: Db,
  slots: readonly ImportedSlot[],
  at: Date,
): Promise<{ created: number; updated: number }> {
  if (slots.length === 0) return { created: 0, updated: 0 };
  const updated = await updateKnown(tx, slots, at);
  await raiseVersions(tx, updated);
  const created = await addNew(tx, slots, at);
  await tell(tx, [...updated, ...created]);
  return { created: created.length, updated: updated.length };
}

/** Somebody may have added a slot in other capitals before the fronts were locked: it is that slot, unless there is one as it is written. */
async function withKnownNumbers(tx: Db, slots: readonly ImportedSlot[]): Promise<readonly ImportedSlot[]> {
  const asked = slots.map(({ machineId, slotNumber }, n) => ({ n, machineId, slotNumber }));
  const found = await rows<{ n: number; slotNumber: string }>(
    tx,
    sql`select g.n, o.slot_number as "slotNumber"
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(n int, "machineId" int, "slotNumber" text)
        cross join lateral (select i.slot_number from vending_machine_inventory i
          where i.machine_id = g."machineId" and i.deleted_at is null and lower(i.slot_number) = lower(g."slotNumber")
          order by i.slot_number = g."slotNumber" desc, i.id limit 1) o
        where o.slot_number <> g."slotNumber"`,
  );
  if (found.length === 0) return slots;
  const numbers = new Map(found.map(({ n, slotNumber }) => [n, slotNumber]));
  return slots.map((slot, n) => ({ ...slot, slotNumber: numbers.get(n) ?? slot.slotNumber }));
}

/** Adds those that are not there yet, with their first counts; meanwhile nobody gives one of their numbers in other capitals. */
async function addNew(tx: Db, slots: readonly ImportedSlot[], at: Date): Promise<Made[]> {
  const machines = await findMachinesLacking(tx, slots);
  if (machines.length === 0) return [];
  await lockFronts(tx, machines);
  const asKnown = await withKnownNumbers(tx, slots);
  const made = await insertNew(tx, asKnown, at);
  await countFirst(tx, made, asKnown, at);
  return made;
}

async function findMachinesLacking(tx: Db, slots: readonly ImportedSlot[]): Promise<number[]> {
  const asked = slots.map(({ machineId, slotNumber }) => ({ machineId, slotNumber }));
  const found = await rows<{ machineId: number }>(
    tx,
    sql`select distinct g."machineId"
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g("machineId" int, "slotNumber" text)
        where not exists (select from vending_machine_inventory i
          where i.machine_id = g."machineId" and i.slot_number = g."slotNumber" and i.deleted_at is null)`,
  );
  return found.map(({ machineId }) => machineId);
}

/** The first counts of new slots, where it is told what they hold. */
async function countFirst(tx: Db, made: readonly Made[], slots: readonly ImportedSlot[], at: Date): Promise<void> {
  const quantities = new Map(slots.map((slot) => [`${slot.machineId} ${slot.slotNumber}`, slot.quantity ?? null]));
  const counts = made.flatMap(({ id, machineId, slotNumber }) => {
    const quantity = quantities.get(`${machineId} ${slotNumber}`) ?? null;
    return quantity === null ? [] : [{ itemType: 'machine_slot' as const, itemId: id, actorId: null, quantity, at }];
  });
  await recordFirstCounts(tx, counts);
}

/** A slot as a partner tells of it, with what it believes is in it. */
export type ReportedSlot = ImportedSlot & { quantity: number };

/** Adds slots that are not there yet, each with its first count; returns how many. */
export async function addReportedSlots(tx: Db, slots: readonly ReportedSlot[], at: Date): Promise<number> {
  if (slots.length === 0) return 0;
  const made = await addNew(tx, slots, at);
  await tell(tx, made);
  return made.length;
}

function updateKnown(tx: Db, slots: readonly ImportedSlot[], at: Date): Promise<Touched[]> {
  return rows<Touched>(
    tx,
    sql`update vending_machine_inventory t set product_id = n."productId", product_name = n."productName",
          product_code = n.code, price = n.price, cost = n.cost, category = n.category, brand = n.brand,
          max_quantity = n.capacity, par_quantity = n.par, minimum_quantity = n.minimum,
          updated_at = ${at.toISOString()}::timestamptz
        from (select o.id, g."productId", g."productName", g.price, coalesce(g."productCode", o.product_code) as code,
                coalesce(g.cost, o.cost) as cost, coalesce(g.category, o.category) as category,
                coalesce(g.brand, o.brand) as brand, coalesce(g."maxQuantity", o.max_quantity) as capacity,
                ${within(sql`coalesce(g."parQuantity", o.par_quantity)`, sql`coalesce(g."maxQuantity", o.max_quantity)`)} as par,
                coalesce(g."minimumQuantity", o.minimum_quantity) as minimum
              from ${listed(slots)} join vending_machine_inventory o
                on o.machine_id = g."machineId" and o.slot_number = g."slotNumber" and o.deleted_at is null) n
        where t.id = n.id and (t.product_id, t.product_name, t.product_code, t.price, t.cost, t.category, t.brand,
            t.max_quantity, t.par_quantity, t.minimum_quantity)
          is distinct from (n."productId", n."productName", n.code, n.price, n.cost, n.category, n.brand, n.capacity,
            n.par, n.minimum)
        returning t.id, t.machine_id as "machineId"`,
  );
}

function insertNew(tx: Db, slots: readonly ImportedSlot[], at: Date): Promise<Made[]> {
  const when = sql`${at.toISOString()}::timestamptz`;
  return rows<Made>(
    tx,
    sql`insert into vending_machine_inventory (machine_id, slot_number, product_id, product_name, product_code, price, cost,
          category, brand, max_quantity, par_quantity, minimum_quantity, created_at, updated_at)
        select g."machineId", g."slotNumber", g."productId", g."productName", g."productCode", g.price, g.cost, g.category,
          g.brand, coalesce(g."maxQuantity", ${defaultCapacity}::int),
          ${within(sql`g."parQuantity"`, sql`coalesce(g."maxQuantity", ${defaultCapacity}::int)`)}, coalesce(g."minimumQuantity", 0),
          ${when}, ${when}
        from ${listed(slots)} on conflict do nothing
        returning id, machine_id as "machineId", slot_number as "slotNumber"`,
  );
}

/** A change of the slot itself counts as a version, as a movement does. */
async function raiseVersions(tx: Db, changed: readonly Touched[]): Promise<void> {
  await tx.execute(
    sql`update item_balances set version = version + 1 where item_type = 'machine_slot'
          and item_id in (select value::int from jsonb_array_elements_text(${JSON.stringify(changed.map(({ id }) => id))}::jsonb))`,
  );
}

async function tell(tx: Db, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return;
  const machines = [...new Set(touched.map((slot) => slot.machineId))];
  const found = await rows<{ designation: string }>(
    tx,
    sql`select distinct route_designation as designation from vending_machines where route_designation is not null
          and id in (select value::int from jsonb_array_elements_text(${JSON.stringify(machines)}::jsonb))`,
  );
  const routes = found.map(({ designation }) => designation);
  await publish(tx, { topic: 'stock', ids: touched.map((slot) => slot.id), routes });
  await publish(tx, { topic: 'machines', ids: machines, routes });
}

/** Nobody books stock of these slots to the end of the transaction. */
export async function lockSlots(tx: Db, ids: readonly number[]): Promise<void> {
  await lockBalances(
    tx,
    ids.map((itemId) => ({ itemType: 'machine_slot' as const, itemId })),
  );
}

/** Takes back what an import wrote: its new slots go, changed ones read as before. */
export async function takeBackSlots(tx: Db, written: readonly WrittenRow[], at: Date): Promise<void> {
  const when = sql`${at.toISOString()}::timestamptz`;
  await lockSlots(
    tx,
    written.map(({ id }) => id),
  );
  const gone = await rows<Touched>(
    tx,
    sql`update vending_machine_inventory set deleted_at = ${when}, updated_at = ${when}
        where deleted_at is null and id in ${madeIds(written)} returning id, machine_id as "machineId"`,
  );
  const back = await rows<Touched>(
    tx,
    sql`update vending_machine_inventory t set product_id = n.product_id, product_name = n.product_name,
          product_code = n.product_code, price = n.price, cost = n.cost, category = n.category, brand = n.brand,
          max_quantity = n.max_quantity, par_quantity = n.par_quantity, minimum_quantity = n.minimum_quantity, updated_at = ${when}
        from ${rowsBefore(written, sql`vending_machine_inventory`)} n where t.id = n.id and t.deleted_at is null
        returning t.id, t.machine_id as "machineId"`,
  );
  await raiseVersions(tx, back);
  await tell(tx, [...gone, ...back]);
}
