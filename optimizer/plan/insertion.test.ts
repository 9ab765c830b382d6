import fc from 'fast-check';
import { expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { prepare } from '../model.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { neighboursOf } from '../search/neighbours.ts';
import { Inserter } from './insertion.ts';
import { Plan } from './plan.ts';

/** So far from nought that no place is ever overlooked. */
class Unblinking extends Random {
  override fraction(): number {
    return 1 - 2 ** -32;
  }
}

/** Stops around a depot in their midst, so that both ends of many legs lie on different sides of it. */
function anyPlan(seed: number) {
  const random = new Random(seed);
  const points = Array.from({ length: 24 }, () => [random.below(1000), random.below(1000)] as const);
  points[0] = [500, 500];
  const durations = points.map(([x, y]) => points.map(([u, v]) => Math.round(Math.hypot(x - u, y - v))));
  const model = prepare(
    parseProblem({
      jobs: points.slice(1).map((_, i) => ({ id: i + 1, location_index: i + 1, delivery: [1 + random.below(4)] })),
      vehicles: Array.from({ length: 9 }, (_, id) => ({ id, start_index: 0, end_index: 0, capacity: [12] })),
      matrices: { car: { durations } },
    }),
  );
  const near = neighboursOf(model, points.length);
  const plan = construct(model, near, random, model.missed);
  plan.forget();
  return { model, near, plan };
}

type Removed = { inserter: Inserter; stop: number; missed: number; cheapest: number };

/** Takes each stop of any plan out by itself; `cheapest`: what its best place of all adds. */
function forEachRemoved(look: (removed: Removed) => void): void {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const { model, near, plan } = anyPlan(seed);
      const inserter = new Inserter(plan, near, new Unblinking(seed), near.width);
      for (let stop = 0; stop < model.stops; stop++) {
        plan.remove(stop);
        inserter.findAnywhere(stop);
        look({ inserter, stop, missed: model.missed[stop] ?? 0, cheapest: inserter.added });
        plan.rollback();
      }
    }),
  );
}

test('finds beside its neighbours the cheapest place there is, also at the ends of routes', () => {
  forEachRemoved(({ inserter, stop, cheapest }) => {
    inserter.find(stop, Number.POSITIVE_INFINITY);
    expect(inserter.added).toBe(cheapest);
  });
});

test('finds the cheapest place where it costs less than it may, and none where it does not', () => {
  forEachRemoved(({ inserter, stop, missed, cheapest }) => {
    expect(inserter.find(stop, missed, cheapest + 1)).toBe(true);
    expect(inserter.added).toBe(cheapest);
    expect(inserter.find(stop, missed, cheapest)).toBe(false);
  });
});

test('looks everywhere for a place that it may have where the vehicles near by are full', () => {
  const durations = [0, 10, 11, 12, 13, 500].map((at, _, all) => all.map((to) => Math.abs(at - to)));
  const model = prepare(
    parseProblem({
      jobs: [1, 2, 3, 4, 5].map((id) => ({ id, location_index: id, delivery: [id === 5 ? 1 : 2] })),
      vehicles: [1, 2].map((id) => ({ id, start_index: 0, end_index: 0, capacity: [id === 1 ? 6 : 3] })),
      matrices: { car: { durations } },
    }),
  );
  const near = neighboursOf(model, 2);
  const plan = new Plan(model);
  const [full, other] = [0, 1];
  plan.setRoutes([
    { vehicle: full, stops: Int32Array.of(0, 1, 2) },
    { vehicle: other, stops: Int32Array.of(4) },
  ]);
  const inserter = new Inserter(plan, near, new Unblinking(1), near.width);
  const fourth = 3;
  expect(inserter.find(fourth, model.missed[fourth] ?? 0, 1_000)).toBe(true);
  expect(plan.chain.route[inserter.after]).toBe(other);
});
