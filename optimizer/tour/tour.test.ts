import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, solve } from '../index.ts';
import { Random } from '../random.ts';
import { buildProblem, PLAIN } from '../testing/build-problem.ts';
import { Tour } from './tour.ts';

function symmetricCost(size: number, random: Random): Int32Array {
  const points = Array.from({ length: size }, () => [random.below(1000), random.below(1000)] as const);
  return Int32Array.from({ length: size * size }, (_, cell) => {
    const [x, y] = points[Math.floor(cell / size)] ?? [0, 0];
    const [otherX, otherY] = points[cell % size] ?? [0, 0];
    return Math.round(Math.hypot(x - otherX, y - otherY));
  });
}

function lengthOf(cost: Int32Array, order: Int32Array): number {
  return order.reduce(
    (sum, node, at) => sum + (cost[node * order.length + (order[(at + 1) % order.length] ?? 0)] ?? 0),
    0,
  );
}

function forAnyTour(law: (tour: Tour, cost: Int32Array, random: Random) => void): void {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 8, max: 60 }), (seed, size) => {
      const random = new Random(seed);
      const cost = symmetricCost(size, random);
      law(
        new Tour(
          cost,
          Int32Array.from({ length: size }, (_, node) => node),
        ),
        cost,
        random,
      );
    }),
    { numRuns: 100 },
  );
}

describe('a tour', () => {
  test('knows its length exactly, visits every node once and never gets longer by local search', () => {
    forAnyTour((tour, cost, random) => {
      for (let i = 0; i < 20; i++) {
        const before = tour.length;
        while (tour.improveNext()) expect(tour.length).toBe(lengthOf(cost, tour.order));
        expect(tour.length).toBeLessThanOrEqual(before);
        expect([...tour.order].sort((a, b) => a - b)).toEqual([...tour.order.keys()]);
        tour.kick(random);
        expect(tour.length).toBe(lengthOf(cost, tour.order));
      }
    });
  });

  test('is as before when taken back', () => {
    forAnyTour((tour, cost, random) => {
      while (tour.improveNext()) tour.forget();
      tour.forget();
      const [order, length] = [[...tour.order], tour.length];
      tour.kick(random);
      while (tour.improveNext()) expect(tour.length).toBe(lengthOf(cost, tour.order));
      tour.rollback(length);
      expect([...tour.order]).toEqual(order);
      expect(tour.length).toBe(lengthOf(cost, tour.order));
    });
  });
});

/** Stops on a circle: the shortest way round is known. */
function circle(stops: number, vehicle: object) {
  const points = Array.from({ length: stops + 1 }, (_, i) => {
    const angle = (2 * Math.PI * ((i * 7) % (stops + 1))) / (stops + 1);
    return [1e5 * Math.cos(angle), 1e5 * Math.sin(angle)] as const;
  });
  const durations = points.map(([x, y]) => points.map(([a, b]) => Math.round(Math.hypot(x - a, y - b))));
  const jobs = Array.from({ length: stops }, (_, i) => ({ id: i, location_index: i + 1 }));
  return { jobs, vehicles: [{ id: 1, ...vehicle }], matrices: { car: { durations } } };
}

describe('a single route', () => {
  const side = Math.round(2 * 1e5 * Math.sin(Math.PI / 41));

  test.each([
    ['back to its start', { start_index: 0, end_index: 0 }, 41],
    ['without an end', { start_index: 0 }, 40],
    ['without a start', { end_index: 0 }, 40],
    ['without start and end', {}, 39],
    ['from one place to its neighbour', { start_index: 0, end_index: 6 }, 40],
  ])('%s is the shortest there is', (_, vehicle, sides) => {
    const problem = circle(40, vehicle);
    const solution = solve(problem, { iterations: 2000 });
    expect(solution.summary.cost).toBe(sides * side);
    expect(check(problem, solution)).toEqual([]);
  });

  test('keeps every promise whatever its ends', () => {
    const symmetric = (seed: number) => {
      const problem = buildProblem({ ...PLAIN, stops: 8 + (seed % 20), openEnds: true }, seed);
      const durations = problem.matrices.car?.durations ?? [];
      const mirrored = durations.map((row, i) => row.map((entry, j) => (i < j ? entry : (durations[j]?.[i] ?? 0))));
      return { ...problem, matrices: { car: { durations: mirrored } } };
    };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const problem = symmetric(seed);
        expect(check(problem, solve(problem, { iterations: 100 }))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps every promise where the directions of a leg differ', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const problem = buildProblem({ ...PLAIN, stops: 13 + (seed % 20), openEnds: true }, seed);
        expect(check(problem, solve(problem, { iterations: 200 }))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('goes round a one-way circle the cheap way', () => {
    const places = 40;
    const durations = Array.from({ length: places }, (_, from) =>
      Array.from({ length: places }, (_, to) => {
        const ahead = (to - from + places) % places;
        return 10 * Math.min(ahead, 3 * (places - ahead));
      }),
    );
    const jobs = Array.from({ length: places - 1 }, (_, index) => ({ id: index + 1, location_index: index + 1 }));
    const vehicles = [{ id: 1, start_index: 0, end_index: 0 }];
    const solution = solve({ jobs, vehicles, matrices: { car: { durations } } }, { iterations: 2000 });
    expect(solution.summary.cost).toBe(10 * places);
  });
});
