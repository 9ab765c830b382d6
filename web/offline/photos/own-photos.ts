import type { Offline } from '../offline.ts';
import type { StoredKind } from '../outbox/signal.ts';
import { useStored } from '../use-offline.ts';

/** A photo comes with its visit and is marked once it is sent. */
const kinds: readonly StoredKind[] = ['visits', 'outbox', 'download'];

async function countOwn(offline: Offline): Promise<number> {
  const { userId: own } = offline.status.get();
  const photos = await offline.store.read(['photos'], (tx) => tx.objectStore('photos').getAll());
  return photos.filter(({ userId, uploadedAt, refusal }) => userId === own && uploadedAt === null && !refusal).length;
}

/** How many photos of the person signed in the server does not have: unlike changes, only their session may send them. */
export function useUnsentPhotos(): number {
  return useStored(countOwn, kinds) ?? 0;
}
