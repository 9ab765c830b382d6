import { describe, expect, test } from 'vitest';
import { InvalidProblem, parseProblem } from '../index.ts';

const right = {
  jobs: [{ id: 7, location_index: 1 }],
  vehicles: [{ id: 'van', start_index: 0 }],
  matrices: {
    car: {
      durations: [
        [0, 5],
        [5, 0],
      ],
    },
  },
};
const job = (fields: object) => ({ ...right, jobs: [{ ...right.jobs[0], ...fields }] });
const vehicle = (fields: object) => ({ ...right, vehicles: [{ ...right.vehicles[0], ...fields }] });
const matrix = (fields: object) => ({ ...right, matrices: { car: { ...right.matrices.car, ...fields } } });

const refused: [string, unknown, string][] = [
  ['no object', 5, 'problem: it must be an object'],
  ['a negative service', job({ service: -1 }), 'job 7: service must not be below 0, but is -1'],
  ['a service that is no number', job({ service: Number.NaN }), 'job 7: service must be a number, not NaN'],
  ['half a second', job({ setup: 0.5 }), 'job 7: setup must be a whole number, not 0.5'],
  [
    'a window that ends before it starts',
    job({ time_windows: [[9, 3]] }),
    'job 7: time_windows ends (3) before it starts (9)',
  ],
  [
    'windows that overlap',
    job({
      time_windows: [
        [0, 9],
        [5, 12],
      ],
    }),
    'job 7: time_windows must not overlap',
  ],
  ['a window without an end', job({ time_windows: [[9]] }), 'job 7: time_windows must be a pair [from, to]'],
  ['a priority above 100', job({ priority: 101 }), 'job 7: priority must not be above 100, but is 101'],
  ['a negative prize', job({ prize: -1 }), 'job 7: prize must not be below 0'],
  ['an unknown place', job({ location_index: 2 }), 'job 7: location_index is 2, but the matrix car has 2 places'],
  ['no place', job({ location_index: undefined }), 'job 7: location_index must be a number'],
  ['a latitude beyond the pole', job({ location: [0, 91] }), 'job 7: location must not be above 90'],
  ['a required that is no truth value', job({ required: 'yes' }), 'job 7: required must be true or false'],
  ['no id', job({ id: null }), 'job at position 0: id must be a number or a text'],
  ['an id used twice', { ...right, jobs: [right.jobs[0], right.jobs[0]] }, 'job 7: id is used twice'],
  [
    'a vehicle id used twice',
    { ...right, vehicles: [right.vehicles[0], right.vehicles[0]] },
    'vehicle van: id is used twice',
  ],
  ['no vehicle', { ...right, vehicles: [] }, 'problem: vehicles must not be empty'],
  ['shipments', { ...right, shipments: [{}] }, 'problem: shipments are not supported'],
  ['an unknown start', vehicle({ start_index: 5 }), 'vehicle van: start_index is 5, but the matrix has 2 places'],
  ['a profile without matrix', vehicle({ profile: 'bike' }), 'vehicle van: profile has no matrix: bike'],
  ['a shift that ends before it starts', vehicle({ time_window: [9, 3] }), 'vehicle van: time_window ends (3) before'],
  ['a speed of nothing', vehicle({ speed_factor: 0 }), 'vehicle van: speed_factor must not be below 0.01'],
  ['a price per km without distances', vehicle({ costs: { per_km: 1 } }), 'needs a matrix of distances'],
  ['a break without window', vehicle({ breaks: [{ id: 1 }] }), 'vehicle van: breaks.time_windows must not be empty'],
  [
    'a fixed stop nobody knows',
    vehicle({ steps: [{ type: 'job', id: 8 }] }),
    'vehicle van: steps names the unknown job 8',
  ],
  [
    'a fixed stop named twice',
    vehicle({
      steps: [
        { type: 'job', id: 7 },
        { type: 'job', id: 7 },
      ],
    }),
    'which is named before',
  ],
  [
    'a step of another kind',
    vehicle({ steps: [{ type: 'nap' }] }),
    'steps.type must be start, job, break or end, not nap',
  ],
  [
    'amounts of different lengths',
    { ...job({ delivery: [1, 2] }), vehicles: [{ id: 1, capacity: [1] }] },
    'has 1 amounts, others have 2',
  ],
  [
    'a matrix with a hole',
    matrix({ durations: [[0, 5], [5]] }),
    'matrix car: durations has 1 entries in row 1, but 2 rows',
  ],
  [
    'a matrix entry below zero',
    matrix({
      durations: [
        [0, -5],
        [5, 0],
      ],
    }),
    'matrix car: durations[0][1] must not be below 0',
  ],
  [
    'a matrix entry that is no number',
    matrix({
      durations: [
        [0, 'x'],
        [5, 0],
      ],
    }),
    'durations[0][1] must be a number, not x',
  ],
  ['distances of another size', matrix({ distances: [[0]] }), 'matrix car: distances has 1 rows, durations have 2'],
  ['costs of another size', matrix({ costs: [[0]] }), 'matrix car: costs has 1 rows, durations have 2'],
  [
    'rates beside a matrix of costs',
    {
      ...matrix({
        costs: [
          [0, 1],
          [1, 0],
        ],
      }),
      vehicles: [{ id: 1, start_index: 0, costs: { per_hour: 20 } }],
    },
    'vehicle 1: costs.per_hour or costs.per_km has no place beside a matrix of costs',
  ],
  [
    'times far from the first shift',
    { ...vehicle({ time_window: [0, 9] }), jobs: [{ id: 7, location_index: 1, time_windows: [[2e9, 2e9]] }] },
    'job 7: time_windows start more than',
  ],
];

describe('a problem', () => {
  test.each(refused)('is refused with %s', (_, problem, complaint) => {
    expect(() => parseProblem(problem)).toThrow(InvalidProblem);
    expect(() => parseProblem(problem)).toThrow(complaint);
  });

  test('gets its defaults', () => {
    const { jobs, vehicles } = parseProblem(right);
    expect(jobs[0]).toMatchObject({ setup: 0, service: 0, priority: 0, required: false, time_windows: [] });
    expect(vehicles[0]).toMatchObject({
      profile: 'car',
      speed_factor: 1,
      costs: { fixed: 0, per_hour: 3600, per_km: 0 },
    });
  });

  test('may have pairs of places without a way', () => {
    expect(() =>
      parseProblem(
        matrix({
          durations: [
            [0, null],
            [5, 0],
          ],
        }),
      ),
    ).not.toThrow();
  });

  test('may count its times since an epoch when every vehicle has a shift', () => {
    const day = 1_800_000_000;
    const epoch = {
      ...vehicle({ time_window: [day, day + 3600] }),
      jobs: [{ id: 7, location_index: 1, time_windows: [[day + 60, day + 90]] }],
    };
    expect(() => parseProblem(epoch)).not.toThrow();
  });
});
