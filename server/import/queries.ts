import { sql } from 'drizzle-orm';
import type { LocationType } from '../../domain/location.ts';
import type { SlotLevels } from '../../domain/machine.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { slotCalled } from '../inventory/service.ts';
import type { ReadPoint } from './file/cells.ts';

/** Integration ids that a location of the other type holds already. */
export async function findOfOtherType(db: Db, type: LocationType, ids: readonly string[]): Promise<Set<string>> {
  const other = type === 'market' ? sql.identifier('vending_machines') : sql.identifier('markets');
  const found = await rows<{ id: string }>(
    db,
    sql`select integration_id as id from ${other}
        where deleted_at is null
          and integration_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
  );
  return new Set(found.map((row) => row.id));
}

type Meant = { line: number; integrationId: string; machineId: string | null };

/** By line of the file: where the market or machine that it means stands by now. */
export async function findStanding(db: Db, meant: readonly Meant[]): Promise<Map<number, ReadPoint>> {
  const asked = meant.map(({ line, integrationId, machineId }) => ({ line, integrationId, machineId }));
  const found = await rows<ReadPoint & { line: number }>(
    db,
    sql`with g as (select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
          as g(line int, "integrationId" text, "machineId" text))
        select g.line, m.latitude::text as latitude, m.longitude::text as longitude
        from g join markets m on m.integration_id = g."integrationId" and m.deleted_at is null
        where (m.latitude, m.longitude) <> (0, 0)
        union all
        select g.line, v.latitude::text, v.longitude::text
        from g join vending_machines v on (v.integration_id = g."integrationId" or v.machine_id = g."machineId")
          and v.deleted_at is null
        where (v.latitude, v.longitude) <> (0, 0)`,
  );
  return new Map(found.map(({ line, latitude, longitude }) => [line, { latitude, longitude }]));
}

/** Database ids of machines by their Machine ID. */
export async function findMachineIds(db: Db, machineIds: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ machineId: string; id: number }>(
    db,
    sql`select machine_id as "machineId", id from vending_machines
        where deleted_at is null
          and machine_id in (select jsonb_array_elements_text(${JSON.stringify(machineIds)}::jsonb))`,
  );
  return new Map(found.map((row) => [row.machineId, row.id]));
}

type Unpriced = {
  line: number;
  deviceId: string;
  slotNumber: string | null;
  productName: string | null;
  productCode: string | null;
};

/** By line of the file: what a slot, another slot of the machine with the same product or the catalogue asks today. */
export async function findPricesNow(db: Db, sales: readonly Unpriced[]): Promise<Map<number, string>> {
  const asked = sales.map(({ line, deviceId, slotNumber, productName, productCode }) => ({
    ...{ line, deviceId, slotNumber, productName, productCode },
  }));
  const found = await rows<{ line: number; price: string }>(
    db,
    sql`select g.line, coalesce(slot.price, same.price, product.price)::text as price
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g(line int, "deviceId" text, "slotNumber" text,
          "productName" text, "productCode" text)
        left join vending_machines m on m.machine_id = g."deviceId" and m.deleted_at is null
        left join lateral (
          select nullif(i.price, 0) as price from ${slotCalled(sql`m.id`, sql`g."slotNumber"`)} i
          where g."productName" is null or lower(i.product_name) = lower(g."productName")) slot on true
        left join lateral (
          select i.price from vending_machine_inventory i
          where i.machine_id = m.id and i.deleted_at is null and i.price > 0
            and lower(i.product_name) = lower(g."productName")
          order by i.slot_number limit 1) same on true
        left join lateral (
          select p.unit_price as price from products p
          where p.merged_into is null and p.unit_price > 0
            and (lower(p.name) = lower(g."productName")
              or p.id in (select b.product_id from product_barcodes b where b.code = g."productCode"))
          order by p.id limit 1) product on true
        where coalesce(slot.price, same.price, product.price) is not null`,
  );
  return new Map(found.map((row) => [row.line, row.price]));
}

export type DepotPoint = { name: string; address: string; latitude: string; longitude: string };

/** The depot that routes start from unless told otherwise. */
export function findDefaultDepot(db: Db): Promise<DepotPoint | undefined> {
  return firstRow<DepotPoint>(
    db,
    sql`select name, address, latitude::text, longitude::text from depots order by is_default desc, id limit 1`,
  );
}

/** Database ids of machines by name, in lower case; names that several machines share are left out. */
export async function findMachineIdsByName(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ name: string; id: number }>(
    db,
    sql`select lower(name) as name, min(id) as id from vending_machines
        where deleted_at is null
          and lower(name) in (select lower(n) from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) n)
        group by lower(name) having count(*) = 1`,
  );
  return new Map(found.map((row) => [row.name, row.id]));
}

/** Cells of so many degrees in which a place or depot of the operator lies up to a latitude, as 'row column'. */
export async function findOccupiedCells(
  db: Db,
  { degrees, latitude }: { degrees: number; latitude: number },
): Promise<string[]> {
  const found = await rows<{ cell: string }>(
    db,
    sql`select distinct floor(p.latitude / ${degrees}) || ' ' || floor(p.longitude / ${degrees}) as cell
        from (select latitude, longitude from markets where deleted_at is null
              union all select latitude, longitude from vending_machines where deleted_at is null
              union all select latitude, longitude from depots) p
        where (p.latitude, p.longitude) <> (0, 0) and abs(p.latitude) <= ${latitude}`,
  );
  return found.map(({ cell }) => cell);
}

export type SlotsOfMachine = Map<string, SlotLevels>;

/** The slots that machines have, by machine and number. */
export async function findSlots(db: Db, machineIds: readonly number[]): Promise<Map<number, SlotsOfMachine>> {
  const found = await rows<SlotLevels & { machineId: number; slotNumber: string }>(
    db,
    sql`select machine_id as "machineId", slot_number as "slotNumber", max_quantity as "maxQuantity",
          minimum_quantity as "minimumQuantity" from vending_machine_inventory
        where deleted_at is null
          and machine_id in (select value::int from jsonb_array_elements_text(${JSON.stringify(machineIds)}::jsonb))
        order by id`,
  );
  const slots = new Map<number, SlotsOfMachine>();
  for (const { machineId, slotNumber, ...levels } of found) {
    slots.set(machineId, (slots.get(machineId) ?? new Map()).set(slotNumber, levels));
  }
  return slots;
}
