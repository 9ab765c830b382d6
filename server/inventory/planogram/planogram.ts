import type { MachinePlanogram, Slot } from '../../../contract/machines.ts';
import { AppError, notFound } from '../../../domain/errors.ts';
import type { PlacedSlot, TemplateSlot } from '../../../domain/planogram.ts';
import { planogramChanges } from '../../../domain/planogram-change.ts';
import { sameNumber, slotKey } from '../../../domain/trays.ts';
import { resolveAlerts, resolveAlertsOfSlots } from '../../alerts/service.ts';
import { recordAudit } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import { blanksToNull } from '../../db/statements/blanks.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { publish } from '../../live/hub.ts';
import { productNamed } from '../../products/service.ts';
import { machineInScope, scopeOf } from '../../scope/service.ts';
import { overCapacityAlert } from '../consequences.ts';
import { recordFirstCount } from '../items/first-counts.ts';
import { lockBalances } from '../ledger-queries.ts';
import { findMachineModel, findSlots, ofMachine } from '../queries.ts';
import { requireMinimumFits } from './layout-edit.ts';
import { insertSlot } from './layout-queries.ts';
import {
  findAllSlots,
  findPlanogramVersion,
  findTemplate,
  type KnownSlot,
  placeSlot,
  raisePlanogramVersion,
  raiseVersions,
  setAside,
  takeOut,
  upsertTemplate,
} from './planogram-queries.ts';

/** The planogram of a machine in scope, with the template of its model. */
export async function getPlanogram(deps: Deps, caller: Caller, machineId: number): Promise<MachinePlanogram> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  const machine = await findMachineModel(deps.db, inScope, machineId);
  if (!machine) throw notFound('machine');
  const template = await findTemplate(deps.db, machine.model);
  return {
    version: await findPlanogramVersion(deps.db, machineId),
    model: machine.model,
    slots: await findSlots(deps.db, inScope, ofMachine(machineId)),
    template: template
      ? {
          model: template.model,
          savedBy: template.savedBy,
          savedAt: template.savedAt.toISOString(),
          slots: template.slots,
        }
      : null,
  };
}

type Wanted = { version: number; slots: readonly PlacedSlot[] };

/** Makes a machine's planogram what is wanted, wholly or not at all. Units stay with their slot wherever it moves. */
export async function savePlanogram(
  deps: Deps,
  caller: Caller,
  machineId: number,
  wanted: Wanted,
): Promise<MachinePlanogram> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    const machine = await findMachineModel(tx, inScope, machineId);
    if (!machine) throw notFound('machine');
    // Locks in the order of all writers: product names, balances, slots. So nobody waits in a circle.
    const products = await productsOf(tx, caller, wanted.slots, at);
    const known = await findAllSlots(tx, machineId);
    await lockBalances(
      tx,
      known.map(({ id }) => ({ itemType: 'machine_slot' as const, itemId: id })),
    );
    if (!(await raisePlanogramVersion(tx, machineId, wanted.version))) throw changedMeanwhile();
    const before = await findSlots(tx, inScope, ofMachine(machineId));
    requireKnown(wanted.slots, known);
    requireOwnNumbers(wanted.slots, before);
    await place(tx, { caller, machineId, wanted: wanted.slots, known, products, at });
    const changes = planogramChanges(before, wanted.slots);
    await recordAudit(tx, caller, {
      action: 'planogram.save',
      objectType: 'vending_machine',
      objectId: machineId,
      detail: { changes },
    });
    const routes = machine.routeDesignation ? [machine.routeDesignation] : [];
    await publish(tx, { topic: 'stock', ids: known.map(({ id }) => id), routes });
    await publish(tx, { topic: 'machines', ids: [machineId], routes });
  });
  return getPlanogram(deps, caller, machineId);
}

function changedMeanwhile(): AppError {
  return new AppError(
    'conflict',
    'The planogram was changed by someone else in the meantime. Look at it as it is now and repeat your change.',
  );
}

/** Products of the catalogue by name, in one order for all writers. */
async function productsOf(
  tx: Db,
  caller: Caller,
  slots: readonly PlacedSlot[],
  at: Date,
): Promise<Map<string, number>> {
  const wanted = new Map<string, { name: string; unitPrice: string }>();
  for (const { productName, price, planned } of slots) {
    wanted.set(productName, { name: productName, unitPrice: price });
    if (planned) wanted.set(planned.productName, { name: planned.productName, unitPrice: planned.price });
  }
  const ids = new Map<string, number>();
  for (const name of [...wanted.keys()].sort()) {
    ids.set(name, await productNamed(tx, caller, { ...(wanted.get(name) ?? { name }), at }));
  }
  return ids;
}

function requireKnown(wanted: readonly PlacedSlot[], known: readonly KnownSlot[]): void {
  const byId = new Map(known.map((slot) => [slot.id, slot]));
  for (const [at, slot] of wanted.entries()) {
    const before = slot.id === undefined ? null : byId.get(slot.id);
    if (before === undefined) {
      throw new AppError('invalid-input', `Slot ${slot.slotNumber} is of another machine. Leave out its id to add it.`);
    }
    requireMinimumFits(slot, before, `slots.${at}.`);
    if (before && before.quantity > slot.maxQuantity) {
      const sentence = `There are ${before.quantity} in ${slot.slotNumber}. Choose a max quantity of at least ${before.quantity}.`;
      throw new AppError('invalid-input', sentence, { fields: { [`slots.${at}.maxQuantity`]: sentence } });
    }
  }
}

/** Machines that have two such numbers from before keep them. */
function requireOwnNumbers(wanted: readonly PlacedSlot[], before: readonly Slot[]): void {
  const stood = new Set(before.map(({ slotNumber }) => slotNumber));
  for (const [at, { slotNumber }] of wanted.entries()) {
    if (stood.has(slotNumber)) continue;
    const key = slotKey(slotNumber);
    const other = wanted.find((one) => one.slotNumber !== slotNumber && slotKey(one.slotNumber) === key);
    if (!other) continue;
    const sentence = sameNumber(slotNumber, other.slotNumber);
    throw new AppError('invalid-input', sentence, { fields: { [`slots.${at}.slotNumber`]: sentence } });
  }
}

type Placing = {
  caller: Caller;
  machineId: number;
  wanted: readonly PlacedSlot[];
  known: readonly KnownSlot[];
  products: ReadonlyMap<string, number>;
  at: Date;
};

async function place(tx: Db, { caller, machineId, wanted, known, products, at }: Placing): Promise<void> {
  const kept = new Set(wanted.flatMap((slot) => slot.id ?? []));
  const gone = known.filter((slot) => !slot.isGone && !kept.has(slot.id)).map(({ id }) => id);
  await takeOut(tx, gone, at);
  await resolveAlertsOfSlots(tx, gone);
  // Each slot that stays was checked to have room for what is in it.
  await resolveAlerts(tx, { alertType: overCapacityAlert, slotIds: [...kept] });
  await setAside(tx, [...kept]);
  for (const slot of wanted) {
    const fields = { ...blanksToNull(slot), productId: products.get(slot.productName) ?? 0, at };
    if (slot.id !== undefined) {
      await placeSlot(tx, slot.id, fields);
      continue;
    }
    const { at: _, planned, id: __, ...values } = fields;
    const id = await insertSlot(tx, { ...values, machineId, planned, createdAt: at, updatedAt: at });
    if (id === null) throw new AppError('internal', 'The slot was not stored.');
    await recordFirstCount(tx, { itemType: 'machine_slot', itemId: id, quantity: 0, actorId: caller.userId, at });
  }
  await raiseVersions(tx, [...kept, ...gone]);
}

/** Keeps the planogram of a machine as the template of its model. */
export async function saveTemplate(deps: Deps, caller: Caller, machineId: number): Promise<MachinePlanogram> {
  const { model, slots } = await getPlanogram(deps, caller, machineId);
  if (!model) {
    throw new AppError('invalid-input', 'This machine has no model. Set its model first: templates belong to models.');
  }
  if (slots.length === 0) throw new AppError('invalid-input', 'This machine has no slots to keep as a template.');
  await deps.db.transaction(async (tx) => {
    await upsertTemplate(tx, {
      model,
      slots: slots.map(templateOf),
      machineId,
      savedBy: caller.name,
      savedAt: deps.clock.now(),
    });
    const detail = { model, slots: slots.length };
    await recordAudit(tx, caller, {
      action: 'planogram.template',
      objectType: 'vending_machine',
      objectId: machineId,
      detail,
    });
    await publish(tx, { topic: 'machines', ids: [machineId], routes: null });
  });
  return getPlanogram(deps, caller, machineId);
}

function templateOf(slot: TemplateSlot): TemplateSlot {
  const { slotNumber, productName, price, cost, productCode, category, brand } = slot;
  const { maxQuantity, parQuantity, minimumQuantity } = slot;
  return {
    slotNumber,
    productName,
    price,
    cost,
    productCode,
    category,
    brand,
    maxQuantity,
    parQuantity,
    minimumQuantity,
  };
}
