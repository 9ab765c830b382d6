import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOf, type Model, prepare, startOf } from '../model.ts';
import { routeTicks } from '../operators/move.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { anyProblem } from '../testing/build-problem.ts';
import { ABSENT } from './chain.ts';
import { Plan } from './plan.ts';
import { canDrive } from './route-check.ts';

function recomputedCost(plan: Plan): number {
  const { model } = plan;
  let cost = 0;
  for (let vehicle = 0; vehicle < model.vehicles; vehicle++)
    cost += routeTicks(model, vehicle, [...plan.stopsOf(vehicle)]);
  for (let stop = 0; stop < model.stops; stop++) if (plan.chain.route[stop] === ABSENT) cost += model.missed[stop] ?? 0;
  return cost;
}

function anyModel(seed: number): Model {
  return prepare(parseProblem(anyProblem(seed)));
}

/** Puts in and takes out stops at random, wherever it is allowed. */
function shake(plan: Plan, random: Random, steps: number): void {
  const { model, chain } = plan;
  for (let i = 0; i < steps; i++) {
    const stop = random.below(model.stops);
    if (chain.route[stop] !== ABSENT) {
      if (random.below(3) === 0) plan.remove(stop);
      continue;
    }
    const node = random.below(model.stops + model.vehicles);
    if (chain.route[node] !== ABSENT && plan.canInsert(stop, node)) plan.insert(stop, node);
  }
}

function routesOf(plan: Plan): number[][] {
  return Array.from({ length: plan.model.vehicles }, (_, vehicle) => [...plan.stopsOf(vehicle)]);
}

function forAnyPlan(law: (plan: Plan, random: Random) => void): void {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const model = anyModel(seed);
      if (model.stops === 0) return;
      const plan = new Plan(model);
      const random = new Random(seed);
      shake(plan, random, 60);
      law(plan, random);
    }),
    { numRuns: 200 },
  );
}

describe('a plan being worked on', () => {
  test('knows its cost exactly after any changes', () => {
    forAnyPlan((plan) => expect(plan.cost).toBeCloseTo(recomputedCost(plan), 3));
  });

  test('allows an insertion exactly when the whole route can be driven with it', () => {
    forAnyPlan((plan) => {
      const { model, chain } = plan;
      for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
        const stops = [...plan.stopsOf(vehicle)];
        if (!canDrive(model, vehicle, stops)) continue;
        const places = [startOf(model, vehicle), ...stops];
        for (let stop = 0; stop < model.stops; stop++) {
          if (chain.route[stop] !== ABSENT) continue;
          for (const [at, after] of places.entries()) {
            expect(plan.canInsert(stop, after)).toBe(canDrive(model, vehicle, stops.toSpliced(at, 0, stop)));
          }
        }
      }
    });
  });

  test('promises the exact price of an insertion', () => {
    forAnyPlan((plan) => {
      const stop = plan.absent[0];
      if (stop === undefined || plan.absentCount === 0) return;
      const before = plan.cost;
      const promised = plan.insertionCost(stop, startOf(plan.model, 0)) - (plan.model.missed[stop] ?? 0);
      plan.insert(stop, startOf(plan.model, 0));
      expect(recomputedCost(plan) - before).toBeCloseTo(promised, 3);
    });
  });

  test('is as before when a round is taken back', () => {
    forAnyPlan((plan, random) => {
      plan.forget();
      const [routes, cost] = [routesOf(plan), plan.cost];
      shake(plan, random, 40);
      plan.rollback();
      expect(routesOf(plan)).toEqual(routes);
      expect(plan.cost).toBeCloseTo(cost, 3);
      shake(plan, random, 40);
      expect(plan.cost).toBeCloseTo(recomputedCost(plan), 3);
    });
  });

  test('is as saved when restored', () => {
    forAnyPlan((plan, random) => {
      const [routes, saved] = [routesOf(plan), plan.snapshot()];
      shake(plan, random, 40);
      plan.restore(saved);
      expect(routesOf(plan)).toEqual(routes);
      expect(plan.cost).toBeCloseTo(saved.cost, 3);
    });
  });

  test('notices a route that a removal has broken', () => {
    forAnyPlan((plan) => {
      plan.forget();
      const { model, chain } = plan;
      for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
        const first = chain.next[startOf(model, vehicle)] ?? 0;
        if (first === endOf(model, vehicle)) continue;
        plan.remove(first);
        expect(plan.keepsPromises()).toBe(canDrive(model, vehicle, plan.stopsOf(vehicle)));
        plan.rollback();
      }
    });
  });

  test('notices two trips too heavy for one when the visit to reload between them is taken out', () => {
    const model = prepare(
      parseProblem({
        jobs: [1, 2].map((place) => ({ id: place, location_index: place, delivery: [6] })),
        vehicles: [
          { id: 1, start_index: 0, end_index: 0, capacity: [10], reload: { location_index: 0, service: 60, max: 1 } },
        ],
        matrices: {
          car: {
            durations: [
              [0, 100, 100],
              [100, 0, 100],
              [100, 100, 0],
            ],
          },
        },
      }),
    );
    const plan = new Plan(model);
    const reload = model.reloads[0] ?? -1;
    const jobs = Array.from({ length: model.stops }, (_, stop) => stop).filter((stop) => stop !== reload);
    plan.setRoutes([{ vehicle: 0, stops: Int32Array.of(jobs[0] ?? 0, reload, jobs[1] ?? 0) }]);
    expect(plan.keepsPromises()).toBe(true);
    plan.remove(reload);
    expect(plan.keepsPromises()).toBe(false);
  });
});
