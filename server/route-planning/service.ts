import { and, eq, type SQL } from 'drizzle-orm';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { locationKey, type Point } from '../../domain/location.ts';
import type { RouteInput } from '../../domain/route.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { inPieces, isOneOf } from '../db/statements/pieces.ts';
import type { Deps, Roads } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Pieces } from '../http/long-list.ts';
import { routeInScope, type Scope, scopeOf } from '../scope/service.ts';
import { expectKnownCrew } from './crew.ts';
import { eachLocation } from './each-location.ts';
import { activeIncidents, drivenFrom, type Span } from './incidents.ts';
import { type Around, closedAreas, matrixAround } from './optimize/closures.ts';
import {
  findDepot,
  findDepotOfDesignation,
  findRouteKeys,
  findRoutes,
  findStops,
  insertRoute,
  insertStops,
  type RouteRow,
  stopsOfRoutes,
} from './queries.ts';
import { toScheduledRoute } from './replies.ts';
import { drivenBetween, openLegs, pointsThroughAll } from './retiming/legs.ts';
import { type Leaving, leavingOn, pointsThrough, timePlan } from './retiming/timing.ts';
import { routes } from './tables.ts';
import { tellRoute } from './tell.ts';

export { tellRoutesTo } from './deleted-places.ts';
export { eachLocation } from './each-location.ts';
export { activeIncidents, drivenFrom, type Incidents, readFactors, writeFactors } from './incidents.ts';
export { type Around, aroundOver, matrixAround, nearTo } from './optimize/closures.ts';
export { offRoadWarnings, startWarnings } from './optimize/off-road.ts';
export { applyProgress } from './progress/progress.ts';
export { findLocations, type PlannedLocation, renameRouteDesignation } from './queries.ts';
export { measureDetours } from './retiming/detours.ts';
export { retimeRoutes } from './retiming/retiming.ts';
export { slowAround } from './retiming/timing.ts';

/** Routes under a condition with their stops, as the schedule and the phones read them. */
export async function loadScheduledRoutes(db: Db, condition: SQL | undefined): Promise<ScheduledRoute[]> {
  return withStops(db, await findRoutes(db, condition));
}

/** Routes of a piece: with their stops they are long. */
const ROUTES = 20;

/** The same piece by piece. */
export async function listScheduledRoutes(db: Db, condition: SQL | undefined): Promise<Pieces<ScheduledRoute>> {
  const read = (ids: number[]) => loadScheduledRoutes(db, and(condition, isOneOf(routes.id, ids)));
  return inPieces(await findRouteKeys(db, condition), read, ROUTES);
}

export async function withStops(db: Db, found: readonly RouteRow[]): Promise<ScheduledRoute[]> {
  if (found.length === 0) return [];
  const stops = await findStops(db, stopsOfRoutes(found.map((route) => route.id)));
  const byRoute = grouped(stops);
  return found.map((route) => toScheduledRoute(route, byRoute.get(route.id) ?? []));
}

function grouped<T extends { routeId: number }>(stops: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const stop of stops) {
    const others = groups.get(stop.routeId);
    if (others) others.push(stop);
    else groups.set(stop.routeId, [stop]);
  }
  return groups;
}

/** One route in scope; refuses others as unknown. */
export async function getRoute(db: Db, scope: Scope, id: number): Promise<ScheduledRoute> {
  const [found] = await loadScheduledRoutes(db, and(routeInScope(scope), eq(routes.id, id)));
  if (!found) throw notFound('route');
  return found;
}

/**
 * Where a route in scope leads, its depot, its stops in their order, and back, and when: what is left of it is driven from
 * now on; one that is completed was driven as it was.
 */
export async function wayOfRoute(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  id: number,
): Promise<{ points: Point[]; driven: Span }> {
  const [route] = await findRoutes(db, and(routeInScope(scope), eq(routes.id, id)));
  if (!route) throw notFound('route');
  const stops = await findStops(db, stopsOfRoutes([id]));
  const { startedAt, completedAt } = route;
  const driven =
    startedAt && completedAt
      ? { from: startedAt, until: completedAt }
      : drivenBetween(route, openLegs(route, stops), clock.now());
  return { points: pointsThroughAll(route, stops), driven };
}

/** Roads that are closed while a way through points is driven. */
export async function closedBetween(db: Db, points: readonly Point[], driven: Span): Promise<Point[][]> {
  const { between } = await activeIncidents(db);
  return closedAreas(between(driven), points);
}

/** Saves a route made from a selection, in the order given, with planned times from its depot. */
export async function createRoute(deps: Deps, caller: Caller, input: RouteInput): Promise<ScheduledRoute> {
  const scope = await scopeOf(deps, caller);
  const { roads } = deps;
  await expectKnownCrew(deps.db, input);
  await refuseRepeats(deps.db, scope, input.stops);
  const leaving = await leavingOn(deps, { day: input.date });
  const around = await askRoads(deps, scope, { ...input, ...leaving });
  const id = await deps.db.transaction((tx) =>
    insertPlannedRoute(tx, caller, scope, { ...input, ...leaving, roads, around }),
  );
  return getRoute(deps.db, scope, id);
}

/** A route comes to a place once: a second stop there is a slip of who wrote the list, and is not dropped in silence. */
async function refuseRepeats(db: Db, scope: Scope, stops: RouteInput['stops']): Promise<void> {
  const keys = stops.map(locationKey);
  const at = keys.findIndex((key, index) => keys.indexOf(key) < index);
  const repeated = stops[at];
  if (!repeated) return;
  const [place] = await eachLocation(db, scope, [repeated]);
  const sentence = `${place?.name} is on this route more than once. Name each location once.`;
  throw new AppError('invalid-input', sentence, { fields: { [`stops.${at}`]: sentence } });
}

/**
 * The same in a transaction of the caller's; `around` is the travel through depot and
 * stops.
 */
export async function insertPlannedRoute(
  tx: Db,
  caller: Caller,
  scope: Scope,
  input: RouteInput & Leaving & { roads: Roads; around: Around },
): Promise<number> {
  const { locations, designation, depot } = await placesOf(tx, scope, input);
  const { startAt, began, roads } = input;
  const places = locations.length + 1;
  // Who changed the depot meanwhile gets what is stored of the roads.
  const around = input.around.matrix.durations.length === places ? input.around : null;
  const plan = await timePlan(tx, { locations, depot: depot ?? null, startAt, began, roads, around });
  const [row] = await insertRoute(tx, {
    name: input.name,
    date: input.date,
    routeDesignation: designation,
    optimized: input.optimized,
    driverId: input.driverId ?? null,
    vehicleId: input.vehicleId ?? null,
    depotId: depot?.id ?? null,
    createdBy: caller.userId,
    ...plan.totals,
  });
  if (!row) throw new AppError('internal', 'The route was not saved.');
  await insertStops(
    tx,
    locations.map((location, index) => ({
      routeId: row.id,
      marketId: location.type === 'market' ? location.id : null,
      vendingMachineId: location.type === 'vending_machine' ? location.id : null,
      locationName: location.name,
      locationType: location.type,
      ...plan.stop(index),
    })),
  );
  await recordAudit(tx, caller, {
    action: 'route.create',
    objectType: 'route',
    objectId: row.id,
    detail: { date: input.date },
  });
  await tellRoute(tx, { id: row.id, routeDesignation: designation, driverId: input.driverId ?? null });
  return row.id;
}

async function placesOf(db: Db, scope: Scope, input: RouteInput) {
  const locations = await eachLocation(db, scope, input.stops);
  const designation = input.routeDesignation || oneDesignation(locations);
  const depotId = input.depotId ?? (designation ? await findDepotOfDesignation(db, designation) : null);
  return { locations, designation, depot: await findDepot(db, depotId) };
}

/** Has the road engine answer before a transaction begins: within one nobody waits for another server. */
async function askRoads({ db, roads }: Deps, scope: Scope, input: RouteInput & Leaving) {
  const { locations, depot } = await placesOf(db, scope, input);
  const { startAt } = input;
  const met = (await activeIncidents(db)).between(drivenFrom(startAt));
  return matrixAround(roads, pointsThrough(depot ?? null, locations), met);
}

function oneDesignation(locations: readonly { routeDesignation: string | null }[]): string | null {
  const all = new Set(locations.map((location) => location.routeDesignation));
  const [only] = all;
  return all.size === 1 && only ? only : null;
}
