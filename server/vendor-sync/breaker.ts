import type { StoredBreaker } from '../integrations/tables.ts';

const failuresInARow = 5;
const window = 20;
const firstPauseMs = 30_000;
const longestPauseMs = 15 * 60_000;

/**
 * Keeps calls away from a partner that does not answer: after five failures in a row, or when half of the last twenty
 * failed, nothing is called for 30 s; then one call tries, and each further failure doubles the pause up to 15 minutes.
 */
export type Breaker = {
  /** closed: call; trying: one call may try; open: do not call. */
  state: (now: Date) => 'closed' | 'trying' | 'open';
  /** Until when nothing is called; null while calls go through. */
  openUntil: () => Date | null;
  succeeded: () => void;
  failed: (now: Date) => void;
  stored: () => StoredBreaker;
};

export function breakerOf(before: StoredBreaker): Breaker {
  let failures = before.failures ?? 0;
  let recent = before.recent ?? '';
  let openings = before.openings ?? 0;
  let openUntil = before.openUntil ? new Date(before.openUntil) : null;
  const note = (mark: '+' | '-'): void => {
    recent = (recent + mark).slice(-window);
  };
  const isHalfBad = (): boolean => recent.length === window && recent.split('-').length - 1 >= window / 2;
  return {
    state: (now) => {
      if (!openUntil) return 'closed';
      return now < openUntil ? 'open' : 'trying';
    },
    openUntil: () => openUntil,
    succeeded: () => {
      if (openUntil) recent = '';
      failures = 0;
      openings = 0;
      openUntil = null;
      note('+');
    },
    failed: (now) => {
      failures += 1;
      note('-');
      if (!openUntil && failures < failuresInARow && !isHalfBad()) return;
      openings += 1;
      openUntil = new Date(now.getTime() + Math.min(firstPauseMs * 2 ** (openings - 1), longestPauseMs));
    },
    stored: () => ({
      ...(failures > 0 ? { failures } : {}),
      ...(recent.includes('-') ? { recent } : {}),
      ...(openings > 0 ? { openings } : {}),
      ...(openUntil ? { openUntil: openUntil.toISOString() } : {}),
    }),
  };
}
