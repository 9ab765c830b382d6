import type { EventResult } from '../../contract/sync.ts';
import { maxEventsPerBatch } from '../../contract/sync.ts';
import { AppError } from '../../domain/errors.ts';
import { dayIn } from '../../domain/time.ts';
import { recordAuditsOf } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { gather } from '../db/gather.ts';
import { planOnce } from '../db/postgres/kept-plans.ts';
import { together } from '../db/together.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { isPassing } from '../http/error-reply.ts';
import type { Booked } from '../inventory/ledger.ts';
import { findKeys } from '../inventory/ledger-queries.ts';
import { type Along, recordEvents } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { openSealedEvents } from '../phone-seals/service.ts';
import { getOperator } from '../settings/service.ts';
import { bookField } from './field-events.ts';
import { findHeld, type Held, insertHeld, type NewHeld } from './held-queries.ts';
import { type Batch, type Incoming, readOpened, refuseReused, reused } from './incoming.ts';
import { attribute, giveTimes, holdersOf, judge, learnItems, type Upload } from './judging.ts';
import { ledgerEvent } from './ledger-event.ts';
import { type DeviceClock, lockDeviceClocks, updateDeviceClocks } from './queries.ts';
import { keepSlotAlerts, remarkOn } from './slot-remarks.ts';

export { findSilentPhones, warnOfSilentPhones } from './silent-phones.ts';

/**
 * Appends batches of phones' events: each event is booked, recognised as known, or held with a reason that the driver
 * reads. Nothing is dropped and a bad event never blocks the others. Phones that come together are served with one
 * transaction; each upload stands as a whole or not at all.
 */
export function uploads(deps: Deps) {
  const { take } = gather<Upload, EventResult[]>({
    most: maxEventsPerBatch,
    weightOf: ({ batch }) => batch.events.length,
    namesOf: ({ deviceId, batch }) => [deviceId, ...batch.events.map(({ eventId }) => eventId)],
    work: async (together) => {
      const { timeZone } = await getOperator(deps.db);
      const books = { timeZone, day: dayIn(timeZone, deps.clock.now()) };
      return deps.db.transaction((tx) => accept(tx, { deps, books }, together));
    },
    concernsAll: isPassing,
    onTaken: (ms, waiting) => deps.watch.uploads.took(ms, waiting),
  });
  return async (caller: Caller, batch: Batch) => {
    if (batch.events.length > maxEventsPerBatch) {
      throw new AppError('too-large', `Send at most ${maxEventsPerBatch} events at a time.`);
    }
    const deviceId = trustedDevice(caller, batch.deviceId);
    const receivedAt = deps.clock.now();
    return { serverTime: receivedAt.toISOString(), results: await take({ caller, batch, deviceId, receivedAt }) };
  };
}

function trustedDevice(caller: Caller, claimed: string): string {
  if (!caller.deviceOnly) return claimed;
  // A phone whose store was cleared has a new name and the old one's credential: only a sign-in helps, as without any.
  if (caller.deviceId !== claimed) {
    throw new AppError('not-signed-in', 'This device credential belongs to another device. Sign in to go on.');
  }
  return claimed;
}

type Known = { held: Map<string, Held>; hashes: Map<string, string> };
/** An upload with what is read of it; `fresh` are those of its events that came for the first time. */
type Part = { upload: Upload; incoming: Incoming[]; fresh: Incoming[]; last: DeviceClock };

/** Where the operator is, and the day that is there now. */
type Books = { timeZone: string; day: string };
type Context = { deps: Deps; books: Books };

async function accept(tx: Db, { deps, books }: Context, uploads: readonly Upload[]): Promise<EventResult[][]> {
  const read = await readAll(tx, deps, uploads);
  const [, clocks, known, holders] = await together([
    planOnce(tx),
    lockDeviceClocks(tx, uploads.map(contactOf)),
    recognise(tx, read.flat()),
    holdersOf(tx, uploads),
    learnItems(tx, read.flat()),
  ]);
  const parts = uploads.map((upload, at) => partOf(upload, { incoming: read[at] ?? [], known, clocks }));
  const fresh = parts.flatMap((part) => part.fresh);
  attribute(parts, holders);
  await judge(tx, fresh, books.timeZone);
  const hasField = fresh.some(({ field }) => field !== null);
  const verdicts = (): Promise<unknown>[] => [hold(tx, parts), noteAudit(tx, parts)];
  const booked = await book(tx, books.day, { parts, known }, () => [
    updateDeviceClocks(
      tx,
      parts.map(({ upload, last }) => ({ ...contactOf(upload), last })),
    ),
    // What happened on a route beside changes of stock may yet be refused.
    ...(hasField ? [] : verdicts()),
  ]);
  if (hasField) {
    for (const part of parts) await bookField(tx, part.fresh, part.upload);
    await together(verdicts());
  }
  return parts.map((part) =>
    part.incoming.map((one) =>
      resultOf(one, {
        booked: booked.get(one.eventId),
        held: known.held.get(one.eventId),
        isKnown: known.hashes.has(one.eventId),
      }),
    ),
  );
}

const contactOf = ({ deviceId, receivedAt }: Upload) => ({ deviceId, receivedAt });

async function readAll(tx: Db, deps: Deps, uploads: readonly Upload[]): Promise<Incoming[][]> {
  const read: Incoming[][] = [];
  for (const { batch } of uploads) read.push((await openSealedEvents(tx, deps.secrets, batch.events)).map(readOpened));
  return read;
}

async function recognise(tx: Db, incoming: readonly Incoming[]): Promise<Known> {
  const ids = incoming.map((one) => one.eventId);
  const [found, keys] = await together([findHeld(tx, ids), findKeys(tx, ids)]);
  const held = new Map(found.map((one) => [one.eventId, one]));
  const hashes = new Map(keys.map((key) => [key.eventId, key.payloadHash]));
  for (const one of incoming) refuseReused(one, hashes.get(one.eventId));
  return { held, hashes };
}

type Found = { incoming: Incoming[]; known: Known; clocks: Map<string, DeviceClock> };

function partOf(upload: Upload, { incoming, known, clocks }: Found): Part {
  const fresh = incoming.filter((one) => !known.hashes.has(one.eventId) && !known.held.has(one.eventId));
  const clock = clocks.get(upload.deviceId) ?? { us: null, seq: null };
  return { upload, incoming, fresh, last: giveTimes(fresh, clock, upload) };
}

type Sorted = { parts: readonly Part[]; known: Known };

/** Books the changes of stock; what became of each, by its id. */
async function book(tx: Db, day: string, { parts, known }: Sorted, along: Along): Promise<Map<string, Booked>> {
  const toBook = parts.flatMap(({ upload, incoming }) =>
    incoming.filter((one) => one.event && !one.verdict && !known.held.has(one.eventId)).map((one) => ({ one, upload })),
  );
  const events = toBook.map(({ one, upload: { deviceId, receivedAt, caller } }) =>
    ledgerEvent(one, { deviceId, receivedAt, actorId: one.author?.userId ?? caller.userId }),
  );
  // An upload sent again finds the alerts of its first time, and what has become of them since.
  const first = toBook.flatMap(({ one }) => (known.hashes.has(one.eventId) ? [] : [one]));
  const { results } = await recordEvents(tx, events, day, () => [keepSlotAlerts(tx, first), ...along()]);
  return new Map(results.map((result) => [result.eventId, result]));
}

async function hold(tx: Db, parts: readonly Part[]): Promise<void> {
  const refused = parts.flatMap(({ upload, fresh }) => fresh.flatMap((one) => toHold(one, upload)));
  await insertHeld(tx, refused);
  if (refused.length) await publish(tx, { topic: 'alerts', routes: [] });
}

function toHold(one: Incoming, { deviceId, receivedAt }: Upload): NewHeld[] {
  if (!one.verdict) return [];
  return [
    {
      eventId: one.eventId,
      ...one.verdict,
      event: one.raw,
      payloadHash: one.hash,
      deviceId,
      actorId: one.author?.userId ?? null,
      receivedAt: receivedAt.toISOString(),
      effectiveAtUs: one.effectiveUs || null,
    },
  ];
}

function noteAudit(tx: Db, parts: readonly Part[]): Promise<void> {
  return recordAuditsOf(
    tx,
    parts
      .filter(({ fresh }) => fresh.length > 0)
      .map(({ upload: { caller, deviceId }, fresh }) => ({
        caller,
        entry: {
          action: 'stock.sync',
          objectType: 'device',
          objectId: deviceId,
          detail: { events: fresh.length, held: fresh.filter((one) => one.verdict).length },
        },
      })),
  );
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
