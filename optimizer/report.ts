/** Writes a finished plan as the answer: routes with steps, sums, and the stops left out with their reasons. */
import { fixedCost, legCost } from './cost.ts';
import { isReload } from './model.ts';
import type { Plan } from './plan/plan.ts';
import { stepsOf } from './plan/timeline.ts';
import type { Reasons } from './reasons.ts';
import type { Route, Solution, Step, Unassigned } from './solution.ts';

function sum<T>(list: readonly T[], number: (entry: T) => number): number {
  return list.reduce((total, entry) => total + number(entry), 0);
}

function costOf(plan: Plan, vehicle: number, steps: readonly Step[]): number {
  const { scale, problem } = plan.model;
  const { costs: rates, profile = '' } = problem.vehicles[vehicle] ?? {};
  if (rates === undefined) return 0;
  const custom = problem.matrices[profile]?.costs;
  let ticks = fixedCost(rates, scale);
  const places = steps.filter((step) => step.type !== 'break');
  for (const [i, step] of places.entries()) {
    const before = places[i - 1];
    if (before === undefined) continue;
    const seconds = step.duration - before.duration;
    // Without a start or an end there is no leg there, and no place.
    const cost = custom?.[before.location_index ?? -1]?.[step.location_index ?? -1];
    ticks += legCost(rates, { seconds, metres: step.distance - before.distance, cost }, scale);
  }
  return ticks / scale;
}

function routeOf(plan: Plan, vehicle: number): Route {
  const { model } = plan;
  const stops = plan.stopsOf(vehicle);
  const steps = stepsOf(model, vehicle, stops);
  const { dimensions, delivery, pickup } = model;
  const amounts = (amount: Int32Array) =>
    Array.from({ length: dimensions }, (_, d) => sum([...stops], (stop) => amount[stop * dimensions + d] ?? 0));
  return {
    vehicle: model.problem.vehicles[vehicle]?.id ?? vehicle,
    cost: costOf(plan, vehicle, steps),
    setup: sum(steps, (step) => step.setup),
    service: sum(steps, (step) => (step.type === 'job' || step.type === 'reload' ? step.service : 0)),
    duration: steps.at(-1)?.duration ?? 0,
    waiting_time: sum(steps, (step) => step.waiting_time),
    distance: steps.at(-1)?.distance ?? 0,
    delivery: amounts(delivery),
    pickup: amounts(pickup),
    steps,
  };
}

function unassignedOf(plan: Plan, reasons: Reasons): Unassigned[] {
  const absent = [...plan.absent.subarray(0, plan.absentCount)].sort((a, b) => a - b);
  return absent.flatMap((stop) => {
    const job = plan.model.problem.jobs[stop];
    if (job === undefined || isReload(plan.model, stop)) return [];
    const { id, location_index, location, source } = job;
    return [{ id, reason: reasons.of(stop), location_index, location, source }];
  });
}

/** The answer for a plan. */
export function reportOf(plan: Plan, reasons: Reasons, iterations: number): Solution {
  const routes: Route[] = [];
  for (let vehicle = 0; vehicle < plan.model.vehicles; vehicle++) {
    if (plan.chain.tasks[vehicle] !== 0) routes.push(routeOf(plan, vehicle));
  }
  const unassigned = unassignedOf(plan, reasons);
  const missed = new Set(unassigned.map((stop) => stop.id));
  return {
    summary: {
      cost: sum(routes, (route) => route.cost),
      lost_prizes: sum(plan.model.problem.jobs, (job) => (missed.has(job.id) ? (job.prize ?? 0) : 0)),
      routes: routes.length,
      unassigned: unassigned.length,
      setup: sum(routes, (route) => route.setup),
      service: sum(routes, (route) => route.service),
      duration: sum(routes, (route) => route.duration),
      waiting_time: sum(routes, (route) => route.waiting_time),
      distance: sum(routes, (route) => route.distance),
    },
    routes,
    unassigned,
    iterations,
    units: { duration: 's', distance: 'm' },
  };
}
