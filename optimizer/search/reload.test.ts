import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, type Problem, type Step, solve, type Vehicle } from '../index.ts';
import { anyProblem, buildProblem, PLAIN } from '../testing/build-problem.ts';

/** Four stops on a line, each filling half of the van. */
function line(vehicle: Partial<Vehicle>, job: object = {}): Problem {
  const durations = [0, 1, 2, 3, 4].map((from) => [0, 1, 2, 3, 4].map((to) => 100 * Math.abs(from - to)));
  return {
    jobs: [1, 2, 3, 4].map((id) => ({ id, location_index: id, delivery: [2], ...job })),
    vehicles: [{ id: 'van', start_index: 0, end_index: 0, capacity: [4], ...vehicle }],
    matrices: { car: { durations } },
  };
}

const reload = { location_index: 0, service: 60, max: 2 };

describe('a vehicle that may reload', () => {
  test('makes another trip for what does not fit', () => {
    const problem = line({ reload });
    const solution = solve(problem);
    expect(check(problem, solution)).toEqual([]);
    expect(solution.unassigned).toEqual([]);
    // The far pair and the near pair: 800 + 400 seconds.
    expect(solution.summary.cost).toBe(1200);
    expect(solution.routes[0]?.steps.map((step) => step.type)).toEqual([
      'start',
      'job',
      'job',
      'reload',
      'job',
      'job',
      'end',
    ]);
  });

  test('leaves out what does not fit when it may not come back so often', () => {
    const problem = line({ capacity: [2], reload: { ...reload, max: 1 } });
    const solution = solve(problem);
    expect(check(problem, solution)).toEqual([]);
    expect(solution.unassigned.length).toBe(2);
    expect(solution.unassigned.every(({ reason }) => reason === 'capacity')).toBe(true);
  });

  test('drives no empty trip', () => {
    const problem = line({ capacity: [8], reload });
    expect(solve(problem).routes[0]?.steps.filter((step) => step.type === 'reload')).toEqual([]);
  });

  test('loads for the next trip only, and hands over what it took on', () => {
    const problem = line({ reload }, { pickup: [1] });
    const solution = solve(problem);
    expect(check(problem, solution)).toEqual([]);
    const [start, ...steps] = solution.routes[0]?.steps ?? [];
    expect(start?.load).toEqual([4]);
    expect(steps.find((step) => step.type === 'reload')?.load).toEqual([4]);
    expect(steps.at(-1)?.load).toEqual([2]);
  });

  test('keeps its shift, the time to load included', () => {
    const shift = (end: number) => line({ reload, time_window: [0, end] });
    expect(solve(shift(1260)).unassigned).toEqual([]);
    const short = solve(shift(1259));
    expect(short.unassigned.length).toBeGreaterThan(0);
    expect(check(shift(1259), short)).toEqual([]);
  });

  test('does not count its visits to reload among its tasks', () => {
    expect(solve(line({ reload, max_tasks: 4 })).unassigned).toEqual([]);
    expect(solve(line({ reload, max_tasks: 3 })).unassigned.length).toBe(1);
  });

  test('keeps the order a person gave, reloading where it must', () => {
    const problem = line({ reload });
    const initial = [{ vehicle: 'van', jobs: [1, 2, 3, 4] }];
    const solution = solve(problem, { iterations: 0, initial });
    expect(check(problem, solution)).toEqual([]);
    expect(solution.summary.cost).toBeLessThanOrEqual(1200);
  });

  test('keeps every promise of problems of any kind', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const drawn = anyProblem(seed);
        const vehicles = drawn.vehicles.map((vehicle) => ({ ...vehicle, reload: { location_index: 0, max: 2 } }));
        const problem = { ...drawn, vehicles };
        expect(check(problem, solve(problem, { iterations: 120, seed }))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('serves twice as much as its capacity on a larger problem', () => {
    const drawn = buildProblem({ ...PLAIN, stops: 40, vehicles: 2, loads: true }, 4);
    const capacity = [60, 30];
    const plain = { ...drawn, vehicles: drawn.vehicles.map((vehicle) => ({ ...vehicle, capacity })) };
    const often = {
      ...plain,
      vehicles: plain.vehicles.map((vehicle) => ({ ...vehicle, reload: { ...reload, max: 3 } })),
    };
    const [once, several] = [plain, often].map((problem) => solve(problem, { iterations: 1500 }));
    expect(check(often, several as NonNullable<typeof several>)).toEqual([]);
    expect(once?.unassigned.length).toBeGreaterThan(0);
    expect(several?.unassigned).toEqual([]);
  });
});

describe('the checker', () => {
  const problem = line({ reload });
  const solution = solve(problem);
  const changed = (change: (step: Step) => Step[]) => ({
    ...solution,
    routes: solution.routes.map((route) => ({ ...route, steps: route.steps.flatMap(change) })),
  });

  test('sees a load that was never fetched', () => {
    const without = changed((step) => (step.type === 'reload' ? [] : [step]));
    expect(check(problem, without).join()).toContain('more than 4');
  });

  test('sees a visit to reload in the wrong place, or too short', () => {
    const elsewhere = changed((step) => (step.type === 'reload' ? [{ ...step, location_index: 1 }] : [step]));
    expect(check(problem, elsewhere).join()).toContain('reloads at the wrong place');
    const hurried = changed((step) => (step.type === 'reload' ? [{ ...step, service: 0 }] : [step]));
    expect(check(problem, hurried).join()).toContain('gives reload the wrong setup or service time');
  });

  test('sees a vehicle that reloads more often than it may', () => {
    expect(check(line({ reload: { ...reload, max: 0 } }), solution).join()).toContain('more often than it may');
    expect(check(line({}), solution).join()).toContain('more often than it may');
  });
});

describe('a wish to reload', () => {
  test.each([
    ['reload.location_index', { location_index: 9, max: 1 }],
    ['reload.max', { location_index: 0, max: -1 }],
    ['reload.service', { location_index: 0, service: 0.5, max: 1 }],
  ])('is refused when %s is wrong', (field, wrong) => {
    expect(() => solve(line({ reload: wrong }))).toThrow(field);
  });
});
