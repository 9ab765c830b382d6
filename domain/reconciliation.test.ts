import { expect, it } from 'vitest';
import { type BookedSale, type CardPayment, type PayoutLine, reconcile } from './reconciliation.ts';
import { monthOf, monthStart } from './reconciliation-sample.ts';

const dayMs = 86_400_000;

const counts = process.env.MILKRUN_LONG === '1' ? [10_000, 100_000] : [10_000];

it.each(counts)(
  'of %i sales with errors in one of 200, ninety-nine in a hundred are found, and fewer than one in a thousand is false',
  (count) => {
    const { errors, ...told } = monthOf(count, 20260312);
    expect(errors.length).toBeGreaterThan(count / 300);
    const { differences } = reconcile(told);
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
  ...{ id: 'S', place: 'VM-1', at: monthStart, amount: 150, reference: null, expectsPayment: true },
  ...fields,
});
const payment = (fields: Partial<CardPayment> = {}): CardPayment => ({
  ...{ id: 'P', place: 'VM-1', at: monthStart, amount: 150, reference: 'R', status: 'completed', expectsSale: true },
  ...{ refunded: 0, surcharge: 0, paidOutUntil: null },
  ...fields,
});
const kindsOf = (sales: BookedSale[], payments: CardPayment[]) =>
  reconcile({ sales, payments, payouts: [] }).differences.map((one) => [one.kind, one.amount]);

it('a month without errors has no differences', () => {
  const month = monthOf(500, 7);
  const clean = month.errors.length === 0 ? month : monthOf(20, 3);
  const told = reconcile(clean);
  expect([clean.errors, told.differences]).toEqual([[], []]);
});

it('a sale that nothing connected could tell the payment of is no difference, and is still the pair of one that was told', () => {
  const before = { expectsPayment: false };
  const told = (sales: BookedSale[], payments: CardPayment[]) => {
    const { sales: compared, pairs, differences } = reconcile({ sales, payments, payouts: [] });
    return [compared, pairs, differences.map((one) => one.kind)];
  };
  expect(told([sale(before)], [])).toEqual([0, 0, []]);
  expect(told([sale()], [])).toEqual([1, 0, ['sale-without-payment']]);
  expect(told([sale(before)], [payment()])).toEqual([1, 1, []]);
  // At another amount it is no proof that the two belong together.
  expect(told([sale(before)], [payment({ amount: 200 })])).toEqual([0, 0, ['payment-without-sale']]);
});

it('of two equal sales the nearer in time is the pair, and the other is missed', () => {
  expect(
    kindsOf([sale({ id: 'A', at: monthStart + 300_000 }), sale({ id: 'B', at: monthStart + 5_000 })], [payment()]),
  ).toEqual([['sale-without-payment', -150]]);
  const { differences } = reconcile({
    sales: [sale({ id: 'A', at: monthStart + 300_000 }), sale({ id: 'B', at: monthStart + 5_000 })],
    payments: [payment()],
    payouts: [],
  });
  expect(differences[0]?.sale).toBe('A');
});

it('failed payments are no money, pending ones are not missed yet', () => {
  expect(kindsOf([], [payment({ status: 'failed' })])).toEqual([]);
  expect(kindsOf([sale({ reference: 'R' })], [payment({ status: 'pending' })])).toEqual([]);
});

it.each([
  ['with it', 160, []],
  ['without it', 150, []],
  ['with a part of it', 155, [['payout-differs', -5]]],
])('a payment with a surcharge is paid out %s', (_how, amount, expected) => {
  const payouts = [{ id: 'O', reference: 'R', amount, fee: 0, at: monthStart, isOfOtherDays: false }];
  const payments = [payment({ surcharge: 10, expectsSale: false })];
  const { differences } = reconcile({ sales: [], payments, payouts });
  expect(differences.map((one) => [one.kind, one.amount])).toEqual(expected);
});

it.each([
  ['was not taken back yet', 60, [150], []],
  ['was taken back in a line of its own', 60, [150, -60], []],
  ['was paid out less what was given back', 60, [90], []],
  ['was taken back whole', 150, [150, -150], []],
  ['was given back before it was paid out', 150, [], []],
  ['was not paid out, though a part of it stands', 60, [], [['not-paid-out', -90]]],
  ['was taken back twice', 60, [150, -60, -60], [['payout-differs', -60]]],
] as const)('a payment of which something was given back and that %s', (_name, refunded, amounts, expected) => {
  const given = payment({ refunded, paidOutUntil: monthStart + 30 * dayMs });
  const payouts = amounts.map(
    (amount, n): PayoutLine => ({
      ...{ id: `O${n}`, reference: 'R', amount, fee: 0, at: monthStart + dayMs * n, isOfOtherDays: false },
    }),
  );
  const { differences } = reconcile({ sales: [sale()], payments: [given], payouts });
  expect(differences.map((one) => [one.kind, one.amount])).toEqual(expected);
});

it('what was paid out of a payment that was refunded since is of that payment, and nothing is missed of it', () => {
  const refunded = payment({ status: 'refunded', paidOutUntil: monthStart + 30 * dayMs });
  const line = { id: 'L', reference: 'R', amount: 150, fee: 0, at: monthStart + dayMs, isOfOtherDays: false };
  const kinds = (payments: CardPayment[], payouts: PayoutLine[]) =>
    reconcile({ sales: [], payments, payouts }).differences.map(({ kind }) => kind);
  expect(kinds([refunded], [line])).toEqual([]);
  expect(kinds([refunded], [line, { ...line, id: 'back', amount: -150 }])).toEqual([]);
  expect(kinds([refunded], [])).toEqual([]);
  expect(kinds([], [line])).toEqual(['payout-unknown']);
});

it('what was paid out of a payment that is pending here still is of that payment', () => {
  const pending = payment({ status: 'pending', paidOutUntil: monthStart + 30 * dayMs });
  const line = { id: 'L', reference: 'R', amount: 150, fee: 0, at: monthStart + dayMs, isOfOtherDays: false };
  expect(reconcile({ sales: [], payments: [pending], payouts: [line] }).differences).toEqual([]);
});

it('a payout of several lines is called by its first, in whatever order they are told', () => {
  const first = { id: 'P|1|R', reference: 'R', amount: 150, fee: 0, at: monthStart + dayMs, isOfOtherDays: false };
  const back = { ...first, id: 'P|2|R', amount: -50, at: monthStart + 2 * dayMs };
  const told = (payouts: PayoutLine[], payments: CardPayment[] = []) =>
    reconcile({ sales: [], payments, payouts }).differences.map(({ kind, payout }) => [kind, payout]);
  for (const lines of [
    [first, back],
    [back, first],
  ]) {
    expect(told(lines)).toEqual([['payout-unknown', first.id]]);
    expect(told(lines, [payment({ expectsSale: false })])).toEqual([['payout-differs', first.id]]);
  }
});

it('another place or an hour later is another purchase', () => {
  expect(kindsOf([sale({ place: 'VM-2' })], [payment()])).toHaveLength(2);
  expect(kindsOf([sale({ at: monthStart + 3_600_000 })], [payment()])).toHaveLength(2);
});

it('nothing is missed in payouts before the first file, nor what is not due yet', () => {
  const differences = (paidOutUntil: number | null) =>
    reconcile({ sales: [sale()], payments: [payment({ paidOutUntil })], payouts: [] }).differences;
  expect(differences(null)).toEqual([]);
  expect(differences(monthStart + 3 * dayMs)).toEqual([]);
  expect(differences(monthStart + 9 * dayMs)).toMatchObject([{ kind: 'not-paid-out' }]);
});

it('a payout of an unknown payment in several lines is one difference, of all that was paid', () => {
  const line = { reference: 'R', fee: 0, at: monthStart, isOfOtherDays: false };
  const payouts = [
    { ...line, id: '1', amount: 900 },
    { ...line, id: '2', amount: -250 },
  ];
  expect(reconcile({ sales: [], payments: [], payouts }).differences).toMatchObject([
    { kind: 'payout-unknown', payout: '1', amount: 650 },
  ]);
});

it('a difference has the same key in every run', () => {
  const keys = () => reconcile(monthOf(2_000, 5)).differences.map((one) => one.key);
  expect(keys()).toEqual(keys());
  expect(new Set(keys()).size).toBe(keys().length);
});
