import { describe, expect, it, test } from 'vitest';
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

test('work begins when the door opens, and what comes after is later by the wait', () => {
  const stops = [{ ...stop(1), opensAt: at('09:00') }, stop(2)];
  expect([...expectedArrivals(stops, Date.parse(at('08:00'))).values()]).toEqual([at('08:10'), at('09:15')]);
});

test('lateness is the arrival against the plan, before it the expectation, and early is below zero', () => {
  const planned = {
    estimatedArrival: at('08:00'),
    expectedArrival: at('08:20'),
    actualArrival: null,
    completed: false,
  };
  const now = Date.parse(at('07:30'));
  expect(minutesLate(planned, now)).toBe(20);
  expect(minutesLate({ ...planned, actualArrival: at('07:55') }, now)).toBe(-5);
  expect(minutesLate({ ...planned, estimatedArrival: null }, now)).toBeNull();
});

test('lateness is what the shown times differ by, to the minute', () => {
  const times = { estimatedArrival: '2026-03-12T08:00:46.000Z', expectedArrival: null, completed: true };
  expect(minutesLate({ ...times, actualArrival: '2026-03-12T07:38:12.000Z' }, 0)).toBe(-22);
  expect(minutesLate({ ...times, actualArrival: '2026-03-12T08:16:05.000Z' }, 0)).toBe(16);
});

test('who has not come by now is late by now at least, whatever was expected', () => {
  const planned = { estimatedArrival: at('08:00'), expectedArrival: null, actualArrival: null, completed: false };
  expect(minutesLate(planned, Date.parse(at('07:50')))).toBeNull();
  const now = Date.parse(at('08:25'));
  expect(minutesLate(planned, now)).toBe(25);
  expect(minutesLate({ ...planned, expectedArrival: at('07:58') }, now)).toBe(25);
  expect(minutesLate({ ...planned, actualArrival: at('08:02') }, now)).toBe(2);
  expect(minutesLate({ ...planned, completed: true }, now)).toBeNull();
});

test('only open stops that nobody is at count as passed over', () => {
  const stops = [stop(1, { completed: true }), { ...stop(2), actualArrival: at('08:00') }, stop(3), stop(4), stop(5)];
  expect(stopsAhead(stops, 5)).toBe(2);
  expect(stopsAhead(stops, 3)).toBe(0);
  expect(stopsAhead(stops, 99)).toBe(0);
});

describe('out of the planned order', () => {
  /** On a line to the east, 5.5 km apart; ten minutes from one to the next by plan. */
  const line = [1, 2, 3, 4].map((id) => ({
    id,
    completed: false,
    skippedReason: null,
    legDurationMin: 10,
    serviceMin: 5,
    actualArrival: null,
    latitude: '40.7',
    longitude: String(-74 + id * 0.065),
  }));
  const minutes = (stops: typeof line, beingServed: number | null = null) =>
    [...expectedArrivals(stops, 0, beingServed)].map(([id, iso]) => [id, Math.round(Date.parse(iso) / 60_000)]);
  const changed = (id: number, fields: object) => line.map((stop) => (stop.id === id ? { ...stop, ...fields } : stop));

  it('the driver is expected back at the stops passed by, from where the driver is', () => {
    const third = { completed: true, actualArrival: '1970-01-01T00:00:00Z' };
    // 11 km back to the first are longer than the plan's ten minutes, and the second comes by plan.
    expect(minutes(changed(3, third))).toEqual([
      [1, 21],
      [2, 36],
      [4, 62],
    ]);
    expect(minutes(line, 3)[0]).toEqual([1, 21]);
  });

  it('the way past a stop left out is longer than one planned leg', () => {
    const begun = changed(1, { completed: true, actualArrival: '1970-01-01T00:00:00Z' });
    const left = begun.map((stop) => (stop.id === 2 ? { ...stop, skippedReason: 'Closed' } : stop));
    const [third, fourth] = minutes(left as typeof line);
    expect(third?.[1]).toBeGreaterThan(15);
    expect(fourth?.[1]).toBe((third?.[1] ?? 0) + 15);
  });
});
