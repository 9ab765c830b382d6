import { describe, expect, test } from 'vitest';
import { check, type Problem, type Route, type Solution, type Step, solve } from './index.ts';

const problem: Problem = {
  jobs: [
    { id: 1, location_index: 1, service: 60, delivery: [4], time_windows: [[100, 400]], skills: [1] },
    { id: 2, location_index: 2, service: 60, delivery: [4], setup: 30 },
    { id: 3, location_index: 3, service: 60, delivery: [4] },
    { id: 4, location_index: 3, prize: 5, delivery: [1] },
  ],
  vehicles: [
    {
      id: 'van',
      start_index: 0,
      end_index: 0,
      capacity: [12],
      skills: [1],
      time_window: [0, 3000],
      max_tasks: 3,
      max_distance: 5000,
      breaks: [{ id: 'rest', time_windows: [[300, 500]], service: 100 }],
      costs: { fixed: 10 },
      steps: [{ type: 'job', id: 1 }],
    },
    { id: 'spare', start_index: 0, end_index: 0, capacity: [0] },
  ],
  matrices: {
    car: {
      durations: [
        [0, 100, 200, 300],
        [100, 0, 100, 200],
        [200, 100, 0, 100],
        [300, 200, 100, 0],
      ],
      distances: [
        [0, 1000, 2000, 2500],
        [1000, 0, 1000, 2000],
        [2000, 1000, 0, 500],
        [2500, 2000, 500, 0],
      ],
    },
  },
};
const right = solve(problem, { iterations: 200 });

function withRoute(change: (route: Route) => Partial<Route>): Solution {
  return { ...right, routes: right.routes.map((route) => ({ ...route, ...change(route) })) };
}

function withStep(type: Step['type'], change: (step: Step) => Partial<Step>): Solution {
  return withRoute((route) => ({
    steps: route.steps.map((step) => (step.type === type ? { ...step, ...change(step) } : step)),
  }));
}

const faults: [string, Solution, string][] = [
  [
    'a stop served twice',
    { ...right, unassigned: [...right.unassigned, { id: 1, reason: 'window', location_index: 1 }] },
    'job 1 appears 2 times',
  ],
  ['a stop forgotten', { ...right, unassigned: [] }, 'job 4 appears 0 times'],
  ['a wrong number of stops left out', { ...right, unassigned: [] }, '0 stops are left out, not 1'],
  ['an unknown vehicle', withRoute(() => ({ vehicle: 'bus' })), 'vehicle bus is unknown'],
  ['arriving before it is possible', withStep('job', () => ({ arrival: 0 })), 'too early'],
  ['leaving before the shift', withStep('start', () => ({ arrival: -5 })), 'before the shift starts'],
  ['ending after the shift', withStep('end', () => ({ arrival: 4000 })), 'after the shift ends'],
  ['too little service', withStep('job', () => ({ service: 1 })), 'wrong setup or service time'],
  ['a setup left out', withStep('job', () => ({ setup: 0 })), 'wrong setup or service time'],
  ['a break outside its window', withStep('break', () => ({ arrival: 2000 })), 'outside its windows'],
  ['a break too short', withStep('break', () => ({ service: 1 })), 'takes break rest for 1 s'],
  [
    'a break left out',
    withRoute((route) => ({ steps: route.steps.filter((step) => step.type !== 'break') })),
    'leaves out break rest',
  ],
  ['a wrong load', withStep('job', () => ({ load: [99] })), 'says it carries 99'],
  ['a wrong distance', withStep('end', () => ({ distance: 1 })), 'says 1 m driven'],
  ['a wrong duration', withStep('end', () => ({ duration: 1 })), 'says 1 s driven'],
  ['a wrong place', withStep('job', () => ({ location_index: 0 })), 'says'],
  ['another start', withStep('start', () => ({ location_index: 1 })), 'does not begin at the place of its start'],
  ['no end', withRoute((route) => ({ steps: route.steps.slice(0, -1) })), 'close with its end'],
  ['a wrong cost', withRoute((route) => ({ cost: route.cost + 1 })), 'costs'],
  ['a sum that is no sum', { ...right, summary: { ...right.summary, cost: 1 } }, 'the cost is not the sum'],
  [
    'prizes left that are not those',
    { ...right, summary: { ...right.summary, lost_prizes: 1 } },
    'the prizes left are 5, not 1',
  ],
  [
    'fixed stops not first',
    withRoute((route) => ({ steps: [...route.steps].reverse() })),
    'does not begin with its fixed stops',
  ],
];

const broken: [string, Problem, string][] = [
  [
    'a missing skill',
    { ...problem, jobs: problem.jobs.map((job) => ({ ...job, skills: job.id === 2 ? [9] : [] })) },
    'lacks skill 9 for job 2',
  ],
  [
    'a forbidden vehicle',
    { ...problem, jobs: problem.jobs.map((job) => ({ ...job, allowed_vehicles: ['spare'] })) },
    'may not serve job 2',
  ],
  [
    'a window',
    { ...problem, jobs: problem.jobs.map((job) => ({ ...job, time_windows: [[0, 1]] as const })) },
    'outside its windows',
  ],
  [
    'a capacity',
    { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, capacity: [3] })) },
    'more than 3',
  ],
  [
    'a number of tasks',
    { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, max_tasks: 1 })) },
    'has 3 stops, more than 1',
  ],
  [
    'a limit of distance',
    { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, max_distance: 1 })) },
    'm, more than 1 m',
  ],
  [
    'a limit of driving',
    { ...problem, vehicles: problem.vehicles.map((vehicle) => ({ ...vehicle, max_travel_time: 1 })) },
    's, more than 1 s',
  ],
  [
    'a way',
    {
      ...problem,
      matrices: {
        car: {
          ...problem.matrices.car,
          durations: [0, 1, 2, 3].map((from) => [0, 1, 2, 3].map((to) => (from === to ? 0 : null))),
        },
      },
    },
    'there is no way',
  ],
];

describe('the checker', () => {
  test('finds nothing wrong with a right plan', () => {
    expect(right.routes[0]?.steps.map((step) => step.type)).toContain('break');
    expect(right.unassigned).toMatchObject([{ id: 4, reason: 'capacity' }]);
    expect(check(problem, right)).toEqual([]);
  });

  test.each(faults)('finds %s', (_, solution, complaint) => {
    expect(check(problem, solution).join('\n')).toContain(complaint);
  });

  test.each(broken)('finds a plan that breaks %s', (_, stricter, complaint) => {
    expect(check(stricter, right).join('\n')).toContain(complaint);
  });
});
