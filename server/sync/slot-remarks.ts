import { sql } from 'drizzle-orm';
import { ongoingAlertTypes, raiseAlerts, resolveAlerts } from '../alerts/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Booked } from '../inventory/ledger.ts';
import { otherProductAlert, overCapacityAlert } from '../inventory/service.ts';
import type { Incoming } from './incoming.ts';

/**
 * What a driver counts stands, even where the office has another slot in mind: he stood before it. He reads what does
 * not fit, and somebody is told to look, until a count fits again.
 */

function isOther({ event, item }: Incoming): boolean {
  if (item?.itemType !== 'machine_slot' || item.productId === null) return false;
  return typeof event?.productId === 'number' && event.productId !== item.productId;
}

/** What a driver should know of a change that was taken. */
export function remarkOn(one: Incoming, { quantity }: Booked): string | null {
  const { item } = one;
  if (!item) return null;
  if (item.deletedAtUs !== null) return 'The office has taken this item out since. Your number is kept.';
  if (item.capacity !== null && quantity > item.capacity) return 'More than the slot holds: check the planogram.';
  if (!isOther(one)) return null;
  return `The office has put ${item.productName} into this slot since. Your number is kept; tell your route manager what is in it.`;
}

type Slot = {
  slotId: number;
  machineId: number;
  slotNumber: string;
  productName: string;
  quantity: number;
  capacity: number;
  ongoing: string[];
};

export async function keepSlotAlerts(tx: Db, booked: readonly Incoming[]): Promise<void> {
  const ofSlots = booked.filter(({ event }) => event?.itemType === 'machine_slot');
  if (ofSlots.length === 0) return;
  const slots = await findSlots(
    tx,
    ofSlots.map(({ event }) => event?.itemId),
  );
  const others = new Set(ofSlots.filter(isOther).map(({ event }) => event?.itemId));
  await keepAlerts(tx, slots, overCapacity);
  await keepAlerts(tx, slots, {
    alertType: otherProductAlert,
    isRaised: (slot) => others.has(slot.slotId),
    messageOf: ({ slotNumber, productName }) =>
      `${slotNumber}: a driver counted another product than ${productName}. Check what is in the slot.`,
  });
}

/** A count that a manager chose out of two says nothing of the product. */
export async function keepCapacityAlert(tx: Db, slotId: number): Promise<void> {
  await keepAlerts(tx, await findSlots(tx, [slotId]), overCapacity);
}

function findSlots(tx: Db, ids: readonly (number | undefined)[]): Promise<Slot[]> {
  return rows<Slot>(
    tx,
    sql`select s.id as "slotId", s.machine_id as "machineId", s.slot_number as "slotNumber",
          s.product_name as "productName", s.current_quantity as quantity, s.max_quantity as capacity,
          ${ongoingAlertTypes(sql`s`)} as ongoing
        from vending_machine_inventory s
        where s.id in (select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) order by s.id`,
  );
}

type Kind = { alertType: string; isRaised: (slot: Slot) => boolean; messageOf: (slot: Slot) => string };

const overCapacity: Kind = {
  alertType: overCapacityAlert,
  isRaised: (slot) => slot.quantity > slot.capacity,
  messageOf: ({ slotNumber, productName, quantity, capacity }) =>
    `${slotNumber} ${productName}: ${quantity} where the slot holds ${capacity}. Check the planogram.`,
};

async function keepAlerts(tx: Db, slots: readonly Slot[], { alertType, isRaised, messageOf }: Kind): Promise<void> {
  const quiet = slots.filter((slot) => !isRaised(slot) && slot.ongoing.includes(alertType));
  await resolveAlerts(tx, { alertType, slotIds: quiet.map(({ slotId }) => slotId) });
  await raiseAlerts(
    tx,
    slots.filter(isRaised).map((slot) => ({
      machineId: slot.machineId,
      slotId: slot.slotId,
      alertType,
      severity: 'low' as const,
      message: messageOf(slot),
    })),
  );
}
