import { boundTo } from '../../domain/phone-seal.ts';
import { isRecord } from './answers.ts';
import type { KeptPhoto, OpenEntry, SealedEntry, VisitDraft } from './records.ts';
import { canSeal, createOpener, decode, fromText, type Opener } from './seal.ts';
import { askForKeys, type SealCore } from './sealing.ts';

/** Opens what a person left sealed on this phone, once they are signed in again. */

type Left = { entries: SealedEntry[]; visits: VisitDraft[]; photos: string[]; names: string[] };

/** What cannot be opened now (no network, another installation's seal) stays sealed and is asked for again later. */
export async function openOwn(offline: SealCore, userId: number): Promise<void> {
  const sealed = await findSealed(offline, userId);
  if (sealed.names.length === 0 || !canSeal()) return;
  const keys = await askForKeys(offline, sealed.names);
  if (!keys || keys.size === 0) return;
  const openers = new Map<string, Opener>();
  for (const [name, key] of keys) openers.set(name, await createOpener(key));
  await openEntries(offline, sealed.entries, openers);
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

async function openEntries({ store }: SealCore, sealed: SealedEntry[], openers: Map<string, Opener>): Promise<void> {
  const opened: OpenEntry[] = [];
  for (const entry of sealed) {
    const open = openers.get(entry.event.sealedWith);
    const plain = await open?.(boundTo('event', entry.id), fromText(entry.event.sealed));
    // Written by this app before it was sealed, and unchanged since: the seal says so.
    if (plain) opened.push(JSON.parse(decode(plain)) as OpenEntry);
  }
  await store.write(['outbox'], async (tx) => {
    for (const entry of opened) {
      const now = await tx.objectStore('outbox').get(entry.seq);
      if (now?.type !== 'sealed') continue;
      // An answer that came while it was sealed is newer than the one inside.
      const { status, reason, answeredAt } = now.status === entry.status && !now.reason ? entry : now;
      await tx.objectStore('outbox').put({ ...entry, status, reason, answeredAt });
    }
  });
}

async function openVisit({ store }: SealCore, visit: VisitDraft, openers: Map<string, Opener>): Promise<void> {
  const { userId, locationKey, sealed = [] } = visit;
  const words: Partial<VisitDraft>[] = [];
  for (const one of sealed) {
    const plain = await openers.get(one.with)?.(boundTo('visit', locationKey), fromText(one.words));
    const content: unknown = plain ? JSON.parse(decode(plain)) : null;
    if (!isRecord(content)) return;
    words.push(content);
  }
  await store.write(['visits'], async (tx) => {
    const now = await tx.objectStore('visits').get([userId, locationKey]);
    if (now?.sealed?.length !== sealed.length) return;
    const { sealed: _opened, ...rest } = now;
    await tx.objectStore('visits').put([...words].reduceRight(merged, rest));
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

async function openPhoto({ store }: SealCore, id: string, openers: Map<string, Opener>): Promise<void> {
  const photo = await store.read(['photos'], (tx) => tx.objectStore('photos').get(id));
  if (!photo?.sealedWith) return;
  const packed = new Uint8Array(await photo.blob.arrayBuffer());
  const plain = await openers.get(photo.sealedWith)?.(boundTo('photo', id), packed);
  if (!plain) return;
  await store.write(['photos'], async (tx) => {
    const now = await tx.objectStore('photos').get(id);
    if (!now?.sealedWith) return;
    const { sealedWith: _opened, ...rest } = now;
    await tx.objectStore('photos').put({ ...rest, blob: new Blob([plain], { type: 'image/jpeg' }) });
  });
}
