import { type HistoryChunk, simulateHistory, simulateRoutes } from './history.ts';
import { type OperatorPlan, planOperator, type Span, spanOf } from './operator/operator.ts';
import type { ProfileName } from './operator/profiles.ts';
import type { DrivenDay } from './operator/tours.ts';

export type SimulateOptions = {
  profile: ProfileName;
  seed: number;
  /** Days of history, the last one included. */
  days: number;
  /** Last day of history. */
  until: string;
};

export type Simulation = {
  plan: OperatorPlan;
  span: Span;
  history: () => Generator<HistoryChunk>;
  routes: () => Generator<DrivenDay[]>;
};

/**
 * A synthetic operator and its history as plain records, streamed so that the largest fits into memory. The same options
 * give the same records, to the last digit.
 */
export function simulate({ profile, seed, days, until }: SimulateOptions): Simulation {
  const plan = planOperator(profile, seed);
  const span = spanOf(until, days);
  return {
    plan,
    span,
    history: () => simulateHistory(plan, span),
    routes: () => simulateRoutes(plan, span),
  };
}
