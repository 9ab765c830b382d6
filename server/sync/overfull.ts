import { sql } from 'drizzle-orm';
import { raiseAlerts, resolveAlerts } from '../alerts/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Incoming } from './incoming.ts';

export const overfull = 'More than the slot holds: check the planogram.';

const alertType = 'over_capacity';

type Filled = {
  slotId: number;
  machineId: number;
  slotNumber: string;
  productName: string;
  quantity: number;
  capacity: number;
};

/**
 * What a driver counts stands, even above what a slot is said to hold: he stood before it. Somebody is told to look at
 * the planogram, until a count fits again.
 */
export async function keepOverfull(tx: Db, booked: readonly Incoming[]): Promise<void> {
  const ids = booked.flatMap(({ event }) => (event?.itemType === 'machine_slot' ? [event.itemId] : []));
  if (ids.length === 0) return;
  const slots = await rows<Filled>(
    tx,
    sql`select s.id as "slotId", s.machine_id as "machineId", s.slot_number as "slotNumber",
          s.product_name as "productName", s.current_quantity as quantity, s.max_quantity as capacity
        from vending_machine_inventory s
        where s.id in (select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) order by s.id`,
  );
  const over = slots.filter((slot) => slot.quantity > slot.capacity);
  const fits = slots.filter((slot) => slot.quantity <= slot.capacity);
  await resolveAlerts(tx, { alertType, slotIds: fits.map(({ slotId }) => slotId) });
  await raiseAlerts(
    tx,
    over.map(({ machineId, slotId, slotNumber, productName, quantity, capacity }) => ({
      machineId,
      slotId,
      alertType,
      severity: 'low' as const,
      message: `${slotNumber} ${productName}: ${quantity} where the slot holds ${capacity}. Check the planogram.`,
    })),
  );
}
