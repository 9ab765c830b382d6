import type { ReactNode } from 'react';
import { formatNumber } from '../http/format.ts';
import { getMeta } from '../offline/device.ts';
import type { Offline } from '../offline/offline.ts';
import { useUnsentPhotos } from '../offline/photos/unsent-photos.ts';
import { useOfflineStatus, useStored } from '../offline/use-offline.ts';
import { StateShape } from '../ui/badge.tsx';

/** Whether it has ever worked with the server in the field. */
const isFieldPhone = async (offline: Offline): Promise<boolean> =>
  (await offline.store.read(['meta'], (tx) => getMeta(tx, 'contact'))) !== undefined;

/**
 * For the driver who signs in at five: whether all of the last shift has arrived, also where the office has switched the phone off. A
 * computer on which nobody counts says nothing.
 */
export function LeftOnPhone() {
  const { unsent, unsentOthers } = useOfflineStatus();
  const isUsed = useStored(isFieldPhone);
  const unsentPhotos = useUnsentPhotos();
  if (!unsentPhotos) return null;
  const changes = unsent + unsentOthers;
  // A session that ended is still known here: what it left is told as well.
  const photos = unsentPhotos.own + unsentPhotos.others;
  if (changes + photos > 0) {
    return (
      <Strip tone="warn">
        {changes > 0 && <span>{changeWords(changes)}</span>}
        {photos > 0 && <span>{photoWords(photos)}</span>}
      </Strip>
    );
  }
  return isUsed ? <Strip tone="idle">Nothing unsent from the last shift</Strip> : null;
}

function Strip({ tone, children }: { tone: 'warn' | 'idle'; children: ReactNode }) {
  const look = tone === 'warn' ? 'border-warn bg-warn-soft text-warn-text' : 'border-line bg-subtle text-text-2';
  return (
    <p role="status" className={`flex items-start gap-3 rounded border px-4 py-3 text-16 ${look}`}>
      <span className="mt-1.5">
        <StateShape tone={tone} />
      </span>
      <span className="grid gap-1">{children}</span>
    </p>
  );
}

function changeWords(count: number): string {
  return count === 1
    ? '1 change from the last shift is not sent yet. It stays on this device and goes by itself, at the latest when you sign in here again.'
    : `${formatNumber(count)} changes from the last shift are not sent yet. They stay on this device and go by themselves, at the latest when you sign in here again.`;
}

function photoWords(count: number): string {
  return count === 1
    ? '1 photo from the last shift is not sent yet. It goes when its person signs in here again.'
    : `${formatNumber(count)} photos from the last shift are not sent yet. They go when their person signs in here again.`;
}
