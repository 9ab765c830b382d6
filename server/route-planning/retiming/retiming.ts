import { and, gte, inArray, type SQL } from 'drizzle-orm';
import { delayOf, type IncidentCircle, type LegDelay, noDelay } from '../../../domain/incident-effect.ts';
import type { Point } from '../../../domain/location.ts';
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
import { type Detours, knownDetours, withHeldDetour } from './detours.ts';
import { drivenBetween, goesAround, type Leg, lineName, openLegs } from './legs.ts';
import { shiftStops } from './retiming-queries.ts';

type KnownRoads = Pick<Roads, 'knownLines'>;
type Retiming = {
  /** Without them legs are straight. */
  roads?: KnownRoads;
  /** The incident that is not what it was: nothing said of it before stays. */
  changed?: number;
};

/**
 * Times the open stops of today's and later routes anew after incidents changed. Only the delays change, and how much longer
 * ways around closed roads are: each leg keeps the seconds it takes without incidents, so that a late driver stays as late
 * as before. Legs follow the stored courses of their roads; without `roads` they are straight, and the job that times
 * routes as time passes follows the road. Around closed roads legs take what the engine said; where it has not been asked
 * yet, one that was planned around them keeps what that takes, and others cost the rim of the circle until that job asks:
 * it is woken by each change of incidents.
 * Returns the ids of the routes whose times changed.
 */
export async function retimeRoutes(tx: Db, now: Date, retiming: Retiming = {}): Promise<number[]> {
  const { timeZone } = await getOperator(tx);
  const active = and(inArray(routes.status, ['planned', 'in_progress']), gte(routes.date, dayIn(timeZone, now)));
  const touched = (await retimedWhere(tx, active, { now, ...retiming })).map(({ route }) => route.id);
  if (touched.length === 0) return [];
  // Times are moved by what they differ from: whoever moves the same ones comes first or after, never in between.
  await lockRoutes(tx, touched);
  const retimed = await retimedWhere(tx, and(active, inArray(routes.id, touched)), { now, ...retiming });
  for (const { route, stops, addedMin, longerM, detouredM, ...home } of retimed) {
    await shiftStops(tx, stops);
    const drivingMin = route.drivingMin === null ? null : route.drivingMin + addedMin;
    const estimatedTime = Math.max(0, route.estimatedTime + addedMin);
    const detourM = route.detourM + detouredM;
    const totalDistance = longerM === 0 ? route.totalDistance : Math.round(route.totalDistance * 1000 + longerM) / 1000;
    await updateRouteRow(tx, route.id, {
      ...home,
      drivingMin,
      estimatedTime,
      totalDistance,
      detourM,
      retimedAt: now,
    });
    await tell(tx, route);
  }
  return retimed.map(({ route }) => route.id);
}

/** Routes under a condition whose delays are others now, with what changes. */
async function retimedWhere(tx: Db, condition: SQL | undefined, { now, roads, changed }: Retiming & { now: Date }) {
  const found = await findRoutes(tx, condition);
  if (found.length === 0) return [];
  const stops = await findStops(tx, stopsOfRoutes(found.map((route) => route.id)));
  const incidents = await activeIncidents(tx);
  const stopsOf = new Map<number, StopRow[]>();
  for (const stop of stops) stopsOf.set(stop.routeId, [...(stopsOf.get(stop.routeId) ?? []), stop]);
  const open = found.map((route) => ({ route, legs: openLegs(route, stopsOf.get(route.id) ?? []) }));
  const lines = await linesOf(tx, { legs: open.flatMap(({ legs }) => legs), circles: incidents.all, roads });
  return open.flatMap(({ route, legs }) => {
    const detours = knownDetours(roads, route, stopsOf.get(route.id) ?? [], { incidents, now });
    const retimed = retimedOf(route, legs, { incidents, now, lines, changed, detours });
    return retimed ? [{ route, ...retimed }] : [];
  });
}

/** The course of the road of a leg by its straight line, where it is stored. */
type Lines = ReadonlyMap<string, readonly Point[]>;

type Wanted = { legs: readonly Leg[]; circles: readonly IncidentCircle[]; roads: KnownRoads | undefined };

async function linesOf(tx: Db, { legs, circles, roads }: Wanted): Promise<Lines> {
  const points = [...new Map(legs.flatMap(({ line }) => line).map((point) => [lineName([point]), point])).values()];
  const known = (await roads?.knownLines(tx, points, circles)) ?? [];
  return new Map(
    known.flatMap(({ from, to, line }) => {
      const [a, b] = [points[from], points[to]];
      return a && b ? [[lineName([a, b]), line] as const] : [];
    }),
  );
}

type Context = Pick<Retiming, 'changed'> & {
  incidents: Incidents;
  now: Date;
  lines: Lines;
  detours: Detours | null;
};

/** The new delays of a route, or null where nothing changes. */
function retimedOf(route: RouteRow, legs: readonly Leg[], { incidents, now, lines, changed, detours }: Context) {
  const last = legs.at(-1);
  if (!last) return null;
  const circles = incidents.between(drivenBetween(route, legs, now));
  const held = legs.map((leg) => withHeldDetour(leg, detours));
  const known = held.map((leg) => ({ ...leg, line: lines.get(lineName(leg.line)) ?? leg.line }));
  const lose = (leg: Leg, some: readonly IncidentCircle[]): LegDelay => delayOf(leg, some, incidents.settings);
  const met = new Set(legs.flatMap((leg) => leg.met));
  const isMeasured = ({ id, closed }: IncidentCircle): boolean => closed && met.has(id) && id !== changed;
  const measured = goesAround(route) ? circles.filter(isMeasured).map(({ id }) => id) : [];
  const delays = known.map(
    (leg, index) =>
      detourDelay(leg, { circles, detours, name: lineName(legs[index]?.line ?? []), lose }) ??
      measuredDelay(leg, { circles, measured, changed, lose }) ??
      lose(leg, circles),
  );
  let shift = 0;
  const moved = legs.map((leg, index) => {
    const lost = delays[index] ?? noDelay;
    const added = lost.delay - leg.before;
    const longerM = lost.detourM - (held[index]?.detourM ?? 0);
    const detouredM = lost.detourM - leg.detourM;
    const moves = shift + added;
    shift = afterDoor(leg.stop, moves);
    return { stop: leg.stop, lost, added, longerM, detouredM, shift: moves, isChanged: isOther(leg, lost) };
  });
  if (!moved.some((one) => one.isChanged)) return null;
  const delay = route.delay + moved.reduce((sum, { added }) => sum + added, 0);
  return {
    stops: moved.flatMap(({ stop, lost, added, longerM, shift: by }) =>
      stop ? [{ id: stop.id, ...lost, added, longerM, shift: by }] : [],
    ),
    longerM: moved.reduce((sum, one) => sum + one.longerM, 0),
    detouredM: moved.reduce((sum, one) => sum + one.detouredM, 0),
    delay,
    homeSeconds: legs.find(({ stop }) => stop === null)?.seconds ?? route.homeSeconds,
    homeIncidents: moved.find(({ stop }) => stop === null)?.lost.incidents ?? route.homeIncidents,
    addedMin: Math.round(delay / 60) - Math.round(route.delay / 60),
  };
}

type Measured = Pick<Retiming, 'changed'> & {
  circles: readonly IncidentCircle[];
  /** Closed ones whose ways around were driven by the engine. */
  measured: readonly number[];
  lose: (leg: Leg, circles: readonly IncidentCircle[]) => LegDelay;
};

/**
 * What a leg loses that leads around closed roads already: what was measured of them, more or less what else has come or
 * gone. Null: it leads around none, or what was measured cannot be told from what is over.
 */
function measuredDelay(leg: Leg, { circles, measured, changed, lose }: Measured): LegDelay | null {
  const before = new Set(leg.met);
  const around = measured.filter((id) => before.has(id));
  if (around.length === 0) return null;
  const others = circles.filter(({ id }) => !around.includes(id));
  const now = lose(leg, others);
  const isOver = (id: number): boolean => id === changed || !now.incidents.includes(id);
  if ([...before].some((id) => !around.includes(id) && isOver(id))) return null;
  const was = others.filter(({ id }) => before.has(id));
  return {
    delay: leg.before + now.delay - lose(leg, was).delay,
    incidents: [...now.incidents, ...around],
    detourM: leg.detourM,
  };
}

type Detoured = Pick<Measured, 'circles' | 'lose'> & { detours: Detours | null; name: string };

/**
 * What a leg loses where the engine was asked for the way around what is closed, with what slows that way: by its own
 * course where that is another. Null: it was not asked.
 */
function detourDelay(leg: Leg, { circles, detours, name, lose }: Detoured): LegDelay | null {
  const way = detours?.wayOf.get(name);
  if (!detours || !way) return null;
  const isAround = ({ id }: IncidentCircle): boolean => detours.ids.has(id);
  const [seconds, metres] = [leg.seconds + way.moreSeconds, leg.metres + way.moreMetres];
  const lost = lose(
    { ...leg, seconds, metres, line: way.line ?? leg.line },
    circles.filter((circle) => !isAround(circle)),
  );
  const met = lose(leg, circles.filter(isAround)).incidents;
  if (way.moreSeconds === 0 && met.length === 0) return { ...lost, detourM: way.moreMetres };
  // Named also where the way round takes no longer: what is named is not guessed again.
  const around = met.length > 0 ? met : circles.filter(isAround).map(({ id }) => id);
  const delay = lost.delay + way.moreSeconds;
  return { delay, incidents: [...lost.incidents, ...around], detourM: way.moreMetres };
}

/** Seconds by which work at a stop moves when the arrival does: waiting for the door takes some of it up. */
function afterDoor(stop: StopRow | null, seconds: number): number {
  if (!stop?.estimatedArrival) return seconds;
  const arrival = Date.parse(stop.estimatedArrival);
  return (beginsAt(stop, arrival + seconds * 1000) - beginsAt(stop, arrival)) / 1000;
}

function isOther(leg: Leg, lost: LegDelay): boolean {
  if (leg.before !== lost.delay || leg.detourM !== lost.detourM) return true;
  return String(leg.met) !== String(lost.incidents);
}

async function tell(tx: Db, { id, routeDesignation, driverId }: RouteRow): Promise<void> {
  const designations = routeDesignation ? [routeDesignation] : [];
  await publish(tx, { topic: 'routes', ids: [id], routes: designations, users: driverId ? [driverId] : [] });
}
