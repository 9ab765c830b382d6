import { hash } from './random.ts';

/** Makes the next id on each call. */
export type EventIds = () => string;

/**
 * Ids shaped like version 5 UUIDs, from seed, series and a running number: always the same ones, and rising, so that
 * indexes grow at their end. Series 0 is history; later days use their own number, 1 to 65,535.
 */
export function eventIds(seed: number, series: number): EventIds {
  const prefix = seriesPrefix(seed, series);
  let number = 0;
  return () => {
    number += 1;
    return prefix + number.toString(16).padStart(12, '0');
  };
}

/** First and last id of a series. */
export function eventIdRange(seed: number, series: number): { first: string; last: string } {
  const prefix = seriesPrefix(seed, series);
  return { first: prefix + '0'.repeat(12), last: prefix + 'f'.repeat(12) };
}

function seriesPrefix(seed: number, series: number): string {
  const mark = hash(seed, 77).toString(16).padStart(8, '0');
  return `${mark}-${(series & 0xffff).toString(16).padStart(4, '0')}-5000-8000-`;
}
