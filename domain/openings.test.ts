import { expect, it } from 'vitest';
import { entryAt, isClosedOn, openingsOn } from './openings.ts';

const zone = 'America/New_York';
/** A Friday in winter time: midnight is 05:00 UTC. */
const friday = { timeZone: zone, day: '2026-11-20', untilMin: 20 * 60 };
const hour = 3_600_000;
const midnight = Date.parse('2026-11-20T05:00:00Z');
const hours = (openings: ReturnType<typeof openingsOn>) =>
  openings?.map((span) => span.map((ms) => (ms - midnight) / hour)) ?? null;

it.each([
  [null, null],
  ['by appointment', null],
  ['08:00-17:00', [[8, 17]]],
  ['Mo-Th 08:00-17:00', []],
  [
    'Mo-Fr 08:00-12:00,13:00-17:00',
    [
      [8, 12],
      [13, 17],
    ],
  ],
  ['24/7', [[0, 48]]],
  ['22:00-04:00', [[0, 4]]],
  ['Sa 01:00-05:00', []],
])('%s on a Friday', (text, expected) => {
  expect(hours(openingsOn(text, friday))).toEqual(expected);
});

it('takes the hours of the next day for who drives into it', () => {
  expect(hours(openingsOn('Sa 01:00-05:00', { ...friday, untilMin: 30 * 60 }))).toEqual([[25, 29]]);
});

it('keeps to the clock on the wall when the clocks change', () => {
  const [opening] = openingsOn('08:00-17:00', { ...friday, day: '2026-11-01' }) ?? [];
  expect(opening?.map((ms) => new Date(ms).toISOString())).toEqual([
    '2026-11-01T13:00:00.000Z',
    '2026-11-01T22:00:00.000Z',
  ]);
});

const doors = [
  [8, 12],
  [13, 17],
] as const;

it.each([
  [7, { begin: 8, late: 0, opening: [8, 12] }],
  [9, { begin: 9, late: 0, opening: [8, 12] }],
  [12, { begin: 12, late: 0, opening: [8, 12] }],
  [12.5, { begin: 13, late: 0, opening: [13, 17] }],
  [18, { begin: 18, late: 1, opening: [13, 17] }],
])('an arrival at %s', (arrival, expected) => {
  expect(entryAt(doors, arrival)).toEqual(expected);
});

it('an arrival where the hours are not known, and where it is closed', () => {
  expect(entryAt(null, 9)).toEqual({ begin: 9, late: 0, opening: null });
  expect(entryAt([], 9)).toEqual({ begin: 9, late: 0, opening: null });
});

it.each([
  [null, false],
  ['by appointment', false],
  ['24/7', false],
  ['Mo-Fr 08:00-17:00', false],
  ['Mo-Th 08:00-17:00', true],
  ['Mo-Th 08:00-17:00; Fr off', true],
  ['Th 22:00-04:00', false],
  ['Sa 01:00-05:00', true],
])('%s is closed on a Friday: %s', (text, isClosed) => {
  expect(isClosedOn(text, { day: friday.day, untilMin: 24 * 60 })).toBe(isClosed);
});

it('a door that opens in the night is not closed to who works until the morning', () => {
  expect(isClosedOn('Sa 01:00-05:00', { day: friday.day, untilMin: 30 * 60 })).toBe(false);
  expect(isClosedOn('Sa 07:00-09:00', { day: friday.day, untilMin: 30 * 60 })).toBe(true);
});
