/** A partner that does not say when its window ends counts over five minutes, as far as is published. */
export const usualWindowMs = 5 * 60_000;
/** Below this share of the limit it is slowed down. */
const lowShare = 0.1;
const longestMs = 30_000;

/**
 * How long to rest after an answer so that a partner's limit is not reached: nothing while a tenth of it is left, then
 * what is left is spread over what remains of its window; without a window, half the pace that the limit allows.
 */
export function paceMs(headers: Headers, now: Date): number {
  const limit = wholeOf(headers.get('x-ratelimit-limit'));
  const remaining = wholeOf(headers.get('x-ratelimit-remaining'));
  if (!limit || remaining === null || remaining >= limit * lowShare) return 0;
  const leftMs = windowLeftMs(wholeOf(headers.get('x-ratelimit-reset')), now);
  const pause = leftMs === null ? (2 * usualWindowMs) / limit : leftMs / (remaining + 1);
  return Math.min(longestMs, Math.round(pause));
}

const wholeOf = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : null;

/** Told as an instant in Unix seconds by some, as seconds from now by others. */
function windowLeftMs(reset: number | null, now: Date): number | null {
  if (reset === null) return null;
  const seconds = reset > 1_000_000_000 ? reset - now.getTime() / 1000 : reset;
  return Math.max(0, seconds * 1000);
}
