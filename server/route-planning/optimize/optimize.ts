import { eq } from 'drizzle-orm';
import type { OptimizeResult } from '../../../contract/routes.ts';
import { AppError, notFound } from '../../../domain/errors.ts';
import { type LocationRef, locationKey, type Point, toPoint } from '../../../domain/location.ts';
import { distanceKm } from '../../../domain/place.ts';
import { type OptimizeInput, type PlanVehicle, unknownOptions } from '../../../domain/route.ts';
import { dayIn } from '../../../domain/time.ts';
import { toldDistance } from '../../../domain/units.ts';
import { recordAudit } from '../../audit/service.ts';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { worthOfVisits } from '../../need/service.ts';
import { type Scope, scopeOf } from '../../scope/service.ts';
import { getOperator, today } from '../../settings/service.ts';
import { eachLocation } from '../each-location.ts';
import { updateExpected } from '../progress/progress-queries.ts';
import {
  findDepot,
  findDepotOfDesignation,
  findRoutes,
  findStops,
  findVehicle,
  lockRoute,
  type PlannedLocation,
  type StopRow,
  stopsOfRoutes,
  updateRouteRow,
  updateStopPlan,
  updateStops,
} from '../queries.ts';
import { dividedStops, leavesAt } from '../retiming/rest.ts';
import { leavingOn, type Start } from '../retiming/timing.ts';
import { getRoute } from '../service.ts';
import { routes } from '../tables.ts';
import { tellRoute } from '../tell.ts';
import { type Best, bestOrder, type Candidate, type Wish } from './best-order.ts';
import { chooseStops } from './choose-stops.ts';
import { startWarnings } from './off-road.ts';

const nothingSelected = 'Please select at least one market or vending machine to optimize the route.';

/** Puts locations, or the open stops of a saved route, in the best order; never worse than the order given. */
export async function optimize(deps: Deps, caller: Caller, input: OptimizeInput): Promise<OptimizeResult> {
  const scope = await scopeOf(deps, caller);
  const saved = input.routeId ? await savedRoute(deps, scope, input.routeId) : null;
  const refs = refsOf(input, saved);
  if (refs.length === 0 && !saved)
    throw new AppError('invalid-input', nothingSelected, { fields: { marketIds: nothingSelected } });
  const locations = await eachLocation(deps.db, scope, refs);
  const trip = await tripOf(deps, input, saved, locations);
  const { timeZone } = await getOperator(deps.db);
  const day = saved?.date ?? dayIn(timeZone, trip.startAt);
  const chosen =
    input.options.optional && !saved
      ? await chooseStops(deps, { ...trip, locations, day })
      : { kept: locations, leftOut: [] };
  const best = await bestOrder(deps, {
    locations: chosen.kept,
    ...trip,
    timeLimitMs: input.options.timeLimitMs,
    seed: input.options.seed,
    ...(saved ? {} : { mayLeaveOut: true, load: await loadOf(deps, { input, locations: chosen.kept, day }) }),
  });
  if (saved) await store(deps, caller, saved, best);
  const result = toResult(best, trip, saved);
  return {
    ...result,
    unassigned: [...result.unassigned, ...chosen.leftOut],
    warnings: [
      ...(await startWarnings(deps.roads, trip.depot ? [trip.depot] : [], chosen.kept)),
      ...result.warnings,
      ...vehicleWarnings(input, saved !== null),
      ...optionWarnings(input),
    ],
  };
}

function vehicleWarnings({ vehicles }: OptimizeInput, isSaved: boolean): string[] {
  if (isSaved) return vehicles.length > 0 ? [ownVehicle] : [];
  return vehicles.length > 1 ? [onlyFirstVehicle] : [];
}

function optionWarnings({ options }: OptimizeInput): string[] {
  const unknown = unknownOptions(options).slice(0, mostNamed);
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => name.slice(0, longestName)).join(', ');
  return [`Not known and left out: the option${unknown.length === 1 ? '' : 's'} ${names}.`];
}

const mostNamed = 5;
const longestName = 40;

const ownVehicle = 'A saved route keeps its own vehicle: the vehicles given were not planned with.';

const onlyFirstVehicle = 'One vehicle drives a route: the first one given is planned with. Plan the day for several.';

type Loading = { input: OptimizeInput; locations: readonly PlannedLocation[]; day: string };

/** What the chosen vehicle holds, and what visits need and are worth where that is not enough for all. */
async function loadOf(deps: Deps, { input, locations, day }: Loading): Promise<NonNullable<Wish['load']>> {
  const [vehicle] = input.vehicles;
  const capacityTotes = vehicle === undefined ? null : await capacityOf(deps.db, vehicle);
  if (capacityTotes === null) return { capacityTotes, worths: new Map() };
  const worths = await worthOfVisits(deps, locations, day);
  const needed = [...worths.values()].reduce((sum, { totes }) => sum + totes, 0);
  // All fit: nothing is weighed.
  return { capacityTotes: needed <= capacityTotes ? null : capacityTotes, worths };
}

async function capacityOf(db: Db, wanted: PlanVehicle): Promise<number | null> {
  const { id, capacity = null } = typeof wanted === 'number' ? { id: wanted } : wanted;
  if (id === undefined) return capacity;
  const vehicle = await findVehicle(db, id);
  if (!vehicle) throw notFound('vehicle');
  return capacity ?? vehicle.capacityTotes;
}

type Saved = {
  id: number;
  /** What can still be put in another order. */
  rest: StopRow[];
  /** Done, left out, and where the driver is or drives to: their order and planned times stay. */
  kept: StopRow[];
  current: StopRow | null;
  status: string;
  depotId: number | null;
  date: string;
  plannedStartAt: Date | null;
  earliestStartAt: Date | null;
};

async function savedRoute(deps: Deps, scope: Scope, id: number): Promise<Saved> {
  const route = await getRoute(deps.db, scope, id);
  if (route.status === 'completed') throw new AppError('conflict', 'This route is completed; its order is history.');
  const stops = await findStops(deps.db, stopsOfRoutes([id]));
  const { settled, current, rest } = dividedStops(route.status, stops);
  if (!current && rest.length === 0) throw new AppError('conflict', 'Every stop of this route is done.');
  const kept = current ? [...settled, current] : settled;
  const { status, depotId, date } = route;
  const [row] = await findRoutes(deps.db, eq(routes.id, id));
  const { plannedStartAt = null, earliestStartAt = null } = row ?? {};
  return { id, rest, kept, current, status, depotId, date, plannedStartAt, earliestStartAt };
}

function refsOf(input: OptimizeInput, saved: Saved | null): LocationRef[] {
  if (saved) return saved.rest.map(refOf);
  const markets = input.marketIds.map((id): LocationRef => ({ type: 'market', id }));
  const machines = input.vendingMachineIds.map((id): LocationRef => ({ type: 'vending_machine', id }));
  return [...markets, ...machines];
}

function refOf(stop: StopRow): LocationRef {
  if (stop.marketId !== null) return { type: 'market', id: stop.marketId };
  return { type: 'vending_machine', id: stop.vendingMachineId ?? 0 };
}

/** `depot`: where it starts, null where that is a stop. */
type Trip = Pick<Wish, 'start' | 'end' | 'startAt' | 'began' | 'mayLeaveLater'> & { depot: Depot | null };
/** Its name is null where only a position was given. */
type Depot = { name: string | null; point: Point };

/** Where and when driving begins: a route under way goes on from its current stop, a planned one from its depot. */
async function tripOf(
  deps: Deps,
  input: OptimizeInput,
  saved: Saved | null,
  locations: readonly PlannedLocation[],
): Promise<Trip> {
  const depot = await depotOf(deps.db, input, saved, locations);
  const start = depot ? { ...depot, name: depot.name ?? 'Start' } : firstOf(locations);
  const day = saved?.date ?? input.date ?? (await today(deps.db, deps.clock));
  const leaving = await leavingOn(deps, { day, earliest: saved?.earliestStartAt ?? saved?.plannedStartAt ?? null });
  const current = saved?.current;
  if (current) {
    const here = { name: current.locationName, point: toPoint(current) };
    const startAt = leavesAt(current, deps.clock.now());
    return { ...leaving, start: here, end: start.point, startAt, mayLeaveLater: false, depot: null };
  }
  return { ...leaving, start, end: null, mayLeaveLater: true, depot };
}

function firstOf([first]: readonly PlannedLocation[]): Start {
  return { name: first?.name ?? 'Start', point: first ? toPoint(first) : { lat: 0, lng: 0 } };
}

async function depotOf(
  db: Db,
  input: OptimizeInput,
  saved: Saved | null,
  locations: readonly PlannedLocation[],
): Promise<Depot | null> {
  const { startLocation } = input;
  if (startLocation) return givenStart(db, { lat: startLocation.lat, lng: startLocation.lng }, input.depotId);
  const designations = new Set(locations.map((location) => location.routeDesignation));
  const [only] = designations;
  const usual = designations.size === 1 && only ? await findDepotOfDesignation(db, only) : null;
  const depot = await findDepot(db, saved?.depotId ?? input.depotId ?? usual);
  if (!depot && !saved && input.depotId) throw notFound('depot');
  return depot ? { name: depot.name, point: toPoint(depot) } : null;
}

/** A position given as the start has the name of the depot it is that of. */
async function givenStart(db: Db, point: Point, depotId: OptimizeInput['depotId']): Promise<Depot> {
  const depot = depotId ? await findDepot(db, depotId) : undefined;
  const isThere = depot && distanceKm(toPoint(depot), point) < 0.01;
  return { name: isThere ? depot.name : null, point };
}

async function store(deps: Deps, caller: Caller, saved: Saved, best: Best): Promise<void> {
  const stopOf = new Map(saved.rest.map((stop) => [locationKey(refOf(stop)), stop]));
  await deps.db.transaction(async (tx) => {
    const route = await lockRoute(tx, saved.id);
    if (!route || route.status !== saved.status) {
      throw new AppError('conflict', 'The route changed while its order was computed. Try again.');
    }
    const stops = await findStops(tx, stopsOfRoutes([saved.id]));
    const now = dividedStops(route.status, stops);
    if (now.current?.id !== saved.current?.id || !isSame(now.rest, saved.rest)) {
      throw new AppError('conflict', 'A stop was completed while the order was computed. Try again.');
    }
    const places = placesOf(saved);
    const changes = best.timed.legs.flatMap((leg, index) => {
      const [stop, stopOrder] = [stopOf.get(locationKey(leg.location)), places[index]];
      return stop && stopOrder ? [{ id: stop.id, stopOrder, estimatedArrival: leg.arrivalAt, ...legOf(leg) }] : [];
    });
    await updateStopPlan(tx, changes);
    await putLast(tx, best, stopOf, places.slice(changes.length));
    if (saved.current) await updateExpected(tx, changes.map(expectedOf));
    await updateRouteRow(tx, saved.id, { optimized: true, ...totalsOf(saved, best), distanceSource: best.source });
    if (saved.status === 'planned') await updateRouteRow(tx, saved.id, { plannedStartAt: best.timed.startAt });
    await recordAudit(tx, caller, { action: 'route.optimize', objectType: 'route', objectId: saved.id });
    await tellRoute(tx, route);
  });
}

const expectedOf = ({ id, estimatedArrival }: { id: number; estimatedArrival: string }) => ({
  id,
  at: estimatedArrival,
});

/** Numbers of the stops that get another order: what is kept between them stays where it is. */
const placesOf = ({ rest }: Saved): number[] => rest.map((stop) => stop.stopOrder).toSorted((a, b) => a - b);

function isSame(some: readonly StopRow[], others: readonly StopRow[]): boolean {
  const ids = new Set(others.map((stop) => stop.id));
  return some.length === others.length && some.every((stop) => ids.has(stop.id));
}

const unreachedReason = 'There is no way there by road.';

/** Stops that no road leads to stay part of the route, at its end and without a leg, until a person decides. */
async function putLast(
  tx: Db,
  { unreached }: Best,
  stopOf: ReadonlyMap<string, StopRow>,
  places: readonly number[],
): Promise<void> {
  for (const [index, location] of unreached.entries()) {
    const stop = stopOf.get(locationKey(location));
    const fields = {
      stopOrder: places[index] ?? 0,
      estimatedArrival: null,
      expectedArrival: null,
      legDistanceKm: null,
      legDurationMin: null,
    };
    if (stop) await updateStops(tx, [stop.id], fields);
  }
}

type Leg = Candidate['timed']['legs'][number];

const legOf = ({
  opensAt,
  closesAt,
  serviceMin,
  serviceVisits,
  legDistanceKm,
  legDurationMin,
  incidents,
  delay,
  detourM,
}: Leg) => ({
  opensAt,
  closesAt,
  serviceMin,
  serviceVisits,
  legDistanceKm,
  legDurationMin,
  incidents,
  delay,
  detourM,
});

/** What is driven already, or now, stays part of the route's totals. */
function totalsOf(saved: Saved, { timed }: Candidate) {
  const drivenKm = saved.kept.reduce((sum, stop) => sum + (stop.legDistanceKm ?? 0), 0);
  const drivenMin = Math.round(saved.kept.reduce((sum, stop) => sum + (stop.legDurationMin ?? 0), 0));
  const servedMin = saved.kept.reduce((sum, stop) => sum + stop.serviceMin, 0);
  const drivingMin = drivenMin + timed.drivingMin;
  const serviceMin = servedMin + timed.serviceMin;
  const delay = saved.kept.reduce((sum, stop) => sum + stop.delay, 0) + timed.delay;
  const totalDistance = drivenKm + timed.distanceKm;
  const detourM = saved.kept.reduce((sum, stop) => sum + stop.detourM, 0) + timed.detourM;
  return {
    totalDistance,
    detourM,
    drivingMin,
    serviceMin,
    estimatedTime: drivingMin + serviceMin + timed.waitMin,
    delay,
    homeSeconds: timed.homeSeconds,
    homeIncidents: timed.homeIncidents,
  };
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

const namesOf = ({ type, id, name }: PlannedLocation) => ({ type, id, name });

function toResult(best: Best, trip: Trip, saved: Saved | null): OptimizeResult {
  const { timed, given } = best;
  const places = saved ? placesOf(saved) : [];
  return {
    optimizedOrder: timed.legs.map((leg, index) => ({
      type: leg.location.type,
      id: leg.location.id,
      name: leg.location.name,
      address: leg.location.address,
      latitude: leg.location.latitude,
      longitude: leg.location.longitude,
      stopOrder: places[index] ?? index + 1,
      arrivalAt: leg.arrivalAt,
      waitMin: leg.waitMin,
      lateMin: leg.lateMin,
      opensAt: leg.opensAt,
      closesAt: leg.closesAt,
      serviceMin: leg.serviceMin,
      serviceVisits: leg.serviceVisits,
      legDistanceKm: tenth(leg.legDistanceKm),
      legDurationMin: leg.legDurationMin,
      incidents: leg.incidents,
      delay: leg.delay,
      completed: false,
    })),
    unassigned: [
      ...best.unreached.map((location) => ({ ...namesOf(location), reason: unreachedReason })),
      ...(saved ? [] : best.left.map(({ location, reason }) => ({ ...namesOf(location), reason }))),
    ],
    warnings: [
      ...best.warnings,
      ...(saved ? best.left.map(({ location, reason }) => `${location.name}: ${reason}`) : []),
    ],
    totalDistance: toldDistance(timed.distanceKm),
    estimatedTime: timed.wholeMin,
    drivingMin: timed.drivingMin,
    serviceMin: timed.serviceMin,
    waitMin: timed.waitMin,
    givenDistance: toldDistance(given.timed.distanceKm),
    givenTime: given.timed.wholeMin,
    distanceSource: best.source,
    delay: timed.delay,
    start: { name: trip.start.name, lat: trip.start.point.lat, lng: trip.start.point.lng },
    routeIds: saved ? [saved.id] : [],
  };
}
