/**
 * The answer. Field names follow VROOM's JSON; times are seconds on the problem's clock, distances metres, costs in the problem's cost
 * units. Guarantees: every job is on exactly one route or among `unassigned` with a reason.
 */
import type { Id } from './problem.ts';

/**
 * Why a stop was left out: no vehicle has the skill or permission; no way there; load; the stop's own windows; the vehicle's shift, breaks,
 * number of tasks or driving limits; or its prize is smaller than the cost of the way.
 */
export type UnassignedReason = 'skill' | 'unreachable' | 'capacity' | 'window' | 'shift' | 'not_worth_it';

export interface Unassigned {
  id: Id;
  reason: UnassignedReason;
  location_index: number;
  location?: readonly [number, number];
  source?: { readonly type: string; readonly id: Id };
}

export interface Step {
  type: 'start' | 'job' | 'reload' | 'break' | 'end';
  /** Of the job or the break. */
  id?: Id;
  location_index?: number;
  location?: readonly [number, number];
  description?: string;
  source?: { readonly type: string; readonly id: Id };
  arrival: number;
  waiting_time: number;
  setup: number;
  service: number;
  /** On board when leaving. */
  load: readonly number[];
  /** Driven since the start of the route: seconds, metres. */
  duration: number;
  distance: number;
}

export interface Route {
  vehicle: Id;
  cost: number;
  setup: number;
  service: number;
  /** Driving only. */
  duration: number;
  waiting_time: number;
  distance: number;
  delivery: readonly number[];
  pickup: readonly number[];
  steps: readonly Step[];
}

export interface Summary {
  /** Routes only. */
  cost: number;
  /** Prizes of the stops left out. What the search minimises is cost + lost_prizes, after serving all it can. */
  lost_prizes: number;
  routes: number;
  unassigned: number;
  setup: number;
  service: number;
  duration: number;
  waiting_time: number;
  distance: number;
}

export interface Solution {
  summary: Summary;
  routes: readonly Route[];
  unassigned: readonly Unassigned[];
  /** Rounds of search spent; the same seed and number of rounds give the same answer. */
  iterations: number;
  units: { readonly duration: 's'; readonly distance: 'm' };
}
