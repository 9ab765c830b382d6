import { expect, test } from 'vitest';
import { changeAfter, clampQuantity, lessSaved } from './draft-steps.ts';

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

const fill = (quantity: number) => ({ kind: 'restock', quantity, reason: 'fill' }) as const;
const counted = (quantity: number) => ({ kind: 'count', quantity, reason: 'manual_count' }) as const;
const spoiled = { kind: 'spoilage', quantity: -1, reason: 'expired' } as const;

test.each([
  ['more was put in', { change: fill(8) }, [fill(2)], { change: fill(6) }],
  [
    'more was taken out',
    { change: fill(2), taken: { expired: 3 } },
    [spoiled, fill(2)],
    { change: fill(0), taken: { expired: 2 } },
  ],
  ['what was found is said', { change: fill(8), found: 3 }, [counted(3), fill(2)], { change: fill(6) }],
  [
    'found anew, all goes on from it',
    { change: fill(2), found: 4 },
    [counted(3), fill(2)],
    { change: fill(2), found: 4 },
  ],
  [
    'a count stands for itself',
    { change: counted(7), taken: { expired: 1 } },
    [spoiled, counted(6)],
    { change: counted(7) },
  ],
  ['nothing more', { change: fill(2), taken: { expired: 1 } }, [spoiled, fill(2)], null],
])('of a change that goes on while it is saved the rest is left: %s', (_title, work, saved, left) => {
  expect(lessSaved(work, saved)).toEqual(left);
});
