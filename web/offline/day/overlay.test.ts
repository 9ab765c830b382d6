import { expect, test } from 'vitest';
import { isPastDate } from '../../field-inventory/stock/stock-filter.ts';
import type { Draft, EntryStatus, StockEntry } from '../outbox/records.ts';
import { wasEmptied } from './overlay.ts';

type Movement = Pick<StockEntry['event'], 'kind' | 'quantity'>;

const entries = (movements: Movement[], status: EntryStatus = 'unsent') =>
  movements.map((event, i) => ({ seq: i + 1, status, event }) as StockEntry);

test('a slot was emptied where nothing was left at some moment of the unsent changes', () => {
  const out: Movement = { kind: 'spoilage', quantity: -5 };
  const filled: Movement = { kind: 'restock', quantity: 8 };
  expect(wasEmptied(5, entries([out, filled]))).toBe(true);
  expect(wasEmptied(5, entries([filled, out]))).toBe(false);
  expect(wasEmptied(6, entries([out, filled]))).toBe(false);
  expect(wasEmptied(5, entries([{ kind: 'count', quantity: 0 }]))).toBe(true);
  expect(wasEmptied(5, entries([out, filled], 'saved'))).toBe(false);
});

test('past its date is what lies in a slot and was not touched', () => {
  const row = { pastDate: '2026-03-01', quantity: 5 };
  expect(isPastDate(row, undefined)).toBe(true);
  expect(isPastDate({ ...row, quantity: 0 }, undefined)).toBe(false);
  expect(isPastDate({ ...row, pastDate: null }, undefined)).toBe(false);
  expect(isPastDate(row, { change: { kind: 'count', quantity: 0, reason: 'empty_slot' } } as Draft)).toBe(false);
});
