import type { LocationRef } from '../../../domain/location.ts';
import { maxPhotos } from '../day/visit-events.ts';
import { getMeta } from '../device.ts';
import type { Offline } from '../offline.ts';
import { type KeptPhoto, placeKey } from '../outbox/records.ts';
import type { WriteTx } from '../outbox/store.ts';

/** Photos on the phone, each named by the SHA-256 of its bytes, so that the same picture is kept and sent once. */

export async function contentHash(blob: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Hashing needs a secure page (https or this machine); a plain-http address of a local network has none. */
export function canKeepPhotos(): boolean {
  return globalThis.isSecureContext && crypto.subtle !== undefined;
}

/** Most bytes of photos on a phone; past it, photos that the server has make room. */
export const maxPhotoBytes = 200_000_000;

/** No more photos: its message says of what, and what to do. */
export class PhotosFull extends Error {}

const phoneFull = 'This device holds as many unsent photos as it can. Find a network first; counts are not affected.';
const visitFull = `A visit holds ${maxPhotos} photos at most, and this one has them. Finish it, then take more in another.`;

/** Deletes uploaded photos, oldest first, until `size` more bytes fit under the cap. */
export async function makeRoom(tx: WriteTx, size: number): Promise<void> {
  const photos = await tx.objectStore('photos').getAll();
  let bytes = photos.reduce((sum, photo) => sum + photo.blob.size, size);
  const uploaded = photos.filter((photo) => photo.uploadedAt !== null);
  for (const photo of uploaded.toSorted((a, b) => (a.takenAt < b.takenAt ? -1 : 1))) {
    if (bytes <= maxPhotoBytes) return;
    await tx.objectStore('photos').delete(photo.id);
    bytes -= photo.blob.size;
  }
  if (bytes > maxPhotoBytes) throw new PhotosFull(phoneFull);
}

/** Keeps a photo and adds it to the visit that is not saved yet: the events of the next save carry its name. */
export async function keepPhoto(
  offline: Offline,
  photo: { userId: number; location: LocationRef; blob: Blob },
): Promise<void> {
  const { userId, blob } = photo;
  const id = await contentHash(blob);
  const takenAt = new Date(offline.environment.now()).toISOString();
  const locationKey = placeKey(photo.location);
  await offline.store.write(['photos', 'visits'], async (tx) => {
    // The same picture taken up again is not sent again.
    const known = await tx.objectStore('photos').get(id);
    if (!known || known.sealedWith) {
      await makeRoom(tx, blob.size);
      await tx.objectStore('photos').put({ id, userId, blob, takenAt, uploadedAt: null });
    }
    const kept = await tx.objectStore('visits').get([userId, locationKey]);
    const visit = kept ?? { userId, locationKey, note: '', photoIds: [] };
    const photoIds = [...new Set([...visit.photoIds, id])];
    if (photoIds.length > maxPhotos) throw new PhotosFull(visitFull);
    await tx.objectStore('visits').put({ ...visit, photoIds });
  });
  offline.signal.changed(['visits']);
  offline.sender.kick('save');
}

/** The photos of a visit that is not closed yet. */
export async function listVisitPhotos(offline: Offline, userId: number, location: LocationRef): Promise<KeptPhoto[]> {
  return offline.store.read(['photos', 'visits'], async (tx) => {
    const visit = await tx.objectStore('visits').get([userId, placeKey(location)]);
    const photos = await Promise.all((visit?.photoIds ?? []).map((id) => tx.objectStore('photos').get(id)));
    return photos.flatMap((photo) => (photo && !photo.sealedWith ? [photo] : []));
  });
}

export type UnsentPhotos = { own: number; others: number };

/** Photos that the server does not have. Only a session may send them, so each waits for its person to sign in here. */
export async function countUnsentPhotos(offline: Offline): Promise<UnsentPhotos> {
  return offline.store.read(['photos', 'meta'], async (tx) => {
    const person = (await getMeta(tx, 'session'))?.person.id;
    const photos = await tx.objectStore('photos').getAll();
    const unsent = photos.filter(({ uploadedAt, refusal }) => uploadedAt === null && !refusal);
    const own = unsent.filter(({ userId }) => userId === person).length;
    return { own, others: unsent.length - own };
  });
}
