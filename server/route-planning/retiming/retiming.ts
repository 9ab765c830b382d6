import { and, gte, inArray, type SQL } from 'drizzle-orm';
import { delayOf, type IncidentCircle, type LegDelay } from '../../../domain/incident-effect.ts';
import { type Point, toPoint } from '../../../domain/location.ts';
import { beginsAt } from '../../../domain/route-progress.ts';
import { dayIn } from '../../../domain/time.ts';
import type { Db } from '../../db/database.ts';
import type { Roads } from '../../deps.ts';
import { publish } from '../../live/hub.ts';
import { getOperator } from '../../settings/service.ts';
import { activeIncidents, type Incidents } from '../incidents.ts';
import {
  findRoutes,
  findStops,
  lockRoutes,
  type RouteRow,
  type StopRow,
  stopsOfRoutes,
  updateRouteRow,
} from '../queries.ts';
import { routes } from '../tables.ts';
import { shiftStops } from './retiming-queries.ts';

type KnownRoads = Pick<Roads, 'knownLines'>;

/**
 * Times the open stops of today's and later routes anew after incidents changed. Only the delays change: each leg keeps
 * the seconds it takes without incidents, so that a late driver stays as late as before. Legs follow the stored courses of
 * their roads; without `roads` they are straight, and the job that times routes as time passes follows the road. Returns
 * the ids of the routes whose times changed.
 */
export async function retimeRoutes(tx: Db, now: Date, roads: KnownRoads | null = null): Promise<number[]> {
  const { timeZone } = await getOperator(tx);
  const active = and(inArray(routes.status, ['planned', 'in_progress']), gte(routes.date, dayIn(timeZone, now)));
  const touched = (await retimedWhere(tx, active, { now, roads })).map(({ route }) => route.id);
  if (touched.length === 0) return [];
  // Times are moved by what they differ from: whoever moves the same ones comes first or after, never in between.
  await lockRoutes(tx, touched);
  const retimed = await retimedWhere(tx, and(active, inArray(routes.id, touched)), { now, roads });
  for (const { route, stops, delay, addedMin } of retimed) {
    await shiftStops(tx, stops);
    const drivingMin = route.drivingMin === null ? null : route.drivingMin + addedMin;
    const estimatedTime = Math.max(0, route.estimatedTime + addedMin);
    await updateRouteRow(tx, route.id, { delay, drivingMin, estimatedTime, retimedAt: now });
    await tell(tx, route);
  }
  return retimed.map(({ route }) => route.id);
}

/** Routes under a condition whose delays are others now, with what changes. */
async function retimedWhere(
  tx: Db,
  condition: SQL | undefined,
  { now, roads }: { now: Date; roads: KnownRoads | null },
) {
  const found = await findRoutes(tx, condition);
  if (found.length === 0) return [];
  const stops = await findStops(tx, stopsOfRoutes(found.map((route) => route.id)));
  const incidents = await activeIncidents(tx);
  const stopsOf = new Map<number, StopRow[]>();
  for (const stop of stops) stopsOf.set(stop.routeId, [...(stopsOf.get(stop.routeId) ?? []), stop]);
  const open = found.map((route) => ({ route, legs: openLegs(route, stopsOf.get(route.id) ?? []) }));
  const lines = await linesOf(tx, { legs: open.flatMap(({ legs }) => legs), circles: incidents.all, roads });
  return open.flatMap(({ route, legs }) => {
    const retimed = retimedOf(route, legs, { incidents, now, lines });
    return retimed ? [{ route, ...retimed }] : [];
  });
}

/** The course of the road of a leg by its straight line, where it is stored. */
type Lines = ReadonlyMap<string, readonly Point[]>;

type Wanted = { legs: readonly Leg[]; circles: readonly IncidentCircle[]; roads: KnownRoads | null };

async function linesOf(tx: Db, { legs, circles, roads }: Wanted): Promise<Lines> {
  const points = [...new Map(legs.flatMap(({ line }) => line).map((point) => [nameOf([point]), point])).values()];
  const known = (await roads?.knownLines(tx, points, circles)) ?? [];
  return new Map(
    known.flatMap(({ from, to, line }) => {
      const [a, b] = [points[from], points[to]];
      return a && b ? [[nameOf([a, b]), line] as const] : [];
    }),
  );
}

const nameOf = (line: readonly Point[]): string => line.map(({ lat, lng }) => `${lat},${lng}`).join(';');

type Context = { incidents: Incidents; now: Date; lines: Lines };

type Leg = { stop: StopRow | null; line: Point[]; seconds: number; metres: number; before: number };

/** The new delays of a route, or null where nothing changes. */
function retimedOf(route: RouteRow, legs: readonly Leg[], { incidents, now, lines }: Context) {
  const last = legs.at(-1);
  if (!last) return null;
  // What is still to be driven is driven from now on, also where a planned route has not left in time.
  const planned = route.status === 'planned' ? (route.plannedStartAt ?? now) : now;
  const from = planned > now ? planned : now;
  const seconds = legs.reduce((sum, leg) => sum + leg.seconds + (leg.stop?.serviceMin ?? 0) * 60, 0);
  const circles = incidents.between(from, new Date(from.getTime() + seconds * 1000));
  const delays = legs.map((leg) =>
    delayOf({ ...leg, line: lines.get(nameOf(leg.line)) ?? leg.line }, circles, incidents.settings),
  );
  let shift = 0;
  const moved = legs.map((leg, index) => {
    const lost = delays[index] ?? { delay: 0, incidents: [], closed: false };
    const added = lost.delay - leg.before;
    const moves = shift + added;
    shift = afterDoor(leg.stop, moves);
    return { stop: leg.stop, lost, added, shift: moves, isChanged: isOther(leg, lost) };
  });
  if (!moved.some((one) => one.isChanged)) return null;
  const delay = route.delay + moved.reduce((sum, { added }) => sum + added, 0);
  return {
    stops: moved.flatMap(({ stop, lost, added, shift: by }) =>
      stop ? [{ id: stop.id, incidents: lost.incidents, delay: lost.delay, added, shift: by }] : [],
    ),
    delay,
    addedMin: Math.round(delay / 60) - Math.round(route.delay / 60),
  };
}

/** Seconds by which work at a stop moves when the arrival does: waiting for the door takes some of it up. */
function afterDoor(stop: StopRow | null, seconds: number): number {
  if (!stop?.estimatedArrival) return seconds;
  const arrival = Date.parse(stop.estimatedArrival);
  return (beginsAt(stop, arrival + seconds * 1000) - beginsAt(stop, arrival)) / 1000;
}

function isOther(leg: Leg, lost: LegDelay): boolean {
  if (leg.before !== lost.delay) return true;
  return leg.stop !== null && String(leg.stop.incidents) !== String(lost.incidents);
}

/** The legs still to be driven, the way back to the depot as the last; seconds and delays without and with incidents. */
function openLegs(route: RouteRow, stops: readonly StopRow[]): Leg[] {
  const depot = depotOf(route);
  const legs: Leg[] = [];
  let at = depot;
  for (const stop of stops) {
    const here = toPoint(stop);
    // The way to where the driver is has been driven.
    if (!stop.completed && stop.skippedReason === null && stop.actualArrival === null) {
      const seconds = Math.max(0, Math.round((stop.legDurationMin ?? 0) * 60) - stop.delay);
      const metres = (stop.legDistanceKm ?? 0) * 1000;
      legs.push({ stop, line: [at ?? here, here], seconds, metres, before: stop.delay });
    }
    at = here;
  }
  if (legs.length === 0 || !at || !depot) return legs;
  return [...legs, wayHome(route, stops, [at, depot])];
}

/** The way home has no row of its own: it is what the route's totals hold beside the legs of its stops. */
function wayHome(route: RouteRow, stops: readonly StopRow[], line: Point[]): Leg {
  const before = Math.max(0, route.delay - stops.reduce((sum, stop) => sum + stop.delay, 0));
  const drivenMin = stops.reduce((sum, stop) => sum + (stop.legDurationMin ?? 0), 0);
  const drivenKm = stops.reduce((sum, stop) => sum + (stop.legDistanceKm ?? 0), 0);
  const seconds = Math.max(0, Math.round(((route.drivingMin ?? 0) - drivenMin) * 60) - before);
  return { stop: null, line, seconds, metres: Math.max(0, route.totalDistance - drivenKm) * 1000, before };
}

function depotOf({ depotLatitude, depotLongitude }: RouteRow): Point | null {
  return depotLatitude && depotLongitude ? toPoint({ latitude: depotLatitude, longitude: depotLongitude }) : null;
}

async function tell(tx: Db, { id, routeDesignation, driverId }: RouteRow): Promise<void> {
  const designations = routeDesignation ? [routeDesignation] : [];
  await publish(tx, { topic: 'routes', ids: [id], routes: designations, users: driverId ? [driverId] : [] });
}
