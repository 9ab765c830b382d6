import { expect, test } from 'vitest';
import { isCurrency, noCurrency } from './currency.ts';
import { operatorInput } from './fleet.ts';

test.each(['USD', 'EUR', 'JPY', 'CLP', 'CHF', 'UAH', 'KWD'])('%s is a currency', (code) => {
  expect(isCurrency(code)).toBe(true);
});

test.each(['NAN', 'ABC', 'XYZ', 'usd', 'US', 'DOLLAR', '', '$'])('%j is no code of a currency', (code) => {
  expect(isCurrency(code)).toBe(false);
});

const company = { name: 'Milk & Co', timeZone: 'America/Chicago', distanceUnit: 'km' };

test('a company counts in a currency that exists, told at its field', () => {
  expect(operatorInput.parse({ ...company, currency: ' eur ' }).currency).toBe('EUR');
  const { error } = operatorInput.safeParse({ ...company, currency: 'NAN' });
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([['currency', noCurrency]]);
});
