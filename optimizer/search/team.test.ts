import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, Member, type Problem, type Standings, solve, Team } from '../index.ts';
import { Random } from '../random.ts';
import { anyProblem, buildProblem, PLAIN } from '../testing/build-problem.ts';
import { halves } from './split.ts';

const ROUNDS = 3;

/** What two workers on threads of their own do, one after the other. */
function workTogether(problem: Problem, seed: number, iterations = 60) {
  const members = [new Member(problem), new Member(problem)];
  const team = new Team(problem, { seed });
  const costs: number[] = [];
  const shareSizes: number[] = [];
  team.start(members[0]?.first({ seed }) as Standings & { leg: number });
  for (let round = 0; round < ROUNDS; round++) {
    costs.push(team.best.cost);
    const shares = team.shares([round / ROUNDS, (round + 1) / ROUNDS]);
    shareSizes.push(...shares.map((share) => share.jobs.length));
    const results = shares.map((share, i) => members[i]?.improve(share, { iterations }) as Standings);
    team.take(results, (round + 1) / ROUNDS);
  }
  costs.push(team.best.cost);
  const solution = members[0]?.finish(team.best.routes, { iterations: 1, done: team.iterations });
  if (solution === undefined) throw new Error('there is no first member');
  return { solution, costs, shareSizes };
}

const manyStops = (seed: number, { stops = 320, prizes = true } = {}) =>
  buildProblem({ ...PLAIN, stops, vehicles: 60, loads: true, prizes }, seed);

describe('two workers on one plan', () => {
  test('keep every promise of any problem', () => {
    fc.assert(
      fc.property(fc.nat(), (kind) => {
        const problem = anyProblem(kind);
        expect(check(problem, workTogether(problem, kind).solution)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('keep every promise when the plan is cut in two', () => {
    const problem = manyStops(3, { stops: 460, prizes: false });
    const { solution, shareSizes } = workTogether(problem, 3);
    expect(check(problem, solution)).toEqual([]);
    expect(Math.max(...shareSizes)).toBeLessThan(400);
    expect(shareSizes.length).toBe(2 * ROUNDS);
  });

  test('search a plan of a few hundred stops whole where there are no windows, and cut it where there are', () => {
    const { jobs, ...rest } = manyStops(3, { prizes: false });
    expect(new Set(workTogether({ jobs, ...rest }, 3, 1).shareSizes)).toEqual(new Set([320]));
    const windowed = jobs.map((job) => ({ ...job, time_windows: [[0, 100_000]] as const }));
    expect(workTogether({ jobs: windowed, ...rest }, 3, 1).shareSizes).not.toContain(320);
  });

  test('cut a plan with optional stops once the first round is over', () => {
    const problem = manyStops(3);
    const { solution, shareSizes } = workTogether(problem, 3);
    expect(check(problem, solution)).toEqual([]);
    expect(shareSizes.slice(0, 2)).toEqual([320, 320]);
    expect(Math.max(...shareSizes.slice(2))).toBeLessThan(300);
  });

  test('cut no plan of long routes with optional stops', () => {
    const { jobs, vehicles, matrices } = buildProblem({ ...PLAIN, stops: 468, vehicles: 18 }, 1);
    const full = { vehicles: vehicles.map((vehicle) => ({ ...vehicle, max_tasks: 26 })), matrices };
    const optional = { ...full, jobs: jobs.map((job) => ({ ...job, prize: 1_000_000 })) };
    expect(new Set(workTogether(optional, 1, 1).shareSizes)).toEqual(new Set([468]));
    expect(workTogether({ ...full, jobs }, 1, 1).shareSizes).not.toContain(468);
  });

  test('never make the plan worse', () => {
    const { costs, solution } = workTogether(manyStops(5), 5);
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    const unserved = solution.unassigned.length;
    expect(unserved).toBeLessThan(320);
  });

  test('count the costs of halves as the whole does', () => {
    const problem = manyStops(8);
    const { solution, costs } = workTogether(problem, 8, 1);
    const { cost, lost_prizes } = solution.summary;
    const served = solution.unassigned.every(
      ({ id }) => problem.jobs.find((job) => job.id === id)?.prize !== undefined,
    );
    // The polish at the end may only save.
    if (served) expect(cost + lost_prizes).toBeLessThanOrEqual((costs.at(-1) ?? 0) + 0.001);
    else expect(costs.at(-1)).toBeGreaterThan(cost + lost_prizes);
  });

  test('find the same plan for the same seed and iterations', () => {
    const problem = manyStops(11);
    expect(workTogether(problem, 4).solution).toEqual(workTogether(problem, 4).solution);
  });

  test('find a better plan than the first', () => {
    const problem = buildProblem({ ...PLAIN, stops: 320, vehicles: 40, loads: true }, 6);
    const first = solve(problem, { iterations: 0 });
    const { solution } = workTogether(problem, 1, 500);
    expect(solution.unassigned.length).toBeLessThanOrEqual(first.unassigned.length);
    if (solution.unassigned.length === first.unassigned.length)
      expect(solution.summary.cost).toBeLessThan(first.summary.cost);
  });
});

describe('a cut', () => {
  test('puts every route on one side and about half of the stops on each', () => {
    const random = new Random(1);
    const seconds = Array.from({ length: 60 }, (_, a) => Array.from({ length: 60 }, (_, b) => Math.abs(a - b)));
    const routes = Array.from({ length: 20 }, (_, route) => [3 * route, 3 * route + 1, 3 * route + 2]);
    for (let round = 0; round < 20; round++) {
      const half = halves(seconds, routes, random);
      expect(half.length).toBe(20);
      expect([...half].filter((side) => side === 0).length).toBe(10);
    }
  });

  test('crosses the one before it', () => {
    const random = new Random(1);
    const away = (a: number, b: number) => Math.hypot((a % 8) - (b % 8), Math.floor(a / 8) - Math.floor(b / 8));
    const seconds = Array.from({ length: 64 }, (_, a) =>
      Array.from({ length: 64 }, (_, b) => Math.round(10 * away(a, b))),
    );
    const routes = Array.from({ length: 32 }, (_, route) => [2 * route, 2 * route + 1]);
    const cuts = new Set(Array.from({ length: 12 }, () => halves(seconds, routes, random).join('')));
    expect(cuts.size).toBeGreaterThan(4);
  });
});
