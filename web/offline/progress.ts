import type { ProgressEvent } from '../../domain/field-event.ts';
import { getMeta, nextNumbers } from './device.ts';
import type { OfflineEnvironment } from './environment.ts';
import { entriesOf } from './outbox.ts';
import type { Entry, ProgressEntry } from './records.ts';
import type { Store } from './store.ts';

/** Version of the events written here; the server reads older ones for 180 days. */
const fieldVersion = 1;

type AtStop = { routeId: number; stopId: number };

/** One step of a driver's day, as a screen says it. */
export type ProgressStep =
  | { type: 'route-started'; routeId: number }
  | ({ type: 'stop-arrived' | 'stop-completed' | 'stop-reopened' } & AtStop)
  | ({ type: 'stop-skipped'; reason: string } & AtStop);

/** Queues a step. The same one said twice in a row is one step. */
export async function queueProgress(
  store: Store,
  source: Pick<OfflineEnvironment, 'now' | 'randomBytes'>,
  step: ProgressStep,
): Promise<void> {
  await store.write(['outbox', 'meta'], async (tx) => {
    const userId = (await getMeta(tx, 'session'))?.person.id;
    if (userId === undefined) throw new Error('Sign in first');
    const waiting = (await entriesOf(tx, userId, 'unsent')).flatMap((entry) => progressOf(entry) ?? []);
    const last = waiting.findLast((event) => isSamePlace(event, step));
    if (last && isRepeat(last, step)) return;
    const contact = await getMeta(tx, 'contact');
    const [number] = await nextNumbers(tx, source, 1);
    if (!number) return;
    const savedAt = new Date(source.now()).toISOString();
    const lastServerTime = contact?.lastServerTime ?? null;
    const base = { eventId: number.id, schemaVersion: fieldVersion, deviceSeq: number.seq, lastServerTime };
    const event: ProgressEvent = { ...step, ...base, occurredAtClient: savedAt };
    const answer = { status: 'unsent' as const, reason: null, answeredAt: null };
    const entry: ProgressEntry = { type: 'progress', ...number, userId, savedAt, ...answer, event };
    await tx.objectStore('outbox').add(entry);
  });
}

function isSamePlace(event: ProgressEvent, step: ProgressStep): boolean {
  if (event.type === 'route-started' || step.type === 'route-started') {
    return event.type === step.type && event.routeId === step.routeId;
  }
  return event.stopId === step.stopId;
}

function isRepeat(event: ProgressEvent, step: ProgressStep): boolean {
  if (event.type !== step.type) return false;
  return event.type !== 'stop-skipped' || (step.type === 'stop-skipped' && event.reason === step.reason);
}

/** The step of an entry; those of older versions of the app are read as what they would be today. Null for others. */
export function progressOf(entry: Entry): ProgressEvent | null {
  if (entry.type === 'stock-event' || entry.type === 'visit') return null;
  if (entry.type === 'progress') return entry.event;
  const base = {
    eventId: entry.id,
    schemaVersion: fieldVersion,
    occurredAtClient: entry.savedAt,
    deviceSeq: entry.seq,
    lastServerTime: null,
    routeId: entry.routeId,
  };
  return entry.type === 'route-started'
    ? { ...base, type: 'route-started' }
    : { ...base, type: 'stop-completed', stopId: entry.stopId };
}
