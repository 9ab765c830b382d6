import { afterEach, expect, it } from 'vitest';
import {
  formatClock,
  formatDateTime,
  formatDateTimeNarrow,
  formatDay,
  formatDistanceMark,
  formatHour,
  formatMiles,
  formatMoney,
  formatMoneyMark,
  formatNumber,
  formatSigned,
  formatTenths,
  milesInUnit,
  setOperatorFormats,
} from './format.ts';

const shared = { timeZone: 'UTC', distanceUnit: 'mi' } as const;
afterEach(() => setOperatorFormats({ ...shared, currency: 'USD' }));

it('money is in the currency of the operator unless another is named', () => {
  expect(formatMoney('1234.5')).toBe('$1,234.50');
  setOperatorFormats({ ...shared, currency: 'EUR' });
  expect(formatMoney('1234.5')).toBe('€1,234.50');
  expect(formatMoney('2', 'GBP')).toBe('£2.00');
});

it('a time for a narrow column never loses its AM or PM to the next line', () => {
  setOperatorFormats({ ...shared, currency: 'USD' });
  const at = '2026-11-23T22:53:00Z';
  expect(formatDateTime(at)).toBe('Nov 23, 2026, 10:53 PM');
  expect(formatDateTimeNarrow(at).split(' ')).toEqual(['Nov', '23,', '2026,', '10:53\u00a0PM']);
});

it('a day that there is not stands as it is', () => {
  expect(formatDay('2026-11-23')).toBe('Nov 23, 2026');
  expect(['', 'tomorrow', '2026-13-40'].map(formatDay)).toEqual(['', 'tomorrow', '2026-13-40']);
});

it('a distance has one decimal and its thousands set apart, in the unit of the operator', () => {
  expect([formatMiles(2961.46), formatMiles(0)]).toEqual(['2,961.5 mi', '0.0 mi']);
  setOperatorFormats({ ...shared, currency: 'USD', distanceUnit: 'km' });
  expect(formatMiles(1000)).toBe('1,609.3 km');
});

it('every digit of an amount of money is shown, also where a number would round it', () => {
  expect(formatMoney('9007199254740993.05', 'USD')).toBe('$9,007,199,254,740,993.05');
});

it('what is below zero has the minus sign, not a hyphen', () => {
  expect(formatMoney('-0.40', 'USD')).toBe('−$0.40');
  expect([formatNumber(-1200), formatTenths(-3.25), formatSigned(-4)]).toEqual(['−1,200', '−3.3', '−4']);
  expect([formatSigned(4), formatSigned(0)]).toEqual(['+4', '0']);
});

it('the scale of a chart has its cents as any amount of money', () => {
  expect([2000, 12.5, 0].map((amount) => formatMoneyMark(amount))).toEqual(['$2,000.00', '$12.50', '$0.00']);
  expect(formatMoneyMark(50, 'EUR')).toBe('€50.00');
});

it('an hour of the day is the time at which it begins', () => {
  expect([0, 9, 12, 23].map(formatHour)).toEqual(['12:00 AM', '9:00 AM', '12:00 PM', '11:00 PM']);
});

it('a clock without a zone is read as it stands, wherever the operator is', () => {
  setOperatorFormats({ ...shared, currency: 'USD', timeZone: 'America/New_York' });
  expect(formatClock('2026-03-11T15:00:00')).toBe('Mar 11, 2026, 3:00 PM');
});

it('the scale of a chart of distances is round in the unit of the operator', () => {
  expect(formatDistanceMark(500)).toBe('500 mi');
  setOperatorFormats({ ...shared, currency: 'USD', distanceUnit: 'km' });
  expect(formatDistanceMark(500)).toBe('500 km');
  expect(milesInUnit(1000)).toBeCloseTo(1609.344);
});
