import { expect, it } from 'vitest';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { drivenKm, drivenTime } from './driven.ts';

function stop(order: number, lng: number, reachedAt: string | null): Stop {
  return {
    id: order,
    routeId: 1,
    marketId: order,
    vendingMachineId: null,
    stopOrder: order,
    estimatedArrival: null,
    expectedArrival: null,
    actualArrival: reachedAt,
    completed: reachedAt !== null,
    skippedReason: null,
    locationName: `Stop ${order}`,
    locationType: 'market',
    address: '',
    routeDesignation: null,
    latitude: '40',
    longitude: String(lng),
    serviceMin: 10,
    legDistanceKm: null,
    legDurationMin: null,
    lowCount: 0,
    emptyCount: 0,
  };
}

function route(stops: Stop[]): ScheduledRoute {
  const nobody = { driverId: null, driverName: null, vehicleId: null, vehicleName: null, depotId: null };
  const times = { plannedStartAt: null, startedAt: null, completedAt: null, estimatedTime: 60, drivingMin: null };
  return {
    ...nobody,
    ...times,
    id: 1,
    name: 'Route',
    date: '2026-11-20',
    routeDesignation: null,
    status: 'completed',
    optimized: true,
    serviceMin: null,
    distanceSource: 'estimate',
    depot: { name: 'Depot', latitude: '40', longitude: '0' },
    totalStops: stops.length,
    completedStops: stops.length,
    totalDistance: 0,
    stops,
  };
}

const planned = { totalDistance: 80 };

it('a route driven as planned has driven the planned distance', () => {
  const stops = [stop(1, 1, '2026-11-20T12:00:00Z'), stop(2, 2, '2026-11-20T13:00:00Z')];
  expect(drivenKm(planned, route(stops))).toBeCloseTo(80, 6);
});

it('a stop left out makes the driven way shorter', () => {
  const stops = [stop(1, 1, '2026-11-20T12:00:00Z'), stop(2, 2, null)];
  expect(drivenKm(planned, route(stops))).toBeCloseTo(40, 1);
});

it('another order is measured in the order of arrival', () => {
  const stops = [
    stop(1, 1, '2026-11-20T13:00:00Z'),
    stop(2, -1, '2026-11-20T12:00:00Z'),
    stop(3, 2, '2026-11-20T14:00:00Z'),
  ];
  expect(drivenKm(planned, route(stops))).not.toBeCloseTo(80, 1);
});

it('a route without any arrival has no driven distance', () => {
  expect(drivenKm(planned, route([stop(1, 1, null)]))).toBeNull();
});

it('the driven time runs from start to completion', () => {
  const times = { startedAt: '2026-11-20T11:00:00Z', completedAt: '2026-11-20T16:32:00Z' };
  expect(drivenTime(times)).toBe('5h 32m');
  expect(drivenTime({ ...times, completedAt: null })).toBeNull();
});
