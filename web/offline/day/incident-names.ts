import type { Incident } from '../../../contract/incidents.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { addDays, dayIn } from '../../../domain/time.ts';
import { getMeta } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import { isRecord } from '../kept/answers.ts';
import type { ReadTx, Store } from '../outbox/store.ts';

/** What the incidents are called that delay the routes on the phone, kept for the time without signal. */

const key = 'incident-names';

export type IncidentNames = Readonly<Record<number, string>>;

type Core = { store: Store; environment: Pick<OfflineEnvironment, 'transport' | 'now'> };

/** Asks only where a route names an incident that has no name here yet. */
export async function refreshIncidentNames({ store, environment }: Core): Promise<void> {
  const nowMs = environment.now();
  const isAnyNew = await store.read(['routes', 'answers', 'meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return false;
    const offsetMs = (await getMeta(tx, 'contact'))?.clockOffsetMs ?? 0;
    const today = dayIn(session.operator.timeZone, new Date(nowMs + offsetMs));
    const routes = (await tx.objectStore('routes').getAll()).map(({ row }) => row);
    const known = await readIncidentNames(tx);
    const ahead = routes.filter(({ date }) => date === today || date === addDays(today, 1));
    return ahead.flatMap(incidentsOf).some((id) => known[id] === undefined);
  });
  if (!isAnyNew) return;
  const answer = await environment.transport({ method: 'GET', path: '/api/traffic-incidents' });
  if (answer.outcome !== 'answered' || !isIncidents(answer.body)) return;
  const value: IncidentNames = Object.fromEntries(answer.body.map(({ id, title }) => [id, title]));
  const record = { key, value, keptAt: new Date(nowMs).toISOString() };
  await store.write(['answers'], (tx) => tx.objectStore('answers').put(record));
}

function incidentsOf({ stops, wayHome }: ScheduledRoute): readonly number[] {
  return [...stops, ...(wayHome ? [wayHome] : [])].flatMap(({ incidents }) => incidents ?? []);
}

const isIncidents = (body: unknown): body is Pick<Incident, 'id' | 'title'>[] => Array.isArray(body);

export async function readIncidentNames(tx: ReadTx): Promise<IncidentNames> {
  const value = (await tx.objectStore('answers').get(key))?.value;
  // Written above alone.
  return isRecord(value) ? (value as IncidentNames) : {};
}
