import { expect, test } from 'vitest';
import { meanMs } from './measured.ts';

test.each([
  [3006, 20, 150],
  [3012, 20, 151],
  [1996, 20, 99.8],
  [1999, 20, 100],
  [5, 0, 0],
])('%s ms in %s calls are %s ms each, as a screen shows it', (ms, times, mean) => {
  expect(meanMs(ms, times)).toBe(mean);
});
