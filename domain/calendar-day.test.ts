import { expect, test } from 'vitest';
import { calendarDay, nearDay } from './calendar-day.ts';

test.each([
  ['2026-02-28', true, true],
  ['2000-01-01', true, true],
  ['2099-12-31', true, true],
  ['0026-11-26', true, false],
  ['9999-12-31', true, false],
  ['2026-02-30', false, false],
  ['0000-01-01', false, false],
])('%s is a day: %s, and one that somebody plans: %s', (day, exists, isNear) => {
  expect([calendarDay.safeParse(day).success, nearDay.safeParse(day).success]).toEqual([exists, isNear]);
});
