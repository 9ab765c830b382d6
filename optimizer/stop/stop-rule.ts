/**
 * When to stop. A rule tells which share of its budget is used, from 0 to 1; the search ends when any rule says 1. The share also drives
 * the cooling, so a search with twice the budget cools half as fast.
 */
interface Progress {
  readonly iterations: number;
  /** Iterations since the best plan last got better. */
  readonly idleIterations: number;
}

export type StopRule = (progress: Progress) => number;

/** The largest share any rule names. */
export function usedShare(rules: readonly StopRule[], progress: Progress): number {
  let share = 0;
  for (const rule of rules) share = Math.max(share, rule(progress));
  return share;
}
