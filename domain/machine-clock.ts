/** By how much a machine's clock was ahead of ours when a message of it came in, and when that was. */
export type ClockSample = { at: string; aheadSeconds: number };

const mostSamples = 21;
const fewestSamples = 5;
const keptMs = 7 * 86_400_000;
/** Less than this is how long messages take. */
const smallestSeconds = 120;
/** A clock that is further off has lost its date, and jumps again with the next power cut. */
const largestSeconds = 48 * 3600;
/** Half of the samples lie within this, or the machine is not wrong but late: it tells after an outage. */
const widestSpreadSeconds = 120;
const hourMs = 3_600_000;

/** From here on a wrong clock is worth a person's time. */
export const clockAlertSeconds = 600;

/**
 * What is known of a machine's clock with one more message. The same list comes back where the message tells nothing new,
 * so that a right clock costs no write with each sale.
 */
export function withSample(known: readonly ClockSample[], sample: ClockSample): readonly ClockSample[] {
  const at = Date.parse(sample.at);
  const recent = known.filter((one) => at - Date.parse(one.at) <= keptMs);
  const isRight = [sample, ...recent].every(({ aheadSeconds }) => Math.abs(aheadSeconds) <= smallestSeconds);
  const newest = recent.at(-1);
  if (isRight && newest && recent.length >= fewestSamples && at - Date.parse(newest.at) < hourMs) return known;
  return [...recent, sample].slice(-mostSamples);
}

/**
 * Seconds by which the clock is ahead, below zero where it is behind; null while it is right or not known for certain:
 * the median of at least five messages that agree.
 */
export function clockSkew(samples: readonly ClockSample[]): number | null {
  if (samples.length < fewestSamples) return null;
  const sorted = samples.map(({ aheadSeconds }) => aheadSeconds).sort((a, b) => a - b);
  const quantile = (q: number): number => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
  const median = quantile(0.5);
  const isSure = quantile(0.75) - quantile(0.25) <= widestSpreadSeconds;
  return isSure && Math.abs(median) > smallestSeconds && Math.abs(median) <= largestSeconds ? median : null;
}

/** What a sale says of its times: when it was sold, and when it was paid where the partner tells that too. */
export type SaleTimes = { soldAt: Date; processedAt: Date | null };

/**
 * True when a message that came late was late on its way: the time it was paid agrees with the time it was sold, so it says
 * nothing of the machine's clock.
 */
export function hasWaited({ soldAt, processedAt }: SaleTimes, heardAt: Date): boolean {
  if (processedAt === null) return false;
  const agreesMs = Math.abs(processedAt.getTime() - soldAt.getTime());
  return agreesMs <= smallestSeconds * 1000 && heardAt.getTime() - soldAt.getTime() > smallestSeconds * 1000;
}

/**
 * When it really was what a machine's clock said. Before the first message that shows it wrong, it is believed; and nothing
 * is sold after it was paid, whatever is thought of the clock.
 */
export function rightTime({ soldAt, processedAt }: SaleTimes, skewSeconds: number | null, since: Date | null): Date {
  if (skewSeconds === null || since === null) return soldAt;
  const rightMs = soldAt.getTime() - skewSeconds * 1000;
  const isBeforeKnown = rightMs < since.getTime() - hourMs;
  const latestMs = processedAt ? processedAt.getTime() + smallestSeconds * 1000 : Number.POSITIVE_INFINITY;
  return isBeforeKnown || (skewSeconds < 0 && rightMs > latestMs) ? soldAt : new Date(rightMs);
}

/** As in `12 minutes ahead`; below zero it is behind. */
export function skewInWords(seconds: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(seconds) / 60));
  const hours = Math.round(minutes / 60);
  const span = minutes < 120 ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : `${hours} hours`;
  return `${span} ${seconds > 0 ? 'ahead' : 'behind'}`;
}
