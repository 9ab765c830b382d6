import { boundTo } from '../../../domain/phone-seal.ts';
import { getMeta } from '../device.ts';
import { isRecord } from '../kept/answers.ts';
import type { KeptPhoto, OpenEntry, SealedEntry, SealedWords, VisitDraft } from '../outbox/records.ts';
import type { WriteTx } from '../outbox/store.ts';
import { canSeal, createOpener, decode, fromText, type Opener } from './seal.ts';
import { askForKeys, type SealCore } from './sealing.ts';

/** Opens what a person left sealed on this phone, once they are signed in again. */

type Left = { entries: SealedEntry[]; visits: VisitDraft[]; photos: string[]; names: string[] };

type Openers = Map<string, Opener | null>;

/**
 * What cannot be opened now stays sealed and is asked for again later. Words that the server has no key to are marked:
 * their visit can be closed without them.
 */
export async function openOwn(offline: SealCore, userId: number): Promise<void> {
  const sealed = await findSealed(offline, userId);
  if (sealed.names.length === 0 || !canSeal()) return;
  const keys = await askForKeys(offline, sealed.names);
  if (!keys || keys.size === 0) return;
  const openers: Openers = new Map();
  for (const [name, key] of keys) openers.set(name, key === null ? null : await createOpener(key));
  await openEntries(offline, userId, { sealed: sealed.entries, openers });
  for (const visit of sealed.visits) await openVisit(offline, visit, openers);
  for (const id of sealed.photos) await openPhoto(offline, id, openers);
}

async function findSealed({ store }: SealCore, userId: number): Promise<Left> {
  return store.read(['outbox', 'visits', 'photos'], async (tx) => {
    const mine = IDBKeyRange.bound([userId, '', 0], [userId, '\uffff', Number.MAX_SAFE_INTEGER]);
    const entries = (await tx.objectStore('outbox').index('byUserStatus').getAll(mine)).filter(
      (entry) => entry.type === 'sealed',
    );
    const places = IDBKeyRange.bound([userId, ''], [userId, '\uffff']);
    const visits = (await tx.objectStore('visits').getAll(places)).filter((visit) => visit.sealed);
    const photos = (await tx.objectStore('photos').getAll()).filter(isSealedOf(userId));
    const names = [
      ...entries.map(({ event }) => event.sealedWith),
      ...visits.flatMap(({ sealed = [] }) => sealed.map((one) => one.with)),
      ...photos.flatMap(({ sealedWith }) => sealedWith ?? []),
    ];
    return { entries, visits, photos: photos.map(({ id }) => id), names: [...new Set(names)] };
  });
}

const isSealedOf = (userId: number) => (photo: KeptPhoto) => photo.userId === userId && photo.sealedWith !== undefined;

/** A sign-out may have come between the asking and the answer: what it sealed stays sealed. */
async function isStillHere(tx: WriteTx, userId: number): Promise<boolean> {
  return (await getMeta(tx, 'session'))?.person.id === userId;
}

async function openEntries(
  { store }: SealCore,
  userId: number,
  { sealed, openers }: { sealed: SealedEntry[]; openers: Openers },
): Promise<void> {
  const opened: OpenEntry[] = [];
  for (const entry of sealed) {
    const open = openers.get(entry.event.sealedWith);
    const plain = await open?.(boundTo('event', entry.id), fromText(entry.event.sealed));
    // Written by this app before it was sealed, and unchanged since: the seal says so.
    if (plain) opened.push(JSON.parse(decode(plain)) as OpenEntry);
  }
  await store.write(['outbox', 'meta'], async (tx) => {
    if (!(await isStillHere(tx, userId))) return;
    for (const entry of opened) {
      const now = await tx.objectStore('outbox').get(entry.seq);
      if (now?.type !== 'sealed') continue;
      // An answer that came while it was sealed is newer than the one inside.
      const { status, reason, answeredAt } = now.status === entry.status && !now.reason ? entry : now;
      await tx.objectStore('outbox').put({ ...entry, status, reason, answeredAt });
    }
  });
}

/** Opened words, or the seal as it stays. */
type Looked = { words: Partial<VisitDraft> } | { left: SealedWords };

async function lookInside(one: SealedWords, locationKey: string, openers: Openers): Promise<Looked> {
  const open = openers.get(one.with);
  // Not asked for yet, as a seal that was made in between.
  if (open === undefined) return { left: one };
  const plain = await open?.(boundTo('visit', locationKey), fromText(one.words));
  const content: unknown = plain ? JSON.parse(decode(plain)) : null;
  return isRecord(content) ? { words: content } : { left: { ...one, isShut: true } };
}

async function openVisit({ store }: SealCore, visit: VisitDraft, openers: Openers): Promise<void> {
  const { userId, locationKey, sealed = [] } = visit;
  const looked = await Promise.all(sealed.map((one) => lookInside(one, locationKey, openers)));
  const words = looked.flatMap((one) => ('words' in one ? [one.words] : []));
  const left = looked.flatMap((one) => ('left' in one ? [one.left] : []));
  await store.write(['visits', 'meta'], async (tx) => {
    const now = await tx.objectStore('visits').get([userId, locationKey]);
    if (now?.sealed?.length !== sealed.length || !(await isStillHere(tx, userId))) return;
    const { sealed: _before, ...rest } = now;
    const next = words.reduceRight(merged, rest);
    await tx.objectStore('visits').put(left.length > 0 ? { ...next, sealed: left } : next);
  });
}

/** What was typed since is kept beside what was sealed. */
function merged(now: VisitDraft, before: Partial<VisitDraft>): VisitDraft {
  const notes = [before.note, now.note].filter(Boolean);
  const { bagNumber = before.bagNumber, refunds = before.refunds, position = before.position } = now;
  return {
    ...now,
    note: [...new Set(notes)].join('\n'),
    photoIds: [...new Set([...(before.photoIds ?? []), ...now.photoIds])],
    ...(bagNumber === undefined ? {} : { bagNumber }),
    ...(refunds === undefined ? {} : { refunds }),
    ...(position === undefined ? {} : { position }),
  };
}

async function openPhoto({ store }: SealCore, id: string, openers: Openers): Promise<void> {
  const photo = await store.read(['photos'], (tx) => tx.objectStore('photos').get(id));
  if (!photo?.sealedWith) return;
  // Some browsers lose a picture's bytes and keep its name: the others are opened all the same.
  const packed = await photo.blob.arrayBuffer().catch(() => null);
  const plain = packed && (await openers.get(photo.sealedWith)?.(boundTo('photo', id), new Uint8Array(packed)));
  if (!plain) return;
  await store.write(['photos', 'meta'], async (tx) => {
    const now = await tx.objectStore('photos').get(id);
    if (!now?.sealedWith || !(await isStillHere(tx, photo.userId))) return;
    const { sealedWith: _opened, ...rest } = now;
    await tx.objectStore('photos').put({ ...rest, blob: new Blob([plain], { type: 'image/jpeg' }) });
  });
}
