import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PlacedSlot, TemplateSlot } from '../../../domain/planogram.ts';
import type { Db } from '../../db/database.ts';
import { firstRow, rows, run } from '../../db/database.ts';
import { machineSlots, planogramTemplates } from '../tables.ts';

export async function findPlanogramVersion(db: Db, machineId: number): Promise<number> {
  const found = await firstRow<{ version: number }>(
    db,
    sql`select version from planograms where machine_id = ${machineId}`,
  );
  return found?.version ?? 0;
}

/** Moves the version on; false when it is not the one given. Held until the transaction ends. */
export async function raisePlanogramVersion(db: Db, machineId: number, from: number): Promise<boolean> {
  await db.execute(sql`insert into planograms (machine_id) values (${machineId}) on conflict do nothing`);
  const raised = await firstRow(
    db,
    sql`update planograms set version = version + 1 where machine_id = ${machineId} and version = ${from} returning version`,
  );
  return raised !== undefined;
}

/** Nobody gives slots of these machines numbers to the end of the transaction. One order for all who lock several. */
export async function lockFronts(db: Db, machineIds: readonly number[]): Promise<void> {
  const ids = sql`(select distinct value::int from jsonb_array_elements_text(${JSON.stringify(machineIds)}::jsonb))`;
  await db.execute(
    sql`insert into planograms (machine_id) select g.value from ${ids} g order by 1 on conflict do nothing`,
  );
  await db.execute(sql`select from planograms where machine_id in ${ids} order by machine_id for update`);
}

/**
 * The living slot of a machine whose number is the same but for its capitals. Held until the transaction ends, so that no other
 * edit of the machine's front gives such a number in between.
 */
export async function findOtherCase(db: Db, machineId: number, slotNumber: string, exceptId: number | null) {
  await lockFronts(db, [machineId]);
  return firstRow<{ slotNumber: string }>(
    db,
    sql`select slot_number as "slotNumber" from vending_machine_inventory
        where machine_id = ${machineId} and deleted_at is null and id is distinct from ${exceptId}::int
          and lower(slot_number) = lower(${slotNumber}) and slot_number <> ${slotNumber} limit 1`,
  );
}

export type KnownSlot = {
  id: number;
  isGone: boolean;
  quantity: number;
  maxQuantity: number;
  minimumQuantity: number;
};

/** Every slot that ever stood in a machine. */
export function findAllSlots(db: Db, machineId: number): Promise<KnownSlot[]> {
  return rows<KnownSlot>(
    db,
    sql`select id, deleted_at is not null as "isGone", current_quantity as quantity, max_quantity as "maxQuantity",
          minimum_quantity as "minimumQuantity" from vending_machine_inventory where machine_id = ${machineId}`,
  );
}

/** Numbers are unique among the slots of a machine: those that move stand aside first. */
export async function setAside(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(machineSlots)
    .set({ slotNumber: sql`'~' || ${machineSlots.id}` })
    .where(inArray(machineSlots.id, [...ids]));
}

export async function takeOut(db: Db, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(machineSlots)
    .set({ deletedAt: at, updatedAt: at })
    .where(inArray(machineSlots.id, [...ids]));
}

export async function placeSlot(
  db: Db,
  id: number,
  fields: PlacedSlot & { productId: number; at: Date },
): Promise<void> {
  const { at, id: _, planned, ...rest } = fields;
  await db
    .update(machineSlots)
    .set({ ...rest, planned: planned ?? null, plannedAt: planned ? at : null, deletedAt: null, updatedAt: at })
    .where(eq(machineSlots.id, id));
}

/** Edits of many slots move their versions as movements do. */
export async function raiseVersions(db: Db, ids: readonly number[]): Promise<void> {
  await db.execute(
    sql`update item_balances set version = version + 1 where item_type = 'machine_slot'
          and item_id in (select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
  );
}

export async function findTemplate(db: Db, model: string | null) {
  if (!model) return undefined;
  const [found] = await db
    .select()
    .from(planogramTemplates)
    .where(and(eq(sql`lower(${planogramTemplates.model})`, model.toLowerCase())));
  return found;
}

type NewTemplate = { model: string; slots: TemplateSlot[]; machineId: number; savedBy: string; savedAt: Date };

export async function upsertTemplate(db: Db, template: NewTemplate): Promise<void> {
  const { model, slots, machineId, savedBy, savedAt } = template;
  await db.execute(
    sql`insert into planogram_templates (model, slots, machine_id, saved_by, saved_at)
        values (${model}, ${JSON.stringify(slots)}::jsonb, ${machineId}, ${savedBy}, ${savedAt.toISOString()}::timestamptz)
        on conflict (lower(model)) do update set model = excluded.model, slots = excluded.slots,
          machine_id = excluded.machine_id, saved_by = excluded.saved_by, saved_at = excluded.saved_at`,
  );
}

/** The product that a slot's `planned` names. */
export const plannedProductId = (planned: SQL): SQL =>
  sql`(select coalesce(p.merged_into, p.id) from products p where lower(p.name) = lower(${planned} ->> 'productName') order by p.id limit 1)`;

/** Slots whose planned product came with these fillings: it stands there from now on. Returns them. */
export function applyPlanned(db: Db, filled: readonly { id: number; atUs: number }[]): Promise<{ id: number }[]> {
  return rows<{ id: number }>(
    db,
    sql`update vending_machine_inventory s set product_name = s.planned ->> 'productName',
          product_id = ${plannedProductId(sql`s.planned`)},
          price = (s.planned ->> 'price')::numeric(10,2),
          par_quantity = coalesce(least((s.planned ->> 'parQuantity')::int, s.max_quantity), s.par_quantity),
          cost = null, product_code = null, brand = null, category = null, expiration_date = null,
          planned = null, planned_at = null, updated_at = now()
        from jsonb_to_recordset(${JSON.stringify(filled)}::jsonb) as f(id int, "atUs" bigint)
        where s.id = f.id and s.planned is not null
          and s.planned_at <= timestamptz 'epoch' + f."atUs" * interval '1 microsecond'
        returning s.id`,
  );
}

type Filling = { id: number; atUs: number; wasEmpty: boolean };

/**
 * Gives filled slots the date until which their product keeps, reckoned from the day of the filling. Without a shelf life
 * there is none to give: a date that had gone by in an emptied slot goes with what was in it.
 */
export function applyShelfLife(db: Db, filled: readonly Filling[]): Promise<void> {
  const filledOn = sql`((timestamptz 'epoch' + f."atUs" * interval '1 microsecond')
    at time zone coalesce((select time_zone from operator where id = 1), 'UTC'))::date`;
  return run(
    db,
    sql`update vending_machine_inventory s set updated_at = now(), expiration_date =
            case when f."wasEmpty" or s.expiration_date is null then n.until else least(s.expiration_date, n.until) end
        from jsonb_to_recordset(${JSON.stringify(filled)}::jsonb) as f(id int, "atUs" bigint, "wasEmpty" boolean)
        join vending_machine_inventory t on t.id = f.id left join products p on p.id = t.product_id
        cross join lateral (select ${filledOn} as day, ${filledOn} + p.shelf_life_days as until) n
        where s.id = f.id
          and (p.shelf_life_days is not null or (f."wasEmpty" and s.expiration_date < n.day))`,
  );
}
