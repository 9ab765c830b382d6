import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { distanceRules } from './distances.ts';
import { readProblemFile, solveFile } from './service.ts';

const quick = { iterations: 200, seed: 1, now: () => 0 };

function tsp(rows: string, head: string): string {
  return `NAME: t\nTYPE: TSP\nDIMENSION: 4\n${head}\n${rows}\nEOF\n`;
}

function table(text: string) {
  return readProblemFile('t.tsp', text).problem.matrices.car?.durations;
}

const vrp = `NAME : v
TYPE : CVRP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 10
NODE_COORD_SECTION
1 0 0
2 0 10
3 0 20
4 10 0
DEMAND_SECTION
1 0
2 5
3 5
4 6
DEPOT_SECTION
1
-1
EOF
`;

const solomon = `S1

VEHICLE
NUMBER     CAPACITY
  2         20

CUSTOMER
CUST NO.   XCOORD.   YCOORD.    DEMAND   READY TIME   DUE DATE   SERVICE TIME

    0      0         0          0          0         230          0
    1      1         1         10          0         100         10
    2      3         4          7          0         100         10
`;

describe('distances', () => {
  it('are those that TSPLIB defines for nodes of the plane', () => {
    const [a, b] = [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ];
    expect([distanceRules.EUC_2D?.(a, b), distanceRules.CEIL_2D?.(a, b), distanceRules.ATT?.(a, b)]).toEqual([1, 2, 1]);
  });

  it('on the globe read degrees and minutes', () => {
    // ulysses16, nodes 1 and 2: 509 in the published tables.
    expect(distanceRules.GEO?.({ x: 38.24, y: 20.42 }, { x: 39.57, y: 26.15 })).toBe(509);
  });

  it.each([
    ['FULL_MATRIX', '0 1 2 3\n1 0 4 5\n2 4 0 6\n3 5 6 0'],
    ['UPPER_ROW', '1 2 3\n4 5\n6'],
    ['LOWER_ROW', '1\n2 4\n3 5 6'],
    ['UPPER_DIAG_ROW', '0 1 2 3 0 4\n5 0 6 0'],
    ['LOWER_DIAG_ROW', '0\n1 0\n2 4 0\n3 5 6 0'],
  ])('listed as %s fill the same table', (format, rows) => {
    const text = tsp(`EDGE_WEIGHT_SECTION\n${rows}`, `EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: ${format}`);
    expect(table(text)).toEqual([
      [0, 1, 2, 3],
      [1, 0, 4, 5],
      [2, 4, 0, 6],
      [3, 5, 6, 0],
    ]);
  });
});

describe('a problem file', () => {
  it('of CVRPLIB costs rounded distances and numbers customers without the depot', () => {
    const solved = solveFile(readProblemFile('v.vrp', vrp), quick);
    expect(solved).toMatchObject({ cost: 60, unassigned: [] });
    expect(solved.routes.map((route) => [...route].sort()).sort()).toEqual([[1, 2], [3]]);
  });

  it('of Solomon costs distances cut after the first decimal', () => {
    // 0-1 and 1-2 and 2-0: 1.4 + 3.6 + 5.0.
    expect(solveFile(readProblemFile('s.txt', solomon), quick).cost).toBe(10);
  });

  it('with prizes costs what is left out too', () => {
    const prizes = `TIME_WINDOW_SECTION\n1 0 900\n2 0 900\n3 0 900\n4 0 900\nPRIZE_SECTION\n1 0\n2 50\n3 50\n4 3\nDEPOT_SECTION`;
    const solved = solveFile(readProblemFile('p.vrp', vrp.replace('DEPOT_SECTION', prizes)), quick);
    expect(solved).toMatchObject({ cost: 43, unassigned: [3] });
  });

  it('in JSON without matrices is driven by the estimate, and says so', () => {
    const job = { id: 7, location: [2.3, 48.9] };
    const text = JSON.stringify({ jobs: [job], vehicles: [{ id: 1, start: [2.35, 48.85] }] });
    const file = readProblemFile('v.json', text);
    expect(file.warnings).toEqual([expect.stringContaining('estimated')]);
    expect(solveFile(file, quick)).toMatchObject({ routes: [[7]] });
  });

  it('in JSON has a stop far from everything named, by its description where it has one', () => {
    const near = { id: 7, location: [2.3, 48.9] };
    const sea = { id: 8, location: [-20, 40], description: 'Café Atlantique' };
    const file = { jobs: [near, sea], vehicles: [{ id: 1, start: [2.35, 48.85] }] };
    const warningsOf = (json: object) => readProblemFile('v.json', JSON.stringify(json)).warnings;
    expect(warningsOf(file)[0]).toMatch(/^Café Atlantique is more than 50 km/);
    expect(warningsOf({ ...file, jobs: [near, { ...sea, description: undefined }] })[0]).toMatch(/^job 8 is more/);
    expect(warningsOf({ ...file, jobs: [near] })).toEqual([expect.stringContaining('estimated')]);
  });

  it('in JSON may have a matrix of costs, which is what the plan is judged by', () => {
    // Written after the documented fields of VROOM's input: two vans, amounts, skills, shifts, a break, and costs of its own.
    const shift = [28_800, 43_200];
    const van = { start_index: 0, end_index: 3, capacity: [4], time_window: shift, profile: 'van' };
    const rest = { id: 2, service: 300, time_windows: [[34_200, 36_000]] };
    const text = JSON.stringify({
      vehicles: [
        { id: 1, skills: [1, 14], description: 'first', ...van },
        { id: 2, skills: [2, 14], breaks: [rest], ...van },
      ],
      jobs: [
        { id: 1414, location_index: 1, service: 300, delivery: [1], skills: [1], time_windows: [[32_400, 36_000]] },
        { id: 1515, location_index: 2, setup: 60, service: 300, pickup: [1], skills: [14], priority: 7 },
      ],
      matrices: {
        van: {
          durations: [
            [0, 2104, 197, 1299],
            [2103, 0, 2255, 3152],
            [197, 2256, 0, 1102],
            [1299, 3153, 1102, 0],
          ],
          costs: [
            [0, 21, 70, 13],
            [21, 0, 5, 31],
            [2, 22, 0, 1],
            [13, 31, 11, 0],
          ],
        },
      },
    });
    const file = readProblemFile('v.json', text);
    expect(file.warnings).toEqual([]);
    // 0 to 1414, 1515 and 3 costs 21 + 5 + 1; by time alone 1515 would come first.
    expect(solveFile(file, quick)).toMatchObject({ cost: 27, routes: [[1414, 1515]], unassigned: [] });
  });

  it('in JSON of older days says amount for delivery, and matrix for the durations', () => {
    const vehicles = [{ id: 0, start_index: 0, end_index: 3, capacity: [3] }];
    const jobs = [
      { id: 1414, location_index: 1, amount: [2] },
      { id: 1515, location_index: 2, amount: [2] },
    ];
    const matrix = [
      [0, 2104, 197, 1299],
      [2103, 0, 2255, 3152],
      [197, 2256, 0, 1102],
      [1299, 3153, 1102, 0],
    ];
    const file = readProblemFile('v.json', JSON.stringify({ vehicles, jobs, matrix }));
    expect(file.warnings).toEqual([]);
    expect(solveFile(file, quick)).toMatchObject({ cost: 1299, routes: [[1515]], unassigned: [1414] });
  });

  it('in JSON says of steps that they are kept, for VROOM itself only begins its search there', () => {
    const job = { id: 7, location: [7.42, 43.73], delivery: [2] };
    const van = { id: 1, start: [7.4, 43.7], capacity: [1], steps: [{ type: 'start' }, { type: 'job', id: 7 }] };
    const idle = { id: 2, start: [7.4, 43.7], steps: [{ type: 'start' }, { type: 'end' }] };
    const { warnings } = readProblemFile('v.json', JSON.stringify({ jobs: [job], vehicles: [van, idle] }));
    const said = warnings.filter((one) => one.includes('steps'));
    expect(said).toEqual(['vehicle 1: the jobs of its steps begin its route in their order, also beyond its limits.']);
  });

  it('in JSON has each field without effect named', () => {
    const vehicle = { id: 1, start_index: 0, costs: { per_task_hour: 3 } };
    const job = { id: 7, location_index: 1, setup_per_type: {} };
    const matrices = {
      car: {
        durations: [
          [0, 1],
          [1, 0],
        ],
      },
    };
    const { warnings } = readProblemFile('v.json', JSON.stringify({ jobs: [job], vehicles: [vehicle], matrices }));
    expect(warnings.map((one) => one.split(' is ')[0])).toEqual(['job 7: setup_per_type', 'vehicle 1: per_task_hour']);
  });
});

describe('the options of a JSON problem', () => {
  const withOptions = (options: unknown) => {
    const job = { id: 7, location: [7.42, 43.73] };
    return readProblemFile(
      'v.json',
      JSON.stringify({ jobs: [job], vehicles: [{ id: 1, start: [7.4, 43.7] }], options }),
    );
  };

  it('are its limits, and others are named', () => {
    const { options, warnings } = withOptions({ time_limit_ms: 1500, threads: 2, seed: 0, g: true });
    expect(options).toEqual({ seconds: 1.5, threads: 2, seed: 0 });
    expect(warnings[0]).toBe('options: g is not supported and has no effect.');
    expect(withOptions({ iterations: 40 }).options).toEqual({ iterations: 40 });
    expect(withOptions(undefined).options).toEqual({});
  });

  it.each([
    [{ time_limit_ms: -1 }, 'options: time_limit_ms must be a whole number of at least 0, not -1.'],
    [{ threads: 65 }, 'options: threads must be a whole number from 1 to 64, not 65.'],
    [{ iterations: '9' }, 'options: iterations must be a whole number of at least 0, not "9".'],
    [[3], 'options: it must be an object.'],
  ])('are refused with their name: %j', (options, sentence) => {
    expect(() => withOptions(options)).toThrow(sentence);
  });
});

describe('a bad file is refused with place and field', () => {
  const oneVehicle = [{ id: 1, start_index: 0 }];
  const matrices = {
    car: {
      durations: [
        [0, 1],
        [1, 0],
      ],
    },
  };
  const json = (more: object) => JSON.stringify({ jobs: [], vehicles: oneVehicle, matrices, ...more });
  it.each([
    ['v.vrp', vrp.replace('3 0 20', '3 NaN 20'), /line 9: x must be a number, not 'NaN'/],
    ['v.vrp', vrp.slice(0, vrp.indexOf('4 10 0')), /NODE_COORD_SECTION: 3 of 4 nodes.*cut off/],
    ['v.vrp', vrp.slice(0, vrp.indexOf('DEMAND')), /DEMAND_SECTION: is missing/],
    ['v.vrp', vrp.replace('2 5', '2 -5'), /line 13: demand must not be below 0/],
    [
      's.txt',
      solomon.replace('0         100         10\n    2', '150       100         10\n    2'),
      /line 11, customer 1: DUE DATE/,
    ],
    ['s.txt', solomon.replace('100         10\n', '100        -10\n'), /line 11: SERVICE TIME must not be below 0/],
    ['s.txt', solomon.slice(0, solomon.indexOf('CUSTOMER')), /CUSTOMER: no customer/],
    ['s.txt', solomon.replace('3         4', '300       4'), /customer 2: DUE DATE cannot be met/],
    ['v.json', json({ vehicles: [] }), /vehicles are missing/],
    ['v.json', json({}).slice(0, -5), /not whole JSON/],
    ['v.json', json({ jobs: [{ id: 5, location_index: 1, service: -3 }] }), /job 5: service must not be below 0/],
    [
      'v.json',
      json({ jobs: [{ id: 5, location_index: 1, description: '1 \\" 2', service: 77 }] }).replace('77', 'NaN'),
      /job 5: service must be a number, not NaN/,
    ],
    [
      'v.json',
      json({ jobs: [{ id: 5, location_index: 77 }] }).replace('77', '-Infinity'),
      /job 5: location_index .*-Infinity/,
    ],
    ['v.json', json({ jobs: [{ id: 5, location_index: 1, time_windows: [[9, 3]] }] }), /job 5: time_windows ends/],
    [
      'v.json',
      json({ matrices: { car: { durations: [[0, 1], [1]] } } }),
      /matrix car: durations has 1 entries in row 1/,
    ],
    ['v.json', json({ shipments: [{}] }), /shipments are not supported/],
    ['x.bin', 'hello', /format is unknown/],
    ['x.vrp', '', /empty/],
  ])('%s', (name, text, sentence) => {
    expect(() => readProblemFile(name, text)).toThrow(sentence);
  });
});

const data = process.env.MILKRUN_TEST_DATA;
const folder = path.join(data ?? '', 'vrp');
const isThere = data !== undefined && existsSync(folder);
if (!isThere) process.stderr.write('Public route files not tested: MILKRUN_TEST_DATA names no folder with them.\n');

describe.skipIf(!isThere)('public files', () => {
  it.each([
    ['tsp/berlin52.tsp', 7542],
    ['vrptw/C101.txt', 827.3],
  ])('%s is solved to its proven optimum', (file, optimum) => {
    const problem = readProblemFile(path.basename(file), readFileSync(path.join(folder, file), 'utf8'));
    expect(solveFile(problem, { ...quick, iterations: 20_000 }).cost).toBe(optimum);
  });
});

it('refuses more places than fit into memory, and names their number', () => {
  const jobs = Array.from({ length: 10_000 }, (_, n) => ({ id: n + 1, location: [-74 + n / 10_000, 40.7] }));
  const text = JSON.stringify({ jobs, vehicles: [{ id: 1, start: [-75, 40.7] }] });
  expect(() => readProblemFile('big.json', text)).toThrow('jobs and vehicles name 10001 places; at most 4000');
});
