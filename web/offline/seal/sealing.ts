import { boundTo } from '../../../domain/phone-seal.ts';
import { progressOf } from '../day/progress.ts';
import type { OfflineEnvironment } from '../environment.ts';
import { isRecord } from '../kept/answers.ts';
import type { Entry, EntryStatus, KeptPhoto, OpenEntry, SealedEntry, VisitDraft } from '../outbox/records.ts';
import type { ReadTx, Store } from '../outbox/store.ts';
import { canSeal, createSealer, encode, type Sealer, type ServerKey, toText } from './seal.ts';

/**
 * What a person leaves behind on a phone, sealed for them: the phone keeps ids, numbers and times, and only the server
 * can find the key to the rest. It books what is delivered, and hands the key to its owner.
 */

/** What sealing and opening need of the offline core. */
export type SealCore = { store: Store; environment: Pick<OfflineEnvironment, 'transport'> };

const left = ['unsent', 'needs_attention', 'refused'] as const satisfies EntryStatus[];

/** Most entries sealed in one transaction. */
const batchSize = 200;

/**
 * Seals all that is not delivered of everybody but the person signed in. Without a key of the server (the session is of an
 * older release) or without cryptography in the browser it stays as it is: delivering comes first.
 */
export async function sealLeft(core: SealCore, server: ServerKey | undefined, signedIn: number | null): Promise<void> {
  if (!server || !canSeal()) return;
  for (const userId of await ownersIn(core)) {
    if (userId === signedIn || !(await hasOpen(core, userId))) continue;
    const sealer = await createSealer(server, userId);
    await sealEntries(core, sealer, userId);
    await sealVisits(core, sealer, userId);
    await sealPhotos(core, sealer, userId);
  }
}

/** Whose work is on this phone. A phone may hold thousands of entries: the index is walked person by person. */
async function ownersIn({ store }: SealCore): Promise<Set<number>> {
  return store.read(['outbox', 'visits', 'photos'], async (tx) => {
    const owners = new Set<number>();
    let entry = await tx.objectStore('outbox').index('byUserStatus').openKeyCursor();
    while (entry) {
      const [userId] = entry.key;
      owners.add(userId);
      entry = await entry.continue([userId + 1, '', 0]);
    }
    for (const { userId } of await tx.objectStore('visits').getAll()) owners.add(userId);
    for (const { userId } of await tx.objectStore('photos').getAll()) owners.add(userId);
    return owners;
  });
}

const isOpen = (entry: Entry): entry is OpenEntry => entry.type !== 'sealed';

async function openEntries(tx: ReadTx, userId: number): Promise<OpenEntry[]> {
  const found: OpenEntry[] = [];
  for (const status of left) {
    const range = IDBKeyRange.bound([userId, status, 0], [userId, status, Number.MAX_SAFE_INTEGER]);
    found.push(...(await tx.objectStore('outbox').index('byUserStatus').getAll(range)).filter(isOpen));
  }
  return found;
}

const ofPerson = (userId: number) => IDBKeyRange.bound([userId, ''], [userId, '\uffff']);

async function openVisits(tx: ReadTx, userId: number): Promise<VisitDraft[]> {
  return (await tx.objectStore('visits').getAll(ofPerson(userId))).filter((visit) => wordsOf(visit) !== null);
}

async function openPhotos(tx: ReadTx, userId: number): Promise<KeptPhoto[]> {
  const photos = await tx.objectStore('photos').getAll();
  return photos.filter((photo) => photo.userId === userId && photo.uploadedAt === null && !photo.sealedWith);
}

async function hasOpen({ store }: SealCore, userId: number): Promise<boolean> {
  return store.read(['outbox', 'visits', 'photos'], async (tx) => {
    if ((await openEntries(tx, userId)).length > 0) return true;
    return (await openVisits(tx, userId)).length > 0 || (await openPhotos(tx, userId)).length > 0;
  });
}

async function sealEntries({ store }: SealCore, sealer: Sealer, userId: number): Promise<void> {
  const open = await store.read(['outbox'], (tx) => openEntries(tx, userId));
  for (let i = 0; i < open.length; i += batchSize) {
    const sealed = await Promise.all(open.slice(i, i + batchSize).map((entry) => sealedEntry(sealer, entry)));
    await store.write(['outbox'], async (tx) => {
      for (const entry of sealed) {
        const now = await tx.objectStore('outbox').get(entry.seq);
        // Answered meanwhile: what the server has is taken away at sign-out.
        if (now?.status === entry.status) await tx.objectStore('outbox').put(entry);
      }
    });
  }
}

async function sealedEntry(sealer: Sealer, entry: OpenEntry): Promise<SealedEntry> {
  const whole = 'event' in entry ? entry : { ...entry, event: progressOf(entry) };
  const text = toText(await sealer.seal(boundTo('event', entry.id), encode(JSON.stringify(whole))));
  const { seq, id, userId, status, savedAt, answeredAt, partOf } = entry;
  const event = { eventId: id, sealedWith: sealer.name, sealed: text };
  const part = partOf === undefined ? {} : { partOf };
  return { type: 'sealed', seq, id, userId, status, reason: null, savedAt, answeredAt, ...part, event };
}

/** What a visit says beyond ids and times; null where it says nothing. */
export function wordsOf({ note, photoIds, bagNumber, refunds, position }: VisitDraft) {
  const isEmpty = !note && photoIds.length === 0 && !bagNumber && !refunds && !position;
  return isEmpty ? null : { note, photoIds, bagNumber, refunds, position };
}

async function sealVisits({ store }: SealCore, sealer: Sealer, userId: number): Promise<void> {
  const open = await store.read(['visits'], (tx) => openVisits(tx, userId));
  for (const visit of open) {
    // Words sealed before and not opened since go into the same seal no more: the older stay beside the newer.
    const bound = boundTo('visit', visit.locationKey);
    const words = toText(await sealer.seal(bound, encode(JSON.stringify(wordsOf(visit)))));
    const { locationKey, opened, savedAt, savedSeq, sealed = [] } = visit;
    await store.write(['visits'], async (tx) => {
      const now = await tx.objectStore('visits').get([userId, locationKey]);
      if (JSON.stringify(now) !== JSON.stringify(visit)) return;
      const rest = {
        ...(opened ? { opened } : {}),
        ...(savedAt ? { savedAt } : {}),
        ...(savedSeq ? { savedSeq } : {}),
      };
      const seals = [...sealed, { with: sealer.name, words }];
      await tx.objectStore('visits').put({ userId, locationKey, note: '', photoIds: [], ...rest, sealed: seals });
    });
  }
}

async function sealPhotos({ store }: SealCore, sealer: Sealer, userId: number): Promise<void> {
  for (const { id } of await store.read(['photos'], (tx) => openPhotos(tx, userId))) {
    const photo = await store.read(['photos'], (tx) => tx.objectStore('photos').get(id));
    if (!photo) continue;
    const picture = await photo.blob.arrayBuffer().catch(() => null);
    // Some browsers lose a picture's bytes and keep its name: there is nothing left to seal.
    if (!picture) continue;
    const bytes = await sealer.seal(boundTo('photo', id), new Uint8Array(picture));
    await store.write(['photos'], async (tx) => {
      const now = await tx.objectStore('photos').get(id);
      if (now?.uploadedAt !== null || now.sealedWith) return;
      await tx.objectStore('photos').put({ ...now, blob: new Blob([bytes]), sealedWith: sealer.name });
    });
  }
}

/** A key by the name of its seal, null where the server has none for this person. */
type Keys = Map<string, string | null>;

/** Keys by their names, as the server hands them to their owner; null when it could not be asked. */
export async function askForKeys(offline: SealCore, names: readonly string[]): Promise<Keys | null> {
  const keys: Keys = new Map();
  for (let i = 0; i < names.length; i += batchSize) {
    const some = names.slice(i, i + batchSize);
    const call = { method: 'POST', path: '/api/phone-seals/keys', body: { names: some } } as const;
    const answer = await offline.environment.transport(call);
    const given = answer.outcome === 'answered' && isRecord(answer.body) ? answer.body.keys : null;
    if (!Array.isArray(given)) return null;
    for (const [n, name] of some.entries()) {
      const key: unknown = given[n];
      if (typeof key === 'string' || key === null) keys.set(name, key);
    }
  }
  return keys;
}
