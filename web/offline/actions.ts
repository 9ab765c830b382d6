import type { LocationRef } from '../../domain/location.ts';
import { type DayEnd, type ProgressStep, queueDayEnd, queueProgress } from './day/progress.ts';
import { getMeta } from './device.ts';
import type { Offline } from './offline.ts';
import {
  dismissEntry as dismiss,
  type Position,
  restoreEntry as restore,
  retryEntry as retry,
  saveDrafts,
} from './outbox/outbox.ts';
import type { Draft, Entry, StockEntry } from './outbox/records.ts';

/** What a screen asks for. Each resolves once the change is on the disk, and starts the sending. */

export { closeVisit, openVisit } from './day/visits.ts';
export type { DayEnd, ProgressStep };

/** Keeps steps of the driver's day; the overlay shows them at once. */
export async function recordProgress(
  offline: Offline,
  said: { steps: readonly ProgressStep[]; placeName?: string },
): Promise<void> {
  await queueProgress(offline.store, offline.environment, said);
  offline.signal.changed(['outbox']);
  offline.sender.kick('save');
}

export async function endDay(offline: Offline, end: DayEnd): Promise<void> {
  await queueDayEnd(offline.store, offline.environment, end);
  offline.signal.changed(['outbox']);
  offline.sender.kick('save');
}

/** Saves a location's drafts on the phone. Sending is left to the caller, who may want to wait for it. */
export async function saveLocation(
  offline: Offline,
  visit: { location: LocationRef; position: Position | null },
): Promise<StockEntry[]> {
  const entries = await saveDrafts(offline.store, offline.environment, visit);
  offline.signal.changed(['drafts', 'visits', 'outbox']);
  return entries;
}

export async function retryEntry(offline: Offline, seq: number): Promise<void> {
  await retry(offline.store, seq);
  offline.signal.changed();
  offline.sender.kick('person');
}

export async function dismissEntry(offline: Offline, seq: number): Promise<void> {
  await dismiss(offline.store, seq);
  offline.signal.changed();
}

/** Puts back what was dismissed. */
export async function restoreEntry(offline: Offline, entry: Entry): Promise<void> {
  await restore(offline.store, entry);
  offline.signal.changed();
}

/** Everything unsent as a file, for the day the phone is full or broken, with what is only on the screen. */
export async function exportUnsent(offline: Offline, onScreen: readonly Draft[] = []): Promise<Blob> {
  const content = await offline.store.read(['outbox', 'drafts', 'visits', 'meta'], async (tx) => {
    const range = IDBKeyRange.bound(['unsent', 0], ['unsent', Number.MAX_SAFE_INTEGER]);
    return {
      deviceId: (await getMeta(tx, 'device'))?.deviceId ?? null,
      unsent: await tx.objectStore('outbox').index('byStatus').getAll(range),
      drafts: await tx.objectStore('drafts').getAll(),
      visits: await tx.objectStore('visits').getAll(),
      onScreen,
    };
  });
  return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
}
