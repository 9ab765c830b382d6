import { sql } from 'drizzle-orm';
import type { ProgressEvent } from '../../domain/field-event.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { updateExpected } from './progress-queries.ts';
import { findStops, lockRoute, type StopRow, stopsOfRoutes, updateRouteRow, updateStops } from './queries.ts';
import type { routeStops, routes } from './tables.ts';
import { tellRoute } from './tell.ts';

export type Progress = {
  event: ProgressEvent;
  /** When it happened, by the server's reckoning. */
  at: Date;
  author: { userId: number; role: string };
};

type RouteRow = typeof routes.$inferSelect;

const gone = 'This stop was taken off the route in the office. Your counts are kept; tell your route manager.';

/**
 * Books one step of a driver's day, made perhaps hours ago and without signal. Steps may come late and twice; what holds
 * already is left as it is. Returns the sentence for the driver when it could not be booked, else null.
 */
export async function applyProgress(tx: Db, progress: Progress): Promise<string | null> {
  const { event, at, author } = progress;
  const route = await lockRoute(tx, event.routeId);
  if (!route) return 'This route is not there any more. Your counts are kept; tell your route manager.';
  if (!(await mayDrive(tx, route, progress))) return 'This route was not yours at that time. Tell your route manager.';
  const refusal =
    event.type === 'route-started' ? await start(tx, route, at) : await stepAtStop(tx, { route, event, at, author });
  if (refusal) return refusal;
  await recordAudit(
    tx,
    { userId: author.userId, address: '' },
    {
      action: auditNames[event.type],
      objectType: event.type === 'route-started' ? 'route' : 'route_stop',
      objectId: event.type === 'route-started' ? event.routeId : event.stopId,
      detail: { at: at.toISOString() },
    },
  );
  await tellRoute(tx, route);
  return null;
}

const auditNames: Record<ProgressEvent['type'], string> = {
  'route-started': 'route.start',
  'stop-arrived': 'stop.arrive',
  'stop-completed': 'stop.complete',
  'stop-skipped': 'stop.skip',
  'stop-reopened': 'stop.reopen',
};

/** Managers drive any route; a driver the own ones and those of the designation, as they were at that time. */
async function mayDrive(tx: Db, route: RouteRow, { author, at }: Progress): Promise<boolean> {
  if (author.role !== 'field_worker') return true;
  const found = await rows(
    tx,
    sql`select 1 from entitlement_history h
        where ((h.kind = 'route' and h.subject_id = ${route.id} and h.value = ${String(author.userId)})
            or (h.kind = 'user' and h.subject_id = ${author.userId} and h.value = ${route.routeDesignation ?? ''}))
          and h.valid_from <= ${at.toISOString()} and coalesce(h.valid_to, 'infinity') > ${at.toISOString()}
        limit 1`,
  );
  return found.length > 0;
}

async function start(tx: Db, route: RouteRow, at: Date): Promise<null> {
  if (route.status !== 'planned') return null;
  await updateRouteRow(tx, route.id, { status: 'in_progress', startedAt: at });
  await setExpected(tx, route.id, at);
  return null;
}

type Step = {
  route: RouteRow;
  event: Exclude<ProgressEvent, { type: 'route-started' }>;
  at: Date;
  author: Progress['author'];
};

async function stepAtStop(tx: Db, step: Step): Promise<string | null> {
  const { route, event, at } = step;
  const stops = await findStops(tx, stopsOfRoutes([route.id]));
  const stop = stops.find((one) => one.id === event.stopId);
  if (!stop) return gone;
  // A step of a route never said to be started: its start was lost with another phone.
  if (route.status === 'planned') await start(tx, route, at);
  await updateStops(tx, [stop.id], changeOf(step, stop));
  const after = await findStops(tx, stopsOfRoutes([route.id]));
  const isDone = after.every((one) => one.completed || one.skippedReason !== null);
  if (isDone && route.status !== 'completed') {
    await updateRouteRow(tx, route.id, { status: 'completed', completedAt: at });
  }
  if (!isDone && route.status === 'completed') {
    await updateRouteRow(tx, route.id, { status: 'in_progress', completedAt: null });
  }
  const isThere = event.type === 'stop-arrived' && !stop.completed;
  await setExpected(
    tx,
    route.id,
    isThere ? new Date(at.getTime() + stop.serviceMin * 60_000) : at,
    isThere ? stop.id : null,
  );
  return null;
}

function changeOf({ event, at, author }: Step, stop: StopRow): Partial<typeof routeStops.$inferInsert> {
  const arrived = stop.actualArrival === null ? at : new Date(stop.actualArrival);
  switch (event.type) {
    case 'stop-arrived':
      return { actualArrival: arrived };
    case 'stop-completed':
      return stop.completed
        ? {}
        : { completed: true, completedBy: author.userId, completedAt: at, actualArrival: arrived, skippedReason: null };
    case 'stop-skipped':
      return stop.completed ? {} : { skippedReason: event.reason };
    case 'stop-reopened':
      return { completed: false, completedBy: null, completedAt: null, skippedReason: null };
  }
}

/** When the rest of the route is expected now: driving on from `from` in the planned order. The plan itself stays. */
async function setExpected(tx: Db, routeId: number, from: Date, beingServed: number | null = null): Promise<void> {
  const stops = await findStops(tx, stopsOfRoutes([routeId]));
  let clock = from.getTime();
  const expected = stops.flatMap((stop) => {
    if (stop.completed || stop.skippedReason !== null || stop.id === beingServed) return [];
    clock += (stop.legDurationMin ?? 0) * 60_000;
    const at = new Date(clock).toISOString();
    clock += stop.serviceMin * 60_000;
    return [{ id: stop.id, at }];
  });
  await updateExpected(tx, expected);
}
