import { expect, it } from 'vitest';
import {
  type BookedSale,
  type CardPayment,
  type DifferenceKind,
  type PayoutLine,
  reconcile,
  usualMatching,
} from './reconciliation.ts';

/** Seeded generator (mulberry32): the same seed makes the same month. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const start = Date.parse('2026-03-01T00:00:00Z');
const dayMs = 86_400_000;
const kinds: DifferenceKind[] = [
  ...(['sale-without-payment', 'payment-without-sale', 'amount-differs', 'paid-twice'] as const),
  ...(['not-paid-out', 'payout-differs', 'payout-unknown'] as const),
];

type Month = {
  sales: BookedSale[];
  payments: CardPayment[];
  payouts: PayoutLine[];
  errors: { kind: DifferenceKind; id: string }[];
};

/**
 * A month of card sales with errors in one of two hundred. Every third machine is an old one: its sales carry no reference,
 * and its clock is up to a minute and a half off.
 */
function monthOf(count: number, seed: number): Month {
  const random = randomOf(seed);
  const month: Month = { sales: [], payments: [], payouts: [], errors: [] };
  for (let n = 0; n < count; n++) {
    const machineNumber = Math.floor(random() * Math.max(20, count / 150));
    const machine = `VM-${machineNumber}`;
    const at = start + Math.floor(random() * 30 * dayMs);
    const amount = 125 + 25 * Math.floor(random() * 12);
    const isOld = machineNumber % 3 === 0;
    const skew = isOld ? Math.round((random() - 0.5) * 180_000) : 0;
    const sale: BookedSale = { id: `S${n}`, machine, at: at + skew, amount, reference: isOld ? null : `R${n}` };
    const payment: CardPayment = { id: `P${n}`, machine, at, amount, reference: `R${n}`, status: 'completed' };
    const payout: PayoutLine = { id: `O${n}`, reference: `R${n}`, amount: amount - 8, fee: 8, at: at + dayMs };
    const kind = random() < 0.005 ? kinds[Math.floor(random() * kinds.length)] : undefined;
    add(month, { sale, payment, payout }, kind);
  }
  return month;
}

type Told = { sale: BookedSale; payment: CardPayment; payout: PayoutLine };

function add(month: Month, { sale, payment, payout }: Told, kind: DifferenceKind | undefined): void {
  const note = (id: string): void => {
    if (kind) month.errors.push({ kind, id });
  };
  const hasSale = kind !== 'payment-without-sale';
  const hasPayment = kind !== 'sale-without-payment';
  if (hasSale) month.sales.push(sale);
  if (hasPayment)
    month.payments.push(kind === 'amount-differs' ? { ...payment, amount: payment.amount + 10 } : payment);
  if (hasPayment && kind !== 'not-paid-out') {
    const amount = payout.amount + (kind === 'amount-differs' ? 10 : 0) - (kind === 'payout-differs' ? 15 : 0);
    month.payouts.push({ ...payout, amount });
  }
  if (kind === 'paid-twice') month.payments.push({ ...payment, id: `${payment.id}-again`, at: payment.at + 1_500 });
  if (kind === 'payout-unknown')
    month.payouts.push({ ...payout, id: `${payout.id}-odd`, reference: `X${payout.reference}` });
  if (kind === 'sale-without-payment' || kind === 'amount-differs') note(sale.id);
  if (kind === 'payment-without-sale' || kind === 'not-paid-out' || kind === 'payout-differs') note(payment.id);
  if (kind === 'paid-twice') note(`${payment.id}-again`);
  if (kind === 'payout-unknown') note(`${payout.id}-odd`);
}

const counts = process.env.MILKRUN_LONG === '1' ? [10_000, 100_000] : [10_000];

it.each(counts)(
  'of %i sales with errors in one of 200, ninety-nine in a hundred are found, and fewer than one in a thousand is false',
  (count) => {
    const { errors, ...told } = monthOf(count, 20260312);
    expect(errors.length).toBeGreaterThan(count / 300);
    const { differences } = reconcile(told, { ...usualMatching, paidOutUntil: start + 45 * dayMs });
    const found = new Set(differences.map((one) => `${one.kind} ${idOf(one)}`));
    const seeded = new Set(errors.map(({ kind, id }) => `${kind} ${id}`));
    const hits = [...seeded].filter((one) => found.has(one)).length;
    const wrong = [...found].filter((one) => !seeded.has(one)).length;
    expect(hits / seeded.size).toBeGreaterThanOrEqual(0.99);
    expect(wrong / count).toBeLessThan(0.001);
  },
);

function idOf({
  kind,
  sale,
  payment,
  payout,
}: {
  kind: string;
  sale: string | null;
  payment: string | null;
  payout: string | null;
}) {
  if (kind === 'sale-without-payment' || kind === 'amount-differs') return sale;
  return kind === 'payout-unknown' ? payout : payment;
}

const sale = (fields: Partial<BookedSale> = {}): BookedSale => ({
  ...{ id: 'S', machine: 'VM-1', at: start, amount: 150, reference: null },
  ...fields,
});
const payment = (fields: Partial<CardPayment> = {}): CardPayment => ({
  ...{ id: 'P', machine: 'VM-1', at: start, amount: 150, reference: 'R', status: 'completed' },
  ...fields,
});
const options = { ...usualMatching, paidOutUntil: null };
const kindsOf = (sales: BookedSale[], payments: CardPayment[]) =>
  reconcile({ sales, payments, payouts: [] }, options).differences.map((one) => [one.kind, one.amount]);

it('a month without errors has no differences', () => {
  const month = monthOf(500, 7);
  const clean = month.errors.length === 0 ? month : monthOf(20, 3);
  const told = reconcile(clean, { ...usualMatching, paidOutUntil: start + 45 * dayMs });
  expect([clean.errors, told.differences]).toEqual([[], []]);
});

it('of two equal sales the nearer in time is the pair, and the other is missed', () => {
  expect(kindsOf([sale({ id: 'A', at: start + 300_000 }), sale({ id: 'B', at: start + 5_000 })], [payment()])).toEqual([
    ['sale-without-payment', -150],
  ]);
  const { differences } = reconcile(
    {
      sales: [sale({ id: 'A', at: start + 300_000 }), sale({ id: 'B', at: start + 5_000 })],
      payments: [payment()],
      payouts: [],
    },
    options,
  );
  expect(differences[0]?.sale).toBe('A');
});

it('failed payments are no money, pending ones are not missed yet', () => {
  expect(kindsOf([], [payment({ status: 'failed' })])).toEqual([]);
  expect(kindsOf([sale({ reference: 'R' })], [payment({ status: 'pending' })])).toEqual([]);
});

it('another machine or an hour later is another purchase', () => {
  expect(kindsOf([sale({ machine: 'VM-2' })], [payment()])).toHaveLength(2);
  expect(kindsOf([sale({ at: start + 3_600_000 })], [payment()])).toHaveLength(2);
});

it('nothing is missed in payouts before the first file, nor what is not due yet', () => {
  const told = { sales: [sale()], payments: [payment()], payouts: [] };
  expect(reconcile(told, options).differences).toEqual([]);
  expect(reconcile(told, { ...options, paidOutUntil: start + 3 * dayMs }).differences).toEqual([]);
  expect(reconcile(told, { ...options, paidOutUntil: start + 9 * dayMs }).differences).toMatchObject([
    { kind: 'not-paid-out' },
  ]);
});

it('a difference has the same key in every run', () => {
  const keys = () => reconcile(monthOf(2_000, 5), options).differences.map((one) => one.key);
  expect(keys()).toEqual(keys());
  expect(new Set(keys()).size).toBe(keys().length);
});
