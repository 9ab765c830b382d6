import { afterEach, expect, it } from 'vitest';
import { formatDateTime, formatDateTimeNarrow, formatMiles, formatMoney, setOperatorFormats } from './format.ts';

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

it('a distance has one decimal and its thousands set apart, in the unit of the operator', () => {
  expect([formatMiles(2961.46), formatMiles(0)]).toEqual(['2,961.5 mi', '0.0 mi']);
  setOperatorFormats({ ...shared, currency: 'USD', distanceUnit: 'km' });
  expect(formatMiles(1000)).toBe('1,609.3 km');
});

it('every digit of an amount of money is shown, also where a number would round it', () => {
  expect(formatMoney('9007199254740993.05', 'USD')).toBe('$9,007,199,254,740,993.05');
  expect(formatMoney('-0.40', 'USD')).toBe('-$0.40');
});
