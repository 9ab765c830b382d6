import { expect, test } from 'vitest';
import { readQuantity } from './quantity-text.ts';

test.each([
  ['0', 10, 0],
  [' 7 ', 10, 7],
  ['10', 10, 10],
  ['500', null, 500],
])('%j is read as a number of units', (typed, capacity, quantity) => {
  expect(readQuantity(typed, capacity)).toEqual({ quantity, problem: null });
});

test.each([
  ['', 10, 'Enter a number.'],
  ['-1', 10, 'There cannot be less than 0.'],
  ['11', 10, 'This slot holds at most 10.'],
  ['ab', 10, 'Enter digits only, such as 12.'],
  ['1e9', null, 'Enter digits only, such as 12.'],
  ['2.5', 10, 'Enter whole units, without a decimal point.'],
  ['1000000000', null, 'That is too many. At most 1,000,000 units are kept.'],
  ['1000000000', 12, 'This slot holds at most 12.'],
])('%j is answered with its own sentence', (typed, capacity, problem) => {
  expect(readQuantity(typed, capacity)).toEqual({ quantity: null, problem });
});
