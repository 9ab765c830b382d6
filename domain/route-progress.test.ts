import { expect, test } from 'vitest';
import { expectedArrivals, minutesLate, stopsAhead } from './route-progress.ts';

const stop = (id: number, more: { completed?: boolean; skippedReason?: string } = {}) => ({
  id,
  completed: false,
  skippedReason: null,
  actualArrival: null,
  legDurationMin: 10,
  serviceMin: 5,
  ...more,
});
const at = (clock: string): string => `2026-03-02T${clock}:00.000Z`;

test('what is left is driven on to in the planned order, without stops that are done, skipped or being served', () => {
  const stops = [stop(1, { completed: true }), stop(2, { skippedReason: 'Closed' }), stop(3), stop(4), stop(5)];
  const expected = expectedArrivals(stops, Date.parse(at('08:00')), 3);
  expect([...expected]).toEqual([
    [4, at('08:10')],
    [5, at('08:25')],
  ]);
});

test('a leg of unknown length takes no time rather than breaking the day', () => {
  const stops = [{ ...stop(1), legDurationMin: null }, stop(2)];
  expect([...expectedArrivals(stops, Date.parse(at('08:00'))).values()]).toEqual([at('08:00'), at('08:15')]);
});

test('lateness is the arrival against the plan, before it the expectation, and early is below zero', () => {
  const planned = { estimatedArrival: at('08:00'), expectedArrival: at('08:20'), actualArrival: null };
  expect(minutesLate(planned)).toBe(20);
  expect(minutesLate({ ...planned, actualArrival: at('07:55') })).toBe(-5);
  expect(minutesLate({ ...planned, estimatedArrival: null })).toBeNull();
});

test('only open stops that nobody is at count as passed over', () => {
  const stops = [stop(1, { completed: true }), { ...stop(2), actualArrival: at('08:00') }, stop(3), stop(4), stop(5)];
  expect(stopsAhead(stops, 5)).toBe(2);
  expect(stopsAhead(stops, 3)).toBe(0);
  expect(stopsAhead(stops, 99)).toBe(0);
});
