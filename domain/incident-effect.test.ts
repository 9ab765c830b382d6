import { describe, expect, it } from 'vitest';
import { usualFactors } from './incident.ts';
import { delayOf, guessedRound, type IncidentCircle, shareInside, slowMatrix, withDetours } from './incident-effect.ts';
import type { Point } from './location.ts';

const settings = { factors: usualFactors, detourFactor: 1.3 };
const kmPerDegree = (Math.PI / 180) * 6371.0088;

/** A place so many kilometres east and north of the equator's start, where degrees are equally long both ways. */
const at = (east: number, north = 0): Point => ({ lat: north / kmPerDegree, lng: east / kmPerDegree });
const circle = (fields: Partial<IncidentCircle> = {}): IncidentCircle => ({
  id: 1,
  ...at(5),
  radiusKm: 1,
  severity: 'high',
  closed: false,
  ...fields,
});
const tenMinutes = { line: [at(0), at(10)], seconds: 600, metres: 13_000 };

describe('the share of a line inside a circle', () => {
  it.each([
    ['through the middle: the diameter', [at(0), at(10)], 0.2],
    ['beginning in the middle: the radius', [at(5), at(10)], 0.2],
    ['wholly inside: all of it', [at(4.5), at(5.5)], 1],
    ['passing outside: nothing', [at(0, 1.5), at(10, 1.5)], 0],
    ['ending before the circle: nothing', [at(0), at(3.9)], 0],
    ['off the middle: the shorter chord', [at(0, 0.6), at(10, 0.6)], 0.16],
    ['a polyline around the circle: nothing, though its chord cuts it', [at(0), at(0, 3), at(10, 3), at(10)], 0],
    ['a line without length: nothing', [at(5), at(5)], 0],
  ])('%s', (_title, line, share) => {
    expect(shareInside(line, circle())).toBeCloseTo(share, 4);
  });

  it('is the same across the date line', () => {
    const line = [
      { lat: 0, lng: 179.99 },
      { lat: 0, lng: -179.99 },
    ];
    expect(shareInside(line, { lat: 0, lng: 180, radiusKm: 100 })).toBe(1);
    expect(shareInside(line, { lat: 0, lng: 0, radiusKm: 100 })).toBe(0);
  });
});

describe('the delay of a leg', () => {
  it('is its time x share x (factor - 1)', () => {
    expect(delayOf(tenMinutes, [circle({ severity: 'low' })], settings)).toEqual({
      delay: Math.round(600 * 0.2 * 0.2),
      incidents: [1],
      detourM: 0,
    });
  });

  it('grows with severity and never falls', () => {
    const ending = { ...tenMinutes, line: [at(0), at(5)] };
    const severities = ['low', 'medium', 'high', 'critical'] as const;
    const delays = severities.map((severity) => delayOf(ending, [circle({ severity })], settings).delay);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(new Set(delays).size).toBe(4);
  });

  it('sums over incidents and names each', () => {
    const both = [circle({ severity: 'low' }), circle({ id: 2, ...at(8), severity: 'low' })];
    expect(delayOf(tenMinutes, both, settings)).toEqual({ delay: 48, incidents: [1, 2], detourM: 0 });
  });

  it('is at most the way round when both ends lie outside: half the rim for the chord, and a minute', () => {
    const large = circle({ radiusKm: 4, severity: 'critical' });
    const pace = 600 / 13;
    const around = (Math.PI / 2 - 1) * 8 * 1.3 * pace + 60;
    expect(delayOf(tenMinutes, [large], settings).delay).toBe(Math.round(around));
    expect(around).toBeLessThan(600 * 0.8 * 3);
  });

  it('has no such limit when an end lies inside', () => {
    const large = circle({ ...at(10), radiusKm: 8, severity: 'critical' });
    expect(delayOf(tenMinutes, [large], settings).delay).toBe(Math.round(600 * 0.8 * 3));
  });

  it('is the way round for a closed road, whatever the severity', () => {
    const closed = circle({ severity: 'low', closed: true });
    const around = (Math.PI / 2 - 1) * 2 * 1.3 * (600 / 13) + 60;
    expect(delayOf(tenMinutes, [closed], settings)).toEqual({
      delay: Math.round(around),
      incidents: [1],
      detourM: 0,
    });
  });

  it('is nothing away from every circle', () => {
    expect(delayOf(tenMinutes, [circle({ ...at(5, 30) })], settings)).toEqual({
      delay: 0,
      incidents: [],
      detourM: 0,
    });
  });
});

describe('a matrix with incidents', () => {
  const points = [at(0), at(10), at(0, 20)];
  const matrix = {
    durations: [
      [0, 600, 1200],
      [660, 0, 1300],
      [1200, 1300, 0],
    ],
    distances: [
      [0, 13_000, 26_000],
      [13_000, 0, 29_000],
      [26_000, 29_000, 0],
    ],
    source: 'estimate' as const,
  };

  it('has longer durations on the legs through a circle, and the same distances', () => {
    const slowed = slowMatrix(matrix, points, { circles: [circle({ severity: 'low' })], settings });
    expect(slowed.matrix.durations).toEqual([
      [0, 624, 1200],
      [686, 0, 1300],
      [1200, 1300, 0],
    ]);
    expect(slowed.matrix.distances).toBe(matrix.distances);
    expect(slowed.delayBetween(0, 1)).toEqual({ delay: 24, incidents: [1], detourM: 0 });
    expect(slowed.delayBetween(0, 2).incidents).toEqual([]);
    expect(slowed.touched).toBe(true);
  });

  it('leaves the matrix it was given as it is, which may come from a cache', () => {
    const before = structuredClone(matrix);
    slowMatrix(matrix, points, { circles: [circle()], settings });
    expect(matrix).toEqual(before);
  });

  it('is the matrix given when no incident is near', () => {
    const slowed = slowMatrix(matrix, points, { circles: [circle({ ...at(500) })], settings });
    expect(slowed.matrix).toBe(matrix);
    expect(slowed.touched).toBe(false);
  });

  it('follows the course of a road where it is known, and the straight line elsewhere', () => {
    const points = [at(0), at(10), at(0, 3)];
    const matrix = {
      durations: points.map(() => points.map(() => 600)),
      distances: points.map(() => points.map(() => 9000)),
    };
    const around = [at(0), at(0, 4), at(10, 4), at(10)];
    const through = [at(0, 3), at(5, 0), at(10)];
    const { delayBetween } = slowMatrix(matrix, points, {
      circles: [circle()],
      settings,
      lines: [
        { from: 0, to: 1, line: around },
        { from: 2, to: 1, line: through },
        { from: 2, to: 0, line: [] },
      ],
    });
    expect(delayBetween(0, 1).delay).toBe(0);
    expect(delayBetween(1, 0).delay).toBeGreaterThan(0);
    expect(delayBetween(2, 1).incidents).toEqual([1]);
    expect(delayBetween(1, 2).delay).toBe(0);
    expect(delayBetween(2, 0).delay).toBe(0);
  });
});

describe('a closed circle', () => {
  const closed = circle({ closed: true });

  it('that no engine knows a way around costs its rim by guess, and a minute where the straight line misses it', () => {
    expect(guessedRound(tenMinutes, [closed], 1.3)).toBe(delayOf(tenMinutes, [closed], settings).delay);
    expect(guessedRound(tenMinutes, [circle({ ...at(5, 3), closed: true })], 1.3)).toBe(60);
  });

  it('keeps the metres of a way around that is longer and no slower, and names itself only where it is slower', () => {
    const points = [at(0), at(10)];
    const matrixOf = (seconds: number, metres: number) => ({
      durations: [[0, seconds] as number[], [seconds, 0] as number[]],
      distances: [[0, metres] as number[], [metres, 0] as number[]],
    });
    const usual = matrixOf(600, 13_000);
    const lose = () => ({ delay: 0, incidents: [], detourM: 0 });
    const lost = (seconds: number, metres: number) =>
      withDetours({ around: matrixOf(seconds, metres), lose, points }, { usual, circles: [closed] })(0, 1);
    expect(lost(600, 13_400)).toEqual({ delay: 0, incidents: [], detourM: 400 });
    expect(lost(660, 13_400)).toEqual({ delay: 60, incidents: [1], detourM: 400 });
    expect(lost(600, 13_000)).toEqual({ delay: 0, incidents: [], detourM: 0 });
  });
});
