import { formatNumber } from '../http/format.ts';

/** Thousands as `12.3K`, millions as `1.3M`: a device count at a glance. */
export function abbreviated(count: number): string {
  if (count < 1_000) return String(count);
  const inThousands = one(count / 1_000);
  return Number(inThousands) < 1_000 ? `${inThousands}K` : `${one(count / 1_000_000)}M`;
}

/** At most one decimal, and no `.0`. */
const one = (value: number): string => String(Number(value.toFixed(1)));

/** Milliseconds, with a decimal where it says something. */
export function millisecondsText(ms: number): string {
  return ms < 100 ? `${one(ms)} ms` : `${formatNumber(Math.round(ms))} ms`;
}

/** A rate a second; small ones keep two digits, so that at rest is not the same as nothing. */
export function rateText(perSecond: number): string {
  if (perSecond >= 1_000) return abbreviated(perSecond);
  return perSecond < 10 ? String(Number(perSecond.toFixed(2))) : one(perSecond);
}
