import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, type Problem, type Solution, solve } from './index.ts';
import { anyProblem, buildProblem, PLAIN } from './testing/build-problem.ts';

const QUICK = { iterations: 300, seed: 7 };

function orders(solution: Solution) {
  return solution.routes.map((route) => [route.vehicle, ...route.steps.map((step) => step.id)]);
}

function value(solution: Solution): number {
  return solution.summary.cost + solution.summary.lost_prizes;
}

describe('a plan', () => {
  test('keeps every promise of any problem, and names every stop it leaves out', () => {
    fc.assert(
      fc.property(fc.nat(), (kind) => {
        const problem = anyProblem(kind);
        expect(check(problem, solve(problem, QUICK))).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  test('is the same again for the same seed and number of iterations', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (kind, seed) => {
        const problem = anyProblem(kind);
        const options = { iterations: 200, seed };
        expect(solve(problem, options)).toEqual(solve(problem, options));
      }),
      { numRuns: 40 },
    );
  });

  test('is never worse than the order a person gave', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (kind, seed) => {
        const drawn = anyProblem(kind);
        // Of equal priority, so that fewer stops left out is always the better plan.
        const problem = { ...drawn, jobs: drawn.jobs.map((job) => ({ ...job, priority: 0 })) };
        const given = solve(problem, { iterations: 40, seed });
        const initial = given.routes.map((route) => ({
          vehicle: route.vehicle,
          jobs: route.steps.flatMap((step) => (step.type === 'job' && step.id !== undefined ? [step.id] : [])),
        }));
        const better = solve(problem, { iterations: 0, initial });
        const due = (solution: Solution) =>
          solution.unassigned.filter(({ id }) => problem.jobs.find((job) => job.id === id)?.prize === undefined).length;
        expect(due(better)).toBeLessThanOrEqual(due(given));
        if (due(better) < due(given)) return;
        expect(value(better)).toBeLessThanOrEqual(value(given) + 0.5);
      }),
      { numRuns: 100, examples: [[308104297, 0]] },
    );
  });

  test('keeps every promise where driving has a price of its own', () => {
    fc.assert(
      fc.property(fc.nat(), (kind) => {
        const { jobs, vehicles, matrices } = anyProblem(kind);
        const durations = matrices.car?.durations ?? [];
        const costs = durations.map((row, from) => row.map((_, to) => (from === to ? 0 : (from * 71 + to * 37) % 997)));
        const unpriced = vehicles.map((vehicle) => ({ ...vehicle, costs: { fixed: vehicle.costs?.fixed } }));
        const problem = { jobs, vehicles: unpriced, matrices: { car: { ...matrices.car, durations, costs } } };
        expect(check(problem, solve(problem, { ...QUICK, iterations: 100 }))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('follows the matrix of costs, and the clock that of durations', () => {
    const durations = [
      [0, 10, 90],
      [90, 0, 10],
      [10, 90, 0],
    ];
    const costs = durations.map((row, from) => row.map((_, to) => durations[to]?.[from] ?? 0));
    const vehicle = { id: 1, start_index: 0, end_index: 0, speed_factor: 2, costs: { fixed: 4 } };
    const jobs = [1, 2].map((place) => ({ id: place, location_index: place }));
    const problem = { jobs, vehicles: [vehicle], matrices: { car: { durations, costs } } };
    const solution = solve(problem, QUICK);
    expect(orders(solution)).toEqual([[1, undefined, 2, 1, undefined]]);
    expect(solution.summary).toMatchObject({ cost: 34, duration: 135 });
    expect(check(problem, solution)).toEqual([]);
    const [route] = solution.routes;
    expect(check(problem, { ...solution, routes: route ? [{ ...route, cost: 35 }] : [] })).not.toEqual([]);
  });

  test('reports a falling cost, the first plan before any iteration', () => {
    const seen: { cost: number; iterations: number }[] = [];
    const problem = buildProblem({ ...PLAIN, stops: 60, vehicles: 3 }, 3);
    const solution = solve(problem, { iterations: 2000, onProgress: (progress) => seen.push(progress) });
    expect(seen[0]?.iterations).toBe(0);
    expect(seen.length).toBeGreaterThan(2);
    const costs = seen.map((progress) => progress.cost);
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    expect(costs.at(-1)).toBe(solution.summary.cost);
  });
});

describe('the search', () => {
  test('stops within a few iterations of being cancelled, with a whole plan', () => {
    let asked = 0;
    const problem = buildProblem({ ...PLAIN, stops: 60 }, 5);
    const solution = solve(problem, { iterations: 1_000_000, cancelled: () => ++asked > 100 });
    expect(solution.iterations).toBeLessThanOrEqual(101 * 64);
    expect(check(problem, solution)).toEqual([]);
  });

  test('stops at its time limit on the clock it is given', () => {
    let time = 0;
    const problem = buildProblem({ ...PLAIN, stops: 60 }, 5);
    const solution = solve(problem, { timeLimitMs: 50, now: () => time++ });
    expect(time).toBeLessThan(200);
    expect(check(problem, solution)).toEqual([]);
  });

  test('stops after the given iterations without a better plan', () => {
    const problem = buildProblem({ ...PLAIN, stops: 30, vehicles: 2 }, 5);
    const solution = solve(problem, { iterations: 1_000_000, noImprovement: 500 });
    expect(solution.iterations).toBeLessThan(100_000);
  });

  test('refuses a time limit without a clock', () => {
    expect(() => solve(buildProblem(PLAIN, 1), { timeLimitMs: 10 })).toThrow('options: timeLimitMs needs now');
  });

  test('finds a much shorter way through 100 stops than the first plan in 3,000 iterations', () => {
    const problem = buildProblem({ ...PLAIN, stops: 100, vehicles: 1 }, 11);
    const first = solve(problem, { iterations: 0 });
    const found = solve(problem, { iterations: 3000 });
    expect(found.summary.cost).toBeLessThan(0.95 * first.summary.cost);
  });
});

describe('stops left out', () => {
  const line: Problem = {
    jobs: [
      { id: 1, location_index: 1 },
      { id: 2, location_index: 2 },
    ],
    vehicles: [{ id: 'van', start_index: 0, end_index: 0 }],
    matrices: {
      car: {
        durations: [
          [0, 100, 200],
          [100, 0, 100],
          [200, 100, 0],
        ],
      },
    },
  };
  const [near, far] = [line.jobs[0], line.jobs[1]];
  const reasonOf = (job: object, vehicle: object = {}) => {
    const problem = {
      ...line,
      jobs: [near, { ...far, ...job }],
      vehicles: [{ ...line.vehicles[0], ...vehicle }],
    } as Problem;
    const solution = solve(problem);
    expect(check(problem, solution)).toEqual([]);
    return solution.unassigned.map(({ id, reason }) => [id, reason]);
  };

  test.each([
    ['skill', { skills: [3] }, {}],
    ['skill', { allowed_vehicles: ['truck'] }, {}],
    ['capacity', { delivery: [9] }, { capacity: [8] }],
    ['window', { time_windows: [[0, 150]] }, {}],
    ['shift', { service: 500 }, { time_window: [0, 600] }],
    ['shift', {}, { max_distance: undefined, max_travel_time: 250 }],
    ['not_worth_it', { prize: 199 }, {}],
  ])('are given the reason %s', (reason, job, vehicle) => {
    expect(reasonOf(job, vehicle)).toEqual([[2, reason]]);
  });

  test('are given the reason unreachable when there is no way', () => {
    const durations = line.matrices.car?.durations.map((row, from) =>
      row.map((entry, to) => (from !== 2 && to === 2 ? null : entry)),
    );
    const problem = { ...line, matrices: { car: { durations: durations ?? [] } } };
    expect(solve(problem).unassigned).toMatchObject([{ id: 2, reason: 'unreachable' }]);
  });

  test('are unreachable, and not a matter of time, where a vehicle without a depot serves other islands', () => {
    const durations = line.matrices.car?.durations.map((row, from) =>
      row.map((entry, to) => (from !== to && (from === 2 || to === 2) ? null : entry)),
    );
    const problem = { ...line, vehicles: [{ id: 'open' }], matrices: { car: { durations: durations ?? [] } } };
    expect(solve(problem).unassigned.map(({ reason }) => reason)).toEqual(['unreachable']);
  });

  test('have no time left for them, not a closed door, where the door is open for the whole shift', () => {
    const full = (time_windows: [number, number][]) => {
      const [job, other] = [near, far].map((one) => ({ ...one, service: 300 }));
      const jobs = [
        { ...job, priority: 20 },
        { ...other, time_windows, priority: 10 },
      ];
      const vehicles = [{ ...line.vehicles[0], time_window: [0, 800] as const }];
      return solve({ ...line, jobs, vehicles } as Problem).unassigned;
    };
    expect(full([[0, 5000]])).toMatchObject([{ id: 2, reason: 'shift' }]);
    expect(full([])).toMatchObject([{ id: 2, reason: 'shift' }]);
    expect(full([[0, 250]])).toMatchObject([{ id: 2, reason: 'window' }]);
  });

  test('do not include a stop whose prize is worth the way', () => {
    expect(reasonOf({ prize: 201 })).toEqual([]);
  });

  test('are those of lowest priority', () => {
    const limited = { ...line, vehicles: [{ id: 'van', start_index: 0, end_index: 0, max_tasks: 1 }] };
    const jobs = (first: number, second: number) => [
      { id: 1, location_index: 1, priority: first },
      { id: 2, location_index: 2, priority: second },
    ];
    expect(solve({ ...limited, jobs: jobs(10, 20) }).unassigned[0]?.id).toBe(1);
    expect(solve({ ...limited, jobs: jobs(20, 10) }).unassigned[0]?.id).toBe(2);
  });
});

describe('what is already driven', () => {
  test('comes first, in its order, whatever it costs', () => {
    const problem = buildProblem({ ...PLAIN, stops: 12 }, 2);
    const steps = ['stop 7', 'stop 3', 'stop 9'].map((id) => ({ type: 'job' as const, id }));
    const fixed = { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, steps })) };
    const solution = solve(fixed, QUICK);
    expect(orders(solution)[0]?.slice(2, 5)).toEqual(['stop 7', 'stop 3', 'stop 9']);
    expect(check(fixed, solution)).toEqual([]);
  });

  test('counts from the time service really began', () => {
    const problem = buildProblem({ ...PLAIN, stops: 5 }, 2);
    const steps = [{ type: 'job' as const, id: 'stop 2', service_at: 50_000 }];
    const fixed = { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, steps })) };
    const solution = solve(fixed, QUICK);
    const begun = solution.routes[0]?.steps[1];
    expect((begun?.arrival ?? 0) + (begun?.waiting_time ?? 0)).toBe(50_000);
    expect(check(fixed, solution)).toEqual([]);
  });
});

describe('a driver', () => {
  test('leaves as late as possible rather than wait at a stop', () => {
    const problem: Problem = {
      jobs: [{ id: 1, location_index: 1, time_windows: [[5000, 6000]] }],
      vehicles: [{ id: 1, start_index: 0, end_index: 0 }],
      matrices: {
        car: {
          durations: [
            [0, 100],
            [100, 0],
          ],
        },
      },
    };
    const solution = solve(problem);
    expect(solution.summary.waiting_time).toBe(0);
    expect(solution.routes[0]?.steps[0]?.arrival).toBe(4900);
  });

  test('takes the break in its window, on the way when it opens there', () => {
    const problem: Problem = {
      jobs: [{ id: 1, location_index: 1, service: 100 }],
      vehicles: [
        {
          id: 1,
          start_index: 0,
          end_index: 0,
          time_window: [0, 20_000],
          breaks: [{ id: 'lunch', time_windows: [[3000, 3000]], service: 1000 }],
        },
      ],
      matrices: {
        car: {
          durations: [
            [0, 5000],
            [5000, 0],
          ],
        },
      },
    };
    const solution = solve(problem);
    const lunch = solution.routes[0]?.steps.find((step) => step.type === 'break');
    expect(lunch?.arrival).toBe(3000);
    expect(check(problem, solution)).toEqual([]);
  });
});
