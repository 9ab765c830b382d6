import { z } from 'zod';
import { nearDay } from './calendar-day.ts';
import { isSomewhere, latitude, locationStatus, longitude, statusBeside, unknownPosition } from './location.ts';
import { accessHours, requiredText, routeDesignation, text } from './market.ts';
import { roomProblem } from './slot-room.ts';
import { money, optionalMoney, wholeNumber } from './unit-schemas.ts';

const capacity = wholeNumber('Capacity', { least: 1, most: 100_000 });

const machineFields = z.strictObject({
  name: requiredText(255, 'Name'),
  machineId: requiredText(100, 'Machine ID'),
  location: requiredText(255, 'Location'),
  address: requiredText(500, 'Address'),
  city: text(100, 'City').nullish(),
  state: text(50, 'State').nullish(),
  latitude,
  longitude,
  status: locationStatus.default('active'),
  routeDesignation,
  capacity: capacity.default(100),
  model: text(100, 'Model').nullish(),
  serialNumber: text(100, 'Serial number').nullish(),
  vendorId: text(100, 'Vendor ID').nullish(),
  contactPhone: text(50, 'Contact phone').nullish(),
  notes: text(500, 'Notes').nullish(),
  accessHours: accessHours.nullish(),
  accessNotes: text(500, 'Access notes').nullish(),
  installDate: nearDay.nullish(),
  lastMaintenance: z.iso.datetime({ offset: true, error: 'Enter a date and time as 2026-03-12T15:00:00Z' }).nullish(),
  integrationId: text(255, 'Integration ID').nullish(),
});

/** What a person may set on a vending machine. */
export const machineInput = machineFields.refine(isSomewhere, unknownPosition);
export type MachineInput = z.output<typeof machineInput>;

/** The same of a machine that is there, with the status that it has. */
export const machineEdit = (status: string) =>
  machineFields.extend({ status: statusBeside(status) }).refine(isSomewhere, unknownPosition);

/** Which statuses an edit may name depends on the one that stands. */
export const machineUpdate = machineFields
  .partial()
  .extend({ status: text(50, 'Status').optional(), capacity: capacity.optional() })
  .refine(isSomewhere, unknownPosition);
export type MachineUpdate = z.output<typeof machineUpdate>;

export type SlotLevels = { minimumQuantity: number; maxQuantity: number };

/**
 * Why a slot may not be given these levels: with a minimum above what it holds it would be low however full it is. Slots
 * that have such from before keep them, so that everything else about them can be edited.
 */
export function minimumAboveCapacity(
  { slotNumber, minimumQuantity, maxQuantity }: SlotLevels & { slotNumber: string },
  before: SlotLevels | null,
): string | null {
  if (minimumQuantity <= maxQuantity) return null;
  if (before?.minimumQuantity === minimumQuantity && before.maxQuantity === maxQuantity) return null;
  return `${slotNumber} holds at most ${maxQuantity}, so its minimum cannot be ${minimumQuantity}. Choose a minimum up to ${maxQuantity}.`;
}

/** A product in a slot of a machine. `parQuantity` is the level to refill to, at most the capacity (`maxQuantity`). */
const slotFields = z.strictObject({
  productName: requiredText(255, 'Product name'),
  slotNumber: requiredText(20, 'Slot number'),
  price: money('Price is required'),
  currentQuantity: wholeNumber('Current quantity', { least: 0, most: 1_000_000 }).default(0),
  maxQuantity: wholeNumber('Max quantity', { least: 1, most: 10_000 }).default(10),
  parQuantity: wholeNumber('Par', { least: 1, most: 10_000 }).nullish(),
  minimumQuantity: wholeNumber('Minimum quantity', { least: 0, most: 10_000 }).default(0),
  productCode: text(50, 'Product code').nullish(),
  cost: optionalMoney(),
  category: text(100, 'Category').nullish(),
  brand: text(100, 'Brand').nullish(),
  expirationDate: nearDay.nullish(),
});

/** The same of a slot that is there, with the levels that it has and what is in it. */
export const slotEdit = (before: (SlotLevels & { currentQuantity: number }) | null) =>
  slotFields.superRefine((slot, context) => {
    const room = roomProblem(slot, before);
    if (room) context.addIssue({ code: 'custom', path: [room.field], message: room.sentence });
    const message = minimumAboveCapacity(slot, before);
    if (message) context.addIssue({ code: 'custom', path: ['minimumQuantity'], message });
  });

export const slotInput = slotEdit(null);
export type SlotInput = z.output<typeof slotInput>;
