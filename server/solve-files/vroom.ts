import { farPlaces, farSentences } from '../../domain/far-place.ts';
import { distanceKm, type Point } from '../../domain/location.ts';
import { defaultEstimate, estimateSeconds } from '../../domain/travel-estimate.ts';
import type { Solution } from '../../optimizer/index.ts';
import { mustFit } from './distances.ts';
import { type FileOptions, fileOptionsOf, optionFields } from './file-options.ts';
import { refused } from './numbered-lines.ts';

type Fields = Record<string, unknown>;

/** Fields that are read; any other is named to the user. */
const known = {
  problem: ['jobs', 'vehicles', 'matrices', 'matrix', 'shipments', 'options'],
  options: optionFields,
  job: ['id', 'location', 'location_index', 'setup', 'service', 'delivery', 'amount', 'pickup', 'skills', 'priority'],
  jobToo: ['time_windows', 'description', 'required', 'prize', 'allowed_vehicles', 'source'],
  vehicle: ['id', 'profile', 'start', 'start_index', 'end', 'end_index', 'capacity', 'skills', 'time_window', 'breaks'],
  vehicleToo: [
    'max_tasks',
    'max_travel_time',
    'max_distance',
    'speed_factor',
    'costs',
    'steps',
    'reload',
    'description',
  ],
  break: ['id', 'time_windows', 'service', 'description'],
  costs: ['fixed', 'per_hour', 'per_km'],
  step: ['type', 'id', 'service_at'],
  matrix: ['durations', 'distances', 'costs'],
};

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Fields this program does not know, each named once with the first thing that has it. */
function unknownFields(json: Fields): string[] {
  const found = new Map<string, string>();
  const look = (where: string, kind: string, record: unknown, names: readonly string[]) => {
    if (!isFields(record)) return;
    for (const name of Object.keys(record)) {
      const key = `${kind}.${name}`;
      if (!names.includes(name) && !found.has(key))
        found.set(key, `${where}: ${name} is not supported and has no effect.`);
    }
  };
  look('problem', 'problem', json, known.problem);
  look('options', 'options', json.options, known.options);
  for (const job of recordsOf(json.jobs)) look(`job ${job.id}`, 'job', job, [...known.job, ...known.jobToo]);
  for (const vehicle of recordsOf(json.vehicles)) {
    const where = `vehicle ${vehicle.id}`;
    look(where, 'vehicle', vehicle, [...known.vehicle, ...known.vehicleToo]);
    look(where, 'costs', vehicle.costs, known.costs);
    for (const pause of recordsOf(vehicle.breaks)) look(`${where}, break ${pause.id}`, 'break', pause, known.break);
    for (const step of recordsOf(vehicle.steps)) look(`${where}, steps`, 'step', step, known.step);
  }
  if (isFields(json.matrices))
    for (const [name, matrix] of Object.entries(json.matrices)) look(`matrix ${name}`, 'matrix', matrix, known.matrix);
  return [...found.values()];
}

function pairOf(value: unknown, where: string, field: string): [number, number] | undefined {
  if (value === undefined || value === null) return undefined;
  const [longitude, latitude] = Array.isArray(value) ? value : [];
  const isPlace = Number.isFinite(longitude) && Number.isFinite(latitude);
  if (!isPlace) throw refused(where, `${field} must be a pair [lon, lat].`);
  return [longitude, latitude];
}

/** A place of the file where it is one; what is wrong with it is said elsewhere. */
function pointOf(value: unknown): Point[] {
  const [lng, lat]: unknown[] = Array.isArray(value) ? value : [];
  return typeof lng === 'number' && typeof lat === 'number' ? [{ lng, lat }] : [];
}

/** Sentences about jobs far from every other job, start and end. */
function farJobs(json: Fields): string[] {
  const places = recordsOf(json.jobs).flatMap(({ id, description, location }) =>
    pointOf(location).map((point) => ({ ...point, name: typeof description === 'string' ? description : `job ${id}` })),
  );
  const ends = recordsOf(json.vehicles).flatMap(({ start, end }) => [...pointOf(start), ...pointOf(end)]);
  return farSentences(farPlaces(places, ends).map(({ name }) => name));
}

/** Gives every place a row of one estimated matrix, used by every profile. */
function withEstimate(json: Fields): Fields {
  const places: [number, number][] = [];
  const rows = new Map<string, number>();
  const rowOf = (place: [number, number]): number => {
    const row = rows.get(place.join()) ?? places.length;
    if (row === places.length) {
      rows.set(place.join(), row);
      places.push(place);
    }
    return row;
  };
  const jobs = recordsOf(json.jobs).map((job) => {
    const place = pairOf(job.location, `job ${job.id}`, 'location');
    if (!place) throw refused(`job ${job.id}`, 'location is missing, and the file has no matrices.');
    return { ...job, location_index: rowOf(place) };
  });
  const vehicles = recordsOf(json.vehicles).map((vehicle) => {
    const where = `vehicle ${vehicle.id}`;
    const [start, end] = [pairOf(vehicle.start, where, 'start'), pairOf(vehicle.end, where, 'end')];
    if (!start && !end) throw refused(where, 'start or end is missing, and the file has no matrices.');
    return { ...vehicle, start_index: start && rowOf(start), end_index: end && rowOf(end) };
  });
  mustFit(places);
  const points = places.map(([lng, lat]) => ({ lat, lng }));
  const km = points.map((a) => points.map((b) => distanceKm(a, b) * defaultEstimate.detourFactor));
  const matrix = {
    durations: km.map((row) => row.map((one) => estimateSeconds(one))),
    distances: km.map((row) => row.map((one) => Math.round(one * 1000))),
  };
  const profiles = new Set(vehicles.map((vehicle: Fields) => String(vehicle.profile ?? 'car')));
  return { jobs, vehicles, matrices: Object.fromEntries([...profiles].map((name) => [name, matrix])) };
}

/** A string, to be passed over, or what other programs write into JSON though it is none of its numbers. */
const stringOrNoNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g;

/** NaN and Infinity become words: the check of the fields then says which field of which stop has one. */
function parseJson(text: string): unknown {
  const quoted = (found: string): string => (found.startsWith('"') ? found : `"${found}"`);
  try {
    return JSON.parse(/NaN|Infinity/.test(text) ? text.replace(stringOrNoNumber, quoted) : text);
  } catch (error) {
    throw refused('file', `it is not whole JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

/** VROOM may change the routes that `steps` give, or refuse them; here they are what is driven already. */
function keptSteps(json: Fields): string[] {
  const begun = recordsOf(json.vehicles).filter(({ steps }) => recordsOf(steps).some(({ type }) => type === 'job'));
  return begun.map(
    ({ id }) => `vehicle ${id}: the jobs of its steps begin its route in their order, also beyond its limits.`,
  );
}

/**
 * Prepares VROOM's JSON or our own for the optimiser, which checks every field itself. Warnings name what has no effect.
 */
export function readVroom(text: string): { json: unknown; options: FileOptions; warnings: string[] } {
  const json = parseJson(text);
  if (!isFields(json)) throw refused('file', 'it must hold one object with jobs and vehicles.');
  if (!Array.isArray(json.jobs) && !Array.isArray(json.shipments)) throw refused('problem', 'jobs are missing.');
  if (recordsOf(json.vehicles).length === 0) throw refused('problem', 'vehicles are missing: at least one is needed.');
  const options = fileOptionsOf(json.options);
  const warnings = [...unknownFields(json), ...keptSteps(json)];
  if (recordsOf(json.jobs).some((job) => job.amount !== undefined)) {
    // The older name of `delivery` in VROOM's own files.
    const jobs = recordsOf(json.jobs).map(({ amount, ...job }) => ({ delivery: amount, ...job }));
    return { options, ...withMatrices({ ...json, jobs }, warnings) };
  }
  return { options, ...withMatrices(json, warnings) };
}

function withMatrices(json: Fields, warnings: string[]): { json: unknown; warnings: string[] } {
  // Lists that are not lists are left to the optimiser, which names them.
  if (Array.isArray(json.shipments) && json.shipments.length)
    throw refused('problem', 'shipments are not supported; write the deliveries from the depot as jobs.');
  if (isFields(json.matrices)) return { json, warnings: [...warnings, ...farJobs(json)] };
  if (Array.isArray(json.matrix)) {
    const whole = { ...json, matrices: { car: { durations: json.matrix } } };
    return { json: whole, warnings: [...warnings, ...farJobs(json)] };
  }
  const estimate = 'problem: there are no matrices, so travel is estimated from straight lines.';
  // First, because it refuses what is too large.
  const estimated = withEstimate(json);
  return { json: estimated, warnings: [...warnings, ...farJobs(json), estimate] };
}

/** The answer in VROOM's shape: what its users' programs read. */
export function vroomAnswer(solution: Solution) {
  const { iterations: _, units: __, ...answer } = solution;
  return { code: 0, ...answer };
}
