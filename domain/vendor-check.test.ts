import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VendorSale } from './integration.ts';
import { checkRepeat, checkSale, type HoldReason, repairSale, type SaleFacts } from './vendor-check.ts';

const receivedAt = new Date('2026-03-12T15:00:00Z');
const minute = 60_000;

const sale = (fields: Partial<VendorSale> = {}): VendorSale => ({
  vendorId: 'S1',
  ledger: { source: 'test', transactionId: 'S1', line: null },
  deviceId: 'D1',
  integrationId: null,
  orderId: null,
  slotNumber: 'A1',
  productName: 'Cola',
  productCode: null,
  category: null,
  quantity: 1,
  unitPrice: '1.50',
  amount: '1.50',
  tax: null,
  fee: null,
  currency: 'USD',
  paymentMethod: 'card',
  cardType: null,
  lastFour: null,
  status: 'completed',
  soldAt: new Date(receivedAt.getTime() - 5 * minute),
  soldAtText: null,
  processedAt: null,
  version: null,
  movesStock: true,
  details: {},
  raw: {},
  ...fields,
});
const facts: SaleFacts = {
  receivedAt,
  expectedPrice: '1.50',
  capacity: 10,
  slotProduct: { id: 1, name: 'Cola' },
  soldProduct: { id: 1, name: 'Cola' },
};
const held = (fields: Partial<VendorSale>, known: Partial<SaleFacts> = {}): HoldReason | null =>
  checkSale(sale(fields), { ...facts, ...known })?.reason ?? null;

describe('the firewall', () => {
  it.each<[string, Partial<VendorSale>, HoldReason]>([
    ['a price in cents', { unitPrice: '150.00', amount: '150.00' }, 'price'],
    ['a price with the point set wrong', { unitPrice: '0.015', amount: '0.02' }, 'price'],
    ['a price that is no number', { unitPrice: 'NaN' }, 'price'],
    ['an amount below zero', { unitPrice: '-1.50', amount: '-1.50' }, 'price'],
    ['an amount that the pieces do not make', { amount: '9.99' }, 'amounts'],
    ['a counter that jumped', { quantity: 65_535, amount: '98302.50' }, 'counter'],
    ['a counter that was set to zero', { quantity: -120 }, 'counter'],
    ['a clock a day ahead', { soldAt: new Date('2026-03-13T15:00:00Z') }, 'clock'],
    ['a clock without a date', { soldAt: new Date('2000-01-01T00:00:00Z') }, 'clock'],
    ['a sale long before it was paid', { soldAt: new Date('2025-06-01T00:00:00Z'), processedAt: receivedAt }, 'clock'],
  ])('holds %s', (_, fields, reason) => expect(held(fields)).toBe(reason));

  it('holds a product that is not the one of the slot, when both are known for certain', () => {
    expect(held({}, { soldProduct: { id: 2, name: 'Water' } })).toBe('map');
    expect(held({}, { soldProduct: null })).toBeNull();
  });

  it.each<[string, Partial<VendorSale>]>([
    ['a discount', { amount: '1.20' }],
    ['taxes on top', { amount: '1.65', tax: '0.15' }],
    ['something given away', { unitPrice: '0.00', amount: '0.00' }],
    ['a refund below zero', { status: 'refunded', unitPrice: '-1.50', amount: '-1.50' }],
    ['a clock some minutes ahead', { soldAt: new Date(receivedAt.getTime() + 9 * minute) }],
    ['a sale told a month late', { soldAt: new Date('2026-02-10T00:00:00Z') }],
    ['three at once', { quantity: 3, amount: '4.50' }],
  ])('lets %s pass', (_, fields) => expect(held(fields)).toBeNull());

  it('another amount for a sale in the ledger is held, the same one is not', () => {
    expect(checkRepeat(sale({ amount: '2.00' }), { amount: '1.50', quantity: 1 })?.reason).toBe('changed');
    expect(checkRepeat(sale({ amount: '1.5' }), { amount: '1.50', quantity: 1 })).toBeNull();
    expect(checkRepeat(sale({ status: 'refunded', amount: '-1.50' }), { amount: '1.50', quantity: 1 })).toBeNull();
  });

  it('says why in a sentence, and a repair makes it pass', () => {
    const told = sale({ unitPrice: '150.00', amount: '300.00', quantity: 2 });
    const hold = checkSale(told, facts);
    expect(hold?.explanation).toBe(
      'It was sold for 150.00 each. It costs 1.50 here. The amount was probably written in cents.',
    );
    expect(hold?.repair).toEqual({ unitPrice: '1.50', amount: '3.00' });
    expect(checkSale(repairSale(told, hold?.repair ?? {}), facts)).toBeNull();
  });
});

it('a wrong time is put right with when it was paid, or came in where that cannot be either', () => {
  const repair = (fields: Partial<VendorSale>) => checkSale(sale(fields), facts)?.repair?.soldAt;
  const soldAt = new Date('2031-01-01T00:00:00Z');
  const paid = new Date('2026-03-12T14:00:00Z');
  expect(repair({ soldAt, processedAt: paid })).toBe(paid.toISOString());
  expect(repair({ soldAt, processedAt: soldAt })).toBe(receivedAt.toISOString());
  expect(repair({ processedAt: soldAt })).toBe(receivedAt.toISOString());
  const lost = new Date('2000-01-01T00:00:00Z');
  expect(repair({ soldAt: lost, processedAt: lost })).toBe(receivedAt.toISOString());
});

/** Ways in which feeds were seen to go wrong; each changes one sale. */
const corruptions: Record<string, (told: VendorSale, n: number) => VendorSale> = {
  cents: (told) => ({ ...told, unitPrice: times(told.unitPrice, 100), amount: times(told.amount, 100) }),
  point: (told) => ({ ...told, unitPrice: times(told.unitPrice, 0.01), amount: times(told.amount, 0.01) }),
  jump: (told, n) => ({ ...told, quantity: 60 + n, amount: times(told.unitPrice, 60 + n) }),
  reset: (told, n) => ({ ...told, quantity: -1 - n }),
  ahead: (told, n) => ({ ...told, soldAt: new Date(receivedAt.getTime() + (11 + n) * minute) }),
  lost: (told) => ({ ...told, soldAt: new Date('2000-01-01T00:00:00Z') }),
  negative: (told) => ({ ...told, unitPrice: `-${told.unitPrice}`, amount: `-${told.amount}` }),
  amount: (told, n) => ({ ...told, amount: times(told.amount, 3 + n) }),
};

const times = (amount: string, factor: number): string => (Number(amount) * factor).toFixed(2);

it('of corrupted feeds 95 in 100 wrong sales are held, and less than one good sale in 200', () => {
  const price = fc.integer({ min: 75, max: 1_200 }).map((cents) => (cents / 100).toFixed(2));
  const good = fc.record({
    price,
    quantity: fc.integer({ min: 1, max: 4 }),
    ageMin: fc.nat({ max: 40_000 }),
    tax: fc.nat({ max: 12 }),
  });
  const feed = fc.array(
    fc.record({
      good,
      wrong: fc.option(fc.constantFrom(...Object.keys(corruptions)), { freq: 3 }),
      n: fc.nat({ max: 500 }),
    }),
    {
      minLength: 20,
      maxLength: 40,
    },
  );
  const sum = { wrong: 0, wrongHeld: 0, good: 0, goodHeld: 0 };
  fc.assert(
    fc.property(feed, (records) => {
      for (const { good: one, wrong, n } of records) {
        const tax = times(one.price, (one.quantity * one.tax) / 100);
        const told = sale({
          quantity: one.quantity,
          unitPrice: one.price,
          tax,
          amount: (Number(one.price) * one.quantity + Number(tax)).toFixed(2),
          soldAt: new Date(receivedAt.getTime() - one.ageMin * minute),
        });
        const corrupt = wrong === null ? null : corruptions[wrong];
        const hold = checkSale(corrupt ? corrupt(told, n) : told, { ...facts, expectedPrice: one.price });
        if (corrupt) sum.wrong += 1;
        else sum.good += 1;
        if (hold && corrupt) sum.wrongHeld += 1;
        if (hold && !corrupt) sum.goodHeld += 1;
      }
    }),
    { numRuns: process.env.MILKRUN_LONG === '1' ? 1_000 : 100 },
  );
  expect(sum.wrong).toBeGreaterThan(300);
  expect(sum.wrongHeld / sum.wrong).toBeGreaterThanOrEqual(0.95);
  expect(sum.goodHeld / sum.good).toBeLessThan(0.005);
});
