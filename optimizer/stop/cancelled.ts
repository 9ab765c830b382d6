/** Stops when the caller says so, for instance through a flag in shared memory. */
import type { StopRule } from './stop-rule.ts';

export function cancelled(isCancelled: () => boolean): StopRule {
  return () => (isCancelled() ? 1 : 0);
}
