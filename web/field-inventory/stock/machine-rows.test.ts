import { expect, test } from 'vitest';
import type { StockRow } from '../../offline/kept/reads.ts';
import { traysOf } from './machine-rows.ts';

const slotOf = (slotNumber: string): StockRow => ({
  itemType: 'machine_slot',
  itemId: 1,
  productId: null,
  productName: 'Crisps',
  slotNumber,
  price: null,
  capacity: 10,
  minimumQuantity: 0,
  parQuantity: null,
  pastDate: null,
  serverQuantity: 1,
  quantity: 1,
  state: 'none',
  reason: null,
  lastSeq: 0,
});

const codes = (given: string[]) => traysOf(given.map(slotOf)).map((tray) => tray.map((slot) => slot.slotNumber));

test('slots stand in trays by their letter, in the order of their numbers', () => {
  expect(codes(['B1', 'A10', 'A2'])).toEqual([['A2', 'A10'], ['B1']]);
});

test('slots with plain numbers stand in trays of ten', () => {
  expect(codes(['21', '12', '11'])).toEqual([['11', '12'], ['21']]);
});
