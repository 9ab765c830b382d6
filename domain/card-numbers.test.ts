import { expect, it } from 'vitest';
import { lastFourOf, maskCardNumbers, withoutCardNumbers } from './card-numbers.ts';

it.each([
  ['4111111111111111', '************1111'],
  ['card 4111 1111 1111 1111 paid', 'card **** **** **** 1111 paid'],
  ['378282246310005', '***********0005'],
  ['5555-5555-5555-4444!', '****-****-****-4444!'],
])('masks %s and keeps its length', (text, masked) => expect(maskCardNumbers(text)).toBe(masked));

it.each([
  '4111111111111112',
  '1234567890123456',
  '637281940112345',
  '12 bottles for 4.50',
  '4820024700061',
  '4006381333931',
])('leaves %s alone: it is no card number', (text) => expect(maskCardNumbers(text)).toBe(text));

it('masks in every corner of a record, also where the number is a number', () => {
  const record = { a: [{ b: '4111111111111111' }], c: 4111111111111111, d: null, e: 7 };
  expect(withoutCardNumbers(record)).toEqual({ a: [{ b: '************1111' }], c: '************1111', d: null, e: 7 });
});

it('of a card only the last four digits are kept', () => {
  expect(lastFourOf('4111111111111111')).toBe('1111');
  expect(lastFourOf('**** 4242')).toBe('4242');
  expect(lastFourOf('12')).toBeNull();
});
