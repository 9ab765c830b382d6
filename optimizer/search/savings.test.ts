import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { prepare } from '../model.ts';
import { canDrive } from '../plan/route-check.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { buildProblem, PLAIN } from '../testing/build-problem.ts';
import { neighboursOf } from './neighbours.ts';
import { savingsRoutes } from './savings.ts';

/** Vehicles that are all alike, stops of which half have a window. */
function alike(seed: number, maxTasks?: number) {
  const problem = buildProblem({ ...PLAIN, stops: 30, vehicles: 20, windows: true }, seed);
  const jobs = problem.jobs.map((job, i) => ({
    ...job,
    setup: 0,
    time_windows: job.time_windows?.slice(0, 1),
    delivery: [1 + (i % 3)],
  }));
  const vehicles = problem.vehicles.map((vehicle) => ({ ...vehicle, capacity: [12], max_tasks: maxTasks }));
  return prepare(parseProblem({ ...problem, jobs, vehicles }));
}

describe('savings', () => {
  test('join stops within their windows and the load, each once', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const model = alike(seed);
        const routes = savingsRoutes(model, neighboursOf(model, 20));
        expect(routes.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: model.stops }, (_, stop) => stop));
        expect(routes.length).toBeLessThan(model.stops);
        for (const route of routes) if (route.length > 1) expect(canDrive(model, 0, route)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('leave a route longer than allowed to the insertion', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const model = alike(seed, 2);
        const plan = construct(model, neighboursOf(model, 20), new Random(seed), model.missed);
        for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
          expect(canDrive(model, vehicle, plan.stopsOf(vehicle))).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});
