import type { PlannedStop } from '../../../contract/routes.ts';
import { type LegDelay, noDelay, slowMatrix, withDetours } from '../../../domain/incident-effect.ts';
import { type Point, toPoint } from '../../../domain/location.ts';
import { type Entry, entryAt, type Opening, openingsOn } from '../../../domain/openings.ts';
import { dayIn, instantIn } from '../../../domain/time.ts';
import type { Db } from '../../db/database.ts';
import type { Deps, Roads } from '../../deps.ts';
import { getOperator } from '../../settings/service.ts';
import { activeIncidents, type Incidents } from '../incidents.ts';
import type { Around, Driven } from '../optimize/closures.ts';
import type { TravelMatrix } from '../optimize/travel-matrix.ts';
import type { PlannedLocation } from '../queries.ts';

/** Routes leave at six in the morning unless they say otherwise. */
const leaveAtMin = 6 * 60;
/** Doors that open later than this after a route began are not waited for, unless it is still the same day. */
const longestShiftMin = 12 * 60;

export type Start = { name: string; point: Point };

export type Leaving = {
  startAt: Date;
  /** When the working day of the route begins or began: how long it can last is counted from there. */
  began: Date;
};

/** From when a route can leave: at the beginning of its day's work, or now when that has passed today. */
export async function leavingOn(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { day, earliest = null }: { day: string; earliest?: Date | null },
): Promise<Leaving> {
  const { timeZone } = await getOperator(db);
  const now = clock.now();
  const began = earliest ?? instantIn(timeZone, day, leaveAtMin);
  const isPast = began < now && dayIn(timeZone, began) === dayIn(timeZone, now);
  return { startAt: isPast ? now : began, began };
}

/**
 * When the doors of locations are open for who leaves at an instant, in their order; null: at any time. A route of the
 * day does not wait for the next morning; one that begins in the evening meets its doors all night.
 */
export function doorsOf(
  locations: readonly Pick<PlannedLocation, 'accessHours'>[],
  { timeZone, startAt, began }: Leaving & { timeZone: string },
): (Opening[] | null)[] {
  const day = dayIn(timeZone, startAt);
  const sinceMidnight = (at: Date): number => (at.getTime() - instantIn(timeZone, day, 0).getTime()) / 60_000;
  const untilMin = Math.max(24 * 60, sinceMidnight(began) + longestShiftMin);
  return locations.map(({ accessHours }) => openingsOn(accessHours, { timeZone, day, untilMin }));
}

type Wish = Leaving & {
  locations: PlannedLocation[];
  depot: { name: string; latitude: string; longitude: string } | null;
  roads: Roads;
  /** Travel from the depot, or the first stop, through the stops in their order; null: what is stored of the roads. */
  around: Around | null;
};

type Placed = { latitude: string; longitude: string };

/** Where a route leads: from its depot, or its first stop, through the stops. */
export function pointsThrough(depot: Placed | null, locations: readonly Placed[]): Point[] {
  const origin = depot ?? locations[0];
  return origin ? [origin, ...locations].map(toPoint) : [];
}

/** Times an order: matrix, start and what each stop and the whole of it take. */
export async function timePlan(db: Db, wish: Wish) {
  const { timeZone } = await getOperator(db);
  const { startAt, began } = wish;
  const places = pointsThrough(wish.depot, wish.locations);
  const order = wish.locations.map((_, index) => index + 1);
  const known = wish.around?.matrix ?? (await wish.roads.knownMatrix(db, places));
  const doors = doorsOf(wish.locations, { timeZone, startAt, began });
  const clean = { matrix: known, order, locations: wish.locations, doors, startAt, mayLeaveLater: true };
  const { matrix, delayBetween } = await slowed(clean, places, {
    db,
    roads: wish.roads,
    incidents: await activeIncidents(db),
    driven: wish.around?.driven ?? null,
  });
  const timed = timeOrder({ ...clean, matrix, delayBetween });
  return {
    totals: {
      totalDistance: timed.distanceKm,
      estimatedTime: timed.wholeMin,
      drivingMin: timed.drivingMin,
      serviceMin: timed.serviceMin,
      distanceSource: matrix.source,
      plannedStartAt: timed.startAt,
      earliestStartAt: began,
      delay: timed.delay,
      homeSeconds: timed.homeSeconds,
      homeIncidents: timed.homeIncidents,
      detourM: timed.detourM,
    },
    stop: (index: number) => {
      const leg = timed.legs[index];
      return {
        stopOrder: index + 1,
        estimatedArrival: leg ? new Date(leg.arrivalAt) : null,
        opensAt: leg?.opensAt ? new Date(leg.opensAt) : null,
        closesAt: leg?.closesAt ? new Date(leg.closesAt) : null,
        serviceMin: leg?.serviceMin ?? 0,
        serviceVisits: leg?.serviceVisits ?? 0,
        legDistanceKm: leg?.hasWay ? leg.legDistanceKm : null,
        legDurationMin: leg?.hasWay ? leg.legDurationMin : null,
        incidents: leg?.incidents ?? [],
        delay: leg?.delay ?? 0,
        detourM: leg?.detourM ?? 0,
      };
    },
  };
}

type Order = {
  matrix: TravelMatrix;
  /** Places of the matrix in driving order; 0 is the start, place n is location n - 1. */
  order: readonly number[];
  locations: readonly PlannedLocation[];
  /** When their doors are open, by position; absent: always. */
  doors?: readonly (readonly Opening[] | null)[];
  startAt: Date;
  /** The driver is not on the road yet, and leaves so that the first door is open on arrival. */
  mayLeaveLater?: boolean;
  /** Place of the matrix where the route ends; the start, if not said otherwise. */
  home?: number;
  /** What incidents have added to the durations of the matrix; absent: nothing. */
  delayBetween?: (from: number, to: number) => LegDelay;
};

type Slowing = {
  /** Outside a transaction or within: nothing is asked that is not stored. */
  db: Db;
  roads: Roads;
  incidents: Incidents;
  /** What the matrix drives around already. */
  driven?: Driven | null;
};

/** The matrix with the delays of the incidents that count while an order is driven; the one given stays as it is. */
export async function slowed(
  clean: Order,
  places: readonly Point[],
  { db, roads, incidents: { all, between: counting, settings }, driven = null }: Slowing,
) {
  const { legs, wholeMin, startAt } = timeOrder(clean);
  const lastMs = startAt.getTime() + wholeMin * 60_000;
  const met = legs.length === 0 ? [] : counting({ from: startAt, until: new Date(lastMs) });
  const circles = met.filter(({ id }) => !driven?.ids.has(id));
  const lines = await roads.knownLines(db, places, circles);
  return {
    ...slowAround({ matrix: clean.matrix, driven, points: places }, { circles, all, settings, lines }),
    circles,
  };
}

type Slow = Parameters<typeof slowMatrix>[2] & Pick<Incidents, 'all'>;

/**
 * A matrix with the delays of incidents in its durations; delays tell also what going around closed roads takes. Off the
 * engine's map ways lead around nothing: what is closed slows them like any incident.
 */
export function slowAround({ matrix, driven, points }: Around & { points: readonly Point[] }, slow: Slow) {
  const circles = driven ? slow.all.filter(({ id }) => driven.ids.has(id)) : [];
  const isOff = (from: number, to: number): boolean => Boolean(matrix.outside[from] || matrix.outside[to]);
  const slowed = slowMatrix(matrix, points, {
    ...slow,
    circles: matrix.outside.includes(true) ? [...slow.circles, ...circles] : slow.circles,
    slows: ({ id }, from, to) => !driven?.ids.has(id) || isOff(from, to),
  });
  if (!driven) return slowed;
  const lose = slowed.delayBetween;
  return { ...slowed, delayBetween: withDetours({ around: matrix, lose, points }, { usual: driven.usual, circles }) };
}

export type Timed = ReturnType<typeof timeOrder>;

type Leg = { location: PlannedLocation } & Pick<
  PlannedStop,
  'arrivalAt' | 'serviceMin' | 'legDistanceKm' | 'legDurationMin'
> & {
    serviceVisits: number;
    incidents: number[];
    delay: number;
    detourM: number;
    hasWay: boolean;
    /** Of the opening that the stop is reckoned with; null: at any time. */
    opensAt: string | null;
    closesAt: string | null;
    waitMin: number;
    lateMin: number;
  };

/** Walks an order from the start and back: arrivals, legs and sums. Kilometres and minutes. */
export function timeOrder(wish: Order) {
  const { matrix, order, locations, doors = [], home = 0, delayBetween = () => noDelay } = wish;
  const startAt = leavingAt(wish);
  const legs: Leg[] = [];
  const sums = { metres: 0, seconds: 0, serviceMin: 0, delay: 0, detourM: 0, withoutWay: 0, waitMs: 0, lateMs: 0 };
  let at = startAt.getTime();
  let from = 0;
  for (const place of order) {
    const location = locations[place - 1];
    if (!location) continue;
    const hasWay = matrix.durations[from]?.[place] !== null;
    const [legSeconds, legMetres] = between(matrix, from, place);
    const lost = delayBetween(from, place);
    const arrival = at + legSeconds * 1000;
    const entry = entryAt(doors[place - 1] ?? null, arrival);
    legs.push({
      location,
      ...arrivalOf(arrival, entry),
      serviceMin: location.serviceMin,
      serviceVisits: location.serviceVisits,
      legDistanceKm: legMetres / 1000,
      legDurationMin: Math.round(legSeconds / 6) / 10,
      incidents: lost.incidents,
      delay: lost.delay,
      detourM: lost.detourM,
      hasWay,
    });
    sums.metres += legMetres;
    sums.seconds += legSeconds;
    sums.serviceMin += location.serviceMin;
    sums.delay += lost.delay;
    sums.detourM += lost.detourM;
    sums.withoutWay += hasWay ? 0 : 1;
    sums.waitMs += entry.begin - arrival;
    sums.lateMs += entry.late;
    at = entry.begin + location.serviceMin * 60_000;
    from = place;
  }
  const [homeSeconds, homeMetres] = between(matrix, from, home);
  const lostHome = delayBetween(from, home);
  const drivingMin = Math.round((sums.seconds + homeSeconds) / 60);
  const waitMin = Math.round(sums.waitMs / 60_000);
  return {
    startAt,
    legs,
    distanceKm: (sums.metres + homeMetres) / 1000,
    drivingMin,
    drivingSeconds: sums.seconds + homeSeconds,
    serviceMin: sums.serviceMin,
    /** Before doors that are not open yet. */
    waitMin,
    wholeMin: drivingMin + sums.serviceMin + waitMin,
    /** By how much stops are reached after their doors have closed, together. */
    lateMs: sums.lateMs,
    /** Seconds lost to incidents, the way home included. */
    delay: sums.delay + lostHome.delay,
    /** Of the way home without incidents. */
    homeSeconds: Math.max(0, Math.round(homeSeconds - lostHome.delay)),
    homeIncidents: lostHome.incidents,
    /** Metres by which ways around closed roads are longer, the way home included. */
    detourM: sums.detourM + lostHome.detourM,
    /** Legs that no road leads along: they count nothing in the sums. */
    withoutWay: sums.withoutWay,
  };
}

function leavingAt({ mayLeaveLater, matrix, order, doors, startAt }: Order): Date {
  const [first] = order;
  if (!mayLeaveLater || first === undefined) return startAt;
  const arrival = startAt.getTime() + between(matrix, 0, first)[0] * 1000;
  const { begin } = entryAt(doors?.[first - 1] ?? null, arrival);
  return new Date(startAt.getTime() + begin - arrival);
}

function arrivalOf(arrival: number, { begin, late, opening }: Entry) {
  return {
    arrivalAt: new Date(arrival).toISOString(),
    opensAt: opening && new Date(opening[0]).toISOString(),
    closesAt: opening && new Date(opening[1]).toISOString(),
    waitMin: Math.round((begin - arrival) / 60_000),
    lateMin: Math.ceil(late / 60_000),
  };
}

function between(matrix: TravelMatrix, from: number, to: number): [seconds: number, metres: number] {
  return [matrix.durations[from]?.[to] ?? 0, matrix.distances[from]?.[to] ?? 0];
}
