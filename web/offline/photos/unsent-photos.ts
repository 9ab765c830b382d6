import type { StoredKind } from '../outbox/signal.ts';
import { useStored } from '../use-offline.ts';
import { countUnsentPhotos, type UnsentPhotos } from './photos.ts';

/** Those of others come and go with a sign-in alone; own ones come with a visit and are marked once they are sent. */
const kindsOfOthers: readonly StoredKind[] = ['download'];
const kinds: readonly StoredKind[] = ['visits', 'outbox', 'download'];

/** Undefined before they were counted. */
export const useUnsentPhotos = (): UnsentPhotos | undefined => useStored(countUnsentPhotos, kinds);

/** Whose photos still lie on this phone beside the person's own, in a sentence; null where there are none. */
export function usePhotosOfOthers(): string | null {
  const count = useStored(countUnsentPhotos, kindsOfOthers)?.others ?? 0;
  if (count === 0) return null;
  return count === 1
    ? '1 photo of somebody who used this device before waits here. It is sent when that person signs in on this device again.'
    : `${count} photos of somebody who used this device before wait here. They are sent when that person signs in on this device again.`;
}
