import type { PlannedStop } from '../../contract/routes.ts';
import { type LegDelay, noDelay, slowMatrix } from '../../domain/incident-effect.ts';
import { type Point, toPoint } from '../../domain/location.ts';
import { instantIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import type { Roads } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import type { Around } from './closures.ts';
import { activeIncidents, type Incidents } from './incidents.ts';
import type { PlannedLocation } from './queries.ts';
import type { TravelMatrix } from './travel-matrix.ts';

/** Routes leave at six in the morning unless they say otherwise. */
export const leaveAtMin = 6 * 60;

export type Start = { name: string; point: Point };

type Wish = {
  locations: PlannedLocation[];
  depot: { name: string; latitude: string; longitude: string } | null;
  day: string;
  /** When driving begins; null: six in the morning of the day. */
  startAt: Date | null;
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
  const startAt = wish.startAt ?? instantIn(timeZone, wish.day, leaveAtMin);
  const places = pointsThrough(wish.depot, wish.locations);
  const order = wish.locations.map((_, index) => index + 1);
  const known = wish.around?.matrix ?? (await wish.roads.knownMatrix(db, places));
  const clean = { matrix: known, order, locations: wish.locations, startAt };
  const { matrix, delayBetween } = slowed(clean, places, await activeIncidents(db), wish.around?.driven);
  const timed = timeOrder({ ...clean, matrix, delayBetween });
  return {
    totals: {
      totalDistance: timed.distanceKm,
      estimatedTime: timed.drivingMin + timed.serviceMin,
      drivingMin: timed.drivingMin,
      serviceMin: timed.serviceMin,
      distanceSource: matrix.source,
      plannedStartAt: startAt,
      delay: timed.delay,
    },
    stop: (index: number) => {
      const leg = timed.legs[index];
      return {
        stopOrder: index + 1,
        estimatedArrival: leg ? new Date(leg.arrivalAt) : null,
        serviceMin: leg?.serviceMin ?? 0,
        serviceVisits: leg?.serviceVisits ?? 0,
        legDistanceKm: leg?.hasWay ? leg.legDistanceKm : null,
        legDurationMin: leg?.hasWay ? leg.legDurationMin : null,
        incidents: leg?.incidents ?? [],
        delay: leg?.delay ?? 0,
      };
    },
  };
}

type Order = {
  matrix: TravelMatrix;
  /** Places of the matrix in driving order; 0 is the start, place n is location n - 1. */
  order: readonly number[];
  locations: readonly PlannedLocation[];
  startAt: Date;
  /** Place of the matrix where the route ends; the start, if not said otherwise. */
  home?: number;
  /** What incidents have added to the durations of the matrix; absent: nothing. */
  delayBetween?: (from: number, to: number) => LegDelay;
};

/**
 * The matrix with the delays of the incidents that count while an order is driven; the one given stays as it is. Those
 * in `driven` are driven around in it already.
 */
export function slowed(
  clean: Order,
  places: readonly Point[],
  { between: counting, settings }: Incidents,
  driven: ReadonlySet<number> = new Set(),
) {
  const { legs, drivingMin, serviceMin } = timeOrder(clean);
  const lastMs = clean.startAt.getTime() + (drivingMin + serviceMin) * 60_000;
  const met = legs.length === 0 ? [] : counting(clean.startAt, new Date(lastMs));
  const circles = met.filter(({ id }) => !driven.has(id));
  return slowMatrix(clean.matrix, places, { circles, settings });
}

export type Timed = ReturnType<typeof timeOrder>;

type Leg = { location: PlannedLocation } & Pick<
  PlannedStop,
  'arrivalAt' | 'serviceMin' | 'legDistanceKm' | 'legDurationMin'
> & { serviceVisits: number; incidents: number[]; delay: number; hasWay: boolean };

/** Walks an order from the start and back: arrivals, legs and sums. Kilometres and minutes. */
export function timeOrder({ matrix, order, locations, startAt, home = 0, delayBetween = () => noDelay }: Order) {
  const legs: Leg[] = [];
  let at = startAt.getTime();
  let from = 0;
  let metres = 0;
  let seconds = 0;
  let serviceMin = 0;
  let delay = 0;
  let withoutWay = 0;
  for (const place of order) {
    const location = locations[place - 1];
    if (!location) continue;
    const hasWay = matrix.durations[from]?.[place] !== null;
    if (!hasWay) withoutWay += 1;
    const [legSeconds, legMetres] = between(matrix, from, place);
    at += legSeconds * 1000;
    const { serviceMin: minutes, serviceVisits } = location;
    const lost = delayBetween(from, place);
    legs.push({
      location,
      arrivalAt: new Date(at).toISOString(),
      serviceMin: minutes,
      serviceVisits,
      legDistanceKm: legMetres / 1000,
      legDurationMin: Math.round(legSeconds / 6) / 10,
      incidents: lost.incidents,
      delay: lost.delay,
      hasWay,
    });
    at += minutes * 60_000;
    metres += legMetres;
    seconds += legSeconds;
    delay += lost.delay;
    serviceMin += minutes;
    from = place;
  }
  const [homeSeconds, homeMetres] = between(matrix, from, home);
  return {
    legs,
    distanceKm: (metres + homeMetres) / 1000,
    drivingMin: Math.round((seconds + homeSeconds) / 60),
    drivingSeconds: seconds + homeSeconds,
    serviceMin,
    /** Seconds lost to incidents, the way home included. */
    delay: delay + delayBetween(from, home).delay,
    /** Legs that no road leads along: they count nothing in the sums. */
    withoutWay,
  };
}

function between(matrix: TravelMatrix, from: number, to: number): [seconds: number, metres: number] {
  return [matrix.durations[from]?.[to] ?? 0, matrix.distances[from]?.[to] ?? 0];
}
