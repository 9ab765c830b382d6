/** Stops after a time. Guarantees nothing about repeatability: use iterations where the same plan must come out again. */
import type { StopRule } from './stop-rule.ts';

/** `now` in milliseconds of any monotonic clock; `startedAt` on the same clock. */
export function maxRuntime(limitMs: number, now: () => number, startedAt: number): StopRule {
  return () => (limitMs <= 0 ? 1 : Math.max(0, Math.min(1, (now() - startedAt) / limitMs)));
}
