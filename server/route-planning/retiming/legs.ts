import { type Point, toPoint } from '../../../domain/location.ts';
import type { Span } from '../incidents.ts';
import type { RouteRow, StopRow } from '../queries.ts';

/** A way still to be driven; `stop` is null on the way home. Seconds and metres are those without incidents. */
export type Leg = {
  stop: StopRow | null;
  line: readonly Point[];
  seconds: number;
  metres: number;
  /** What incidents add by what is stored, and which. */
  before: number;
  met: readonly number[];
  /** Metres by which a way around closed roads is longer, by what is stored. */
  detourM: number;
};

export const lineName = (line: readonly Point[]): string => line.map(({ lat, lng }) => `${lat},${lng}`).join(';');

/** Whether a route's times come from an engine that drives around closed roads. */
export const goesAround = ({ distanceSource }: RouteRow): boolean =>
  distanceSource === 'valhalla' || distanceSource === 'mixed';

/**
 * The legs still to be driven, as the last the way back to the depot, without one to where the first stop is; seconds and
 * delays without and with incidents.
 */
export function openLegs(route: RouteRow, stops: readonly StopRow[]): Leg[] {
  const depot = depotOf(route);
  const legs: Leg[] = [];
  let at = depot;
  for (const stop of stops) {
    const here = toPoint(stop);
    // The way to where the driver is has been driven.
    if (!stop.completed && stop.skippedReason === null && stop.actualArrival === null) {
      const seconds = Math.max(0, Math.round((stop.legDurationMin ?? 0) * 60) - stop.delay);
      const { delay: before, incidents: met, detourM } = stop;
      const metres = Math.max(0, (stop.legDistanceKm ?? 0) * 1000 - detourM);
      legs.push({ stop, line: [at ?? here, here], seconds, metres, before, met, detourM });
    }
    at = here;
  }
  const [first] = stops;
  if (!first || !at) return legs;
  return [...legs, wayHome(route, stops, [at, depot ?? toPoint(first)])];
}

/** Seconds that incidents add to the way home: what the route holds beside the legs of its stops. */
export const homeDelay = (route: RouteRow, stops: readonly StopRow[]): number =>
  Math.max(0, route.delay - stops.reduce((sum, stop) => sum + stop.delay, 0));

/** The way home has no row of its own: it is what the route's totals hold beside the legs of its stops. */
function wayHome(route: RouteRow, stops: readonly StopRow[], line: Point[]): Leg {
  const before = homeDelay(route, stops);
  const drivenMin = stops.reduce((sum, stop) => sum + (stop.legDurationMin ?? 0), 0);
  const drivenKm = stops.reduce((sum, stop) => sum + (stop.legDistanceKm ?? 0), 0);
  const told = Math.max(0, Math.round(((route.drivingMin ?? 0) - drivenMin) * 60) - before);
  const seconds = route.homeSeconds ?? told;
  const detourM = route.detourM - stops.reduce((sum, stop) => sum + stop.detourM, 0);
  const metres = Math.max(0, (route.totalDistance - drivenKm) * 1000 - detourM);
  return { stop: null, line, seconds, metres, before, met: route.homeIncidents, detourM };
}

/** When what is left of a route is driven: from now on, also where a planned route has not left in time. */
export function drivenBetween(route: RouteRow, legs: readonly Leg[], now: Date): Span {
  const planned = route.status === 'planned' ? (route.plannedStartAt ?? now) : now;
  const from = planned > now ? planned : now;
  const seconds = legs.reduce((sum, leg) => sum + leg.seconds + (leg.stop?.serviceMin ?? 0) * 60, 0);
  return { from, until: new Date(from.getTime() + seconds * 1000) };
}

/** From the depot through all stops and back. */
export function pointsThroughAll(route: RouteRow, stops: readonly StopRow[]): Point[] {
  const depot = depotOf(route);
  const places = stops.map(toPoint);
  return depot ? [depot, ...places, depot] : places;
}

function depotOf({ depotLatitude, depotLongitude }: RouteRow): Point | null {
  return depotLatitude && depotLongitude ? toPoint({ latitude: depotLatitude, longitude: depotLongitude }) : null;
}
