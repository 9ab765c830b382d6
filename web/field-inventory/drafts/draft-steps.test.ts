import { expect, test } from 'vitest';
import { changeAfter, clampQuantity } from './draft-steps.ts';

const scan = { type: 'add', units: 1, reason: 'barcode_scan' } as const;
const box = { type: 'add', units: 24, reason: 'barcode_restock' } as const;
const count = { type: 'count', quantity: 7, reason: 'manual_count' } as const;
const full = { type: 'count', quantity: 10, reason: 'full_restock' } as const;

test('additions alone are a restock of their sum', () => {
  expect(changeAfter(changeAfter(null, scan), box)).toEqual({
    kind: 'restock',
    quantity: 25,
    reason: 'barcode_restock',
  });
});

test('once a stepper took part it is a count of what is there', () => {
  expect(changeAfter(changeAfter(null, scan), count)).toEqual({ kind: 'count', quantity: 7, reason: 'manual_count' });
  expect(changeAfter(changeAfter(null, count), scan)).toEqual({ kind: 'count', quantity: 8, reason: 'manual_count' });
});

test('a later count replaces the earlier one with its reason', () => {
  expect(changeAfter(changeAfter(null, count), full)).toEqual({ kind: 'count', quantity: 10, reason: 'full_restock' });
});

test('a number typed stays between zero and what the slot holds', () => {
  expect(clampQuantity(15, 10)).toBe(10);
  expect(clampQuantity(-1, 10)).toBe(0);
  expect(clampQuantity(5_000, null)).toBe(5_000);
});
