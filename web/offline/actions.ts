import type { LocationRef } from '../../domain/location.ts';
import { getMeta } from './device.ts';
import type { Offline } from './offline.ts';
import { dismissEntry as dismiss, type Position, retryEntry as retry, saveDrafts } from './outbox.ts';
import { type ProgressStep, queueProgress } from './progress.ts';
import type { Draft, StockEntry } from './records.ts';

/** What a screen asks for. Each resolves once the change is on the disk, and starts the sending. */

export { closeVisit, openVisit } from './visits.ts';
export type { ProgressStep };

/** Keeps one step of the driver's day; the overlay shows it at once. */
export async function recordProgress(offline: Offline, step: ProgressStep): Promise<void> {
  await queueProgress(offline.store, offline.environment, step);
  offline.signal.changed();
  offline.sender.kick('save');
}

export async function startRoute(offline: Offline, routeId: number): Promise<void> {
  await recordProgress(offline, { type: 'route-started', routeId });
}

export async function completeStop(offline: Offline, stop: { routeId: number; stopId: number }): Promise<void> {
  await recordProgress(offline, { type: 'stop-completed', routeId: stop.routeId, stopId: stop.stopId });
}

/** Saves a location's drafts on the phone. Sending is left to the caller, who may want to wait for it. */
export async function saveLocation(
  offline: Offline,
  visit: { location: LocationRef; position: Position | null },
): Promise<StockEntry[]> {
  const entries = await saveDrafts(offline.store, offline.environment, visit);
  offline.signal.changed(['drafts', 'outbox']);
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
