import { type SQL, sql } from 'drizzle-orm';
import { rows } from '../../db/database.ts';
import { addReportedSlots, type ReportedSlot } from '../../inventory/service.ts';
import { saveImportedProducts } from '../../products/service.ts';
import { chunks, type Told } from '../batch.ts';
import { plainSlot, reportedSlots } from './reported-slots.ts';

/**
 * Gives machines that never had a slot the partner's own planogram, with what the partner believes is in it. Where a
 * person ever planned a machine, nothing is added by itself: the differences are shown.
 */
export function adoptPlanograms(told: Told): Promise<number> {
  return add(told, sql`d.config_id = ${told.configId} and ${isBare}`);
}

/** The same for one machine, from whichever of its systems has a planogram. */
export function adoptPlanogramOf(told: Pick<Told, 'db' | 'at'>, machineId: number): Promise<number> {
  return add(told, sql`d.machine_id = ${machineId} and ${isBare}`);
}

const isBare = sql`not exists (select from vending_machine_inventory h where h.machine_id = d.machine_id)`;

/** Adds the slots that a machine lacks, as its partner has them; what is there stays as it is. */
export async function addMissingSlots(told: Pick<Told, 'db' | 'at'>, machineId: number): Promise<number> {
  return add(told, sql`d.machine_id = ${machineId}`);
}

/** A partner that tells no capacity: what slots hold by default, or what it believes is in it. */
const holds = sql`least(greatest(coalesce(r.capacity, 10), r.quantity, 1), 10000)`;

type Missing = Omit<ReportedSlot, 'normalCode'>;

async function add({ db, at }: Pick<Told, 'db' | 'at'>, condition: SQL): Promise<number> {
  const missing = await rows<Missing>(
    db,
    sql`select r.machine_id as "machineId", r.slot_number as "slotNumber", coalesce(p.name, r.product_name) as "productName",
          null as "productCode", coalesce(r.price, p.unit_price, 0)::text as price, null as cost, null as category, null as brand,
          ${holds} as "maxQuantity", least(r.capacity, 10000) as "parQuantity",
          least(greatest(r.minimum, 0), ${holds}) as "minimumQuantity", least(r.quantity, 10000) as quantity
        from ${reportedSlots(condition)} r
        left join lateral (select o.id, o.name, o.unit_price from products n join products o on o.id = coalesce(n.merged_into, n.id)
          where n.id = r.mapped_to or (r.mapped_to is null and lower(n.name) = lower(r.product_name))
          order by n.id limit 1) p on true
        where not exists (select from vending_machine_inventory t where t.machine_id = r.machine_id and t.deleted_at is null
          and ${plainSlot(sql`t.slot_number`)} = r.plain)
        order by r.machine_id, r.plain`,
  );
  let added = 0;
  for (const part of chunks(missing)) {
    const slots = part.map((slot) => ({ ...slot, normalCode: null }));
    await addProducts({ db, at }, slots);
    added += await addReportedSlots(db, slots, at);
  }
  return added;
}

/** Products that the catalogue lacks are added to it; those it has stay as they are. */
async function addProducts({ db, at }: Pick<Told, 'db' | 'at'>, slots: readonly ReportedSlot[]): Promise<void> {
  const wanted = new Map(slots.map((slot) => [slot.productName.toLowerCase(), slot]));
  const unknown = { name: null, brand: null, category: null, unitCost: null, caseSize: null, packageSize: null };
  await saveImportedProducts(
    db,
    [...wanted.values()].map(({ productName }) => ({
      ...unknown,
      unitPrice: null,
      barcode: null,
      fallbackName: productName,
    })),
    at,
  );
}
