import type { DayEndEvent, ProgressEvent } from '../../../domain/field-event.ts';
import { getMeta, nextNumbers } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import { stepsOf } from '../outbox/outbox.ts';
import type { DayEndEntry, Entry, ProgressEntry } from '../outbox/records.ts';
import type { Store, WriteTx } from '../outbox/store.ts';

/** Version of the events written here; the server reads older ones for 180 days. */
const fieldVersion = 1;

type AtStop = { routeId: number; stopId: number };

/** One step of a driver's day, as a screen says it. */
export type ProgressStep =
  | { type: 'route-started' | 'start-undone' | 'route-completed'; routeId: number }
  | ({ type: 'stop-arrived' | 'stop-completed' | 'stop-reopened' | 'arrival-undone' } & AtStop)
  | ({ type: 'stop-skipped'; reason: string } & AtStop);

/** What a driver says at the end of the day. */
export type DayEnd = Pick<DayEndEvent, 'date' | 'routeIds' | 'returns' | 'bagNumbers' | 'unitsFilled' | 'unsent'>;

type Source = Pick<OfflineEnvironment, 'now' | 'randomBytes'>;

/** Queues steps in their order, all or none. One said twice in a row at the same place is one step. */
export async function queueProgress(
  store: Store,
  source: Source,
  said: { steps: readonly ProgressStep[]; placeName?: string },
): Promise<void> {
  await store.write(['outbox', 'meta'], async (tx) => {
    const userId = await personOf(tx);
    const waiting = (await stepsOf(tx, userId, 'unsent')).flatMap((entry) => progressOf(entry) ?? []);
    for (const step of said.steps) {
      const last = waiting.findLast((event) => isSamePlace(event, step));
      if (last && isRepeat(last, step)) continue;
      const made = await fresh(tx, source, userId);
      if (!made) return;
      const event: ProgressEvent = { ...step, ...made.base };
      const name = said.placeName === undefined ? {} : { placeName: said.placeName };
      const entry: ProgressEntry = { type: 'progress', ...made.entry, ...name, event };
      await tx.objectStore('outbox').add(entry);
      waiting.push(event);
    }
  });
}

/** Queues the end of the day. */
export async function queueDayEnd(store: Store, source: Source, end: DayEnd): Promise<void> {
  await store.write(['outbox', 'meta'], async (tx) => {
    const made = await fresh(tx, source, await personOf(tx));
    if (!made) return;
    const entry: DayEndEntry = {
      type: 'day-ended',
      ...made.entry,
      event: { type: 'day-ended', ...end, ...made.base },
    };
    await tx.objectStore('outbox').add(entry);
  });
}

async function personOf(tx: WriteTx): Promise<number> {
  const userId = (await getMeta(tx, 'session'))?.person.id;
  if (userId === undefined) throw new Error('Sign in first');
  return userId;
}

/** What every new event and its entry carry. */
async function fresh(tx: WriteTx, source: Source, userId: number) {
  const contact = await getMeta(tx, 'contact');
  const [number] = await nextNumbers(tx, source, 1);
  if (!number) return null;
  const savedAt = new Date(source.now()).toISOString();
  const lastServerTime = contact?.lastServerTime ?? null;
  return {
    base: {
      eventId: number.id,
      schemaVersion: fieldVersion,
      deviceSeq: number.seq,
      lastServerTime,
      occurredAtClient: savedAt,
    },
    entry: { ...number, userId, savedAt, status: 'unsent' as const, reason: null, answeredAt: null },
  };
}

function isSamePlace(event: ProgressEvent, step: ProgressStep): boolean {
  const stopOf = (one: ProgressEvent | ProgressStep): number | null => ('stopId' in one ? one.stopId : null);
  return event.routeId === step.routeId && stopOf(event) === stopOf(step);
}

function isRepeat(event: ProgressEvent, step: ProgressStep): boolean {
  if (event.type !== step.type) return false;
  return event.type !== 'stop-skipped' || (step.type === 'stop-skipped' && event.reason === step.reason);
}

/** The step of an entry; those of older versions of the app are read as what they would be today. Null for others. */
export function progressOf(entry: Entry): ProgressEvent | null {
  if (entry.type === 'stock-event' || entry.type === 'visit' || entry.type === 'day-ended') return null;
  if (entry.type === 'sealed') return null;
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
