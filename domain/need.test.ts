import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addForecast,
  chanceOfRunningOut,
  type Demand,
  daysOfCover,
  estimateDemand,
  expectedLostUnits,
  expectedUnits,
  fillToPar,
  forecastError,
  type ItemDay,
  itemNeed,
  type Moment,
  meanOf,
  noErrors,
  observe,
  pool,
  priorityOf,
  prizeSeconds,
  runOutDay,
  weekdayShape,
  whyVisit,
} from './need.ts';
import { addDays } from './time.ts';

const flat = [1, 1, 1, 1, 1, 1, 1];
const monday = '2026-03-02';
const at = (day: string, passed = 0): Moment => ({ day, passed });
const row = (day: number, units: number, more: Partial<ItemDay> = {}): ItemDay => ({
  at: day,
  units,
  soldOutShare: 0,
  closing: 5,
  ...more,
});

const rate = fc.double({ min: 0, max: 60, noNaN: true });
const shape = fc
  .array(fc.double({ min: 0.01, max: 5, noNaN: true }), { minLength: 7, maxLength: 7 })
  .map((raw) => raw.map((value) => (7 * value) / raw.reduce((a, b) => a + b, 0)));
const demand: fc.Arbitrary<Demand> = fc.record({ perDay: rate, shape, days: rate });
const standing = fc.record({
  onHand: fc.integer({ min: -5, max: 400 }),
  par: fc.integer({ min: 0, max: 400 }),
  price: fc.double({ min: 0, max: 20, noNaN: true }),
  caseSize: fc.option(fc.integer({ min: 1, max: 48 })),
});
const visits = fc
  .record({ passed: fc.double({ min: 0, max: 1, noNaN: true }), next: fc.nat(30), more: fc.nat(30) })
  .map(({ passed, next, more }) => ({
    now: at(monday, passed),
    next: at(addDays(monday, next), 1),
    after: at(addDays(monday, next + more), 1),
  }));

it('no number of a need is ever broken or below zero', () => {
  fc.assert(
    fc.property(demand, standing, visits, (asked, there, when) => {
      const { daysOfCover: cover, ...numbers } = itemNeed(asked, there, when);
      for (const value of [...Object.values(numbers), cover ?? 0]) {
        expect(Number.isFinite(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

it('more stock never raises what is lost, the chance of running out or the load', () => {
  fc.assert(
    fc.property(demand, standing, visits, fc.nat(50), (asked, there, when, more) => {
      const less = itemNeed(asked, there, when);
      const full = itemNeed(asked, { ...there, onHand: there.onHand + more }, when);
      expect(full.lostUnits).toBeLessThanOrEqual(less.lostUnits + 1e-6);
      expect(full.runOutChance).toBeLessThanOrEqual(less.runOutChance + 1e-6);
      expect(full.fill).toBeLessThanOrEqual(less.fill);
      expect(full.daysOfCover ?? 999).toBeGreaterThanOrEqual((less.daysOfCover ?? 999) - 1e-6);
    }),
  );
});

const numRuns = process.env.MILKRUN_LONG === '1' ? 20_000 : 200;

it('the load is whole units and no more than fit beside what is expected to be left', () => {
  fc.assert(
    fc.property(demand, standing, visits, (asked, there, when) => {
      const { fill, untilVisit, lostUnits } = itemNeed(asked, there, when);
      const left = Math.max(0, Math.max(0, there.onHand) - (untilVisit - lostUnits));
      expect(Number.isInteger(fill)).toBe(true);
      expect(fill).toBeLessThanOrEqual(there.par);
      // A unit is whole: what is expected to be left is none.
      if (fill > 0) expect(left + fill).toBeLessThanOrEqual(there.par + 0.5 + 1e-6);
    }),
    { numRuns },
  );
});

const history = fc
  .uniqueArray(fc.nat(55), { minLength: 1, maxLength: 20 })
  .chain((days) =>
    fc.tuple(
      fc.constant([...days].sort((a, b) => a - b)),
      fc.array(
        fc.record({ units: fc.nat(12), share: fc.double({ min: 0, max: 1, noNaN: true }), closing: fc.nat(3) }),
        {
          minLength: days.length,
          maxLength: days.length,
        },
      ),
    ),
  )
  .map(([days, told]) =>
    days.map((day, n) => {
      const { units = 0, share = 0, closing = 0 } = told[n] ?? {};
      return row(day, units, { soldOutShare: share, closing });
    }),
  );

it('more sold on any day never lowers the demand, what is lost or the load', () => {
  fc.assert(
    fc.property(
      history,
      fc.record({ nth: fc.nat(19), more: fc.nat(9) }),
      rate,
      standing,
      (rows, { nth, more }, kind, there) => {
        const needOf = (told: readonly ItemDay[]) => {
          const asked = estimateDemand(observe(told, { from: monday, days: 56 }), kind, flat);
          return itemNeed(asked, there, {
            now: at(monday),
            next: at(addDays(monday, 5), 1),
            after: at(addDays(monday, 12), 1),
          });
        };
        const least = needOf(rows);
        const most = needOf(
          rows.map((one, n) => (n === nth % rows.length ? { ...one, units: one.units + more } : one)),
        );
        expect(most.perDay).toBeGreaterThanOrEqual(least.perDay);
        expect(most.lostUnits).toBeGreaterThanOrEqual(least.lostUnits - 1e-6);
        expect(most.fill).toBeGreaterThanOrEqual(least.fill);
        expect(most.daysOfCover ?? 999).toBeLessThanOrEqual((least.daysOfCover ?? 999) + 1e-6);
      },
    ),
    { numRuns },
  );
});

it('several items seen as one are the same in any order', () => {
  fc.assert(
    fc.property(fc.array(history, { minLength: 1, maxLength: 6 }), (items) => {
      const seen = items.map((rows) => observe(rows, { from: monday, days: 56 }));
      const [there, back] = [pool(seen), pool([...seen].reverse())];
      expect(meanOf(back)).toBeCloseTo(meanOf(there), 9);
      weekdayShape(back).forEach((share, weekday) => {
        expect(share).toBeCloseTo(weekdayShape(there)[weekday] ?? Number.NaN, 9);
      });
    }),
    { numRuns },
  );
});

it('a later visit never lowers what is lost before it', () => {
  fc.assert(
    fc.property(demand, standing, visits, (asked, there, when) => {
      const soon = itemNeed(asked, there, when);
      const late = itemNeed(asked, there, { ...when, next: when.after });
      expect(late.untilVisit).toBeGreaterThanOrEqual(soon.untilVisit - 1e-9);
      expect(late.lostMoney).toBeGreaterThanOrEqual(soon.lostMoney - 1e-6);
    }),
  );
});

it('what never sells needs nothing, whatever is there', () => {
  fc.assert(
    fc.property(standing, visits, (there, when) => {
      const rows = [row(-1, 0, { closing: there.onHand }), row(3, 0)];
      const asked = estimateDemand(observe(rows, { from: monday, days: 56 }), 0, flat);
      const need = itemNeed(asked, there, when);
      expect(need).toMatchObject({ perDay: 0, untilVisit: 0, lostUnits: 0, lostMoney: 0, savedMoney: 0 });
    }),
  );
});

it('lost units are those of the Poisson sum itself', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 40, noNaN: true }), fc.nat(60), (mean, stock) => {
      let chance = Math.exp(-mean);
      let lost = 0;
      for (let k = 0; k < 400; k++) {
        lost += Math.max(0, k - stock) * chance;
        chance *= mean / (k + 1);
      }
      expect(expectedLostUnits(mean, stock)).toBeCloseTo(lost, 7);
    }),
  );
  expect(expectedLostUnits(5000, 4000)).toBeCloseTo(1000, 3);
  expect(chanceOfRunningOut(1, 1)).toBeCloseTo(1 - Math.exp(-1), 9);
});

it('days sold out are left out, with or without a row of their own', () => {
  const span = { from: monday, days: 10 };
  const open = observe([row(-3, 1), row(0, 4), row(1, 4, { closing: 0, soldOutShare: 0.2 }), row(9, 4)], span);
  // Days 2 to 8 have no row: the item had closed at zero. Day 1 counts for the part it was there.
  expect(open.days.filter((days) => days > 0)).toHaveLength(3);
  expect(meanOf(open)).toBeCloseTo(12 / 2.8, 0);
  const kept = observe([row(-3, 1), row(0, 4), row(1, 4), row(9, 4)], span);
  expect(meanOf(kept)).toBeLessThan(1.5);
});

it('an item counts from its first day on and is unknown before', () => {
  const seen = observe([row(6, 2)], { from: monday, days: 8 });
  expect(seen.days.reduce((a, b) => a + b, 0)).toBeCloseTo(1 + 2 ** (-1 / 56), 9);
  expect(observe([], { from: monday, days: 8 }).days).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

it('a new item begins at the mean of its kind and leaves it as it sells', () => {
  const unseen = { units: [0, 0, 0, 0, 0, 0, 0], days: [0, 0, 0, 0, 0, 0, 0] };
  expect(estimateDemand(unseen, 0.4, flat).perDay).toBeCloseTo(0.4, 12);
  const seen = { units: [70, 0, 0, 0, 0, 0, 0], days: [5, 5, 5, 5, 5, 5, 5] };
  expect(estimateDemand(seen, 0.4, flat).perDay).toBeCloseTo(71 / 37.5, 9);
});

it('the shape of a week is flat without sales and follows much of them, its mean always 1', () => {
  const none = { units: [0, 0, 0, 0, 0, 0, 0], days: [8, 8, 8, 8, 8, 8, 8] };
  expect(weekdayShape(none)).toEqual(flat);
  const office = pool(Array.from({ length: 40 }, () => ({ units: [8, 8, 8, 8, 8, 0, 0], days: none.days })));
  const found = weekdayShape(office);
  expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(7, 9);
  expect(found[0]).toBeGreaterThan(1.3);
  expect(found[6]).toBeLessThan(0.1);
});

it('expected units add up over a span cut anywhere', () => {
  fc.assert(
    fc.property(demand, fc.nat(40), fc.nat(40), fc.double({ min: 0, max: 1, noNaN: true }), (asked, a, b, passed) => {
      const middle = at(addDays(monday, a), passed);
      const end = at(addDays(monday, a + b), 1);
      const parts = expectedUnits(asked, at(monday), middle) + expectedUnits(asked, middle, end);
      expect(expectedUnits(asked, at(monday), end)).toBeCloseTo(parts, 6);
    }),
  );
});

it('days of cover end on the weekday that uses up the stock', () => {
  const weekdays = { perDay: 1, shape: [1.4, 1.4, 1.4, 1.4, 1.4, 0, 0], days: 40 };
  expect(daysOfCover(weekdays, 7, at('2026-03-06', 0.5))).toBeCloseTo(0.5 + 2 + 6.3 / 1.4, 9);
  expect(runOutDay({ daysOfCover: 3 + 2 / 3 }, at(monday, 0.5))).toBe('2026-03-06');
  expect(daysOfCover({ ...weekdays, perDay: 0 }, 7, at(monday))).toBeNull();
});

it('no case is opened for the last tenth of par, and no more is left for it', () => {
  expect(fillToPar(6, 20, 6)).toBe(12);
  expect(fillToPar(5, 20, 6)).toBe(15);
  expect(fillToPar(0, 20, 10)).toBe(20);
  // Less than a case is brought as it is: a small slot would never be filled otherwise.
  expect(fillToPar(19, 20, 24)).toBe(1);
  expect(fillToPar(3, 20)).toBe(17);
  expect(fillToPar(-4, 20)).toBe(20);
});

it('a visit is worth the driving its sales pay for', () => {
  expect(prizeSeconds(22.5, 45)).toBe(1800);
  expect(prizeSeconds(22.5, 0)).toBe(0);
  expect(priorityOf(1800)).toBe(50);
  expect(priorityOf(90_000)).toBe(100);
});

it('the reason names the dearest item, the day it runs out and the visit', () => {
  const asked = { perDay: 2, shape: flat, days: 50 };
  const when = { now: at(monday, 0.5), next: at(addDays(monday, 7), 0.5), after: at(addDays(monday, 14), 0.5) };
  const line = (name: string, onHand: number) => ({
    name,
    onHand,
    need: itemNeed(asked, { onHand, par: 20, price: 2, caseSize: null }, when),
  });
  const lines = [line('Water', 10), line('Cola', 6), line('Chips', 0), line('Tea', 60)];
  expect(whyVisit(lines, when, { planned: true })).toEqual([
    'Chips is sold out.',
    'Cola runs out Thursday; next visit Mar 9, 2026.',
    '1 more runs out before it.',
  ]);
  expect(whyVisit([line('Tea', 60)], when, { planned: true })).toEqual([]);
});

it('errors of forecasts are a mean and a lean', () => {
  const sums = [
    { expected: 5, naive: 5, found: 3 },
    { expected: 2, naive: 6, found: 3 },
  ].reduce(addForecast, noErrors);
  expect(forecastError(sums)).toEqual({ counts: 2, mae: 1.5, bias: 0.5 });
  expect(forecastError(noErrors)).toBeNull();
});
