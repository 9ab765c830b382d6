import { expect, test } from 'vitest';
import { placedOf, planogramChanges, withMove, withTemplate } from './planogram-change.ts';
import { nextInTray, trayOf, traysOf } from './trays.ts';

const slot = (id: number, slotNumber: string, productName: string, currentQuantity = 4) => ({
  id,
  slotNumber,
  productName,
  currentQuantity,
  price: '1.50',
  cost: null,
  productCode: null,
  category: null,
  brand: null,
  maxQuantity: 10,
  parQuantity: 8,
  minimumQuantity: 2,
  planned: null,
});
const template = (slotNumber: string, productName: string, fields: object = {}) => {
  const { id, currentQuantity, planned, ...rest } = slot(0, slotNumber, productName);
  return { ...rest, ...fields };
};

test('a planogram laid over itself changes nothing', () => {
  const present = [slot(1, 'A1', 'Chips'), slot(2, 'A2', 'Cola')];
  expect(planogramChanges(present, present.map(placedOf))).toEqual([]);
});

test('a move onto another slot exchanges the two, onto a free place it moves one', () => {
  const placed = [slot(1, 'A1', 'Chips'), slot(2, 'A2', 'Cola')].map(placedOf);
  const numbers = (slots: readonly { slotNumber: string }[]) => slots.map((one) => one.slotNumber);
  expect(numbers(withMove(placed, 'A1', 'A2'))).toEqual(['A2', 'A1']);
  expect(numbers(withMove(placed, 'A1', 'C3'))).toEqual(['C3', 'A2']);
});

test('every kind of change is told, with the units that come out', () => {
  const present = [slot(1, 'A1', 'Chips'), slot(2, 'A2', 'Cola'), slot(3, 'A3', 'Gum', 6)];
  const wanted = [
    { ...placedOf(slot(1, 'B1', 'Chips')), price: '2.00', parQuantity: null },
    { ...placedOf(slot(2, 'A2', 'Cola')), planned: { productName: 'Water', price: '1.00' } },
    template('C1', 'Nuts'),
  ];
  expect(planogramChanges(present, wanted)).toEqual([
    { kind: 'moved', slotNumber: 'B1', productName: 'Chips', from: 'A1' },
    { kind: 'changed', slotNumber: 'B1', productName: 'Chips', fields: ['price', 'par'] },
    { kind: 'product', slotNumber: 'A2', productName: 'Water', from: 'Cola', units: 4 },
    { kind: 'added', slotNumber: 'C1', productName: 'Nuts' },
    { kind: 'removed', slotNumber: 'A3', productName: 'Gum', units: 6 },
  ]);
});

test('a template exchanges an empty slot at once and a filled one at its next filling', () => {
  const present = [slot(1, 'A1', 'Chips', 0), slot(2, 'A2', 'Cola', 3)];
  const [empty, filled] = withTemplate(present, [template('A1', 'Nuts'), template('A2', 'Water', { price: '1.00' })]);
  expect(empty).toMatchObject({ id: 1, productName: 'Nuts', planned: null });
  expect(filled).toMatchObject({ id: 2, productName: 'Cola', price: '1.50', planned: { productName: 'Water' } });
});

test('a template knows a slot by its number, whatever its capitals', () => {
  const alone = withTemplate([slot(1, 'A1', 'Chips', 0)], [template('a1', 'Nuts')]);
  expect(alone).toMatchObject([{ id: 1, slotNumber: 'A1', productName: 'Nuts' }]);
  const both = [slot(1, 'A1', 'Chips'), slot(2, 'a1', 'Gum')];
  expect(withTemplate(both, [template('a1', 'Gum'), template('A1', 'Chips')])).toMatchObject([{ id: 2 }, { id: 1 }]);
});

test('a template never makes a slot smaller than what is in it', () => {
  const [placed] = withTemplate([slot(1, 'A1', 'Chips', 9)], [template('A1', 'Chips', { maxQuantity: 6 })]);
  expect(placed?.maxQuantity).toBe(9);
});

test('a template leaves no level above what the slot holds, be it new, exchanged at once or at its next filling', () => {
  const small = { maxQuantity: 5, parQuantity: 5, minimumQuantity: 6 };
  const present = [slot(1, 'A1', 'Chips', 0), { ...slot(2, 'A2', 'Cola', 3), minimumQuantity: 7 }];
  const wanted = ['A1', 'A2', 'A3'].map((number) => template(number, 'Nuts', small));
  expect(withTemplate(present, wanted)).toMatchObject([
    { id: 1, maxQuantity: 5, parQuantity: 5, minimumQuantity: 5 },
    { id: 2, maxQuantity: 5, parQuantity: 5, minimumQuantity: 5, planned: { productName: 'Nuts' } },
    { slotNumber: 'A3', maxQuantity: 5, parQuantity: 5, minimumQuantity: 5 },
  ]);
});

test('trays are told by letter or by tens, and the next place follows the last one', () => {
  expect(['A1', 'ab12', '12', '7', ''].map(trayOf)).toEqual(['A', 'AB', '1', '', '']);
  const trays = traysOf(['A10', 'B1', 'A2'].map((slotNumber) => ({ slotNumber })));
  expect(trays.map((tray) => tray.map((one) => one.slotNumber))).toEqual([['A2', 'A10'], ['B1']]);
  expect(nextInTray('A', ['A1', 'A5', 'B9'])).toBe('A6');
  expect(nextInTray('1', ['11', '14', '21'])).toBe('15');
  expect(nextInTray('D', ['A1'])).toBe('D1');
});
