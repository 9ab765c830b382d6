import type { StoredKind } from '../outbox/signal.ts';
import { useStored } from '../use-offline.ts';
import { countPhotosOfOthers } from './photos.ts';

/** They come and go with a sign-in alone. */
const kinds: readonly StoredKind[] = ['download'];

/** Whose photos still lie on this phone beside the person's own, in a sentence; null where there are none. */
export function usePhotosOfOthers(): string | null {
  const count = useStored(countPhotosOfOthers, kinds) ?? 0;
  if (count === 0) return null;
  return count === 1
    ? '1 photo of somebody who used this phone before waits here. It is sent when that person signs in on this phone again.'
    : `${count} photos of somebody who used this phone before wait here. They are sent when that person signs in on this phone again.`;
}
