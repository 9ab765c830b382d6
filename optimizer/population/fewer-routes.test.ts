import { describe, expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { prepare } from '../model.ts';
import { Plan } from '../plan/plan.ts';
import type { Job, Problem } from '../problem.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { neighboursOf } from '../search/neighbours.ts';
import { Search } from '../search/search.ts';
import { maxIterations } from '../stop/max-iterations.ts';
import { breed } from './breed.ts';
import { withRouteLess } from './fewer-routes.ts';
import { routesOf } from './mixing.ts';

const FAR = 1500;

/** About ten stops in each of eight places around the depot; `vehicles` of them can just carry everything. */
function clusters(seed: number, vehicles: number): Problem {
  const random = new Random(seed);
  const points: (readonly [number, number])[] = [[0, 0]];
  const jobs: Job[] = [];
  for (let group = 0; group < 8; group++) {
    const turn = (2 * Math.PI * group) / 8;
    for (let i = 9 + random.below(3); i > 0; i--) {
      points.push([FAR * Math.cos(turn) + random.below(300) - 150, FAR * Math.sin(turn) + random.below(300) - 150]);
      jobs.push({ id: jobs.length, location_index: points.length - 1, delivery: [1 + random.below(3)] });
    }
  }
  const total = jobs.reduce((sum, { delivery }) => sum + (delivery?.[0] ?? 0), 0);
  const capacity = [Math.ceil((total / vehicles) * 1.02)];
  const durations = points.map(([x, y]) => points.map(([u, v]) => Math.round(Math.hypot(x - u, y - v))));
  return {
    jobs,
    vehicles: Array.from({ length: 20 }, (_, id) => ({ id, start_index: 0, end_index: 0, capacity })),
    matrices: { car: { durations } },
  };
}

function begun(seed: number, vehicles: number) {
  const model = prepare(parseProblem(clusters(seed, vehicles)));
  const near = neighboursOf(model, 100);
  const random = new Random(seed);
  const plan = construct(model, near, random, model.missed);
  return { model, near, random, plan, best: plan.snapshot() };
}

describe('a route less', () => {
  test('is found where stops lie in clusters, though every step on the way is dearer', () => {
    const { near, random, plan, best } = begun(4, 7);
    const search = new Search({ random, rules: [maxIterations(170 * plan.model.stops)] });
    breed({ plan, near, search, until: 1 }, 1e6, best);
    plan.restore(best);
    expect(plan.absentCount).toBe(0);
    expect(plan.usedCount).toBe(7);
  });

  test('leaves the stops of the shortest route out, and no vehicle to serve them but those of the others', () => {
    const { plan, best } = begun(1, 7);
    const routes = routesOf(plan);
    const shortest = routes.reduce((least, route) => (route.length < least.length ? route : least));
    const fewer = withRouteLess(plan, best);
    expect(fewer?.usedCount).toBe(routes.length - 1);
    expect(fewer?.absentCount).toBe(shortest.length);
    expect(shortest.every((stop) => fewer?.isAbsent(stop))).toBe(true);
    expect(fewer?.emptyVehicle(0)).toBe(-1);
  });

  test('is not tried where what the stops need does not fit into the vehicles left', () => {
    const { model, plan, best } = begun(1, 8);
    expect(plan.usedCount).toBe(8);
    expect(withRouteLess(plan, best)).toBeUndefined();
    expect(withRouteLess(plan, new Plan(model).snapshot())).toBeUndefined();
  });
});
