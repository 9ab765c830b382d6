import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, type Id, Member, type Problem, type Share, type Standings } from '../index.ts';
import { Random } from '../random.ts';
import { anyProblem } from '../testing/build-problem.ts';

type First = Standings & { leg: number };

/** Some vehicles with the stops on their routes, and some of the stops on no route. */
function anyShare(problem: Problem, { current, leg }: First, seed: number): Share {
  const random = new Random(seed);
  const isIn = () => random.below(2) === 0;
  const vehicles = problem.vehicles.map((vehicle) => vehicle.id).filter(isIn);
  const routes = current.routes.filter((route) => vehicles.includes(route.vehicle));
  const onRoutes = new Set(current.routes.flatMap((route) => route.jobs));
  const absent = problem.jobs.map((job) => job.id).filter((id) => !onRoutes.has(id) && isIn());
  return {
    jobs: [...routes.flatMap((route) => route.jobs), ...absent],
    vehicles,
    routes,
    seed,
    cooling: [0.2, 0.6],
    leg,
  };
}

const sorted = (ids: readonly Id[]) => ids.map(String).toSorted();

describe('a worker', () => {
  test('leaves alone what is not its share', () => {
    fc.assert(
      fc.property(fc.nat(), (kind) => {
        const problem = anyProblem(kind);
        const member = new Member(problem);
        const first = member.first({ seed: kind }) as First;
        const share = anyShare(problem, first, kind);
        const { best, current } = member.improve(share, { iterations: 60 });
        for (const plan of [best, current]) {
          const jobs = plan.routes.flatMap((route) => route.jobs);
          expect(new Set(jobs).size).toBe(jobs.length);
          const others = problem.jobs.map((job) => job.id).filter((id) => !share.jobs.includes(id));
          expect(jobs.filter((id) => others.includes(id))).toEqual([]);
          for (const route of plan.routes) expect(share.vehicles).toContain(route.vehicle);
          const rest = first.current.routes.filter((route) => !share.vehicles.includes(route.vehicle));
          const solution = member.finish([...rest, ...plan.routes], { iterations: 0 });
          expect(check(problem, solution)).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('serves a part with the same routes and costs as if there were nothing else', () => {
    fc.assert(
      fc.property(fc.nat(), (kind) => {
        const problem = anyProblem(kind);
        // Given stops without visits to reload, a route is divided into trips anew.
        fc.pre(problem.vehicles.every((vehicle) => vehicle.reload === undefined));
        const member = new Member(problem);
        const first = member.first({ seed: kind }) as First;
        const share = anyShare(problem, first, kind);
        const { best } = member.improve(share, { iterations: 0 });
        const served = (plan: Standings['best']) => sorted(plan.routes.flatMap((route) => route.jobs));
        expect(served(best)).toEqual(served({ routes: share.routes, cost: 0 }));
        const others: Share = {
          ...share,
          routes: first.current.routes.filter((route) => !share.vehicles.includes(route.vehicle)),
          vehicles: problem.vehicles.map((vehicle) => vehicle.id).filter((id) => !share.vehicles.includes(id)),
          jobs: problem.jobs.map((job) => job.id).filter((id) => !share.jobs.includes(id)),
        };
        const rest = member.improve(others, { iterations: 0 }).best;
        expect(best.cost + rest.cost).toBeCloseTo(first.current.cost, 2);
      }),
      { numRuns: 200 },
    );
  });

  test('opens a route that no prize alone would pay for', () => {
    const far = 1000;
    const jobs = Array.from({ length: 30 }, (_, i) => ({ id: i + 1, location_index: i + 1, prize: 300 }));
    // All stops lie side by side, a long way from the start.
    const places = [0, ...jobs.map((_, i) => far + i)];
    const durations = places.map((a) => places.map((b) => Math.abs(a - b)));
    const problem: Problem = {
      jobs,
      vehicles: [
        { id: 1, start_index: 0, end_index: 0 },
        { id: 2, start_index: 0, end_index: 0 },
      ],
      matrices: { car: { durations } },
    };
    const member = new Member(problem);
    const all = jobs.map((job) => job.id);
    const share = { jobs: all, vehicles: [1, 2], routes: [], seed: 1, cooling: [0.9, 1], leg: 10 } as const;
    const { best } = member.improve(share, { iterations: 500 });
    expect(best.routes.length).toBe(1);
    expect(best.routes[0]?.jobs.length).toBe(30);
  });
});
