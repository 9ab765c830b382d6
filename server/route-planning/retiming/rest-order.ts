import { and, eq, type SQL } from 'drizzle-orm';
import { AppError, notFound } from '../../../domain/errors.ts';
import { type Point, toPoint } from '../../../domain/location.ts';
import { recordAudit } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { routeInScope, scopeOf } from '../../scope/service.ts';
import { getOperator } from '../../settings/service.ts';
import { activeIncidents, drivenFrom } from '../incidents.ts';
import { type Around, matrixAround } from '../optimize/closures.ts';
import { updateExpected } from '../progress/progress-queries.ts';
import {
  findRoutes,
  findStops,
  lockRoute,
  type RouteRow,
  type StopRow,
  stopsOfRoutes,
  updateRouteRow,
  updateStopPlan,
} from '../queries.ts';
import { routes } from '../tables.ts';
import { tellRoute } from '../tell.ts';
import { lineName } from './legs.ts';
import { leavesAt, type Rest, restOf } from './rest.ts';
import { doorsOf, slowed, type Timed, timeOrder } from './timing.ts';

type Ordered = { routeId: number; previous: number[]; savedMin: number };

const changed = 'The route changed meanwhile: another order of its rest is not possible any more. Look at it again.';

/** Puts the rest of a route in the order of these stops, whole or not at all. Answers with the order before. */
export async function orderRest(deps: Deps, caller: Caller, id: number, stopIds: readonly number[]): Promise<Ordered> {
  const scope = routeInScope(await scopeOf(deps, caller));
  const asked = await askedRoads(deps, and(scope, eq(routes.id, id)), stopIds);
  return deps.db.transaction(async (tx) => {
    await lockRoute(tx, id);
    const [route] = await findRoutes(tx, and(scope, eq(routes.id, id)));
    if (!route) throw notFound('route');
    const stops = await findStops(tx, stopsOfRoutes([id]));
    const rest = await restOf({ db: tx, clock: deps.clock }, route, stops);
    if (!rest || !isSameSet(rest.stops, stopIds)) throw new AppError('conflict', changed);
    const savedMin = await store(deps, tx, { route, stops, rest, stopIds, asked });
    await recordAudit(tx, caller, {
      action: 'route.reorder',
      objectType: 'route',
      objectId: id,
      detail: { before: rest.stops.map((stop) => stop.id), after: stopIds },
    });
    await tellRoute(tx, route);
    return { routeId: id, previous: rest.stops.map((stop) => stop.id), savedMin };
  });
}

function isSameSet(stops: readonly StopRow[], ids: readonly number[]): boolean {
  const named = new Set(ids);
  return named.size === ids.length && stops.length === ids.length && stops.every((stop) => named.has(stop.id));
}

/** Travel through places as the road engine answered. */
type Asked = { places: Point[]; around: Around };

/**
 * Has the road engine say what the rest takes around closed roads, as a plan does, before a transaction begins: within one
 * nobody waits for another server. Null: there is no such rest, which is refused later.
 */
async function askedRoads(deps: Deps, condition: SQL | undefined, stopIds: readonly number[]): Promise<Asked | null> {
  const { db, roads } = deps;
  const [route] = await findRoutes(db, condition);
  const rest = route ? await restOf(deps, route, await findStops(db, stopsOfRoutes([route.id]))) : null;
  if (!rest || !isSameSet(rest.stops, stopIds)) return null;
  const { startAt } = rest.wish;
  const met = (await activeIncidents(db)).between(drivenFrom(startAt));
  const places = placesOf(rest.wish);
  return { places, around: await matrixAround(roads, places, met) };
}

const placesOf = ({ start, locations, end }: Rest['wish']): Point[] => [
  start.point,
  ...locations.map(toPoint),
  ...(end ? [end] : []),
];

type Wanted = {
  route: RouteRow;
  stops: readonly StopRow[];
  rest: Rest;
  stopIds: readonly number[];
  asked: Asked | null;
};

/** Stores the times of the new order; answers with the minutes of driving it saves. */
async function store(deps: Deps, tx: Db, { route, stops, rest, stopIds, asked }: Wanted): Promise<number> {
  const timed = await timedRest(deps, tx, { ...rest.wish, asked });
  const given = timed.order(rest.stops.map((_, index) => index + 1));
  const next = timed.order(stopIds.map((id) => rest.stops.findIndex((stop) => stop.id === id) + 1));
  await updateStopPlan(
    tx,
    next.legs.flatMap(
      ({ location: _location, hasWay, waitMin: _waitMin, lateMin: _lateMin, arrivalAt, ...leg }, index) => {
        const [id, stopOrder] = [stopIds[index], rest.stops[index]?.stopOrder];
        const way = hasWay ? leg : { ...leg, legDistanceKm: null, legDurationMin: null };
        return id && stopOrder ? [{ id, stopOrder, estimatedArrival: arrivalAt, ...way }] : [];
      },
    ),
  );
  const kept = stops.filter((stop) => !stopIds.includes(stop.id));
  await updateExpected(tx, expectedOf(rest, { stopIds, timed: next, now: deps.clock.now() }));
  const drivingMin = Math.round(sumOf(kept, (stop) => stop.legDurationMin ?? 0)) + next.drivingMin;
  const serviceMin = sumOf(kept, (stop) => stop.serviceMin) + next.serviceMin;
  await updateRouteRow(tx, route.id, {
    drivingMin,
    serviceMin,
    estimatedTime: drivingMin + serviceMin + next.waitMin,
    totalDistance: sumOf(kept, (stop) => stop.legDistanceKm ?? 0) + next.distanceKm,
    delay: sumOf(kept, (stop) => stop.delay) + next.delay,
    homeSeconds: next.homeSeconds,
    homeIncidents: next.homeIncidents,
    detourM: sumOf(kept, (stop) => stop.detourM) + next.detourM,
    distanceSource: timed.source,
    ...(route.status === 'planned' ? { plannedStartAt: next.startAt } : {}),
  });
  return Math.floor((given.drivingSeconds - next.drivingSeconds) / 60);
}

type Reordered = { stopIds: readonly number[]; timed: Timed; now: Date };

/** The new order as the day goes: from when the driver will really leave the current stop. */
function expectedOf({ current, wish }: Rest, { stopIds, timed, now }: Reordered) {
  if (!current) return [];
  const laterMs = leavesAt(current, now).getTime() - wish.startAt.getTime();
  return timed.legs.flatMap(({ arrivalAt }, index) => {
    const id = stopIds[index];
    return id ? [{ id, at: new Date(Date.parse(arrivalAt) + laterMs).toISOString() }] : [];
  });
}

type Timing = Rest['wish'] & { asked: Asked | null };

/** Times orders of the rest with what the engine said, or else is known, of the roads. */
async function timedRest({ roads }: Deps, tx: Db, { asked, ...wish }: Timing) {
  const { locations, startAt, began, mayLeaveLater } = wish;
  const places = placesOf(wish);
  // Who drove on meanwhile gets what is stored of the roads.
  const around = asked && lineName(asked.places) === lineName(places) ? asked.around : null;
  const { timeZone } = await getOperator(tx);
  const clean = {
    matrix: around?.matrix ?? (await roads.knownMatrix(tx, places)),
    order: locations.map((_, index) => index + 1),
    locations,
    doors: doorsOf(locations, { timeZone, startAt, began }),
    startAt,
    home: wish.end ? places.length - 1 : 0,
    mayLeaveLater,
  };
  const incidents = await activeIncidents(tx);
  const { matrix, delayBetween } = await slowed(clean, places, { db: tx, roads, incidents, driven: around?.driven });
  return {
    source: matrix.source,
    order: (other: number[]) => timeOrder({ ...clean, matrix, order: other, delayBetween }),
  };
}

function sumOf<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
