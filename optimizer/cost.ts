/**
 * The one place where cost is defined. A route costs its vehicle's fixed price plus, for each leg, driving time and distance at the
 * vehicle's rates; waiting and service are free (as in VROOM). A plan costs its routes plus what the stops left out were worth.
 * Costs are counted in whole ticks, a tick being 1/scale of a cost unit, so that sums are exact and a move's promised change equals
 * the recomputed one to the last digit.
 */
import type { CompleteProblem, VehicleCosts } from './problem.ts';

/** No leg may reach this; it marks a pair of places without a way between them. In ticks, seconds and metres alike. */
export const NO_WAY = 2 ** 29;

interface Leg {
  seconds: number;
  metres: number;
  /** In cost units, where the problem has a matrix of costs. */
  cost?: number | null;
}

/** Cost of one leg in ticks. */
export function legCost(rates: Required<VehicleCosts>, leg: Leg, scale: number): number {
  if (typeof leg.cost === 'number') return Math.round(scale * leg.cost);
  return Math.round(scale * ((rates.per_hour * leg.seconds) / 3600 + (rates.per_km * leg.metres) / 1000));
}

/** Cost of opening a route in ticks. */
export function fixedCost(rates: Required<VehicleCosts>, scale: number): number {
  return Math.round(scale * rates.fixed);
}

/** The largest entries of all matrices, and per profile those of its costs. */
export interface Longest {
  seconds: number;
  metres: number;
  costs: ReadonlyMap<string, number>;
}

/** In ticks, the most that one leg of any vehicle may cost. */
export function dearestLeg(problem: CompleteProblem, longest: Longest, scale: number): number {
  const { seconds, metres } = longest;
  const dearest = problem.vehicles.map(({ costs, profile }) =>
    legCost(costs, { seconds, metres, cost: longest.costs.get(profile) }, scale),
  );
  return Math.max(1, ...dearest);
}

/**
 * Ticks per cost unit: 1 when every cost is whole anyway (the default, cost = seconds), else up to 1000 as long as the dearest leg
 * stays far below NO_WAY.
 */
export function ticksPerUnit(problem: CompleteProblem, longest: Longest): number {
  const whole =
    problem.vehicles.every(
      ({ costs }) => costs.per_hour % 3600 === 0 && costs.per_km % 1000 === 0 && Number.isInteger(costs.fixed),
    ) && problem.jobs.every((job) => job.prize === undefined || Number.isInteger(job.prize));
  if (whole) return 1;
  const dearest = dearestLeg(problem, longest, 1);
  let scale = 1000;
  while (scale > 1 && dearest * scale > NO_WAY / 4) scale /= 10;
  return scale;
}

/**
 * Cost in ticks of leaving a stop out. A stop with a prize costs its prize. Any other costs more than the dearest thinkable plan, so that
 * serving one more always wins; priority decides between them, and `required` stands above priority 100.
 */
export function missedCost(
  job: { required: boolean; prize?: number; priority: number },
  dearestPlan: number,
  scale: number,
): number {
  if (job.required) return dearestPlan * 102;
  if (job.prize !== undefined) return Math.round(scale * job.prize);
  return dearestPlan * (1 + job.priority);
}
