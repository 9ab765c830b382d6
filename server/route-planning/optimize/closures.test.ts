import { expect, it } from 'vitest';
import { usualFactors } from '../../../domain/incident.ts';
import type { IncidentCircle } from '../../../domain/incident-effect.ts';
import type { Point } from '../../../domain/location.ts';
import { slowAround } from '../retiming/timing.ts';
import { aroundOver } from './closures.ts';
import type { TravelMatrix } from './travel-matrix.ts';

/** The last place is off the map of the engine; the road between the first two is closed, and so is that to the last. */
const points: Point[] = [0, 1, 2, 3].map((at) => ({ lat: 40, lng: -74 + at / 10 }));
const circleAt = (id: number, lng: number): IncidentCircle => ({
  id,
  lat: 40,
  lng,
  radiusKm: 1,
  severity: 'critical',
  closed: true,
});
const circles = [circleAt(1, -73.95), circleAt(2, -73.75)];

function matrixOf(seconds: (from: number, to: number) => number, avoided: boolean): TravelMatrix {
  const cells = points.map((_, from) => points.map((_point, to) => (from === to ? 0 : seconds(from, to))));
  const outside = points.map((_, at) => at === 3);
  return { durations: cells, distances: cells, source: 'mixed', version: 'test', avoided, outside, warnings: [] };
}

const usual = matrixOf(() => 600, false);
const around = matrixOf((from, to) => (from + to === 1 ? 900 : 600), true);
const driven = { ids: new Set([1, 2]), usual };
const slow = { circles: [], all: circles, settings: { factors: usualFactors, detourFactor: 1.3 } };

it('a closed road costs its way around on the map, and what an incident costs off it', () => {
  const { matrix, delayBetween } = slowAround({ matrix: around, driven, points }, slow);
  expect(delayBetween(0, 1)).toEqual({ delay: 300, incidents: [1], detourM: 300 });
  expect(matrix.durations[0]?.[1]).toBe(900);
  const off = delayBetween(2, 3);
  expect([off.incidents, off.detourM]).toEqual([[2], 0]);
  expect(off.delay).toBeGreaterThan(60);
  expect(matrix.durations[2]?.[3]).toBe(600 + off.delay);
  expect(delayBetween(1, 2).incidents).toEqual([]);
});

it('stays so over some of the places', () => {
  const kept = [2, 3];
  const some = aroundOver({ matrix: around, driven }, kept);
  const { delayBetween } = slowAround({ ...some, points: kept.flatMap((at) => points[at] ?? []) }, slow);
  expect(delayBetween(0, 1).incidents).toEqual([2]);
});
