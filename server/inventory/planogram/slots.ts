import type { SQL } from 'drizzle-orm';
import type { Slot } from '../../../contract/machines.ts';
import { AppError, notFound } from '../../../domain/errors.ts';
import type { SlotUpdate } from '../../../domain/inventory-edit.ts';
import type { SlotInput } from '../../../domain/machine.ts';
import { roomProblem, type SlotRoom } from '../../../domain/slot-room.ts';
import { sameNumber } from '../../../domain/trays.ts';
import { resolveAlerts, resolveAlertsOfSlots } from '../../alerts/service.ts';
import { changedFields, recordAudit } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import { blanksToNull } from '../../db/statements/blanks.ts';
import { inPieces } from '../../db/statements/pieces.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import type { EditHeaders } from '../../http/edit-headers.ts';
import type { Pieces } from '../../http/long-list.ts';
import { productNamed } from '../../products/service.ts';
import { machineInScope, scopeOf } from '../../scope/service.ts';
import { otherProductAlert, overCapacityAlert } from '../consequences.ts';
import { recordFirstCount } from '../items/first-counts.ts';
import {
  existsMachine,
  findDesignationOfMachine,
  findMachinesWithSlots,
  findSlots,
  isSlot,
  ofMachine,
  ofMachines,
} from '../queries.ts';
import { recordCount } from '../service.ts';
import { isAsRead, requireMinimumFits, requireOffice, requireVersion, tellEdit } from './layout-edit.ts';
import { insertSlot, lockVersion, updateSlotFields, updateVersion } from './layout-queries.ts';
import { findOtherCase } from './planogram-queries.ts';

export async function listSlots(deps: Deps, caller: Caller): Promise<Pieces<Slot>> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return inPieces(await findMachinesWithSlots(deps.db, inScope), (ids) => findSlots(deps.db, inScope, ofMachines(ids)));
}

export async function listSlotsOfMachine(deps: Deps, caller: Caller, machineId: number): Promise<Slot[]> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  const found = await findSlots(deps.db, inScope, ofMachine(machineId));
  if (found.length === 0 && !(await existsMachine(deps.db, inScope, machineId))) throw notFound('machine');
  return found;
}

/** Puts a product into a slot; the quantity begins its ledger. */
export async function createSlot(deps: Deps, caller: Caller, machineId: number, input: SlotInput): Promise<Slot> {
  requireParFits(input.parQuantity, input.maxQuantity);
  const inScope = machineInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  const { currentQuantity: quantity, ...rest } = input;
  const fields = blanksToNull(rest);
  return deps.db.transaction(async (tx) => {
    if (!(await existsMachine(tx, inScope, machineId))) throw notFound('machine');
    const productId = await productNamed(tx, caller, {
      name: fields.productName,
      brand: fields.brand,
      category: fields.category,
      unitPrice: fields.price,
      unitCost: fields.cost,
      at,
    });
    await requireOwnNumber(tx, { machineId, slotNumber: fields.slotNumber, id: null });
    const id = await insertSlot(tx, { ...fields, machineId, productId, createdAt: at, updatedAt: at });
    if (id === null) throw new AppError('internal', 'The slot was not stored.');
    await recordFirstCount(tx, { itemType: 'machine_slot', itemId: id, quantity, actorId: caller.userId, at });
    await recordAudit(tx, caller, { action: 'slot.create', objectType: 'machine_slot', objectId: id, detail: input });
    await tellSlot(tx, id, machineId);
    return foundSlot(tx, id);
  });
}

function requireParFits(par: number | null | undefined, capacity: number): void {
  if (!par || par <= capacity) return;
  const sentence = `This slot holds at most ${capacity}. Choose a par level up to that.`;
  throw new AppError('invalid-input', sentence, { fields: { parQuantity: sentence } });
}

function requireRoom(slot: SlotRoom, before: Pick<SlotRoom, 'currentQuantity'> | null): void {
  const problem = roomProblem(slot, before);
  if (!problem) return;
  throw new AppError('invalid-input', problem.sentence, { fields: { [problem.field]: problem.sentence } });
}

type Numbered = { machineId: number; slotNumber: string; id: number | null };

/** The same number as it is written is refused by its index. */
async function requireOwnNumber(tx: Db, { machineId, slotNumber, id }: Numbered): Promise<void> {
  const other = await findOtherCase(tx, machineId, slotNumber, id);
  if (!other) return;
  const sentence = sameNumber(slotNumber, other.slotNumber);
  throw new AppError('conflict', sentence, { fields: { slotNumber: sentence } });
}

type Edit = { body: SlotUpdate; headers: EditHeaders };

/** Counts a slot, changes its par and minimum, or both, wholly or not at all. */
export async function updateSlot(
  deps: Deps,
  caller: Caller,
  id: number,
  { body, headers }: Edit,
): Promise<Slot & { eventId: string | null }> {
  const { currentQuantity, reason, note, occurredAt, ...fields } = body;
  const editsFields = Object.values(fields).some((value) => value !== undefined);
  if (editsFields) requireOffice(caller);
  const inScope = machineInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    // Locks in the order of all writers: product name, then balance. So nobody waits in a circle.
    const productId = fields.productName && (await productNamed(tx, caller, { name: fields.productName, at }));
    const before = await lockedSlot(tx, inScope, id);
    await requireVersion(tx, before.version, headers);
    const capacity = fields.maxQuantity ?? before.maxQuantity;
    requireParFits(fields.parQuantity === undefined ? before.parQuantity : fields.parQuantity, capacity);
    const minimumQuantity = fields.minimumQuantity ?? before.minimumQuantity;
    requireMinimumFits({ slotNumber: before.slotNumber, minimumQuantity, maxQuantity: capacity }, before);
    const told = { currentQuantity: currentQuantity ?? before.currentQuantity, maxQuantity: capacity };
    if (fields.maxQuantity !== undefined) requireRoom(told, before);
    const isNoCount = editsFields && isAsRead(before.currentQuantity, body, headers);
    const eventId = currentQuantity === undefined || isNoCount ? null : await count(tx, currentQuantity, capacity);
    const kept = blanksToNull(fields);
    const { machineId } = before;
    if (kept.slotNumber && kept.slotNumber !== before.slotNumber)
      await requireOwnNumber(tx, { machineId, slotNumber: kept.slotNumber, id });
    const isOther = Boolean(productId) && productId !== before.productId;
    const edited = { ...kept, ...(productId ? { productId } : {}), ...(isOther ? withoutFormer(before, kept) : {}) };
    if (editsFields) await editSlot(tx, { caller, before, fields: edited, at });
    await endRemarks(tx, before, { isFitting: eventId !== null || fields.maxQuantity !== undefined, productId });
    return { ...(await foundSlot(tx, id)), eventId };
  });

  async function count(tx: Db, quantity: number, capacity: number): Promise<string> {
    requireRoom({ currentQuantity: quantity, maxQuantity: capacity }, null);
    const counted = await recordCount({ ...deps, db: tx }, caller, {
      itemType: 'machine_slot',
      itemId: id,
      quantity,
      reason,
      note,
      occurredAt,
      eventId: headers.eventId,
    });
    return counted.eventId;
  }
}

/** What was known of the product that stood there before, where the edit does not say it of the new one. */
function withoutFormer(before: Slot, { productCode, brand, category, cost, expirationDate }: Fields): Fields {
  return {
    // A form that sends the code it had read does not mean it for another product.
    productCode: productCode === before.productCode ? null : (productCode ?? null),
    brand: brand ?? null,
    category: category ?? null,
    cost: cost ?? null,
    expirationDate: expirationDate === before.expirationDate ? null : (expirationDate ?? null),
  };
}

type Looked = { isFitting: boolean; productId: number | '' | undefined };

/** The office did what the alerts of a driver's count ask for: the quantity fits, or another product is said to be there. */
async function endRemarks(tx: Db, before: Slot, { isFitting, productId }: Looked): Promise<void> {
  if (isFitting) await resolveAlerts(tx, { alertType: overCapacityAlert, slotIds: [before.id] });
  if (productId && productId !== before.productId) {
    await resolveAlerts(tx, { alertType: otherProductAlert, slotIds: [before.id] });
  }
}

type Fields = Omit<SlotUpdate, 'currentQuantity' | 'reason' | 'note' | 'occurredAt'>;
type FieldEdit = { caller: Caller; before: Slot; fields: Fields & { productId?: number }; at: Date };

async function editSlot(tx: Db, { caller, before, fields, at }: FieldEdit): Promise<void> {
  await updateSlotFields(tx, before.id, { ...fields, updatedAt: at });
  await updateVersion(tx, 'machine_slot', before.id);
  const detail = changedFields({ ...before }, fields);
  await recordAudit(tx, caller, { action: 'slot.update', objectType: 'machine_slot', objectId: before.id, detail });
  await tellSlot(tx, before.id, before.machineId);
}

/** Takes a product out of a machine. What happened in the slot so far stays in the ledger. */
export async function removeSlot(deps: Deps, caller: Caller, id: number): Promise<{ id: number }> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    const before = await lockedSlot(tx, inScope, id);
    await updateSlotFields(tx, id, { deletedAt: deps.clock.now(), updatedAt: deps.clock.now() });
    await resolveAlertsOfSlots(tx, [id]);
    const { productName, slotNumber, machineId } = before;
    const detail = { productName, slotNumber, machineId };
    await recordAudit(tx, caller, { action: 'slot.remove', objectType: 'machine_slot', objectId: id, detail });
    await tellSlot(tx, id, machineId);
    return { id };
  });
}

async function tellSlot(tx: Db, itemId: number, location: number): Promise<void> {
  const designations = [await findDesignationOfMachine(tx, location)];
  await tellEdit(tx, { itemType: 'machine_slot', itemId, location, designations });
}

async function lockedSlot(tx: Db, inScope: SQL, id: number): Promise<Slot> {
  await lockVersion(tx, 'machine_slot', id);
  const [slot] = await findSlots(tx, inScope, isSlot(id));
  if (!slot) throw notFound('slot');
  return slot;
}

async function foundSlot(tx: Db, id: number): Promise<Slot> {
  const [slot] = await findSlots(tx, machineInScope({ everything: true }), isSlot(id));
  if (!slot) throw notFound('slot');
  return slot;
}
