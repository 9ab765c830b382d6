import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { InventoryItem } from '../../contract/inventory.ts';
import type { Slot } from '../../contract/machines.ts';
import { AppError } from '../../domain/errors.ts';
import type { ItemType, Reason } from '../../domain/inventory.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { today } from '../settings/service.ts';
import { type Decision, decisionBefore, decisionOf, endConflict, reopenConflict } from './conflict-decisions.ts';
import { reviewSource } from './conflicts.ts';
import { type Along, settle } from './consequences.ts';
import { type Booking, type LedgerEvent, sendEvents } from './ledger.ts';
import { payloadHash } from './payload-hash.ts';
import { findItems, findSlots } from './queries.ts';

export { listConflicts, listOwnConflicts } from './conflicts.ts';
export { type Along, otherProductAlert, overCapacityAlert } from './consequences.ts';
export { recordFirstCount } from './items/first-counts.ts';
export {
  addReportedSlots,
  defaultCapacity,
  type ImportedSlot,
  lockSlots,
  type ReportedSlot,
  saveImportedSlots,
  takeBackSlots,
} from './items/imported.ts';
export { recordKeys } from './keys.ts';
export {
  countWrongSums,
  findSomeWrongBalances,
  findWrongBalances,
  remakeSums,
  repairBalances,
  type WrongBalance,
} from './ledger-check.ts';
export { removeStockOf } from './location-removal.ts';
export { nameOfMovement } from './movement-names.ts';
export { writeOpenings } from './openings.ts';
export { plannedProductId } from './planogram/planogram-queries.ts';
export { moveStockBack, moveStockToProduct, type Placed } from './planogram/product-moves.ts';
export { missingInSlots, slotCalled, slotIsLow } from './queries.ts';
export { valueOfItems } from './stock-value.ts';

export type OfficeCount = {
  itemType: ItemType;
  itemId: number;
  quantity: number;
  reason?: Reason | undefined;
  note?: string | null | undefined;
  /** When it was counted, if the caller says so; believed within the last 7 days only. */
  occurredAt?: string | null | undefined;
  /** The caller's Idempotency-Key: sent again, it changes nothing. */
  eventId?: string | null | undefined;
};

const believedMs = 7 * 24 * 3_600_000;

/** A count made in the office or by another client, through the same ledger as the field's. */
export async function recordCount(
  deps: Deps,
  caller: Caller,
  count: OfficeCount,
): Promise<{ eventId: string; quantity: number; version: number; status: string }> {
  const event = officeEvent(deps, caller, count);
  return deps.db.transaction(async (tx) => {
    const booking = await recordEvents(tx, [event], await today(tx, deps.clock));
    const [result] = booking.results;
    if (!result) throw new AppError('internal', 'The count was not booked.');
    if (result.status === 'reused-id') {
      throw new AppError('conflict', 'This Idempotency-Key was used for another change. Use a new one.');
    }
    if (result.status !== 'duplicate') {
      await recordAudit(tx, caller, {
        action: 'stock.count',
        objectType: count.itemType,
        objectId: count.itemId,
        detail: { quantity: count.quantity, eventId: event.eventId },
      });
    }
    return { ...result, eventId: event.eventId };
  });
}

function officeEvent(deps: Deps, caller: Caller, count: OfficeCount): LedgerEvent {
  const now = deps.clock.now();
  const content = {
    itemType: count.itemType,
    itemId: count.itemId,
    kind: 'count' as const,
    quantity: count.quantity,
    reason: count.reason ?? 'manual_count',
    note: count.note ?? null,
  };
  return {
    ...content,
    eventId: count.eventId ?? randomUUID(),
    shown: null,
    photoIds: [],
    effectiveAtUs: believed(count.occurredAt, now).getTime() * 1000,
    receivedAt: now.toISOString(),
    occurredAtClient: count.occurredAt ? new Date(count.occurredAt).toISOString() : null,
    actorId: caller.userId,
    deviceId: caller.deviceId,
    deviceSeq: null,
    source: 'office',
    latitude: null,
    longitude: null,
    payloadHash: payloadHash(content),
  };
}

function believed(stated: string | null | undefined, now: Date): Date {
  if (!stated) return now;
  const at = new Date(stated);
  const age = now.getTime() - at.getTime();
  return age >= 0 && age <= believedMs ? at : now;
}

/** Books movements and everything that follows from them, in the caller's transaction. */
export async function recordEvents(
  tx: Db,
  events: readonly LedgerEvent[],
  day: string,
  along: Along = () => [],
): Promise<Booking> {
  const { booking, written } = await sendEvents(tx, events);
  await settle(tx, { booking, written, events, day, along });
  return booking;
}

/** Settles two counts that differ. What was put in or taken out since stays counted. Returns the item and what it holds now. */
export async function settleDifference(
  deps: Deps,
  caller: Caller,
  { id, keep }: { id: number; keep: 'first' | 'second' },
): Promise<{ itemType: ItemType; itemId: number; quantity: number }> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const settled = await bookDecision({ ...deps, db: tx }, caller, await decisionOf(tx, { id, keep }));
    await endConflict(tx, caller, { id, keep, at });
    return settled;
  });
}

/** Takes a settlement back: the later count counts again, and the difference is open. Returns the item if its count changed. */
export async function reopenDifference(
  deps: Deps,
  caller: Caller,
  id: number,
): Promise<{ itemType: ItemType; itemId: number } | null> {
  return deps.db.transaction(async (tx) => {
    const before = await decisionBefore(tx, id);
    const booked = before && (await bookDecision({ ...deps, db: tx }, caller, before));
    await reopenConflict(tx, caller, id);
    return booked;
  });
}

async function bookDecision(deps: Deps, caller: Caller, { effectiveAtUs, ...count }: Decision) {
  const event = { ...officeEvent(deps, caller, count), source: reviewSource, effectiveAtUs };
  const { results } = await recordEvents(deps.db, [event], await today(deps.db, deps.clock));
  return { ...count, quantity: Math.max(0, results[0]?.quantity ?? count.quantity) };
}

/** Items under a condition on the table, as they travel. */
export const loadItems = (db: Db, condition: SQL): Promise<InventoryItem[]> => findItems(db, sql`true`, condition);

/** Slots under a condition on the table, as they travel. */
export const loadSlots = (db: Db, condition: SQL): Promise<Slot[]> => findSlots(db, sql`true`, condition);
