/**
 * The problem as the search sees it: flat arrays of whole numbers, no objects, no ids. Node numbers: stops 0..stops-1 in the order of
 * `problem.jobs` (near ones together, not as given), then one start per vehicle, then one end per vehicle. Guarantees: every leg, also from or to a missing start or end
 * (free, from the extra place), has an entry; a pair without a way has NO_WAY, which no window can hold; times count from the first shift.
 * Layout after HGS-CVRP (Vidal 2022) and PyVRP (Wouda, Lan, Kool 2024): one row per place, stops at the same place share it.
 */
import { dearestLeg, fixedCost, type Longest, missedCost, NO_WAY, ticksPerUnit } from './cost.ts';
import { type Legs, placeRows, sharedLegs } from './plan/legs.ts';
import { type CompleteJob, type CompleteProblem, type CompleteVehicle, drivenSeconds, type Id } from './problem.ts';
import { clockBase } from './reading/parse-problem.ts';
import { jobsWithReloads } from './reading/reload-jobs.ts';

export interface Model {
  readonly problem: CompleteProblem;
  readonly stops: number;
  readonly vehicles: number;
  readonly nodes: number;
  readonly places: number;
  readonly dimensions: number;
  readonly scale: number;
  /** Ticks no plan can cost: leaving out a stop that should be served costs more. */
  readonly dearestPlan: number;
  /** Seconds between the caller's clock and the search's. */
  readonly base: number;
  /** Per node. */
  readonly place: Int32Array;
  readonly service: Int32Array;
  readonly setup: Int32Array;
  /** Per node: where its windows begin in windowStart/windowEnd; one entry more than nodes. */
  readonly windowFrom: Int32Array;
  readonly windowStart: Int32Array;
  readonly windowEnd: Int32Array;
  /** Per node: when service really began (already driven), or -1. */
  readonly servedAt: Int32Array;
  /** Per stop: vehicle whose fixed beginning it belongs to, or -1. */
  readonly lockedTo: Int32Array;
  /** Per stop x dimension. */
  readonly delivery: Int32Array;
  readonly pickup: Int32Array;
  /** Per stop: ticks of leaving it out. */
  readonly missed: Float64Array;
  /** Per stop: 1 when it is only served if its prize is worth the way. */
  readonly optional: Uint8Array;
  /** Per stop x vehicle: 1 when skills and permission allow it. */
  readonly allowed: Uint8Array;
  /** Per vehicle. */
  readonly legs: readonly Legs[];
  readonly fixed: Float64Array;
  readonly capacity: Int32Array;
  readonly maxTasks: Int32Array;
  readonly maxSeconds: Float64Array;
  readonly maxMetres: Float64Array;
  /** Per vehicle: vehicles of the same type are interchangeable. */
  readonly type: Int32Array;
  readonly types: number;
  /** Some vehicle may not serve some stop. */
  readonly restricted: boolean;
  /** Some stop has several windows, or was served already: times need more than one window per node. */
  readonly severalWindows: boolean;
  /** Something can be late: windows, shifts, breaks or pairs without a way. */
  readonly timed: boolean;
  /** Deliveries and pickups both occur, or vehicles reload, so the load has to be followed along the route. */
  readonly mixedLoad: boolean;
  /** Per stop: vehicle that may reload there, or -1 for a job; all those stops; whether there are any. */
  readonly reloadOf: Int32Array;
  readonly reloads: Int32Array;
  readonly hasReloads: boolean;
  /** A setup depends on the stop before because places are shared. */
  readonly setupVaries: boolean;
}

const NEVER = NO_WAY - 1;

/** Node of the start of a vehicle. */
export function startOf(model: Model, vehicle: number): number {
  return model.stops + vehicle;
}

/** Node of the end of a vehicle. */
export function endOf(model: Model, vehicle: number): number {
  return model.stops + model.vehicles + vehicle;
}

/** Whether a node is a vehicle's visit to reload. */
export function isReload(model: Model, node: number): boolean {
  return model.hasReloads && node < model.stops && model.reloadOf[node] !== -1;
}

function longestLeg(problem: CompleteProblem): Longest {
  const longest = { seconds: 1, metres: 1 };
  const dearest = new Map<string, number>();
  for (const [profile, { durations, distances, costs }] of Object.entries(problem.matrices)) {
    for (const row of durations) for (const entry of row) longest.seconds = Math.max(longest.seconds, entry ?? 0);
    for (const row of distances ?? []) for (const entry of row) longest.metres = Math.max(longest.metres, entry ?? 0);
    for (const row of costs ?? [])
      for (const entry of row) dearest.set(profile, Math.max(dearest.get(profile) ?? 0, entry ?? 0));
  }
  const slowest = Math.min(1, ...problem.vehicles.map((vehicle) => vehicle.speed_factor));
  return { seconds: drivenSeconds(longest.seconds, slowest), metres: longest.metres, costs: dearest };
}

function isAllowed(job: CompleteJob, vehicle: CompleteVehicle): boolean {
  if (job.allowed_vehicles !== undefined && !job.allowed_vehicles.includes(vehicle.id)) return false;
  return job.skills.every((skill) => vehicle.skills.includes(skill));
}

function allowedOf(problem: CompleteProblem): Uint8Array {
  const { jobs, vehicles } = problem;
  const allowed = new Uint8Array(jobs.length * vehicles.length);
  for (const [stop, job] of jobs.entries()) {
    for (const [index, vehicle] of vehicles.entries()) {
      allowed[stop * vehicles.length + index] = isAllowed(job, vehicle) ? 1 : 0;
    }
  }
  return allowed;
}

/** Two vehicles are of one type when nothing but their id tells them apart. */
function typesOf(problem: CompleteProblem): { type: Int32Array; types: number } {
  const named = new Set<Id>(problem.jobs.flatMap((job) => job.allowed_vehicles ?? []));
  const numbers = new Map<string, number>();
  const type = Int32Array.from(problem.vehicles, (vehicle) => {
    const own = named.has(vehicle.id) || vehicle.steps.length > 0 ? vehicle.id : undefined;
    const key = JSON.stringify({ ...vehicle, id: own, description: undefined });
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  });
  return { type, types: numbers.size };
}

function lockedOf(problem: CompleteProblem, servedAt: Int32Array, base: number): Int32Array {
  const lockedTo = new Int32Array(problem.jobs.length).fill(-1);
  const stopOf = new Map(problem.jobs.map((job, stop) => [job.id, stop]));
  for (const [index, vehicle] of problem.vehicles.entries()) {
    for (const step of vehicle.steps) {
      const stop = step.type === 'job' && step.id !== undefined ? stopOf.get(step.id) : undefined;
      if (stop === undefined) continue;
      lockedTo[stop] = index;
      if (step.service_at !== undefined) servedAt[stop] = Math.max(0, step.service_at - base);
    }
  }
  return lockedTo;
}

interface Windows {
  windowFrom: Int32Array;
  windowStart: Int32Array;
  windowEnd: Int32Array;
}

function windowsOf(problem: CompleteProblem, base: number, lockedTo: Int32Array): Windows {
  const shift = ([from, to]: readonly [number, number]) =>
    [Math.max(0, from - base), Math.min(NEVER, to - base)] as const;
  const always = [0, NEVER] as const;
  const ofJobs = problem.jobs.map((job, stop) => {
    // What is driven or promised already cannot be late any more: only the rest of the route is judged.
    if ((lockedTo[stop] ?? -1) >= 0 || job.time_windows.length === 0) return [always];
    const open = job.time_windows.map(shift).filter((window) => window[1] >= 0);
    return open.length > 0 ? open : [[0, -1] as const];
  });
  const ofShifts = problem.vehicles.map(({ time_window }) => [time_window ? shift(time_window) : always]);
  const perNode = [...ofJobs, ...ofShifts, ...ofShifts];
  const windowFrom = new Int32Array(perNode.length + 1);
  for (const [node, windows] of perNode.entries()) windowFrom[node + 1] = (windowFrom[node] ?? 0) + windows.length;
  const flat = perNode.flat();
  return {
    windowFrom,
    windowStart: Int32Array.from(flat, (window) => window[0]),
    windowEnd: Int32Array.from(flat, (window) => window[1]),
  };
}

function amountsOf(problem: CompleteProblem, field: 'delivery' | 'pickup'): Int32Array {
  const amounts = new Int32Array(problem.jobs.length * problem.dimensions);
  for (const [stop, job] of problem.jobs.entries()) amounts.set(job[field], stop * problem.dimensions);
  return amounts;
}

function capacityOf(problem: CompleteProblem): Int32Array {
  const capacity = new Int32Array(problem.vehicles.length * problem.dimensions).fill(2 ** 31 - 1);
  for (const [index, vehicle] of problem.vehicles.entries()) capacity.set(vehicle.capacity, index * problem.dimensions);
  return capacity;
}

function hasLateness(problem: CompleteProblem): boolean {
  const timed =
    problem.jobs.some((job) => job.time_windows.length > 0) ||
    problem.vehicles.some((vehicle) => vehicle.time_window !== undefined || vehicle.breaks.length > 0);
  if (timed) return true;
  return Object.values(problem.matrices).some(({ durations, distances = [], costs = [] }) =>
    [durations, distances, costs].some((matrix) => matrix.some((row) => row.includes(null))),
  );
}

function hasVaryingSetup(problem: CompleteProblem): boolean {
  const visited = new Set(problem.vehicles.flatMap((vehicle) => [vehicle.start_index, vehicle.end_index]));
  const shared = new Set<number>();
  for (const job of problem.jobs) {
    if (visited.has(job.location_index)) shared.add(job.location_index);
    visited.add(job.location_index);
  }
  return problem.jobs.some((job) => job.setup > 0 && shared.has(job.location_index));
}

function perVehicle(problem: CompleteProblem, limit: (vehicle: CompleteVehicle) => number | undefined): Float64Array {
  return Float64Array.from(problem.vehicles, (vehicle) => limit(vehicle) ?? Number.POSITIVE_INFINITY);
}

/** Seconds per node. Setups that never depend on the stop before count as service. */
function workOf(jobs: readonly CompleteJob[], nodes: number, setupVaries: boolean) {
  const service = new Int32Array(nodes);
  const setup = new Int32Array(nodes);
  service.set(jobs.map((job) => (setupVaries ? job.service : job.service + job.setup)));
  if (setupVaries) setup.set(jobs.map((job) => job.setup));
  return { service, setup };
}

function reloadsAmong(jobs: readonly CompleteJob[], reloads: ReadonlySet<CompleteJob>, { vehicles }: CompleteProblem) {
  const indexOf = new Map(vehicles.map((vehicle, index) => [vehicle.id, index]));
  const owner = (job: CompleteJob) => indexOf.get(job.allowed_vehicles?.[0] ?? '') ?? -1;
  const reloadOf = Int32Array.from(jobs, (job) => (reloads.has(job) ? owner(job) : -1));
  const stops = Int32Array.from([...jobs.keys()].filter((stop) => reloadOf[stop] !== -1));
  return { reloadOf, reloads: stops, hasReloads: stops.length > 0 };
}

/** More than any plan may cost, in ticks. */
function dearestPlanOf(
  problem: CompleteProblem,
  { longest, scale, fixed }: { longest: Longest; scale: number; fixed: Float64Array },
): number {
  const legs = problem.jobs.length + problem.vehicles.length;
  return 1 + legs * dearestLeg(problem, longest, scale) + fixed.reduce((sum, entry) => sum + entry, 0);
}

/** Prepares a checked problem for the search. */
export function prepare(given: CompleteProblem): Model {
  const all = jobsWithReloads(given);
  const { row, places } = placeRows({ ...given, jobs: all });
  const rowOf = (place: number | undefined) => (place === undefined ? places - 1 : (row[place] ?? 0));
  const { vehicles } = given;
  const jobs = all.toSorted((a, b) => rowOf(a.location_index) - rowOf(b.location_index));
  const problem = { ...given, jobs };
  const reloads = new Set(all.slice(given.jobs.length));
  const longest = longestLeg(problem);
  const scale = ticksPerUnit(problem, longest);
  const base = clockBase(problem);
  const nodes = jobs.length + 2 * vehicles.length;
  const servedAt = new Int32Array(nodes).fill(-1);
  const lockedTo = lockedOf(problem, servedAt, base);
  const setupVaries = hasVaryingSetup(problem);
  const fixed = Float64Array.from(vehicles, ({ costs }) => fixedCost(costs, scale));
  const dearestPlan = dearestPlanOf(problem, { longest, scale, fixed });
  const ofVehicles = [
    ...vehicles.map((vehicle) => vehicle.start_index),
    ...vehicles.map((vehicle) => vehicle.end_index),
  ];
  const delivery = amountsOf(problem, 'delivery');
  const pickup = amountsOf(problem, 'pickup');
  const allowed = allowedOf(problem);
  const windows = windowsOf(problem, base, lockedTo);
  return {
    problem,
    stops: jobs.length,
    vehicles: vehicles.length,
    nodes,
    places,
    dimensions: problem.dimensions,
    scale,
    dearestPlan,
    base,
    place: Int32Array.from([...jobs.map((job) => job.location_index), ...ofVehicles], rowOf),
    ...workOf(jobs, nodes, setupVaries),
    ...windows,
    severalWindows: windows.windowStart.length > nodes || servedAt.some((time) => time >= 0),
    servedAt,
    lockedTo,
    delivery,
    pickup,
    missed: Float64Array.from(jobs, (job) => missedCost(job, dearestPlan, scale)),
    optional: Uint8Array.from(jobs, (job) => (job.prize !== undefined && !job.required && !reloads.has(job) ? 1 : 0)),
    ...reloadsAmong(jobs, reloads, given),
    allowed,
    restricted: allowed.includes(0) || lockedTo.some((vehicle) => vehicle >= 0),
    legs: sharedLegs(problem, { row, places, scale }),
    fixed,
    capacity: capacityOf(problem),
    maxTasks: Int32Array.from(vehicles, (vehicle) => vehicle.max_tasks ?? 2 ** 30),
    maxSeconds: perVehicle(problem, (vehicle) => vehicle.max_travel_time),
    maxMetres: perVehicle(problem, (vehicle) => vehicle.max_distance),
    ...typesOf(problem),
    timed: hasLateness(problem),
    mixedLoad: reloads.size > 0 || (delivery.some((amount) => amount > 0) && pickup.some((amount) => amount > 0)),
    setupVaries,
  };
}
