import type { Route, ScheduledRoute, Stop } from '../../contract/routes.ts';
import { routeStatus } from '../../domain/route.ts';
import { kmToMiles, toldDistance } from '../../domain/units.ts';
import { isoOrNull } from '../db/statements/told.ts';
import type { RouteRow, StopRow } from './queries.ts';
import { homeDelay } from './retiming/legs.ts';

const iso = (at: Date | string | null): string | null => (at === null ? null : new Date(at).toISOString());

function common(row: RouteRow) {
  return {
    id: row.id,
    name: row.name,
    date: row.date,
    routeDesignation: row.routeDesignation,
    status: routeStatus.parse(row.status),
    optimized: row.optimized,
    estimatedTime: row.estimatedTime,
    drivingMin: row.drivingMin,
    serviceMin: row.serviceMin,
    distanceSource: row.distanceSource,
    delay: row.delay,
    driverId: row.driverId,
    driverName: row.driverName,
    vehicleId: row.vehicleId,
    vehicleName: row.vehicleName,
    depotId: row.depotId,
    depot: depotOf(row),
    plannedStartAt: iso(row.plannedStartAt),
    startedAt: iso(row.startedAt),
    completedAt: iso(row.completedAt),
    totalStops: row.totalStops,
    completedStops: row.completedStops,
  };
}

function depotOf(row: RouteRow) {
  if (!row.depotName || !row.depotLatitude || !row.depotLongitude) return null;
  return { name: row.depotName, latitude: row.depotLatitude, longitude: row.depotLongitude };
}

/** A route as `GET /api/routes` gives it: distance in kilometres. */
export function toRoute(row: RouteRow): Route {
  return { ...common(row), totalDistance: toldDistance(row.totalDistance) };
}

/** A route as the schedule gives it: distance in miles, with its stops. */
export function toScheduledRoute(row: RouteRow, stops: readonly StopRow[]): ScheduledRoute {
  return {
    ...common(row),
    totalDistance: toldDistance(kmToMiles(row.totalDistance)),
    stops: stops.map(toStop),
    ...(depotOf(row) ? { wayHome: { incidents: row.homeIncidents, delay: homeDelay(row, stops) } } : {}),
  };
}

export function toStop({ detourM: _detourM, ...row }: StopRow): Stop {
  return {
    ...row,
    estimatedArrival: isoOrNull(row.estimatedArrival),
    actualArrival: isoOrNull(row.actualArrival),
    expectedArrival: isoOrNull(row.expectedArrival),
    opensAt: isoOrNull(row.opensAt),
    closesAt: isoOrNull(row.closesAt),
  };
}
