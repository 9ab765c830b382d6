import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insertAbsent } from '../construct.ts';
import { LocalSearch, MOVES } from '../local-search.ts';
import { prepare } from '../model.ts';
import { Plan } from '../plan/plan.ts';
import { canDrive } from '../plan/route-check.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { neighboursOf } from '../search/neighbours.ts';
import { Search } from '../search/search.ts';
import { maxIterations } from '../stop/max-iterations.ts';
import { anyProblem } from '../testing/build-problem.ts';
import { routeTicks } from './move.ts';

function anyPlan(seed: number): Plan {
  const plan = new Plan(prepare(parseProblem(anyProblem(seed))));
  insertAbsent(plan, neighboursOf(plan.model, 20), new Random(seed), plan.model.missed);
  return plan;
}

describe.each(MOVES.map((move) => [move.name, move] as const))('the move %s', (_, move) => {
  test('promises exactly the change of cost, and keeps every stop', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const plan = anyPlan(seed);
        const { chain, model } = plan;
        for (let u = 0; u < model.stops; u++) {
          for (let v = 0; v < model.stops + model.vehicles; v++) {
            if (chain.route[u] === -1 || chain.route[v] === -1) continue;
            const delta = move.delta(plan, u, v);
            if (!Number.isFinite(delta)) continue;
            const changes = move
              .routes(plan, u, v)
              .map(({ vehicle, stops }) => ({ vehicle, stops: Array.from(stops) }));
            const before = changes.map(({ vehicle }) => [...plan.stopsOf(vehicle)]);
            expect(changes.flatMap(({ stops }) => stops).toSorted()).toEqual(before.flat().toSorted());
            const now = changes.reduce((sum, { vehicle, stops }) => sum + routeTicks(model, vehicle, stops), 0);
            const then = changes.reduce((sum, { vehicle }, i) => sum + routeTicks(model, vehicle, before[i] ?? []), 0);
            expect(now - then).toBe(delta);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('brings the plan to the cost it promised when it is made', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (seed, a, b) => {
        const plan = anyPlan(seed);
        const { chain, model } = plan;
        if (model.stops === 0) return;
        const [u, v] = [a % model.stops, b % (model.stops + model.vehicles)];
        if (chain.route[u] === -1 || chain.route[v] === -1) return;
        const delta = move.delta(plan, u, v);
        if (!Number.isFinite(delta)) return;
        const before = plan.cost;
        const changes = move.routes(plan, u, v);
        plan.setRoutes(changes);
        expect(plan.cost).toBeCloseTo(before + delta, 3);
        for (const { vehicle, stops } of changes) expect([...plan.stopsOf(vehicle)]).toEqual(Array.from(stops));
      }),
      { numRuns: 200 },
    );
  });
});

describe('local search', () => {
  test('never makes a plan worse and keeps every promise', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const plan = anyPlan(seed);
        const before = plan.cost;
        const search = new Search({ random: new Random(seed), rules: [maxIterations(10)] });
        new LocalSearch(plan, neighboursOf(plan.model, 20)).run(search);
        expect(plan.cost).toBeLessThanOrEqual(before + 0.001);
        for (let vehicle = 0; vehicle < plan.model.vehicles; vehicle++) {
          expect(canDrive(plan.model, vehicle, plan.stopsOf(vehicle))).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
