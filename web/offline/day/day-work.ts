import type { DayWork as ServerWork } from '../../../contract/day-ends.ts';
import { dayIn } from '../../../domain/time.ts';
import { getMeta } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import type { ReadTx, Store } from '../outbox/store.ts';

/** What the server has of a person's day, kept on the phone for the time without signal. */

const keyOf = (day: string): string => `day-work:${day}`;

type Core = { store: Store; environment: Pick<OfflineEnvironment, 'transport' | 'now'> };

/** Brings what the server has of today up to date. */
export async function refreshDayWork({ store, environment }: Core): Promise<void> {
  const nowMs = environment.now();
  const day = await store.read(['meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    const offsetMs = (await getMeta(tx, 'contact'))?.clockOffsetMs ?? 0;
    return session ? dayIn(session.operator.timeZone, new Date(nowMs + offsetMs)) : null;
  });
  if (day === null) return;
  const answer = await environment.transport({ method: 'GET', path: `/api/day-work?date=${day}` });
  if (answer.outcome !== 'answered' || !isServerWork(answer.body)) return;
  const record = { key: keyOf(day), value: answer.body, keptAt: new Date(nowMs).toISOString() };
  await store.write(['answers'], (tx) => tx.objectStore('answers').put(record));
}

function isServerWork(body: unknown): body is ServerWork {
  return typeof body === 'object' && body !== null && 'movements' in body && 'visits' in body;
}

/** What the server had of a day at the last download. */
export async function sentWork(tx: ReadTx, day: string): Promise<Pick<ServerWork, 'movements' | 'visits'>> {
  const kept = await tx.objectStore('answers').get(keyOf(day));
  return kept && isServerWork(kept.value) ? kept.value : { movements: [], visits: [] };
}
