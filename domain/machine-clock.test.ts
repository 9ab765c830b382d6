import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockSample, clockSkew, hasWaited, rightTime, skewInWords, withSample } from './machine-clock.ts';

const start = Date.parse('2026-03-12T15:00:00Z');
const minute = 60_000;

/** What is known after messages that each came so many seconds late or early, a minute apart. */
const heard = (ahead: readonly number[]): readonly ClockSample[] =>
  ahead.reduce<readonly ClockSample[]>(
    (known, aheadSeconds, n) => withSample(known, { at: new Date(start + n * minute).toISOString(), aheadSeconds }),
    [],
  );

describe('the clock of a machine', () => {
  it.each([
    ['right, with messages that take some seconds', [-3, -9, -2, -40, -5, -7], null],
    ['known from too few messages', [2220, 2220, 2215, 2210], null],
    ['37 minutes ahead', [2215, 2210, 2190, 2218, 2212, 1000], 2210],
    ['an hour behind', [-3605, -3611, -3603, -3602, -3640], -3605],
    ['late after an outage, not wrong', [-14_000, -12_100, -9_000, -4_000, -900, -30], null],
    ['without its date', Array.from({ length: 9 }, () => -800_000_000), null],
  ])('%s', (_, ahead, skew) => expect(clockSkew(heard(ahead))).toBe(skew));

  it('a right clock is not written down with each sale', () => {
    const known = heard([-3, -4, -5, -6, -7]);
    expect(withSample(known, { at: new Date(start + 10 * minute).toISOString(), aheadSeconds: -9 })).toBe(known);
    expect(withSample(known, { at: new Date(start + 10 * minute).toISOString(), aheadSeconds: 900 })).not.toBe(known);
  });

  it('messages of last week tell nothing of the clock now', () => {
    const known = heard([2215, 2210, 2190, 2218, 2212]);
    const later = { at: new Date(start + 8 * 24 * 60 * minute).toISOString(), aheadSeconds: -4 };
    expect(withSample(known, later)).toEqual([later]);
  });

  it('a sale is put right from the first message on that showed the clock wrong', () => {
    const since = new Date(start);
    const at = (ms: number) => ({ soldAt: new Date(start + ms), processedAt: null });
    expect(rightTime(at(40 * minute), 2220, since)).toEqual(new Date(start + 3 * minute));
    const before = at(-24 * 60 * minute);
    expect(rightTime(before, 2220, since)).toEqual(before.soldAt);
    expect(rightTime(before, null, null)).toEqual(before.soldAt);
  });

  it('nothing is sold after it was paid, whatever is thought of the clock', () => {
    const soldAt = new Date(start + 60 * minute);
    const paid = (ms: number) => new Date(soldAt.getTime() + ms);
    const right = (processedAt: Date | null) => rightTime({ soldAt, processedAt }, -3600, new Date(start));
    expect(right(null)).toEqual(paid(60 * minute));
    expect(right(paid(60 * minute))).toEqual(paid(60 * minute));
    expect(right(paid(59 * minute))).toEqual(paid(60 * minute));
    expect(right(paid(50 * minute))).toEqual(soldAt);
    expect(right(soldAt)).toEqual(soldAt);
  });

  it.each([
    ['paid as it was sold, heard two hours later', { paid: 0, heard: 120 }, true],
    ['paid as it was sold, heard at once', { paid: 0, heard: 1 }, false],
    ['paid an hour after the time it says', { paid: 60, heard: 61 }, false],
    ['settled at night', { paid: 600, heard: 601 }, false],
    ['never said when it was paid', { paid: null, heard: 120 }, false],
    ['said to be sold and paid in the future', { paid: 0, heard: -120 }, false],
  ])('a message waited on its way: %s', (_, { paid, heard }, waited) => {
    const soldAt = new Date(start);
    const processedAt = paid === null ? null : new Date(start + paid * minute);
    expect(hasWaited({ soldAt, processedAt }, new Date(start + heard * minute))).toBe(waited);
  });

  it('a constant error with messages that come promptly is found to a minute, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -100_000, max: 100_000 }).filter((skew) => Math.abs(skew) > 300),
        fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 5, maxLength: 40 }),
        (skew, delays) => {
          const found = clockSkew(heard(delays.map((delay) => skew - delay)));
          expect(Math.abs((found ?? Number.NaN) - skew)).toBeLessThanOrEqual(60);
        },
      ),
    );
  });

  it.each([
    [60, '1 minute ahead'],
    [-2220, '37 minutes behind'],
    [86_400, '24 hours ahead'],
  ])('%i s is said as %s', (seconds, words) => expect(skewInWords(seconds)).toBe(words));
});
