import { getMeta, nextNumbers } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import type { Offline } from '../offline.ts';
import type { KeptPhoto, VisitEntry } from '../outbox/records.ts';
import type { WriteTx } from '../outbox/store.ts';
import { contentHash, makeRoom } from './photos.ts';

/** Photos that the server would not have, each with its sentence. They stay until the person retakes or drops them. */
export async function listRefusedPhotos(offline: Offline): Promise<KeptPhoto[]> {
  return offline.store.read(['photos', 'meta'], async (tx) => {
    const userId = (await getMeta(tx, 'session'))?.person.id;
    const photos = await tx.objectStore('photos').getAll();
    return photos.filter((photo) => photo.userId === userId && photo.refusal !== undefined && !photo.sealedWith);
  });
}

const touched = ['photos', 'visits', 'outbox', 'meta'] as const;

/** Puts a new picture in the place of a refused one, in the visit that shows it too. */
export async function replacePhoto(offline: Offline, refused: KeptPhoto, blob: Blob): Promise<void> {
  const { environment, store } = offline;
  const id = await contentHash(blob);
  const takenAt = new Date(environment.now()).toISOString();
  await store.write([...touched], async (tx) => {
    await tx.objectStore('photos').delete(refused.id);
    const known = await tx.objectStore('photos').get(id);
    if (!known || known.sealedWith) {
      await makeRoom(tx, blob.size);
      await tx.objectStore('photos').put({ id, userId: refused.userId, blob, takenAt, uploadedAt: null });
    }
    await exchange(tx, environment, { before: refused.id, after: id });
  });
  offline.signal.changed(['visits', 'outbox']);
  offline.sender.kick('save');
}

/** Gives a refused picture up; the visit no longer speaks of it. */
export async function dropPhoto(offline: Offline, refused: KeptPhoto): Promise<void> {
  await offline.store.write([...touched], async (tx) => {
    await tx.objectStore('photos').delete(refused.id);
    await exchange(tx, offline.environment, { before: refused.id, after: null });
  });
  offline.signal.changed(['visits', 'outbox']);
  offline.sender.kick('save');
}

type Exchange = { before: string; after: string | null };

async function exchange(
  tx: WriteTx,
  source: Pick<OfflineEnvironment, 'now' | 'randomBytes'>,
  names: Exchange,
): Promise<void> {
  for (const visit of await tx.objectStore('visits').getAll()) {
    if (!visit.photoIds.includes(names.before)) continue;
    await tx.objectStore('visits').put({ ...visit, photoIds: exchanged(visit.photoIds, names) });
  }
  const last = await lastSaid(tx, names.before);
  const [number] = last ? await nextNumbers(tx, source, 1) : [];
  if (!last || !number) return;
  // A later word about the same visit takes the place of the one before.
  const savedAt = new Date(source.now()).toISOString();
  const photoIds = exchanged(last.event.photoIds, names);
  const said = { eventId: number.id, deviceSeq: number.seq, occurredAtClient: savedAt, photoIds };
  const answer = { status: 'unsent' as const, reason: null, savedAt, answeredAt: null };
  await tx.objectStore('outbox').add({ ...last, ...number, ...answer, event: { ...last.event, ...said } });
}

function exchanged(photoIds: readonly string[], { before, after }: Exchange): string[] {
  const next = photoIds.flatMap((one) => (one === before ? (after ?? []) : one));
  return [...new Set(next)];
}

/** The last that was said of the visit with a photo, as long as the phone keeps it. */
async function lastSaid(tx: WriteTx, photoId: string): Promise<VisitEntry | null> {
  const visits = (await tx.objectStore('outbox').getAll()).filter((entry) => entry.type === 'visit');
  const named = visits.findLast((entry) => entry.event.photoIds.includes(photoId));
  return visits.findLast((entry) => entry.event.visitId === named?.event.visitId) ?? null;
}
