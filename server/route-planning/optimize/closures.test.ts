import { describe, expect, it } from 'vitest';
import { usualFactors } from '../../../domain/incident.ts';
import type { IncidentCircle } from '../../../domain/incident-effect.ts';
import type { Point } from '../../../domain/location.ts';
import type { Roads } from '../../deps.ts';
import { slowAround } from '../retiming/timing.ts';
import { aroundOver, matrixAround } from './closures.ts';
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

describe('where the engine knows no way around', () => {
  /** Nothing leads to the third place around what is closed, and nothing ever led to the last; the way back from it is quicker around. */
  const engine = (avoided: boolean): TravelMatrix => ({
    ...matrixOf((from, to) => (from === 1 && to === 0 && avoided ? 500 : 600), avoided),
    outside: points.map(() => false),
  });
  const roads: Pick<Roads, 'matrix'> = {
    matrix: async (_, wish) => {
      const found = engine(Boolean(wish?.avoid?.length));
      const isNowhere = (to: number): boolean => to === 3 || (to === 2 && found.avoided);
      const cut = (cellOf: (cell: number | null) => number | null) =>
        found.durations.map((row, from) => row.map((cell, to) => (from !== to && isNowhere(to) ? null : cellOf(cell))));
      return { ...found, durations: cut((seconds) => seconds), distances: cut(() => 9000) };
    },
  };

  it('the usual way stays, longer by a guess, and the plan says so; where no way led before there is none', async () => {
    const { matrix, driven } = await matrixAround(roads, points, circles);
    expect(matrix.distances[0]?.[2]).toBe(9000);
    const slowed = slowAround({ matrix, driven, points }, slow);
    const lost = slowed.delayBetween(0, 2);
    expect([lost.incidents, lost.detourM]).toEqual([[1], 0]);
    expect(lost.delay).toBeGreaterThan(60);
    expect(slowed.matrix.durations[0]?.[2]).toBe(600 + lost.delay);
    expect([matrix.durations[0]?.[3], matrix.distances[0]?.[3]]).toEqual([null, null]);
    expect(matrix.warnings).toEqual([expect.stringMatching(/^3 of 12 distances and times lead through closed roads/)]);
  });

  it('an engine that falls silent in between leaves one way of reckoning, not two mixed', async () => {
    const silent: typeof roads = {
      matrix: async (_, wish) =>
        wish?.avoid?.length ? engine(true) : { ...engine(false), source: 'estimate' as const, avoided: false },
    };
    const { matrix, driven } = await matrixAround(silent, points, circles);
    expect([matrix.source, driven]).toEqual(['estimate', null]);
  });

  it('a way around is never quicker than the usual one', async () => {
    const { matrix } = await matrixAround(roads, points, circles);
    expect(matrix.durations[1]?.[0]).toBe(600);
  });
});
