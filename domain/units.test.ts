import { expect, it } from 'vitest';
import { fromHundredths, lessMoney, shareOfMoney, sumOfMoney, toHundredths } from './units.ts';

it.each([
  ['12.50', 1250n],
  ['-0.40', -40n],
  ['.5', 50n],
  ['7', 700n],
  ['90071992547409.93', 9007199254740993n],
])('%s is %s hundredths', (text, hundredths) => {
  expect(toHundredths(text)).toBe(hundredths);
});

it('money is summed and taken away to the cent, however much it is', () => {
  expect(sumOfMoney(['90071992547409.93', '0.01', null])).toBe('90071992547409.94');
  expect(sumOfMoney(Array.from({ length: 10 }, () => '0.10'))).toBe('1.00');
  expect(sumOfMoney([])).toBe('0.00');
  expect(lessMoney('0.10', '0.30')).toBe('-0.20');
  expect(fromHundredths(toHundredths('-3.05'))).toBe('-3.05');
});

it('money is shared with halves away from zero', () => {
  expect(shareOfMoney('1.00', 3)).toBe('0.33');
  expect(shareOfMoney('0.05', 2)).toBe('0.03');
  expect(shareOfMoney('-0.05', 2)).toBe('-0.03');
  expect(shareOfMoney('90071992547409.93', 1)).toBe('90071992547409.93');
});
