import type { BookedSale, CardPayment, DifferenceKind, PayoutLine } from './reconciliation.ts';

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

export const monthStart = Date.parse('2026-03-01T00:00:00Z');
const dayMs = 86_400_000;
const kinds: DifferenceKind[] = [
  ...(['sale-without-payment', 'payment-without-sale', 'amount-differs', 'paid-twice'] as const),
  ...(['not-paid-out', 'payout-differs', 'payout-unknown'] as const),
];

export type Month = {
  sales: BookedSale[];
  payments: CardPayment[];
  payouts: PayoutLine[];
  errors: { kind: DifferenceKind; id: string }[];
};

/**
 * A month of card sales with errors in one of two hundred. Every third machine is an old one: its sales carry no reference,
 * and its clock is up to a minute and a half off. For tests and measurements.
 */
export function monthOf(count: number, seed: number): Month {
  const random = randomOf(seed);
  const month: Month = { sales: [], payments: [], payouts: [], errors: [] };
  for (let n = 0; n < count; n++) {
    const machineNumber = Math.floor(random() * Math.max(20, count / 150));
    const place = `VM-${machineNumber}`;
    const at = monthStart + Math.floor(random() * 30 * dayMs);
    const amount = 125 + 25 * Math.floor(random() * 12);
    const isOld = machineNumber % 3 === 0;
    const skew = isOld ? Math.round((random() - 0.5) * 180_000) : 0;
    const sale: BookedSale = {
      id: `S${n}`,
      place,
      at: at + skew,
      amount,
      reference: isOld ? null : `R${n}`,
      expectsPayment: true,
    };
    const payment: CardPayment = {
      id: `P${n}`,
      place,
      at,
      amount,
      refunded: 0,
      surcharge: 0,
      reference: `R${n}`,
      status: 'completed',
      expectsSale: true,
      paidOutUntil: monthStart + 45 * dayMs,
    };
    const payout: PayoutLine = {
      ...{ id: `O${n}`, reference: `R${n}`, amount: amount - 8, fee: 8, at: at + dayMs },
      isOfOtherDays: false,
    };
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
