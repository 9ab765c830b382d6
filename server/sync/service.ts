import type { EventResult } from '../../contract/sync.ts';
import { maxEventsPerBatch } from '../../contract/sync.ts';
import { AppError } from '../../domain/errors.ts';
import { effectiveAtUs } from '../../domain/inventory.ts';
import { countersAmong } from '../access/service.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Booked } from '../inventory/ledger.ts';
import { findKeys } from '../inventory/ledger-queries.ts';
import { recordEvents } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { openSealedEvents } from '../phone-seals/service.ts';
import { getOperator, today } from '../settings/service.ts';
import { bookField } from './field-events.ts';
import { findHeld, type Held, insertHeld, type NewHeld } from './held-queries.ts';
import {
  type Batch,
  type Incoming,
  readOpened,
  refusedForItem,
  refuseForeign,
  refuseReused,
  reused,
  type Verdict,
} from './incoming.ts';
import { ledgerEvent } from './ledger-event.ts';
import { findEntitled, findHolders, findItems, type Holder, lockDeviceClock, updateDeviceClock } from './queries.ts';
import { keepSlotAlerts, remarkOn } from './slot-remarks.ts';

export { findSilentPhones, warnOfSilentPhones } from './silent-phones.ts';

/**
 * Appends a batch of a phone's events in one transaction: each is booked, recognised as known, or held with a reason
 * that the driver reads. Nothing is dropped and a bad event never blocks the others.
 */
export async function pushBatch(deps: Deps, caller: Caller, batch: Batch) {
  if (batch.events.length > maxEventsPerBatch) {
    throw new AppError('too-large', `Send at most ${maxEventsPerBatch} events at a time.`);
  }
  const deviceId = trustedDevice(caller, batch.deviceId);
  const receivedAt = deps.clock.now();
  const results = await deps.db.transaction((tx) => accept(tx, { deps, caller, batch, deviceId, receivedAt }));
  return { serverTime: receivedAt.toISOString(), results };
}

function trustedDevice(caller: Caller, claimed: string): string {
  if (!caller.deviceOnly) return claimed;
  if (caller.deviceId !== claimed) {
    throw new AppError('not-allowed', 'This device credential belongs to another device. Sign in to go on.');
  }
  return claimed;
}

export type Context = { deps: Deps; caller: Caller; batch: Batch; deviceId: string; receivedAt: Date };

async function accept(tx: Db, context: Context): Promise<EventResult[]> {
  const { caller } = context;
  const previousUs = await lockDeviceClock(tx, context.deviceId, context.receivedAt);
  const incoming = (await openSealedEvents(tx, context.deps.secrets, context.batch.events)).map(readOpened);
  const ids = incoming.map((one) => one.eventId);
  const held = new Map((await findHeld(tx, ids)).map((one) => [one.eventId, one]));
  const known = new Map((await findKeys(tx, ids)).map((key) => [key.eventId, key.payloadHash]));
  for (const one of incoming) refuseReused(one, known.get(one.eventId));
  const fresh = incoming.filter((one) => !known.has(one.eventId) && !held.has(one.eventId));
  const lastUs = giveTimes(fresh, previousUs, context);
  await attribute(tx, fresh, context);
  await learnItems(tx, incoming);
  await judge(tx, fresh);
  const toBook = incoming.filter((one) => one.event && !one.verdict && !held.has(one.eventId));
  const day = await today(tx, context.deps.clock);
  const booking = await recordEvents(
    tx,
    toBook.map((one) =>
      ledgerEvent(one, {
        deviceId: context.deviceId,
        receivedAt: context.receivedAt,
        actorId: one.author?.userId ?? caller.userId,
      }),
    ),
    day,
  );
  // An upload sent again finds the alerts of its first time, and what has become of them since.
  await keepSlotAlerts(
    tx,
    toBook.filter((one) => !known.has(one.eventId)),
  );
  await bookField(tx, fresh, context);
  await hold(tx, fresh, context);
  await updateDeviceClock(tx, context.deviceId, lastUs, context.receivedAt);
  await noteAudit(tx, context, fresh);
  const booked = new Map(booking.results.map((result) => [result.eventId, result]));
  return incoming.map((one) =>
    resultOf(one, {
      booked: booked.get(one.eventId),
      held: held.get(one.eventId),
      isKnown: known.has(one.eventId),
    }),
  );
}

/** Gives fresh events their effective time in the order of the device; returns the last one given. */
function giveTimes(fresh: readonly Incoming[], previousUs: number | null, context: Context): number | null {
  const sentAtClient = Date.parse(context.batch.sentAtClient);
  const readable = fresh.flatMap((one) => {
    const said = one.event ?? one.field;
    return said ? [{ one, said }] : [];
  });
  readable.sort((a, b) => a.said.deviceSeq - b.said.deviceSeq);
  let previous = previousUs;
  for (const { one, said } of readable) {
    one.effectiveUs = effectiveAtUs({
      receivedAt: context.receivedAt.getTime(),
      sentAtClient,
      occurredAtClient: Date.parse(said.occurredAtClient),
      lastServerTime: said.lastServerTime ? Date.parse(said.lastServerTime) : null,
      previousUs: previous,
    });
    previous = one.effectiveUs;
  }
  return previous;
}

/** The author is whoever held the device then, by the server's own record; without one, the person signed in. */
async function attribute(tx: Db, fresh: readonly Incoming[], context: Context): Promise<void> {
  const { caller } = context;
  const signedIn: Holder = {
    userId: caller.userId,
    role: caller.role,
    route: caller.routeDesignation,
    isActive: caller.isActive,
    fromUs: 0,
    toUs: null,
  };
  const holders = caller.deviceId === context.deviceId ? await findHolders(tx, context.deviceId) : [];
  for (const one of fresh) {
    one.author = holders.find((h) => h.fromUs <= one.effectiveUs && (h.toUs ?? Infinity) > one.effectiveUs) ?? signedIn;
    refuseForeign(one);
  }
}

/** Known events too: an answer that got lost is given again with all it said. */
async function learnItems(tx: Db, incoming: readonly Incoming[]): Promise<void> {
  const events = incoming.flatMap(({ event }) => event ?? []);
  if (events.length === 0) return;
  const items = await findItems(
    tx,
    events.map(({ itemType, itemId }) => ({ itemType, itemId })),
  );
  const facts = new Map(items.map((item) => [`${item.itemType}:${item.itemId}`, item]));
  for (const one of incoming) {
    if (one.event) one.item = facts.get(`${one.event.itemType}:${one.event.itemId}`) ?? null;
  }
}

async function judge(tx: Db, fresh: readonly Incoming[]): Promise<void> {
  const open = fresh.filter((one) => one.event && !one.verdict);
  if (open.length === 0) return;
  const { timeZone } = await getOperator(tx);
  const entitled = await findEntitled(tx, open.flatMap(questionOf), timeZone);
  const mayCount = await countersAmong(
    tx,
    open.flatMap(({ author }) => author?.userId ?? []),
  );
  for (const one of open) one.verdict = refusedByAccess(one, mayCount) ?? verdictOf(one, entitled);
}

type MayCount = Awaited<ReturnType<typeof countersAmong>>;

/** Made after the application was closed to its author: a person decides, as nothing is dropped. */
function refusedByAccess({ author, effectiveUs }: Incoming, mayCount: MayCount): Verdict | null {
  if (author?.role !== 'field_worker') return null;
  const person = { userId: author.userId, role: 'field_worker', routeDesignation: author.route } as const;
  if (mayCount(person, new Date(effectiveUs / 1000))) return null;
  return {
    status: 'needs_review',
    reason: 'Your access to Mobile Inventory had ended. A manager will look at this change.',
  };
}

function questionOf({ eventId, item, author, effectiveUs }: Incoming) {
  if (!item || author?.role !== 'field_worker') return [];
  const { locationKind: kind, locationId } = item;
  return [{ eventId, userId: author.userId, kind, locationId, effectiveAtUs: effectiveUs }];
}

function verdictOf(one: Incoming, entitled: Set<string>): Verdict | null {
  const { item } = one;
  if (item && one.author && !one.author.isActive) {
    return { status: 'needs_review', reason: 'Your account was deactivated. A manager will look at this change.' };
  }
  if (item && one.author?.role === 'field_worker' && !entitled.has(one.eventId)) {
    return { status: 'rejected', reason: 'This location was not on your route at that time. Tell your route manager.' };
  }
  return refusedForItem(one, item);
}

async function hold(tx: Db, fresh: readonly Incoming[], context: Context): Promise<void> {
  const refused: NewHeld[] = fresh.flatMap((one) =>
    one.verdict
      ? [
          {
            eventId: one.eventId,
            ...one.verdict,
            event: one.raw,
            payloadHash: one.hash,
            deviceId: context.deviceId,
            actorId: one.author?.userId ?? null,
            receivedAt: context.receivedAt.toISOString(),
            effectiveAtUs: one.effectiveUs || null,
          },
        ]
      : [],
  );
  await insertHeld(tx, refused);
  if (refused.length) await publish(tx, { topic: 'alerts', routes: [] });
}

async function noteAudit(tx: Db, context: Context, fresh: readonly Incoming[]): Promise<void> {
  if (fresh.length === 0) return;
  await recordAudit(tx, context.caller, {
    action: 'stock.sync',
    objectType: 'device',
    objectId: context.deviceId,
    detail: { events: fresh.length, held: fresh.filter((one) => one.verdict).length },
  });
}

const dismissed = 'A manager looked at this change and left it out.';

type Outcome = { booked: Booked | undefined; held: Held | undefined; isKnown: boolean };

function resultOf(one: Incoming, { booked, held, isKnown }: Outcome): EventResult {
  const none = { eventId: one.eventId, quantity: null, version: null };
  if (held) {
    if (held.payloadHash !== one.hash) return { ...none, status: 'rejected', reason: reused };
    return { ...none, status: held.status, reason: held.isDismissed ? dismissed : held.reason };
  }
  if (one.verdict) return { ...none, status: one.verdict.status, reason: one.verdict.reason };
  if (one.field) return { ...none, status: isKnown ? 'duplicate' : 'applied', reason: null };
  if (!booked) throw new AppError('internal', 'An event got no result.');
  if (booked.status === 'reused-id') return { ...none, status: 'rejected', reason: reused };
  const quantity = Math.max(0, booked.quantity);
  const late = 'A later count of this item was there already.';
  const reason = booked.status === 'superseded' ? late : remarkOn(one, booked);
  return { eventId: one.eventId, status: booked.status, reason, quantity, version: booked.version };
}
