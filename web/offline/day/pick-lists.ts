import type { PickedStop, PickList } from '../../../contract/need.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { addDays, dayIn } from '../../../domain/time.ts';
import { getMeta } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import { pickListPrefix } from '../kept/replica.ts';
import type { ReadTx, Store } from '../outbox/store.ts';

/** What to bring to the stops of today and tomorrow, kept on the phone for the time without signal. */

/** A planned route's list is asked for again after this long: what sells meanwhile changes it. */
const freshMs = 30 * 60_000;

const keyOf = (routeId: number): string => `${pickListPrefix}${routeId}`;

type Core = { store: Store; environment: Pick<OfflineEnvironment, 'transport' | 'now'> };

/** Brings the lists up to date. From the start of a route its list stays what was loaded; only new stops are added. */
export async function refreshPickLists({ store, environment }: Core): Promise<void> {
  const nowMs = environment.now();
  for (const { route, kept } of await wanted(store, nowMs)) {
    const has = new Set(kept?.value.stops.map((stop) => stop.stopId));
    const isWhole = route.stops.every((stop) => has.has(stop.id));
    const isFresh = kept !== null && (route.status !== 'planned' || nowMs - Date.parse(kept.keptAt) < freshMs);
    if (isWhole && isFresh) continue;
    const answer = await environment.transport({ method: 'GET', path: `/api/routes/${route.id}/pick-list` });
    if (answer.outcome === 'unreachable') return;
    if (answer.outcome !== 'answered' || !isPickList(answer.body)) continue;
    const value = kept && route.status !== 'planned' ? withNewStops(kept.value, answer.body) : answer.body;
    const record = { key: keyOf(route.id), value, keptAt: new Date(nowMs).toISOString() };
    await store.write(['answers'], (tx) => tx.objectStore('answers').put(record));
  }
}

async function wanted(store: Store, nowMs: number) {
  return store.read(['routes', 'answers', 'meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return [];
    const offsetMs = (await getMeta(tx, 'contact'))?.clockOffsetMs ?? 0;
    const today = dayIn(session.operator.timeZone, new Date(nowMs + offsetMs));
    const routes: ScheduledRoute[] = (await tx.objectStore('routes').getAll())
      .map(({ row }) => row)
      .filter(({ date }) => date === today || date === addDays(today, 1));
    return Promise.all(
      routes.map(async (route) => {
        const kept = await tx.objectStore('answers').get(keyOf(route.id));
        return { route, kept: kept && isPickList(kept.value) ? { value: kept.value, keptAt: kept.keptAt } : null };
      }),
    );
  });
}

function withNewStops(kept: PickList, asked: PickList): PickList {
  const has = new Set(kept.stops.map((stop) => stop.stopId));
  return { ...kept, stops: [...kept.stops, ...asked.stops.filter((stop) => !has.has(stop.stopId))] };
}

function isPickList(body: unknown): body is PickList {
  // The server's own, made by the schema both sides share; its rows are not walked again.
  return typeof body === 'object' && body !== null && 'stops' in body && Array.isArray(body.stops);
}

/** What to bring by stop; stops without a kept list are left out. */
export type Picks = Readonly<Record<number, PickedStop>>;

export async function readPicks(tx: ReadTx, routeIds: readonly number[]): Promise<Picks> {
  const kept = await Promise.all(routeIds.map((id) => tx.objectStore('answers').get(keyOf(id))));
  const lists = kept.flatMap((one) => (one && isPickList(one.value) ? [one.value] : []));
  return Object.fromEntries(lists.flatMap((list) => list.stops.map((stop) => [stop.stopId, stop])));
}
