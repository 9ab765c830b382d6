import { and, eq, sql } from 'drizzle-orm';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { AppError, notFound } from '../../../domain/errors.ts';
import { mayBecome, routeStatus } from '../../../domain/route.ts';
import type { RouteStatus } from '../../../domain/route-plan.ts';
import { recordAudit } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { routeInScope, type Scope, scopeOf } from '../../scope/service.ts';
import {
  findRoutes,
  findStops,
  lockRoute,
  type RouteRow,
  stopsOfRoutes,
  updateRouteRow,
  updateStops,
} from '../queries.ts';
import { toStop } from '../replies.ts';
import { getRoute } from '../service.ts';
import { routes } from '../tables.ts';
import { tellRoute } from '../tell.ts';
import { setExpected } from './progress.ts';

/** What somebody says of a route in the office, while a driver's own steps come as events of the phone. */

async function lockedInScope(tx: Db, scope: Scope, id: number): Promise<RouteRow> {
  const [visible] = await findRoutes(tx, and(routeInScope(scope), eq(routes.id, id)));
  const locked = visible ? await lockRoute(tx, id) : undefined;
  if (!visible || !locked) throw notFound('route');
  return { ...visible, ...locked };
}

type StatusChange = { status: RouteStatus; skipped?: { stopId: number; reason: string }[] | undefined };

/** planned to in_progress to completed, forward only; completing by hand needs a reason for each open stop. */
export async function changeStatus(
  deps: Deps,
  caller: Caller,
  id: number,
  change: StatusChange,
): Promise<ScheduledRoute> {
  const scope = await scopeOf(deps, caller);
  await deps.db.transaction(async (tx) => {
    const route = await lockedInScope(tx, scope, id);
    const from = routeStatus.parse(route.status);
    // A repeat of what already holds is a lost answer, not a second start.
    if (from === change.status && from !== 'planned') return;
    if (!mayBecome(from, change.status)) throw new AppError('conflict', refusal(from, change.status));
    const now = deps.clock.now();
    if (change.status === 'completed') await leaveOut(tx, route, change.skipped ?? []);
    await updateRouteRow(
      tx,
      id,
      change.status === 'in_progress'
        ? { status: 'in_progress', startedAt: now }
        : { status: 'completed', completedAt: now },
    );
    if (change.status === 'in_progress') await setExpected(tx, id, now);
    await recordAudit(tx, caller, {
      action: change.status === 'in_progress' ? 'route.start' : 'route.complete',
      objectType: 'route',
      objectId: id,
    });
    await tellRoute(tx, route);
  });
  return getRoute(deps.db, scope, id);
}

function refusal(from: RouteStatus, to: RouteStatus): string {
  if (from === 'completed') return 'This route is completed. A completed route cannot be changed.';
  if (to === 'completed') return 'This route has not been started. Start it first.';
  if (from === to) return 'This route is planned already. There is nothing to change.';
  return 'A route cannot go back to planned.';
}

async function leaveOut(tx: Db, route: RouteRow, skipped: { stopId: number; reason: string }[]): Promise<void> {
  const stops = await findStops(tx, stopsOfRoutes([route.id]));
  // What the driver left out has the driver's reason.
  const open = stops.filter((stop) => !stop.completed && !stop.skippedReason);
  const foreign = skipped.find(({ stopId }) => !stops.some((stop) => stop.id === stopId));
  if (foreign) {
    const sentence = `Stop ${foreign.stopId} is not on this route. Give reasons for stops of this route only.`;
    throw new AppError('invalid-input', sentence, { fields: { [`stop.${foreign.stopId}`]: sentence } });
  }
  const reasons = new Map(skipped.map((one) => [one.stopId, one.reason]));
  const missing = open.filter((stop) => !reasons.has(stop.id));
  if (missing.length) {
    const names = missing.map((stop) => stop.locationName).join('; ');
    throw new AppError('invalid-input', `Give a reason for each stop left out: ${names}.`, {
      fields: Object.fromEntries(missing.map((stop) => [`stop.${stop.id}`, 'Give a reason'])),
    });
  }
  for (const stop of open) await updateStops(tx, [stop.id], { skippedReason: reasons.get(stop.id) ?? '' });
}

const oldestArrivalMs = 7 * 24 * 3_600_000;

type StopChange = { completed: boolean; actualArrival?: string | undefined };

/** Completes a stop: one-way, only while its route is in progress; completing twice keeps the first time. */
export async function completeStop(deps: Deps, caller: Caller, id: number, change: StopChange): Promise<Stop> {
  const scope = await scopeOf(deps, caller);
  await deps.db.transaction(async (tx) => {
    const [seen] = await findStops(tx, sql`s.id = ${id}`);
    if (!seen) throw notFound('stop');
    const route = await lockedInScope(tx, scope, seen.routeId).catch((error) => {
      throw error instanceof AppError && error.code === 'not-found' ? notFound('stop') : error;
    });
    if (!change.completed) throw new AppError('conflict', 'A completed stop cannot be opened again.');
    // As it is now that the route is locked: a phone may have told of it while this waited.
    const [stop] = await findStops(tx, sql`s.id = ${id}`);
    if (!stop) throw notFound('stop');
    if (stop.completed) return;
    if (route.status !== 'in_progress') throw new AppError('conflict', notUnderWay(route.status));
    const now = deps.clock.now();
    const came = stop.actualArrival === null ? arrival(change, now) : new Date(stop.actualArrival);
    const left = stop.actualArrival === null ? came : now;
    await updateStops(tx, [id], {
      completed: true,
      completedBy: caller.userId,
      actualArrival: came,
      completedAt: left,
      skippedReason: null,
    });
    await setExpected(tx, stop.routeId, left);
    await completeWhenDone(tx, route, now);
    await recordAudit(tx, caller, { action: 'stop.complete', objectType: 'route_stop', objectId: id });
    await tellRoute(tx, route);
  });
  const [done] = await findStops(deps.db, sql`s.id = ${id}`);
  if (!done) throw notFound('stop');
  return toStop(done);
}

function notUnderWay(status: string): string {
  return status === 'planned'
    ? 'Start the route first; then its stops can be completed.'
    : 'This route is completed; its stops cannot be changed.';
}

/** The driver's own time where it is believable: in the past week and not in the future. */
function arrival(change: StopChange, now: Date): Date {
  if (!change.actualArrival) return now;
  const stated = new Date(change.actualArrival);
  const age = now.getTime() - stated.getTime();
  return age >= 0 && age <= oldestArrivalMs ? stated : now;
}

async function completeWhenDone(tx: Db, route: RouteRow, now: Date): Promise<void> {
  const stops = await findStops(tx, stopsOfRoutes([route.id]));
  if (stops.every((stop) => stop.completed || stop.skippedReason)) {
    await updateRouteRow(tx, route.id, { status: 'completed', completedAt: now });
  }
}
