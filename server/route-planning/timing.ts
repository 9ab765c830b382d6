import type { PlannedStop } from '../../contract/routes.ts';
import { type Point, toPoint } from '../../domain/location.ts';
import { serviceMinutes } from '../../domain/route.ts';
import { instantIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { getOperator } from '../settings/service.ts';
import type { PlannedLocation } from './queries.ts';
import { estimateMatrix, type TravelMatrix } from './travel-matrix.ts';

/** Routes leave at six in the morning unless they say otherwise. */
const leaveAtMin = 6 * 60;

export type Start = { name: string; point: Point };

type Wish = {
  locations: PlannedLocation[];
  depot: { name: string; latitude: string; longitude: string } | null;
  day: string;
  /** When driving begins; null: six in the morning of the day. */
  startAt: Date | null;
};

/** Times an order: matrix, start and what each stop and the whole of it take. */
export async function timePlan(db: Db, wish: Wish) {
  const { timeZone } = await getOperator(db);
  const startAt = wish.startAt ?? instantIn(timeZone, wish.day, leaveAtMin);
  const points = wish.locations.map(toPoint);
  const origin = wish.depot ? toPoint(wish.depot) : points[0];
  const matrix = estimateMatrix(origin ? [origin, ...points] : points);
  const order = wish.locations.map((_, index) => index + 1);
  const timed = timeOrder({ matrix, order, locations: wish.locations, startAt });
  return {
    totals: {
      totalDistance: timed.distanceKm,
      estimatedTime: timed.drivingMin + timed.serviceMin,
      drivingMin: timed.drivingMin,
      serviceMin: timed.serviceMin,
      distanceSource: matrix.source,
      plannedStartAt: startAt,
    },
    stop: (index: number) => {
      const leg = timed.legs[index];
      return {
        stopOrder: index + 1,
        estimatedArrival: leg ? new Date(leg.arrivalAt) : null,
        serviceMin: leg?.serviceMin ?? 0,
        legDistanceKm: leg?.legDistanceKm ?? null,
        legDurationMin: leg?.legDurationMin ?? null,
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
};

export type Timed = ReturnType<typeof timeOrder>;

type Leg = { location: PlannedLocation } & Pick<
  PlannedStop,
  'arrivalAt' | 'serviceMin' | 'legDistanceKm' | 'legDurationMin'
>;

/** Walks an order from the start and back: arrivals, legs and sums. Kilometres and minutes. */
export function timeOrder({ matrix, order, locations, startAt, home = 0 }: Order) {
  const legs: Leg[] = [];
  let at = startAt.getTime();
  let from = 0;
  let metres = 0;
  let seconds = 0;
  let serviceMin = 0;
  for (const place of order) {
    const location = locations[place - 1];
    if (!location) continue;
    const [legSeconds, legMetres] = between(matrix, from, place);
    at += legSeconds * 1000;
    const minutes = serviceMinutes(location.type, location.missingUnits);
    legs.push({
      location,
      arrivalAt: new Date(at).toISOString(),
      serviceMin: minutes,
      legDistanceKm: legMetres / 1000,
      legDurationMin: Math.round(legSeconds / 6) / 10,
    });
    at += minutes * 60_000;
    metres += legMetres;
    seconds += legSeconds;
    serviceMin += minutes;
    from = place;
  }
  const [homeSeconds, homeMetres] = between(matrix, from, home);
  return {
    legs,
    distanceKm: (metres + homeMetres) / 1000,
    drivingMin: Math.round((seconds + homeSeconds) / 60),
    serviceMin,
  };
}

function between(matrix: TravelMatrix, from: number, to: number): [seconds: number, metres: number] {
  return [matrix.durations[from]?.[to] ?? 0, matrix.distances[from]?.[to] ?? 0];
}
