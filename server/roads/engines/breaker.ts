import type { Clock } from '../../deps.ts';

/** Failures in a row after which nobody asks, and how long: doubling from half a minute to a quarter of an hour. */
const failuresToOpen = 3;
const firstPauseMs = 30_000;
const longestPauseMs = 900_000;

export type Breaker = { isOpen: () => boolean; succeeded: () => void; failed: () => void };

/** Spares a dead engine, and whoever waits for it: while open, the estimate answers at once. */
export function breaker(clock: Clock): Breaker {
  let failures = 0;
  let pauses = 0;
  let openUntil = 0;
  return {
    isOpen: () => clock.now().getTime() < openUntil,
    succeeded: () => {
      failures = 0;
      pauses = 0;
    },
    failed: () => {
      failures += 1;
      // After a pause one failure is enough to open again.
      if (failures < failuresToOpen) return;
      openUntil = clock.now().getTime() + Math.min(longestPauseMs, firstPauseMs * 2 ** pauses);
      pauses += 1;
    },
  };
}
