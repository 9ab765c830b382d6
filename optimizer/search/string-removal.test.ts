import fc from 'fast-check';
import { expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { prepare } from '../model.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { neighboursOf } from './neighbours.ts';
import { StringRemoval } from './string-removal.ts';

function anyPlan(seed: number) {
  const random = new Random(seed);
  const points = Array.from({ length: 41 }, () => [random.below(1000), random.below(1000)] as const);
  const durations = points.map(([x, y]) => points.map(([u, v]) => Math.round(Math.hypot(x - u, y - v))));
  const jobs = points.slice(1).map((_, i) => ({ id: i + 1, location_index: i + 1, delivery: [1] }));
  const vehicles = Array.from({ length: 5 }, (_, id) => ({ id, start_index: 0, end_index: 0, capacity: [14] }));
  const model = prepare(parseProblem({ jobs, vehicles, matrices: { car: { durations } } }));
  const near = neighboursOf(model, 20);
  const plan = construct(model, near, random, model.missed);
  plan.forget();
  return { model, near, plan, random };
}

test('stops put back behind those they stood behind, the last one first, are the plan as it was', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const { model, near, plan, random } = anyPlan(seed);
      const removal = new StringRemoval(plan, near, random, { removed: 10, longest: 10 });
      const before = model.problem.vehicles.map((_, vehicle) => [...plan.stopsOf(vehicle)]);
      removal.run();
      const removed = [...plan.absent.subarray(0, plan.absentCount)];
      expect(removed.length).toBeGreaterThan(0);
      for (const stop of removed.reverse()) plan.insert(stop, removal.stoodBehind[stop] ?? 0);
      expect(model.problem.vehicles.map((_, vehicle) => [...plan.stopsOf(vehicle)])).toEqual(before);
    }),
    { numRuns: 100 },
  );
});
