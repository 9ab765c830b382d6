import { expect, it } from 'vitest';
import { abbreviated, millisecondsText, rateText } from './figures.ts';

it('abbreviates counts with K and M', () => {
  expect([0, 999, 1_000, 12_300, 50_000, 999_949, 999_950, 1_250_000].map(abbreviated)).toEqual([
    ...['0', '999', '1K', '12.3K', '50K', '999.9K', '1M', '1.3M'],
  ]);
});

it('writes times and rates with the digits that matter', () => {
  expect([4.26, 99.9, 1234].map(millisecondsText)).toEqual(['4.3 ms', '99.9 ms', '1,234 ms']);
  expect([0, 0.07, 12.34, 4_200].map(rateText)).toEqual(['0', '0.07', '12.3', '4.2K']);
});
