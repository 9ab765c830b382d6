import { expect, it } from 'vitest';
import type { Rec } from './read.ts';
import { toSales } from './sale.ts';

const outlet = { id: 'o1', name: 'Main', currency: 'NZD', timeZone: null, pricesIncludeTax: true };
const about = { prefix: 'acme', outlet, product: () => null, customer: null };
const line = (id: string, more: Rec) => ({
  id,
  product_id: 'p',
  quantity: 1,
  total_price: 2.63158,
  total_tax: 0.39474,
  ...more,
});
const sale = (more: Rec): Rec => ({
  id: 's1',
  outlet_id: 'o1',
  status: 'CLOSED',
  sale_date: '2014-09-18T01:37:56+00:00',
  ...more,
});

it('adds up to what was paid: roundings go to the largest line, discounts of the whole sale are a row', () => {
  const three = [line('a', {}), line('b', {}), line('c', {})];
  const rounded = toSales(sale({ line_items: three, total_price: 7.89474, total_tax: 1.18422 }), about);
  expect(rounded?.map(({ amount }) => amount)).toEqual(['3.02', '3.03', '3.03']);
  const reduced = toSales(sale({ line_items: three, total_price: 5.89474, total_tax: 1.18422 }), about);
  expect(reduced?.at(-1)).toMatchObject({
    amount: '-2.01',
    movesStock: false,
    productName: 'Adjustment of the sale',
  });
});

it.each(['2014-02-30T01:37:56+00:00', '2014-02-30 01:37:56', '2014-04-31T01:37:56Z', 'Sun, 30 Feb 2014 01:37:56 Z'])(
  'is no sale that can be read where its day, %s, does not exist',
  (sale_date) => {
    expect(toSales(sale({ line_items: [line('a', {})], sale_date }), about)).toBeNull();
  },
);

it('reads old names, text numbers and no tax; what was brought back or weighed moves no stock', () => {
  const [old] = toSales(sale({ line_items: [{ id: 'a', quantity: '2', price: '1.5', tax: 0 }] }), about) ?? [];
  expect(old).toMatchObject({ amount: '3.00', unitPrice: '1.50', quantity: 2, movesStock: true, currency: 'NZD' });
  const [back] =
    toSales(sale({ line_items: [line('a', { quantity: -1, total_price: -5, total_tax: -1 })] }), about) ?? [];
  expect(back).toMatchObject({ amount: '-6.00', quantity: 1, status: 'refunded', movesStock: false });
  expect(toSales(sale({ line_items: [line('a', { quantity: 0.3 })] }), about)?.[0]?.movesStock).toBe(false);
});

it.each([
  ['CLOSED', 'completed'],
  ['ONACCOUNT_CLOSED', 'completed'],
  ['LAYBY', 'pending'],
  ['SAVED', 'pending'],
  ['AWAITING_PICKUP', 'pending'],
  ['VOIDED', 'failed'],
  ['SOMETHING_NEW', 'pending'],
])('%s is %s', (status, expected) => {
  expect(toSales(sale({ status, line_items: [line('a', {})] }), about)?.[0]?.status).toBe(expected);
});

it('without an id or a time it is told as unreadable', () => {
  expect(toSales({ id: 's1' }, about)).toBeNull();
  expect(toSales({ sale_date: '2014-09-18T01:37:56+00:00' }, about)).toBeNull();
});
