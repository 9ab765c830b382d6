import { expect, it } from 'vitest';
import { cardScheme, paymentMethodOf, schemeWithin } from './card-types.ts';

it.each([
  ['MasterCard', 'Mastercard'],
  ['MASTERCARD', 'Mastercard'],
  ['MC', 'Mastercard'],
  ['visa', 'Visa'],
  [' Visa Debit ', 'Visa'],
  ['AMEX', 'American Express'],
  ['American Express', 'American Express'],
  ['Girocard ', 'Girocard'],
  ['  ', null],
  [null, null],
])('%j is written %j', (told, written) => {
  expect(cardScheme(told)).toBe(written);
});

it.each([
  ['VISA …', 'Visa'],
  ['Paid by American Express', 'American Express'],
  ['Diners Club card', 'Diners Club'],
  ['Gift card', null],
  [null, null],
])('the text %j names %j', (text, scheme) => {
  expect(schemeWithin(text)).toBe(scheme);
});

it.each([
  ['Credit Card', 'credit'],
  ['CARD', 'credit'],
  ['debit', 'credit'],
  ['Cash', 'cash'],
  ['Gift Card', 'gift card'],
  [' ', null],
])('payment by %j is called %j', (told, method) => {
  expect(paymentMethodOf(told)).toBe(method);
});
