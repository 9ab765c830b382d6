import type { FieldNotices, HeldEvent } from '../../contract/stock-review.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import {
  listConflicts,
  listOwnConflicts,
  recordEvents,
  reopenDifference,
  settleDifference,
} from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { today } from '../settings/service.ts';
import { bookField } from './field-events.ts';
import {
  findDecided,
  findLeftOut,
  findOpenHeld,
  type HeldRow,
  type LockedHeld,
  lockHeld,
  updateHeld,
} from './held-queries.ts';
import { type Incoming, read, refusedForItem } from './incoming.ts';
import { ledgerEvent } from './ledger-event.ts';
import { findItems } from './queries.ts';
import { keepCapacityAlert, keepSlotAlerts } from './slot-remarks.ts';

/** Nobody reads further down in one sitting; what is settled makes room. */
const listedAtMost = 200;
const dayMs = 24 * 3_600_000;
/** So long a decision is told to the phone it came from, and can be taken back on the list. */
const toldForMs = 14 * dayMs;

/** What came from phones and needs a manager. */
export async function listReview(deps: Deps) {
  const since = new Date(deps.clock.now().getTime() - toldForMs);
  const [conflicts, held, leftOut] = await Promise.all([
    listConflicts(deps.db, listedAtMost),
    findOpenHeld(deps.db, listedAtMost),
    findLeftOut(deps.db, since, listedAtMost),
  ]);
  return { conflicts, held: toList(held), leftOut: toList(leftOut) };
}

const toList = (held: HeldRow[]) => ({ total: held[0]?.total ?? 0, rows: held.map(toHeld) });

function toHeld({ event, marketId, machineId, happenedAt, receivedAt, total: _total, ...row }: HeldRow): HeldEvent {
  const { event: stock, field } = read(event);
  const machine = machineId === null ? null : { type: 'vending_machine' as const, id: machineId };
  return {
    ...row,
    kind: stock?.kind ?? field?.type ?? 'unreadable',
    quantity: stock?.quantity ?? null,
    note: stock?.note ?? (field?.type === 'visit' ? field.note : null),
    location: marketId === null ? machine : { type: 'market', id: marketId },
    happenedAt: new Date(happenedAt).toISOString(),
    receivedAt: new Date(receivedAt).toISOString(),
  };
}

/** The count that a manager believes may be more than the slot holds, as any other count. */
export function settleConflict(
  deps: Deps,
  caller: Caller,
  wish: { id: number; keep: 'first' | 'second' },
): Promise<{ quantity: number }> {
  return deps.db.transaction(async (tx) => {
    const { itemType, itemId, quantity } = await settleDifference({ ...deps, db: tx }, caller, wish);
    if (itemType === 'machine_slot') await keepCapacityAlert(tx, itemId);
    return { quantity };
  });
}

export function reopenConflict(deps: Deps, caller: Caller, id: number): Promise<{ id: number }> {
  return deps.db.transaction(async (tx) => {
    const item = await reopenDifference({ ...deps, db: tx }, caller, id);
    if (item?.itemType === 'machine_slot') await keepCapacityAlert(tx, item.itemId);
    return { id };
  });
}

/** Books a held event as of when it happened, on a manager's word. What cannot be booked by anybody says why. */
export function acceptHeld(deps: Deps, caller: Caller, eventId: string): Promise<{ eventId: string }> {
  return decide(deps, caller, { eventId, resolution: 'accepted', from: null, verb: 'accept' }, async (tx, held) => {
    const one = vouchedFor(held, caller);
    if (one.field) await bookVouched(tx, one, { deps, caller, held });
    else await bookStock(tx, deps, { one, held });
  });
}

export function dismissHeld(deps: Deps, caller: Caller, eventId: string): Promise<{ eventId: string }> {
  return decide(deps, caller, { eventId, resolution: 'dismissed', from: null, verb: 'dismiss' }, async () => {});
}

export function reopenHeld(deps: Deps, caller: Caller, eventId: string): Promise<{ eventId: string }> {
  return decide(deps, caller, { eventId, resolution: null, from: 'dismissed', verb: 'reopen' }, async () => {});
}

type Wish = { eventId: string; resolution: 'accepted' | 'dismissed' | null; from: 'dismissed' | null; verb: string };

async function decide(
  deps: Deps,
  caller: Caller,
  { eventId, resolution, from, verb }: Wish,
  book: (tx: Db, held: LockedHeld) => Promise<void>,
): Promise<{ eventId: string }> {
  await deps.db.transaction(async (tx) => {
    const held = await lockHeld(tx, eventId);
    if (!held) throw notFound('held change');
    if (held.resolution !== from) throw new AppError('conflict', 'Somebody has decided about this change already.');
    await book(tx, held);
    await updateHeld(tx, eventId, { resolution, userId: caller.userId, at: deps.clock.now() });
    await recordAudit(tx, caller, {
      action: `stock.${verb}-held`,
      objectType: 'held_event',
      objectId: eventId,
      detail: { reason: held.reason },
    });
    await publish(tx, { topic: 'alerts', routes: [], users: held.actorId === null ? [] : [held.actorId] });
  });
  return { eventId };
}

/** The event as its author's, with a manager's right. */
function vouchedFor(held: LockedHeld, caller: Caller): Incoming {
  const one = read(held.event);
  if (one.verdict) {
    throw new AppError('invalid-input', `${one.verdict.reason} It cannot be booked: dismiss it and count again.`);
  }
  const author = {
    userId: held.actorId ?? caller.userId,
    role: caller.role,
    route: caller.routeDesignation,
    isActive: true,
    fromUs: 0,
    toUs: null,
  };
  return { ...one, hash: held.payloadHash, effectiveUs: held.effectiveAtUs, author };
}

async function bookStock(tx: Db, deps: Deps, { one, held }: { one: Incoming; held: LockedHeld }): Promise<void> {
  if (!one.event) return;
  const { itemType, itemId } = one.event;
  const [item = null] = await findItems(tx, [{ itemType, itemId }]);
  const refusal = refusedForItem(one, item);
  if (refusal) throw new AppError('conflict', `${refusal.reason} It cannot be booked.`);
  const event = ledgerEvent(one, { deviceId: held.deviceId, receivedAt: deps.clock.now(), actorId: held.actorId });
  const { results } = await recordEvents(tx, [event], await today(tx, deps.clock));
  if (results[0]?.status === 'reused-id') {
    throw new AppError('conflict', 'The id of this change was used for another one. Dismiss it and count again.');
  }
  await keepSlotAlerts(tx, [{ ...one, item }]);
}

type Vouched = { deps: Deps; caller: Caller; held: LockedHeld };

async function bookVouched(tx: Db, one: Incoming, { caller, held }: Vouched): Promise<void> {
  if (!one.field) return;
  const receivedAt = new Date(one.effectiveUs / 1000);
  // Its times are read as ages before it happened, as they were when it arrived.
  const batch = { sentAtClient: one.field.occurredAtClient };
  await bookField(tx, [one], { batch, deviceId: held.deviceId ?? one.eventId, receivedAt, caller });
  if (one.verdict) throw new AppError('conflict', one.verdict.reason);
}

/** What became of a person's own changes, for the phone: differing counts, and what managers decided of held ones. */
export async function fieldNotices(deps: Deps, caller: Caller): Promise<FieldNotices> {
  const now = deps.clock.now().getTime();
  const [conflicts, decided] = await Promise.all([
    listOwnConflicts(deps.db, caller.userId, new Date(now - dayMs)),
    findDecided(deps.db, caller.userId, new Date(now - toldForMs)),
  ]);
  return { conflicts, decided };
}
