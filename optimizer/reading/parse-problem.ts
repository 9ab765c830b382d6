/**
 * Turns anything into a checked problem or refuses it. Guarantees afterwards: whole non-negative numbers in range, windows in order and
 * apart, amount lists of one length, square matrices that cover every place named, ids used once. Every entry of the library passes
 * here, so the search itself checks nothing.
 */
import type {
  CompleteBreak,
  CompleteJob,
  CompleteProblem,
  CompleteVehicle,
  FixedStep,
  Id,
  Matrices,
  Matrix,
  Reload,
} from '../problem.ts';
import {
  type Fields,
  fieldsOf,
  InvalidProblem,
  idOf,
  listOf,
  numberOf,
  numbersOf,
  optionalNumberOf,
  refuseRepeated,
  textOf,
  windowOf,
  windowsOf,
} from './read-fields.ts';

/** Largest time span and largest matrix entry in seconds or metres: sums of a few of them must stay below 2^31. */
const LARGEST = 2 ** 28;

/** Default rate: one cost unit per second. */
const PER_HOUR = 3600;

/** Visits to reload per vehicle: each is one more stop for the search. */
const MOST_RELOADS = 20;

function parseJob(value: unknown, position: number): CompleteJob {
  const fields = fieldsOf(value, `job at position ${position}`, 'it');
  const id = idOf(fields.id, `job at position ${position}`, 'id');
  const where = `job ${id}`;
  const prize = optionalNumberOf(fields.prize, where, 'prize', { whole: false, max: LARGEST });
  return {
    id,
    location_index: numberOf(fields.location_index, where, 'location_index'),
    location: placeOf(fields.location, where, 'location'),
    setup: optionalNumberOf(fields.setup, where, 'setup', { max: LARGEST }) ?? 0,
    service: optionalNumberOf(fields.service, where, 'service', { max: LARGEST }) ?? 0,
    delivery: numbersOf(fields.delivery, where, 'delivery', { max: LARGEST }),
    pickup: numbersOf(fields.pickup, where, 'pickup', { max: LARGEST }),
    skills: numbersOf(fields.skills, where, 'skills'),
    priority: optionalNumberOf(fields.priority, where, 'priority', { max: 100 }) ?? 0,
    time_windows: windowsOf(fields.time_windows, where, 'time_windows'),
    description: textOf(fields.description, where, 'description'),
    required: booleanOf(fields.required, where, 'required') ?? false,
    prize,
    allowed_vehicles: fields.allowed_vehicles === undefined ? undefined : idsOf(fields.allowed_vehicles, where),
    source: sourceOf(fields.source, where),
  };
}

function parseVehicle(value: unknown, position: number): CompleteVehicle {
  const fields = fieldsOf(value, `vehicle at position ${position}`, 'it');
  const id = idOf(fields.id, `vehicle at position ${position}`, 'id');
  const where = `vehicle ${id}`;
  const costs = fields.costs === undefined ? {} : fieldsOf(fields.costs, where, 'costs');
  const money = { whole: false, max: 1e9 };
  const limit = { max: LARGEST };
  return {
    id,
    profile: textOf(fields.profile, where, 'profile') ?? 'car',
    start_index: optionalNumberOf(fields.start_index, where, 'start_index'),
    end_index: optionalNumberOf(fields.end_index, where, 'end_index'),
    start: placeOf(fields.start, where, 'start'),
    end: placeOf(fields.end, where, 'end'),
    capacity: numbersOf(fields.capacity, where, 'capacity', { max: 2 ** 30 }),
    skills: numbersOf(fields.skills, where, 'skills'),
    time_window: fields.time_window === undefined ? undefined : windowOf(fields.time_window, where, 'time_window'),
    breaks: listOf(fields.breaks, where, 'breaks').map((entry) => parseBreak(entry, where)),
    max_tasks: optionalNumberOf(fields.max_tasks, where, 'max_tasks', limit),
    max_travel_time: optionalNumberOf(fields.max_travel_time, where, 'max_travel_time', limit),
    max_distance: optionalNumberOf(fields.max_distance, where, 'max_distance', { max: 2 ** 30 }),
    speed_factor:
      optionalNumberOf(fields.speed_factor, where, 'speed_factor', { whole: false, min: 0.01, max: 100 }) ?? 1,
    costs: {
      fixed: optionalNumberOf(costs.fixed, where, 'costs.fixed', money) ?? 0,
      per_hour: optionalNumberOf(costs.per_hour, where, 'costs.per_hour', money) ?? PER_HOUR,
      per_km: optionalNumberOf(costs.per_km, where, 'costs.per_km', money) ?? 0,
    },
    reload: reloadOf(fields.reload, where),
    steps: listOf(fields.steps, where, 'steps').map((entry) => parseStep(entry, where)),
    description: textOf(fields.description, where, 'description'),
  };
}

function reloadOf(value: unknown, where: string): Required<Reload> | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = fieldsOf(value, where, 'reload');
  return {
    location_index: numberOf(fields.location_index, where, 'reload.location_index'),
    service: optionalNumberOf(fields.service, where, 'reload.service', { max: LARGEST }) ?? 0,
    max: numberOf(fields.max, where, 'reload.max', { max: MOST_RELOADS }),
  };
}

function parseBreak(value: unknown, where: string): CompleteBreak {
  const fields = fieldsOf(value, where, 'breaks');
  const windows = windowsOf(fields.time_windows, where, 'breaks.time_windows');
  if (windows.length === 0) throw new InvalidProblem(where, 'breaks.time_windows', 'must not be empty');
  return {
    id: idOf(fields.id, where, 'breaks.id'),
    time_windows: windows,
    service: optionalNumberOf(fields.service, where, 'breaks.service', { max: LARGEST }) ?? 0,
    description: textOf(fields.description, where, 'breaks.description'),
  };
}

function parseStep(value: unknown, where: string): FixedStep {
  const fields = fieldsOf(value, where, 'steps');
  const type = fields.type;
  if (type !== 'start' && type !== 'job' && type !== 'break' && type !== 'end') {
    throw new InvalidProblem(where, 'steps.type', `must be start, job, break or end, not ${String(type)}`);
  }
  const id = fields.id === undefined ? undefined : idOf(fields.id, where, 'steps.id');
  return { type, id, service_at: optionalNumberOf(fields.service_at, where, 'steps.service_at') };
}

/** Rows are checked in place, not copied: a matrix of 1,000 places has a million entries. */
function parseMatrix(value: unknown, where: string, field: string): Matrix {
  const rows = listOf(value, where, field);
  return rows.map((row, from) => {
    const entries = listOf(row, where, `${field}[${from}]`);
    if (entries.length !== rows.length) {
      throw new InvalidProblem(where, field, `has ${entries.length} entries in row ${from}, but ${rows.length} rows`);
    }
    if (isMatrixRow(entries)) return entries;
    const to = entries.findIndex((entry) => !isMatrixRow([entry]));
    numberOf(entries[to], where, `${field}[${from}][${to}]`, { max: LARGEST });
    throw new InvalidProblem(where, `${field}[${from}][${to}]`, 'must be a whole number or null');
  });
}

function isMatrixRow(entries: readonly unknown[]): entries is readonly (number | null)[] {
  for (let to = 0; to < entries.length; to++) {
    const entry = entries[to];
    if (entry === null) continue;
    if (typeof entry !== 'number' || !Number.isInteger(entry) || entry < 0 || entry > LARGEST) return false;
  }
  return true;
}

function parseMatrices(value: unknown): Record<string, Matrices> {
  const matrices: Record<string, Matrices> = {};
  for (const [profile, entry] of Object.entries(fieldsOf(value, 'problem', 'matrices'))) {
    const where = `matrix ${profile}`;
    const fields = fieldsOf(entry, where, 'it');
    const durations = parseMatrix(fields.durations, where, 'durations');
    const distances = fields.distances === undefined ? undefined : parseMatrix(fields.distances, where, 'distances');
    const costs = fields.costs === undefined ? undefined : parseMatrix(fields.costs, where, 'costs');
    for (const [field, matrix] of Object.entries({ distances, costs })) {
      if (matrix === undefined || matrix.length === durations.length) continue;
      throw new InvalidProblem(where, field, `has ${matrix.length} rows, durations have ${durations.length}`);
    }
    matrices[profile] = costs === undefined ? { durations, distances } : { durations, distances, costs };
  }
  return matrices;
}

function booleanOf(value: unknown, where: string, field: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw new InvalidProblem(where, field, 'must be true or false');
}

function placeOf(value: unknown, where: string, field: string): [number, number] | undefined {
  if (value === undefined || value === null) return undefined;
  const pair = listOf(value, where, field);
  if (pair.length !== 2) throw new InvalidProblem(where, field, 'must be a pair [lon, lat]');
  const lon = numberOf(pair[0], where, field, { min: -180, max: 180, whole: false });
  return [lon, numberOf(pair[1], where, field, { min: -90, max: 90, whole: false })];
}

function idsOf(value: unknown, where: string): Id[] {
  return listOf(value, where, 'allowed_vehicles').map((entry) => idOf(entry, where, 'allowed_vehicles'));
}

function sourceOf(value: unknown, where: string): { type: string; id: Id } | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = fieldsOf(value, where, 'source');
  return { type: textOf(fields.type, where, 'source.type') ?? '', id: idOf(fields.id, where, 'source.id') };
}

function checkPlaces(problem: CompleteProblem): void {
  for (const vehicle of problem.vehicles) {
    const where = `vehicle ${vehicle.id}`;
    const matrices = problem.matrices[vehicle.profile];
    if (matrices === undefined) throw new InvalidProblem(where, 'profile', `has no matrix: ${vehicle.profile}`);
    const size = matrices.durations.length;
    for (const field of ['start_index', 'end_index'] as const) {
      const index = vehicle[field];
      if (index !== undefined && index >= size) {
        throw new InvalidProblem(where, field, `is ${index}, but the matrix has ${size} places`);
      }
    }
    if (vehicle.reload !== undefined && vehicle.reload.location_index >= size) {
      const complaint = `is ${vehicle.reload.location_index}, but the matrix has ${size} places`;
      throw new InvalidProblem(where, 'reload.location_index', complaint);
    }
    if (matrices.distances === undefined && (vehicle.costs.per_km > 0 || vehicle.max_distance !== undefined)) {
      throw new InvalidProblem(where, 'costs.per_km or max_distance', 'needs a matrix of distances');
    }
    if (matrices.costs !== undefined && (vehicle.costs.per_hour !== PER_HOUR || vehicle.costs.per_km > 0)) {
      throw new InvalidProblem(where, 'costs.per_hour or costs.per_km', 'has no place beside a matrix of costs');
    }
  }
  for (const [profile, matrices] of Object.entries(problem.matrices)) {
    const size = matrices.durations.length;
    const outside = problem.jobs.find((job) => job.location_index >= size);
    if (outside === undefined) continue;
    const complaint = `is ${outside.location_index}, but the matrix ${profile} has ${size} places`;
    throw new InvalidProblem(`job ${outside.id}`, 'location_index', complaint);
  }
}

function dimensionsOf(jobs: readonly CompleteJob[], vehicles: readonly CompleteVehicle[]): number {
  const lists = [
    ...jobs.flatMap((job) => [
      { where: `job ${job.id}`, field: 'delivery', list: job.delivery },
      { where: `job ${job.id}`, field: 'pickup', list: job.pickup },
    ]),
    ...vehicles.map((vehicle) => ({ where: `vehicle ${vehicle.id}`, field: 'capacity', list: vehicle.capacity })),
  ].filter((entry) => entry.list.length > 0);
  const dimensions = lists[0]?.list.length ?? 0;
  for (const { where, field, list } of lists) {
    if (list.length !== dimensions) {
      throw new InvalidProblem(where, field, `has ${list.length} amounts, others have ${dimensions}`);
    }
  }
  return dimensions;
}

function checkSteps(problem: CompleteProblem): void {
  const known = new Set(problem.jobs.map((job) => job.id));
  const used = new Set<Id>();
  for (const vehicle of problem.vehicles) {
    for (const step of vehicle.steps) {
      if (step.type !== 'job') continue;
      const where = `vehicle ${vehicle.id}`;
      if (step.id === undefined || !known.has(step.id)) {
        throw new InvalidProblem(where, 'steps', `names the unknown job ${step.id}`);
      }
      if (used.has(step.id)) throw new InvalidProblem(where, 'steps', `names job ${step.id}, which is named before`);
      used.add(step.id);
    }
  }
}

/** All times on one clock: the span must fit the search's whole numbers. */
function checkSpan(problem: CompleteProblem): void {
  const base = clockBase(problem);
  const limit = base + LARGEST;
  for (const job of problem.jobs) {
    if (job.time_windows.some((window) => window[0] > limit)) {
      throw new InvalidProblem(`job ${job.id}`, 'time_windows', `start more than ${LARGEST} s after the first vehicle`);
    }
  }
  for (const vehicle of problem.vehicles) {
    if ((vehicle.time_window?.[0] ?? 0) > limit) {
      throw new InvalidProblem(`vehicle ${vehicle.id}`, 'time_window', `starts more than ${LARGEST} s after the first`);
    }
  }
}

/** The instant the search counts from: the start of the first shift, or 0 when a vehicle has no shift. */
export function clockBase(problem: CompleteProblem): number {
  let base = Number.MAX_SAFE_INTEGER;
  for (const vehicle of problem.vehicles) base = Math.min(base, vehicle.time_window?.[0] ?? 0);
  return base;
}

/**
 * Checks a problem and fills in its defaults.
 * @throws InvalidProblem naming the thing and the field
 */
export function parseProblem(json: unknown): CompleteProblem {
  const fields: Fields = fieldsOf(json, 'problem', 'it');
  if (listOf(fields.shipments, 'problem', 'shipments').length > 0) {
    throw new InvalidProblem('problem', 'shipments', 'are not supported');
  }
  const jobs = listOf(fields.jobs, 'problem', 'jobs').map(parseJob);
  const vehicles = listOf(fields.vehicles, 'problem', 'vehicles').map(parseVehicle);
  if (vehicles.length === 0) throw new InvalidProblem('problem', 'vehicles', 'must not be empty');
  refuseRepeated(
    jobs.map((job) => job.id),
    'job',
  );
  refuseRepeated(
    vehicles.map((vehicle) => vehicle.id),
    'vehicle',
  );
  const dimensions = dimensionsOf(jobs, vehicles);
  const problem = { jobs, vehicles, matrices: parseMatrices(fields.matrices), dimensions };
  checkPlaces(problem);
  checkSteps(problem);
  checkSpan(problem);
  return problem;
}
