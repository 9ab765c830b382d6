import { asRoute, asStop } from './answers.ts';
import { type DrainDeps, type Sent, stopFor } from './drain-pass.ts';
import type { Answer, Call } from './environment.ts';
import { entriesOf } from './outbox.ts';
import type { Entry, EntryStatus, RouteAction } from './records.ts';
import type { WriteTx } from './store.ts';

/**
 * Sends starts of routes and completions of stops of the person signed in, in their order. One that the server could
 * not take holds back the later ones of its own route only.
 */
export async function sendActions(deps: DrainDeps): Promise<Sent> {
  const { userId } = deps;
  if (userId === null) return { stopped: null, left: 0 };
  const waiting = await deps.store.read(['outbox'], (tx) => entriesOf(tx, userId, 'unsent'));
  const heldRoutes = new Set<number>();
  let left = 0;
  for (const entry of waiting.filter(isAction)) {
    if (heldRoutes.has(entry.routeId)) {
      left += 1;
      continue;
    }
    const answer = await send(deps, entry);
    const stopped = stopFor(answer, 'one-object');
    if (stopped) return { stopped, left };
    if (await settle(deps, entry, answer)) continue;
    heldRoutes.add(entry.routeId);
    left += 1;
  }
  return { stopped: null, left };
}

function isAction(entry: Entry): entry is RouteAction {
  return entry.type !== 'stock-event';
}

async function send(deps: DrainDeps, entry: RouteAction): Promise<Answer> {
  deps.onSending([entry.id]);
  const answer = await deps.environment.transport(callOf(entry));
  deps.onReached(answer.outcome !== 'unreachable');
  deps.onSending([]);
  return answer;
}

function callOf(entry: RouteAction): Call {
  if (entry.type === 'route-started') {
    return { method: 'PATCH', path: `/api/routes/${entry.routeId}`, body: { status: 'in_progress' } };
  }
  return {
    method: 'PATCH',
    path: `/api/route-stops/${entry.stopId}`,
    body: { completed: true, actualArrival: entry.actualArrival },
  };
}

/** True when the answer was final. */
async function settle(deps: DrainDeps, entry: RouteAction, answer: Answer): Promise<boolean> {
  const verdict = finalStatus(entry, answer);
  if (!verdict) return false;
  const answeredAt = new Date(deps.environment.now()).toISOString();
  await deps.store.write(['outbox', 'routes'], async (tx) => {
    const now = await tx.objectStore('outbox').get(entry.seq);
    if (now?.status !== 'unsent') return;
    await tx.objectStore('outbox').put({ ...now, ...verdict, answeredAt });
    if (answer.outcome === 'answered') await learn(tx, entry, answer.body);
  });
  return true;
}

function finalStatus(entry: RouteAction, answer: Answer): { status: EntryStatus; reason: string | null } | null {
  if (answer.outcome === 'answered') {
    const known = entry.type === 'route-started' ? asRoute(answer.body) : asStop(answer.body);
    return known ? { status: 'saved', reason: null } : null;
  }
  if (answer.outcome === 'unreachable' || answer.status >= 500 || !answer.isProblem) return null;
  return { status: 'refused', reason: answer.detail };
}

async function learn(tx: WriteTx, entry: RouteAction, body: unknown): Promise<void> {
  const kept = await tx.objectStore('routes').get(entry.routeId);
  if (!kept) return;
  const route = entry.type === 'route-started' ? asRoute(body) : null;
  const stop = entry.type === 'stop-completed' ? asStop(body) : null;
  const stops = kept.row.stops.map((one) => (one.id === stop?.id ? { ...one, ...stop } : one));
  await tx.objectStore('routes').put({ ...kept, row: route ?? { ...kept.row, stops } });
}
