import type { EventResult } from '../../../contract/sync.ts';
import { isFilling } from '../../../domain/filling.ts';
import type { StockEvent } from '../../../domain/inventory.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { keepVisit, maxPhotos, noteText } from '../day/visit-events.ts';
import { getMeta, nextNumbers, rememberContact } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import { ofDays } from '../kept/replica.ts';
import {
  type Draft,
  type DraftWork,
  type Entry,
  type EntryStatus,
  itemKey,
  placeKey,
  type StockEntry,
} from './records.ts';
import { NotSavedError } from './room.ts';
import type { ReadTx, Store, WriteTx } from './store.ts';

/** Version of the events written here; the server reads older ones for 180 days. */
const schemaVersion = 1;

type Source = Pick<OfflineEnvironment, 'now' | 'randomBytes'>;

export type Position = { latitude: number; longitude: number };

/**
 * Turns a location's drafts into events and clears the drafts in one transaction: when it resolves they are on the
 * disk, and a second tap finds nothing left to save. The drafts are those of the person signed in.
 */
export async function saveDrafts(
  store: Store,
  source: Source,
  visit: { location: LocationRef; position: Position | null },
): Promise<StockEntry[]> {
  const key = placeKey(visit.location);
  return store.write(['drafts', 'visits', 'outbox', 'meta'], async (tx) => {
    const userId = (await getMeta(tx, 'session'))?.person.id;
    if (userId === undefined) throw new Error('Sign in first');
    // Requests that do not need each other's answers go together: a person waits for this.
    const [all, about] = await Promise.all([
      tx.objectStore('drafts').index('byUser').getAll(userId),
      tx.objectStore('visits').get([userId, key]),
    ]);
    const drafts = all.filter((draft) => draft.locationKey === key).sort(byTime);
    const steps = drafts.flatMap(stepsOfDraft);
    const visitId = about?.opened?.visitId ?? null;
    const numbers = await nextNumbers(tx, source, steps.length);
    const shared = {
      note: noteText(about?.note ?? ''),
      photoIds: about?.photoIds.slice(0, maxPhotos) ?? [],
      position: visit.position,
      visitId,
    };
    const savedAt = new Date(source.now()).toISOString();
    const entries: StockEntry[] = [];
    for (const [i, number] of numbers.entries()) {
      const step = steps[i];
      const whole = numbers[i + (step?.following ?? 0)];
      if (!step || !whole) continue;
      const part = whole === number ? {} : { partOf: whole.seq };
      entries.push({ ...entryOf(step, number, { ...shared, savedAt }), ...part });
    }
    await Promise.all([
      ...entries.map((entry) => tx.objectStore('outbox').add(entry)),
      ...drafts.map((draft) => tx.objectStore('drafts').delete([userId, draft.itemType, draft.itemId])),
    ]);
    const savedSeq = entries.at(-1)?.seq;
    if (about && savedSeq !== undefined) {
      await keepVisit(tx, source, { ...about, savedAt, savedSeq, position: visit.position });
    }
    return entries;
  });
}

function byTime(a: Draft, b: Draft): number {
  return a.changedAt < b.changedAt ? -1 : Number(a.changedAt > b.changedAt);
}

type Shared = Pick<StockEvent, 'note' | 'photoIds' | 'position' | 'visitId'> & { savedAt: string };

type Movement = Pick<StockEvent, 'kind' | 'quantity' | 'reason'>;

/** A draft as the ledger takes it: first what was found, then what was taken out, last what was put in or is there now. */
export function movementsOf(draft: DraftWork): Movement[] {
  const { change, found, taken = {} } = draft;
  const movements: Movement[] = [];
  if (found !== undefined) movements.push({ kind: 'count', quantity: found, reason: 'manual_count' });
  if (taken.removed) movements.push({ kind: 'removal', quantity: -taken.removed, reason: 'other' });
  for (const reason of ['expired', 'damaged', 'other'] as const) {
    const units = taken[reason];
    if (units) movements.push({ kind: 'spoilage', quantity: -units, reason });
  }
  if (change.kind === 'count' || change.quantity > 0) movements.push(change);
  return movements;
}

/** Its movements, each with how many of them follow: the last, which is sent last, stands for them all. */
function stepsOfDraft(draft: Draft) {
  const movements = movementsOf(draft);
  return movements.map((movement, i) => ({ draft, movement, following: movements.length - 1 - i }));
}

function entryOf(
  { draft, movement }: { draft: Draft; movement: Movement },
  number: { seq: number; id: string },
  shared: Shared,
): StockEntry {
  return {
    type: 'stock-event',
    ...fresh(number, draft.userId, shared.savedAt),
    ...(draft.draftId ? { draftId: draft.draftId } : {}),
    itemKey: itemKey(draft),
    locationKey: draft.locationKey,
    productName: (isFilling(movement) && draft.plannedName) || draft.productName,
    event: {
      eventId: number.id,
      schemaVersion,
      itemType: draft.itemType,
      itemId: draft.itemId,
      productId: draft.productId ?? null,
      ...movement,
      shown: draft.shown,
      note: shared.note,
      photoIds: shared.photoIds,
      visitId: shared.visitId,
      location: draft.location,
      position: shared.position,
      occurredAtClient: draft.changedAt,
      deviceSeq: number.seq,
      lastServerTime: draft.lastServerTime,
    },
  };
}

function fresh(number: { seq: number; id: string }, userId: number, savedAt: string) {
  return { ...number, userId, status: 'unsent' as const, reason: null, savedAt, answeredAt: null };
}

/** Entries of a person with a status, in the order of sending. */
export async function entriesOf(tx: ReadTx | WriteTx, userId: number, status: EntryStatus): Promise<Entry[]> {
  const range = IDBKeyRange.bound([userId, status, 0], [userId, status, Number.MAX_SAFE_INTEGER]);
  return tx.objectStore('outbox').index('byUserStatus').getAll(range);
}

/**
 * Steps of a person's day with a status, in the order of sending: entries that belong to no location. They are told from the rest by
 * the keys alone, as a week without a network leaves thousands of counts beside them.
 */
export async function stepsOf(tx: ReadTx | WriteTx, userId: number, status: EntryStatus): Promise<Entry[]> {
  const outbox = tx.objectStore('outbox');
  const range = IDBKeyRange.bound([userId, status, 0], [userId, status, Number.MAX_SAFE_INTEGER]);
  const [own, placed] = await Promise.all([
    outbox.index('byUserStatus').getAllKeys(range),
    outbox.index('byLocation').getAllKeys(),
  ]);
  const isPlaced = new Set(placed);
  const steps = await Promise.all(own.filter((seq) => !isPlaced.has(seq)).map((seq) => outbox.get(seq)));
  return steps.filter((entry) => entry !== undefined);
}

/** Unsent entries of everybody who used this phone, after a number, in order. */
export async function listUnsent(store: Store, afterSeq: number, limit: number): Promise<Entry[]> {
  const range = IDBKeyRange.bound(['unsent', afterSeq], ['unsent', Number.MAX_SAFE_INTEGER], true);
  return store.read(['outbox'], (tx) => tx.objectStore('outbox').index('byStatus').getAll(range, limit));
}

const statusOf: Record<EventResult['status'], EntryStatus> = {
  applied: 'saved',
  duplicate: 'saved',
  superseded: 'superseded',
  needs_review: 'needs_attention',
  rejected: 'refused',
};

type Answers = { bySeq: ReadonlyMap<number, EventResult>; serverTime: string | null; nowMs: number };

/**
 * Writes the server's final answers. A phone too full for that drops what the server has instead: nothing makes more room, and it
 * would be sent for ever.
 */
export async function settleEvents(store: Store, answer: Answers): Promise<void> {
  try {
    await settle(store, answer);
  } catch (error) {
    if (!(error instanceof NotSavedError)) throw error;
    await dropTaken(store, answer);
  }
}

async function dropTaken(store: Store, { bySeq }: Answers): Promise<void> {
  await store.write(['outbox'], async (tx) => {
    for (const [seq, { status }] of bySeq) {
      const isTaken = statusOf[status] === 'saved' || statusOf[status] === 'superseded';
      const entry = isTaken ? await tx.objectStore('outbox').get(seq) : undefined;
      if (entry?.status === 'unsent') await tx.objectStore('outbox').delete(seq);
    }
  });
}

/**
 * An entry that already has an answer keeps it, so a late copy of one changes nothing. The quantity the server names replaces the
 * stored one unless that is newer.
 */
async function settle(store: Store, answer: Answers): Promise<void> {
  const answeredAt = answer.serverTime ?? new Date(answer.nowMs).toISOString();
  await store.write(['outbox', 'items', 'slots', 'meta'], async (tx) => {
    for (const [seq, result] of answer.bySeq) {
      const entry = await tx.objectStore('outbox').get(seq);
      if (entry?.status !== 'unsent') continue;
      const status = statusOf[result.status];
      await tx.objectStore('outbox').put({ ...entry, status, reason: result.reason, answeredAt });
      if (entry.type === 'stock-event') await learnQuantity(tx, entry.event, result);
    }
    if (answer.serverTime) await rememberContact(tx, answer.serverTime, answer.nowMs);
  });
}

async function learnQuantity(tx: WriteTx, event: StockEvent, result: EventResult): Promise<void> {
  if (result.quantity === null || result.version === null) return;
  const { quantity, version } = result;
  if (event.itemType === 'market_item') {
    const kept = await tx.objectStore('items').get(event.itemId);
    if (!kept || kept.row.version > version) return;
    await tx
      .objectStore('items')
      .put({ ...kept, row: { ...kept.row, currentQuantity: Math.max(0, quantity), version } });
    return;
  }
  const kept = await tx.objectStore('slots').get(event.itemId);
  if (!kept || kept.row.version > version) return;
  await tx.objectStore('slots').put({ ...kept, row: { ...kept.row, currentQuantity: Math.max(0, quantity), version } });
}

/** Puts a refused entry back in line, at a person's wish. */
export async function retryEntry(store: Store, seq: number): Promise<void> {
  await store.write(['outbox'], async (tx) => {
    const entry = await tx.objectStore('outbox').get(seq);
    if (entry?.status !== 'refused') return;
    await tx.objectStore('outbox').put({ ...entry, status: 'unsent', reason: null, answeredAt: null });
  });
}

/** How long an entry the server has stays readable on the phone: the working day and the morning after. */
const keepAnsweredMs = 24 * 3_600_000;

/** What was typed for the end of a day is no longer asked for after this long. */
const keepOfDaysMs = 14 * 24 * 3_600_000;

/**
 * Drops what the server has had for a day, by its own time: a phone whose clock is ahead drops nothing the sooner. Entries that need
 * attention stay until a person has dealt with them.
 */
export async function pruneAnswered(store: Store, nowMs: number): Promise<void> {
  await store.write(['outbox', 'answers', 'meta'], async (tx) => {
    const border = nowMs + ((await getMeta(tx, 'contact'))?.clockOffsetMs ?? 0) - keepAnsweredMs;
    for (const status of ['saved', 'superseded'] as const) {
      const range = IDBKeyRange.bound([status, 0], [status, Number.MAX_SAFE_INTEGER]);
      for (const entry of await tx.objectStore('outbox').index('byStatus').getAll(range)) {
        if (entry.answeredAt && Date.parse(entry.answeredAt) < border) await tx.objectStore('outbox').delete(entry.seq);
      }
    }
    for (const prefix of ofDays) {
      for (const { key, keptAt } of await tx
        .objectStore('answers')
        .getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`))) {
        if (Date.parse(keptAt) < nowMs - keepOfDaysMs) await tx.objectStore('answers').delete(key);
      }
    }
  });
}

/** Takes an entry the person has seen off the list of those that need attention. */
export async function dismissEntry(store: Store, seq: number): Promise<void> {
  await store.write(['outbox'], async (tx) => {
    const entry = await tx.objectStore('outbox').get(seq);
    if (entry && entry.status !== 'unsent') await tx.objectStore('outbox').delete(seq);
  });
}

/** Puts a dismissed entry back as it was. */
export async function restoreEntry(store: Store, entry: Entry): Promise<void> {
  await store.write(['outbox'], (tx) => tx.objectStore('outbox').put(entry));
}
