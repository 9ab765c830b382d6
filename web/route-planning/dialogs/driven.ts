import type { Route, ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { distanceKm } from '../../../domain/place.ts';
import { hoursAndMinutes } from '../../../domain/units.ts';
import { toLatLng } from '../../http/parse.ts';

/**
 * Kilometres of a finished route from the order in which its stops were reached: the straight way driven, scaled as the
 * planned distance is to the straight way planned. Null when no arrival is known. A route driven as planned gives the plan.
 */
export function drivenKm(planned: Pick<Route, 'totalDistance'>, route: ScheduledRoute): number | null {
  const reached = route.stops.filter((stop) => stop.actualArrival !== null);
  if (reached.length === 0) return null;
  const plannedWay = wayKm(
    route,
    [...route.stops].sort((a, b) => a.stopOrder - b.stopOrder),
  );
  const drivenWay = wayKm(
    route,
    [...reached].sort(
      (a, b) => String(a.actualArrival).localeCompare(String(b.actualArrival)) || a.stopOrder - b.stopOrder,
    ),
  );
  return plannedWay === 0 ? planned.totalDistance : (drivenWay / plannedWay) * planned.totalDistance;
}

function wayKm({ depot }: ScheduledRoute, stops: readonly Stop[]): number {
  const way = depot ? [depot, ...stops, depot] : stops;
  const points = way.map(toLatLng);
  return points.slice(1).reduce((sum, point, at) => sum + distanceKm(points[at] ?? point, point), 0);
}

/** Minutes that a route really took; null while it is not finished. */
export function drivenMin({ startedAt, completedAt }: Pick<Route, 'startedAt' | 'completedAt'>): number | null {
  if (!startedAt || !completedAt) return null;
  return Math.round((Date.parse(completedAt) - Date.parse(startedAt)) / 60_000);
}

/** The same for the eyes, e.g. `7h 12m`. */
export function drivenTime(route: Pick<Route, 'startedAt' | 'completedAt'>): string | null {
  const minutes = drivenMin(route);
  return minutes === null ? null : hoursAndMinutes(minutes);
}
