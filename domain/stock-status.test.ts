import { expect, it } from 'vitest';
import { administrationLow } from './stock-status.ts';

it.each([
  ['a market item at its minimum', { currentQuantity: 10, minimumQuantity: 10, capacity: null }, true],
  ['a market item above its minimum', { currentQuantity: 11, minimumQuantity: 10, capacity: null }, false],
  ['an empty slot', { currentQuantity: 0, minimumQuantity: 0, capacity: 0 }, true],
  ['a slot below a fifth of its capacity', { currentQuantity: 1, minimumQuantity: 0, capacity: 10 }, true],
  ['a slot at a fifth of its capacity', { currentQuantity: 2, minimumQuantity: 0, capacity: 10 }, false],
])('for administrators, %s', (_, item, expected) => {
  expect(administrationLow(item)).toBe(expected);
});
