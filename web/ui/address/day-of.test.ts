import { expect, test } from 'vitest';
import { dayOf } from './day-of.ts';

test.each(['2026-02-28', '2024-02-29', '0001-01-01'])('%s is a day', (text) => {
  expect(dayOf(text)).toBe(text);
});

test.each([null, '', 'tomorrow', '2026-2-3', '2026-02-30', '2026-13-01', '0000-05-05', '2026-02-28T00:00'])(
  '%s is none',
  (text) => {
    expect(dayOf(text)).toBeNull();
  },
);
