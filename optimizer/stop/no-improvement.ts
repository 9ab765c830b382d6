/** Stops when a number of iterations in a row brought no better plan. Says nothing before that, so it does not drive the cooling. */
import type { StopRule } from './stop-rule.ts';

export function noImprovement(limit: number): StopRule {
  return ({ idleIterations }) => (idleIterations >= limit ? 1 : 0);
}
