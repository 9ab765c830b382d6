import { expect, it } from 'vitest';
import { changeSince, lengthOf, rangeBefore, refusedRange, spanUpTo } from './report.ts';

it('a week is the seven days up to today, and is compared with the seven before', () => {
  const week = spanUpTo('week', '2026-03-12');
  expect(week).toEqual({ from: '2026-03-06', to: '2026-03-12' });
  expect(lengthOf(week)).toBe(7);
  expect(rangeBefore(week)).toEqual({ from: '2026-02-27', to: '2026-03-05' });
});

it('a range backwards or longer than a year is refused with what to do', () => {
  expect(refusedRange({ from: '2026-03-12', to: '2026-03-11' })).toContain('before the first');
  expect(refusedRange({ from: '2024-01-01', to: '2026-03-11' })).toContain('at most 366 days');
  expect(refusedRange({ from: '2026-03-12', to: '2026-03-12' })).toBeNull();
});

it('a change is a share of what was before, and none where nothing was', () => {
  expect(changeSince(100, 125)).toBe(0.25);
  expect(changeSince(100, 50)).toBe(-0.5);
  expect(changeSince(0, 50)).toBeNull();
});
