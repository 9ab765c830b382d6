import { expect, test } from 'vitest';
import { fillTarget, unitsToFill } from './fill-to-par.ts';

const slot = { capacity: 10, parQuantity: null, minimumQuantity: 0 };

test('a slot is filled to its par, without one to its capacity, and never above it', () => {
  expect(fillTarget({ ...slot, parQuantity: 6 })).toBe(6);
  expect(fillTarget(slot)).toBe(10);
  expect(fillTarget({ ...slot, parQuantity: 14 })).toBe(10);
});

test('a shelf place is filled to its par, without one to twice its minimum', () => {
  expect(fillTarget({ capacity: null, parQuantity: 30, minimumQuantity: 12 })).toBe(30);
  expect(fillTarget({ capacity: null, parQuantity: null, minimumQuantity: 12 })).toBe(24);
});

test('what is full or above its par takes nothing', () => {
  expect(unitsToFill({ ...slot, parQuantity: 6 }, 2)).toBe(4);
  expect(unitsToFill({ ...slot, parQuantity: 6 }, 9)).toBe(0);
});
