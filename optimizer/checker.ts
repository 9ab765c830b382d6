/**
 * Checks an answer against its problem alone. Guarantees: shares no code with the search (only the problem's own parser), recomputes every
 * promise from the steps as written (who, where, when, how much, how far, what it costs) and says in words what does not hold.
 */

import type { CompleteBreak, CompleteJob, CompleteProblem, CompleteVehicle, Id, Matrix, Problem } from './problem.ts';
import { parseProblem } from './reading/parse-problem.ts';
import type { Route, Solution, Step } from './solution.ts';

/** Rounding of a leg's cost to a thousandth may add up along a route. */
const COST_SLACK_PER_STEP = 0.001;

type Complain = (text: string) => void;

interface Visit {
  vehicle: CompleteVehicle;
  /** Matrix of costs of the vehicle's profile. */
  prices: Matrix | undefined;
  route: Route;
  complain: Complain;
}

function entry(matrix: Matrix | undefined, from: number | undefined, to: number | undefined): number | null {
  if (from === undefined || to === undefined) return 0;
  if (matrix === undefined) return 0;
  return matrix[from]?.[to] ?? null;
}

function legBetween(problem: CompleteProblem, visit: Visit, ends: [Step, Step]): { seconds: number; metres: number } {
  const { vehicle, complain } = visit;
  const matrices = problem.matrices[vehicle.profile];
  const [from, to] = [ends[0].location_index, ends[1].location_index];
  const seconds = entry(matrices?.durations, from, to);
  const metres = entry(matrices?.distances, from, to);
  if (seconds === null || metres === null) {
    complain(`there is no way from place ${from} to place ${to}`);
    return { seconds: 0, metres: 0 };
  }
  return { seconds: Math.round(seconds / vehicle.speed_factor), metres };
}

function isWithin(windows: readonly (readonly [number, number])[], time: number): boolean {
  return windows.length === 0 || windows.some(([from, to]) => from <= time && time <= to);
}

function checkEnds(visit: Visit): void {
  const { route, vehicle, complain } = visit;
  const first = route.steps[0];
  const last = route.steps.at(-1);
  if (first?.type !== 'start' || last?.type !== 'end') complain('does not begin with its start and close with its end');
  if (first?.location_index !== vehicle.start_index) complain('does not begin at the place of its start');
  if (last?.location_index !== vehicle.end_index) complain('does not close at the place of its end');
  const [from, to] = vehicle.time_window ?? [0, Number.POSITIVE_INFINITY];
  if (first !== undefined && first.arrival < from)
    complain(`leaves at ${first.arrival}, before the shift starts at ${from}`);
  if (last !== undefined && last.arrival > to) complain(`ends at ${last.arrival}, after the shift ends at ${to}`);
}

function checkJob(visit: Visit, step: Step, job: CompleteJob | undefined): void {
  const { vehicle, complain } = visit;
  if (job === undefined) {
    complain(`visits the unknown job ${step.id}`);
    return;
  }
  const fixed = vehicle.steps.find((known) => known.type === 'job' && known.id === job.id);
  const begin = step.arrival + step.waiting_time;
  if (fixed === undefined && !isWithin(job.time_windows, begin))
    complain(`serves job ${job.id} at ${begin}, outside its windows`);
  if (fixed?.service_at !== undefined && begin !== fixed.service_at) {
    complain(`says job ${job.id} began at ${begin}, but it began at ${fixed.service_at}`);
  }
  if (fixed !== undefined) return;
  const missing = job.skills.filter((skill) => !vehicle.skills.includes(skill));
  if (missing.length > 0) complain(`lacks skill ${missing.join(', ')} for job ${job.id}`);
  if (job.allowed_vehicles !== undefined && !job.allowed_vehicles.includes(vehicle.id))
    complain(`may not serve job ${job.id}`);
  if (step.location_index !== job.location_index) complain(`serves job ${job.id} at the wrong place`);
}

function checkReload({ vehicle, route, complain }: Visit, step: Step): void {
  const times = route.steps.filter((other) => other.type === 'reload').length;
  if (times > (vehicle.reload?.max ?? 0)) complain(`reloads ${times} times, more often than it may`);
  if (step.location_index !== vehicle.reload?.location_index) complain('reloads at the wrong place');
}

function checkBreak(visit: Visit, step: Step, taken: Set<Id>): void {
  const { vehicle, complain } = visit;
  const rest = vehicle.breaks.find((candidate) => candidate.id === step.id);
  if (rest === undefined || taken.has(rest.id)) {
    complain(`takes break ${step.id}, which it does not have or has taken`);
    return;
  }
  taken.add(rest.id);
  const begin = step.arrival + step.waiting_time;
  if (!isWithin(rest.time_windows, begin)) complain(`takes break ${rest.id} at ${begin}, outside its windows`);
  if (step.service !== rest.service)
    complain(`takes break ${rest.id} for ${step.service} s instead of ${rest.service} s`);
}

function checkBreaksTaken(visit: Visit, taken: ReadonlySet<Id>): void {
  const end = visit.route.steps.at(-1)?.arrival ?? 0;
  const isMissed = (rest: CompleteBreak) => !taken.has(rest.id) && (rest.time_windows.at(-1)?.[1] ?? 0) < end;
  for (const rest of visit.vehicle.breaks.filter(isMissed)) visit.complain(`leaves out break ${rest.id}`);
}

/** Times, places and work of all steps of a route. */
function checkSteps(problem: CompleteProblem, visit: Visit, jobs: ReadonlyMap<Id, CompleteJob>): void {
  const { route, complain } = visit;
  const taken = new Set<Id>();
  let driven = { seconds: 0, metres: 0 };
  let place: Step | undefined;
  let leaves = 0;
  let resting = 0;
  for (const step of route.steps) {
    const name = `${step.type} ${step.id ?? ''}`.trim();
    if (step.waiting_time < 0) complain(`waits a negative time at ${name}`);
    if (step.type === 'break') {
      checkBreak(visit, step, taken);
      if (step.arrival + step.waiting_time < leaves + resting) complain(`takes ${name} before it is free`);
      resting = step.arrival + step.waiting_time + step.service - leaves;
      continue;
    }
    if (place !== undefined) {
      const leg = legBetween(problem, visit, [place, step]);
      driven = { seconds: driven.seconds + leg.seconds, metres: driven.metres + leg.metres };
      const isKnown = visit.vehicle.steps.some((known) => known.id === step.id && known.service_at !== undefined);
      const breaks = restsBetween(route, place, step);
      if (!isKnown && step.arrival < leaves + leg.seconds + breaks)
        complain(`reaches ${name} at ${step.arrival}, too early`);
      if (!isKnown && step.arrival < leaves + resting) complain(`reaches ${name} during a break`);
    }
    if (step.duration !== driven.seconds)
      complain(`says ${step.duration} s driven until ${name}, not ${driven.seconds} s`);
    if (step.distance !== driven.metres)
      complain(`says ${step.distance} m driven until ${name}, not ${driven.metres} m`);
    const job = step.type === 'job' && step.id !== undefined ? jobs.get(step.id) : undefined;
    if (step.type === 'job') checkJob(visit, step, job);
    if (step.type === 'reload') checkReload(visit, step);
    const work = step.type === 'reload' ? visit.vehicle.reload?.service : job?.service;
    const setup =
      place?.location_index !== undefined && place.location_index === job?.location_index ? 0 : (job?.setup ?? 0);
    if (step.setup !== setup || step.service !== (work ?? 0)) complain(`gives ${name} the wrong setup or service time`);
    leaves = step.arrival + step.waiting_time + step.setup + step.service;
    place = step;
    resting = 0;
  }
  checkBreaksTaken(visit, taken);
}

function restsBetween(route: Route, from: Step, to: Step): number {
  const between = route.steps.slice(route.steps.indexOf(from) + 1, route.steps.indexOf(to));
  return between.reduce((sum, step) => sum + step.service, 0);
}

function checkLoads(visit: Visit, jobs: readonly CompleteJob[], dimensions: number): void {
  const { vehicle, route, complain } = visit;
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const jobOf = (step: Step) => (step.type === 'job' && step.id !== undefined ? byId.get(step.id) : undefined);
  for (let d = 0; d < dimensions; d++) {
    const loadFrom = (first: number) => {
      const rest = route.steps.slice(first);
      const length = rest.findIndex((step) => step.type === 'reload');
      const trip = length < 0 ? rest : rest.slice(0, length);
      return trip.reduce((sum, step) => sum + (jobOf(step)?.delivery[d] ?? 0), 0);
    };
    let load = loadFrom(0);
    const limit = vehicle.capacity[d] ?? Number.POSITIVE_INFINITY;
    for (const [at, step] of route.steps.entries()) {
      const job = jobOf(step);
      if (step.type === 'reload') load = loadFrom(at + 1);
      load += (job?.pickup[d] ?? 0) - (job?.delivery[d] ?? 0);
      if (load > limit)
        complain(`carries ${load} of amount ${d} after ${step.type} ${step.id ?? ''}, more than ${limit}`);
      if (step.load[d] !== load) complain(`says it carries ${step.load[d]} of amount ${d}, not ${load}`);
    }
  }
}

/** Driving by the matrix of costs, if there is one. */
function pricedDriving({ prices, route }: Visit): number | undefined {
  if (prices === undefined) return undefined;
  const places = route.steps.filter((step) => step.type !== 'break').map((step) => step.location_index);
  return places.reduce<number>((sum, to, at) => sum + (at === 0 ? 0 : (entry(prices, places[at - 1], to) ?? 0)), 0);
}

function checkLimits(visit: Visit): void {
  const { vehicle, route, complain } = visit;
  const tasks = route.steps.filter((step) => step.type === 'job').length;
  const end = route.steps.at(-1);
  const {
    max_tasks = tasks,
    max_travel_time = Number.POSITIVE_INFINITY,
    max_distance = Number.POSITIVE_INFINITY,
  } = vehicle;
  if (tasks > max_tasks) complain(`has ${tasks} stops, more than ${max_tasks}`);
  if ((end?.duration ?? 0) > max_travel_time) complain(`drives ${end?.duration} s, more than ${max_travel_time} s`);
  if ((end?.distance ?? 0) > max_distance) complain(`drives ${end?.distance} m, more than ${max_distance} m`);
  const { fixed, per_hour, per_km } = vehicle.costs;
  const driving = (per_hour * (end?.duration ?? 0)) / 3600 + (per_km * (end?.distance ?? 0)) / 1000;
  const cost = fixed + (pricedDriving(visit) ?? driving);
  const slack = COST_SLACK_PER_STEP * (route.steps.length + 1) + Math.abs(cost) * 1e-6;
  if (Math.abs(cost - route.cost) > slack) complain(`costs ${cost}, not ${route.cost}`);
  if (route.duration !== end?.duration || route.distance !== end?.distance) complain('sums up its driving wrongly');
}

function checkFixedSteps(visit: Visit): void {
  const promised = visit.vehicle.steps.filter((step) => step.type === 'job').map((step) => step.id);
  const driven = visit.route.steps.filter((step) => step.type === 'job').map((step) => step.id);
  if (promised.some((id, at) => driven[at] !== id))
    visit.complain('does not begin with its fixed stops in their order');
}

function checkEveryJobOnce(problem: CompleteProblem, solution: Solution, complain: Complain): void {
  const count = new Map<Id, number>(problem.jobs.map((job) => [job.id, 0]));
  const served = solution.routes.flatMap((route) =>
    route.steps.filter((step) => step.type === 'job').map((step) => step.id),
  );
  for (const id of [...served, ...solution.unassigned.map((stop) => stop.id)]) {
    if (id !== undefined) count.set(id, (count.get(id) ?? 0) + 1);
  }
  for (const [id, times] of count) if (times !== 1) complain(`job ${id} appears ${times} times instead of once`);
  for (const stop of solution.unassigned) if (!count.has(stop.id)) complain(`job ${stop.id} is unknown`);
}

function checkSummary(problem: CompleteProblem, solution: Solution, complain: Complain): void {
  const { summary, routes, unassigned } = solution;
  const total = (number: (route: Route) => number) => routes.reduce((sum, route) => sum + number(route), 0);
  const missed = new Set(unassigned.map((stop) => stop.id));
  const lost = problem.jobs.reduce((sum, job) => sum + (missed.has(job.id) ? (job.prize ?? 0) : 0), 0);
  if (Math.abs(summary.cost - total((route) => route.cost)) > 0.001) complain('the cost is not the sum of its routes');
  if (Math.abs(summary.lost_prizes - lost) > 0.001) complain(`the prizes left are ${lost}, not ${summary.lost_prizes}`);
  if (summary.routes !== routes.length) complain(`there are ${routes.length} routes, not ${summary.routes}`);
  if (summary.unassigned !== unassigned.length)
    complain(`${unassigned.length} stops are left out, not ${summary.unassigned}`);
  if (summary.duration !== total((route) => route.duration)) complain('the duration is not the sum of its routes');
  if (summary.distance !== total((route) => route.distance)) complain('the distance is not the sum of its routes');
}

/**
 * Every broken promise of an answer, in words; empty when it is right.
 * @throws InvalidProblem when the problem itself is malformed
 */
export function check(problem: Problem, solution: Solution): string[] {
  const complaints: string[] = [];
  const complete = parseProblem(problem);
  const jobs = new Map(complete.jobs.map((job) => [job.id, job]));
  const used = new Set<Id>();
  checkEveryJobOnce(complete, solution, (text) => complaints.push(text));
  checkSummary(complete, solution, (text) => complaints.push(text));
  for (const route of solution.routes) {
    const complain = (text: string) => complaints.push(`vehicle ${route.vehicle} ${text}`);
    const vehicle = complete.vehicles.find((candidate) => candidate.id === route.vehicle);
    if (vehicle === undefined || used.has(route.vehicle)) {
      complain('is unknown or used twice');
      continue;
    }
    used.add(route.vehicle);
    const visit = { vehicle, prices: complete.matrices[vehicle.profile]?.costs, route, complain };
    checkEnds(visit);
    checkSteps(complete, visit, jobs);
    checkLoads(visit, complete.jobs, complete.dimensions);
    checkLimits(visit);
    checkFixedSteps(visit);
  }
  return complaints;
}
