/** Stops after a number of iterations: the same seed and number give the same plan on every machine. */
import type { StopRule } from './stop-rule.ts';

export function maxIterations(limit: number): StopRule {
  return ({ iterations }) => (limit <= 0 ? 1 : Math.min(1, iterations / limit));
}
