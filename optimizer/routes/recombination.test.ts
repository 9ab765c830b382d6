import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { prepare } from '../model.ts';
import { canDrive } from '../plan/route-check.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { neighboursOf } from '../search/neighbours.ts';
import { alikeProblem, anyProblem } from '../testing/build-problem.ts';
import type { Columns } from './columns.ts';
import { PartitionBound } from './partition-bound.ts';
import { PartitionSearch } from './partition-search.ts';
import { Recombination } from './recombination.ts';

const SIZE = 9;

/** Three routes that serve nine stops, and random sets of stops of random cost. */
function anyColumns(seed: number): Columns {
  const random = new Random(seed);
  const sets = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
  ];
  for (let i = 0; i < 14; i++) {
    const set = Array.from({ length: SIZE }, (_, stop) => stop).filter(() => random.below(3) === 0);
    if (set.length > 0) sets.push(set);
  }
  const from = [0];
  for (const set of sets) from.push((from.at(-1) ?? 0) + set.length);
  return {
    size: SIZE,
    count: sets.length,
    cost: Float64Array.from(sets, (set) => 20 + set.length * random.below(40)),
    type: new Int32Array(sets.length),
    route: Int32Array.from(sets.keys()),
    from: Int32Array.from(from),
    stops: Int32Array.from(sets.flat()),
  };
}

const stopsOf = ({ stops, from }: Columns, column: number) => [...stops.slice(from[column], from[column + 1])];

/** Cheapest choice of columns from `column` on that serves each stop left once. */
function cheapest(columns: Columns, column: number, left: ReadonlySet<number>, vehicles: number): number {
  if (left.size === 0) return 0;
  if (column === columns.count || vehicles === 0) return Number.POSITIVE_INFINITY;
  const own = stopsOf(columns, column);
  const without = cheapest(columns, column + 1, left, vehicles);
  if (!own.every((stop) => left.has(stop))) return without;
  const rest = new Set([...left].filter((stop) => !own.includes(stop)));
  return Math.min(without, (columns.cost[column] ?? 0) + cheapest(columns, column + 1, rest, vehicles - 1));
}

const totalOf = ({ cost }: Columns, chosen: readonly number[]) => chosen.reduce((sum, i) => sum + (cost[i] ?? 0), 0);

describe('recombination', () => {
  test('prices stops so that no route undercuts them, and the bound is not above the best choice', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0, 200, 1e6), (seed, most) => {
        const columns = anyColumns(seed);
        const bound = new PartitionBound(SIZE);
        bound.run(columns, 3, most);
        for (let i = 0; i < columns.count; i++) expect(bound.reduced[i]).toBeGreaterThanOrEqual(-1e-6);
        const all = new Set(Array.from({ length: SIZE }, (_, stop) => stop));
        expect(bound.bound).toBeLessThanOrEqual(cheapest(columns, 0, all, SIZE) + 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  test('chooses the cheapest routes that serve every stop once with the vehicles there are', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 5 }), (seed, vehicles) => {
        const columns = anyColumns(seed);
        const bound = new PartitionBound(SIZE);
        bound.run(columns, 3, 1e6);
        const target = totalOf(columns, [0, 1, 2]);
        const chosen = new PartitionSearch(columns, bound, { target, free: Int32Array.of(vehicles) }).run();
        const all = new Set(Array.from({ length: SIZE }, (_, stop) => stop));
        const best = cheapest(columns, 0, all, vehicles);
        if (best >= target) expect(chosen).toBeUndefined();
        else {
          expect(totalOf(columns, chosen ?? [])).toBe(best);
          expect((chosen ?? []).flatMap((i) => stopsOf(columns, i)).toSorted()).toEqual([...all]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('makes one plan of the better routes of two, with every promise kept', () => {
    let better = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const model = prepare(parseProblem(anyProblem(seed)));
        const near = neighboursOf(model, 20);
        const random = new Random(seed);
        const plan = construct(model, near, random, model.missed);
        const recombination = Recombination.of(plan, near, random);
        if (recombination === undefined) return;
        plan.forget();
        const before = plan.cost;
        // Every stop that some route can do without is tried behind every other: whatever this finds goes into the pool.
        for (let stop = 0; stop < model.stops; stop++) {
          if (plan.chain.route[stop] === -1) continue;
          plan.remove(stop);
          for (let after = 0; after < model.stops + model.vehicles; after++) {
            if (plan.chain.route[after] === -1 || !plan.canInsert(stop, after)) continue;
            plan.insert(stop, after);
            if (plan.keepsPromises()) recombination.note(Number.MAX_VALUE);
            plan.remove(stop);
          }
          plan.rollback();
        }
        const served = model.stops - plan.absentCount;
        const isBetter = recombination.run(1);
        if (isBetter) better++;
        expect(plan.cost < before - 0.5).toBe(isBetter);
        expect(model.stops - plan.absentCount).toBe(served);
        for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
          expect(canDrive(model, vehicle, plan.stopsOf(vehicle))).toBe(true);
        }
      }),
      { numRuns: 150, seed: 1 },
    );
    expect(better).toBeGreaterThan(0);
  });

  test.each([
    ['short routes without windows', { windows: false, capacity: [40, 30], helps: true }],
    ['long routes without windows', { windows: false, capacity: [80, 60], helps: false }],
    ['long routes with windows', { windows: true, capacity: [80, 60], helps: true }],
    ['one very long route', { windows: true, capacity: [4000, 3000], helps: false }],
  ])('helps with routes that come up again: %s', (_, { windows, capacity, helps }) => {
    const { vehicles, jobs, ...rest } = alikeProblem(70, 1, false);
    const wide = windows ? jobs.map((job) => ({ ...job, time_windows: [[0, 1_000_000]] as const })) : jobs;
    const problem = { ...rest, jobs: wide, vehicles: vehicles.map((vehicle) => ({ ...vehicle, capacity })) };
    const model = prepare(parseProblem(problem));
    const random = new Random(1);
    const near = neighboursOf(model, 30);
    const plan = construct(model, near, random, model.missed);
    expect(Recombination.of(plan, near, random) !== undefined).toBe(helps);
  });
});
