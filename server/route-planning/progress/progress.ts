import { sql } from 'drizzle-orm';
import type { ProgressEvent, StopEvent } from '../../../domain/field-event.ts';
import { beginsAt, expectedArrivals, isSettled } from '../../../domain/route-progress.ts';
import { recordAudit } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import { rows } from '../../db/database.ts';
import { findStops, lockRoute, type StopRow, stopsOfRoutes, updateRouteRow, updateStops } from '../queries.ts';
import type { routeStops, routes } from '../tables.ts';
import { tellRoute } from '../tell.ts';
import { updateExpected } from './progress-queries.ts';

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
    'stopId' in event
      ? await stepAtStop(tx, { route, event, at, author })
      : await stepOfRoute(tx, route, event.type, at);
  if (refusal) return refusal;
  await recordAudit(
    tx,
    { userId: author.userId, address: '' },
    {
      action: auditNames[event.type],
      objectType: 'stopId' in event ? 'route_stop' : 'route',
      objectId: 'stopId' in event ? event.stopId : event.routeId,
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
  'arrival-undone': 'stop.arrival-undo',
  'start-undone': 'route.start-undo',
  'route-completed': 'route.complete',
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

type RouteStep = Exclude<ProgressEvent, StopEvent>['type'];

async function stepOfRoute(tx: Db, route: RouteRow, step: RouteStep, at: Date): Promise<string | null> {
  if (step === 'route-started') return start(tx, route, at);
  return step === 'start-undone' ? undoStart(tx, route) : completeRoute(tx, route, at);
}

/** Only what was just begun by mistake goes back to planned: once something was done the start is a fact. */
async function undoStart(tx: Db, route: RouteRow): Promise<string | null> {
  if (route.status === 'planned') return null;
  const stops = await findStops(tx, stopsOfRoutes([route.id]));
  if (route.status === 'completed' || stops.some((stop) => isSettled(stop) || stop.actualArrival !== null)) {
    return 'Something was done on this route already, so its start stands.';
  }
  await updateRouteRow(tx, route.id, { status: 'planned', startedAt: null });
  await updateStops(
    tx,
    stops.map((stop) => stop.id),
    { expectedArrival: null },
  );
  return null;
}

async function completeRoute(tx: Db, route: RouteRow, at: Date): Promise<string | null> {
  if (route.status === 'completed') return null;
  const stops = await findStops(tx, stopsOfRoutes([route.id]));
  const open = stops.filter((stop) => !isSettled(stop)).length;
  if (open > 0) {
    const added = open === 1 ? '1 stop is' : `${open} stops are`;
    return `${added} still open on this route. Complete or skip each, then complete the route.`;
  }
  await updateRouteRow(tx, route.id, { status: 'completed', completedAt: at });
  return null;
}

async function start(tx: Db, route: RouteRow, at: Date): Promise<null> {
  if (route.status !== 'planned') return null;
  await updateRouteRow(tx, route.id, { status: 'in_progress', startedAt: at });
  await setExpected(tx, route.id, at);
  return null;
}

type Step = {
  route: RouteRow;
  event: StopEvent;
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
  const change = changeOf(step, stop);
  if (change) await updateStops(tx, [stop.id], change);
  const after = await findStops(tx, stopsOfRoutes([route.id]));
  const isDone = after.every(isSettled);
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
    isThere ? new Date(beginsAt(stop, at.getTime()) + stop.serviceMin * 60_000) : at,
    isThere ? stop.id : null,
  );
  return null;
}

/** Null: it holds already. */
function changeOf({ event, at, author }: Step, stop: StopRow): Partial<typeof routeStops.$inferInsert> | null {
  const arrived = stop.actualArrival === null ? at : new Date(stop.actualArrival);
  switch (event.type) {
    case 'stop-arrived':
      return { actualArrival: arrived };
    case 'stop-completed':
      return stop.completed
        ? null
        : { completed: true, completedBy: author.userId, completedAt: at, actualArrival: arrived, skippedReason: null };
    case 'stop-skipped':
      return stop.completed ? null : { skippedReason: event.reason };
    case 'arrival-undone':
      return stop.completed ? null : { actualArrival: null };
    case 'stop-reopened':
      return { completed: false, completedBy: null, completedAt: null, skippedReason: null };
  }
}

/** When the rest of the route is expected now: driving on from `from` in the planned order. The plan itself stays. */
export async function setExpected(
  tx: Db,
  routeId: number,
  from: Date,
  beingServed: number | null = null,
): Promise<void> {
  const stops = await findStops(tx, stopsOfRoutes([routeId]));
  const expected = expectedArrivals(stops, from.getTime(), beingServed);
  await updateExpected(
    tx,
    [...expected].map(([id, at]) => ({ id, at })),
  );
}
