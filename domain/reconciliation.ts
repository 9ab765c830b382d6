/**
 * Matching of what should be the same money told by different sources: a sale in the books, the card payment that paid it,
 * and the line of a payout that brought it. Pure; all amounts are whole hundredths, all instants milliseconds.
 *
 * A reference names its counterpart for good. Without one, a sale and a payment belong together when place and amount are
 * the same and their clocks are near; the nearest pair first, each used once. What is left over is a difference with its
 * likely cause. Sorting dominates: n log n.
 */

/** `place` names the machine or market. */
export type BookedSale = {
  id: string;
  place: string;
  at: number;
  amount: number;
  reference: string | null;
  /** False: no card payment is missed for it, since nothing that told payments was connected there at the time. */
  expectsPayment: boolean;
};
export type CardPayment = {
  id: string;
  place: string;
  at: number;
  amount: number;
  /** What was given back of it since, told beside it: the next payouts take it off, or the payout of the payment itself has it off. */
  refunded: number;
  /** What was added for paying by card: the card was charged with it, and the price in the books is without it. */
  surcharge: number;
  reference: string | null;
  /**
   * Pending payments are not missed yet, failed ones never were money. What is pending here may be paid out already, and what was
   * refunded may have been before.
   */
  status: 'completed' | 'pending' | 'failed' | 'refunded';
  /** False: no sale in the books is missed for it, since it bought nothing, or where it was made is not known yet. */
  expectsSale: boolean;
  /** The last instant that the payout files of its system tell of; null: there are none, and nothing is missed. */
  paidOutUntil: number | null;
};
/** `isOfOtherDays`: its payment is known and is none of those compared, as of those paid out at the first day of a range. */
export type PayoutLine = {
  id: string;
  reference: string;
  amount: number;
  fee: number;
  at: number;
  isOfOtherDays: boolean;
};

export type DifferenceKind =
  | 'sale-without-payment'
  | 'payment-without-sale'
  | 'amount-differs'
  | 'paid-twice'
  | 'not-paid-out'
  | 'payout-differs'
  | 'payout-unknown';

export type Difference = {
  /** The same difference has the same key in every run. */
  key: string;
  kind: DifferenceKind;
  sale: string | null;
  payment: string | null;
  payout: string | null;
  place: string | null;
  /** What is missing (below zero) or too much, in hundredths. */
  amount: number;
  at: number;
};

/** How each is told, and what most often stands behind it. */
export const differenceText: Record<DifferenceKind, { title: string; cause: string; resolution: string }> = {
  'sale-without-payment': {
    title: 'Sale without a card payment',
    cause: 'The reader was offline and has not sent it yet, or the sale was paid otherwise.',
    resolution: 'Accept as paid otherwise',
  },
  'payment-without-sale': {
    title: 'Card payment without a sale',
    cause: 'The machine or till did not tell the sale, or told it at another place.',
    resolution: 'Accept the payment as income',
  },
  'amount-differs': {
    title: 'Payment and sale differ',
    cause: 'The card price differs from the planogram, or a surcharge was added.',
    resolution: 'Accept what was paid',
  },
  'paid-twice': {
    title: 'Paid twice',
    cause: 'The reader sent the same sale twice: the buyer may ask for the money back.',
    resolution: 'Accept as refunded',
  },
  'not-paid-out': {
    title: 'Not paid out',
    cause: 'The processor has not settled it yet, or holds it back.',
    resolution: 'Accept as written off',
  },
  'payout-differs': {
    title: 'Payout differs',
    cause: 'A fee, a chargeback or a partial settlement that the payment does not tell.',
    resolution: 'Accept what was paid out',
  },
  'payout-unknown': {
    title: 'Payout of an unknown payment',
    cause: 'The payment was never received here, or belongs to another account.',
    resolution: 'Accept the payout as income',
  },
};

export type MatchOptions = {
  /** Clocks of machine and processor differ by at most this. */
  nearMs: number;
  /** Payments younger than this need not be paid out yet. */
  payoutDueMs: number;
};

export const usualMatching: MatchOptions = { nearMs: 10 * 60_000, payoutDueMs: 7 * 86_400_000 };

export type Matched = {
  /** Sales that have a payment, or miss one. */
  sales: number;
  pairs: number;
  differences: Difference[];
};

/** Compares the books with the card payments, and these with the payouts. */
export function reconcile(
  told: { sales: readonly BookedSale[]; payments: readonly CardPayment[]; payouts: readonly PayoutLine[] },
  options: MatchOptions = usualMatching,
): Matched {
  const differences: Difference[] = [];
  const completed = byTime(told.payments.filter((one) => one.status === 'completed'));
  const repeated = repeatsOf(completed);
  for (const payment of repeated) differences.push(differenceOf('paid-twice', { payment, amount: payment.amount }));
  const single = completed.filter((one) => !repeated.has(one));
  const pairs = pairsOf(told.sales, single, options);
  const pending = new Set(told.payments.filter((one) => one.status === 'pending').map((one) => one.reference));
  let sales = 0;
  for (const sale of told.sales) {
    const payment = pairs.get(sale);
    if (!payment && !sale.expectsPayment) continue;
    sales += 1;
    if (!payment) {
      const isExpected = sale.reference !== null && pending.has(sale.reference);
      if (!isExpected) differences.push(differenceOf('sale-without-payment', { sale, amount: -sale.amount }));
    } else if (payment.amount !== sale.amount) {
      differences.push(differenceOf('amount-differs', { sale, payment, amount: payment.amount - sale.amount }));
    }
  }
  const used = new Set(pairs.values());
  for (const payment of single) {
    if (!used.has(payment) && payment.expectsSale)
      differences.push(differenceOf('payment-without-sale', { payment, amount: payment.amount }));
  }
  const uncompared = told.payments
    .filter(({ status }) => status === 'refunded' || status === 'pending')
    .map(referenceOf);
  differences.push(...payoutDifferences(completed, told.payouts, { ...options, uncompared: new Set(uncompared) }));
  return { sales, pairs: pairs.size, differences };
}

/**
 * Of payments that say the same reference at the same place, or the same without one within two seconds, all but the first.
 * They come by time.
 */
function repeatsOf(payments: readonly CardPayment[]): Set<CardPayment> {
  const repeated = new Set<CardPayment>();
  const seen = new Map<string, CardPayment>();
  for (const payment of payments) {
    const { place, amount, reference } = payment;
    const key = reference === null ? `${place} ${amount}` : `${place} ${amount} ${reference}`;
    const before = seen.get(key);
    const isNear = before !== undefined && payment.at - before.at <= (reference === null ? 2_000 : 86_400_000);
    if (isNear) repeated.add(payment);
    else seen.set(key, payment);
  }
  return repeated;
}

const byTime = <T extends { at: number; id: string }>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));

function pairsOf(
  sales: readonly BookedSale[],
  payments: readonly CardPayment[],
  { nearMs }: MatchOptions,
): Map<BookedSale, CardPayment> {
  const pairs = new Map<BookedSale, CardPayment>();
  const byReference = new Map<string, CardPayment>();
  for (const payment of payments) if (payment.reference !== null) byReference.set(payment.reference, payment);
  const used = new Set<CardPayment>();
  for (const sale of sales) {
    const payment = sale.reference === null ? undefined : byReference.get(sale.reference);
    if (!payment || used.has(payment)) continue;
    pairs.set(sale, payment);
    used.add(payment);
  }
  const open = sales.filter((sale) => !pairs.has(sale));
  const free = payments.filter((payment) => !used.has(payment));
  nearestPairs(open, free, { nearMs, keyOf: ({ place, amount }) => `${place} ${amount}` }, pairs);
  // What is left may be the same purchase at another amount: only where the clocks say so clearly.
  const taken = new Set(pairs.values());
  const rest = { nearMs: Math.min(nearMs, 120_000), keyOf: ({ place }: { place: string }) => place };
  nearestPairs(
    open.filter((sale) => sale.expectsPayment && !pairs.has(sale)),
    free.filter((payment) => !taken.has(payment)),
    rest,
    pairs,
  );
  return pairs;
}

type Near = { nearMs: number; keyOf: (one: { place: string; amount: number }) => string };

/** Pairs within a group by the distance of their clocks, the nearest first. The payments come by time. */
function nearestPairs(
  sales: readonly BookedSale[],
  payments: readonly CardPayment[],
  { nearMs, keyOf }: Near,
  pairs: Map<BookedSale, CardPayment>,
): void {
  const groups = new Map<string, CardPayment[]>();
  for (const payment of payments) {
    const key = keyOf(payment);
    const group = groups.get(key);
    if (group) group.push(payment);
    else groups.set(key, [payment]);
  }
  const candidates: { sale: BookedSale; payment: CardPayment; distance: number }[] = [];
  for (const sale of sales) {
    const group = groups.get(keyOf(sale)) ?? [];
    for (let at = firstFrom(group, sale.at - nearMs); at < group.length; at++) {
      const payment = group[at];
      if (!payment || payment.at > sale.at + nearMs) break;
      // Two references that name different things are no pair.
      if (sale.reference !== null && payment.reference !== null) continue;
      candidates.push({ sale, payment, distance: Math.abs(payment.at - sale.at) });
    }
  }
  candidates.sort((a, b) => a.distance - b.distance || (a.sale.id < b.sale.id ? -1 : 1));
  const used = new Set<CardPayment>();
  for (const { sale, payment } of candidates) {
    if (pairs.has(sale) || used.has(payment)) continue;
    pairs.set(sale, payment);
    used.add(payment);
  }
}

/** Where the first payment at or after an instant stands. */
function firstFrom(sorted: readonly CardPayment[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const referenceOf = ({ reference, id }: CardPayment): string => reference ?? id;

function payoutDifferences(
  payments: readonly CardPayment[],
  payouts: readonly PayoutLine[],
  { payoutDueMs, uncompared }: MatchOptions & { uncompared: ReadonlySet<string> },
): Difference[] {
  const differences: Difference[] = [];
  const lines = new Map<string, PayoutLine[]>();
  // A difference is called by the first line: in another order it would be one that nobody has accepted.
  for (const line of byTime(payouts)) {
    const before = lines.get(line.reference);
    if (before) before.push(line);
    else lines.set(line.reference, [line]);
  }
  const known = new Set<string>();
  for (const payment of payments) {
    const reference = referenceOf(payment);
    if (known.has(reference)) continue;
    known.add(reference);
    const paid = lines.get(reference);
    const left = payment.amount - payment.refunded;
    if (!paid) {
      const isDue = payment.paidOutUntil !== null && payment.at + payoutDueMs <= payment.paidOutUntil;
      if (isDue && left > 0) differences.push(differenceOf('not-paid-out', { payment, amount: -left }));
      continue;
    }
    const sum = paid.reduce((all, line) => all + line.amount + line.fee, 0);
    const [payout = null] = paid;
    // All of it was paid out before the refund, or what is left since; a surcharge is paid out too, or kept by whom it is for.
    const rest = [payment.amount, left].map((one) => sum - one);
    if (!rest.includes(0) && !rest.includes(payment.surcharge)) {
      differences.push(differenceOf('payout-differs', { payment, payout, amount: sum - left - payment.surcharge }));
    }
  }
  for (const [reference, paid] of lines) {
    const [payout] = paid;
    if (!payout || payout.isOfOtherDays || known.has(reference) || uncompared.has(reference)) continue;
    const amount = paid.reduce((all, line) => all + line.amount, 0);
    differences.push(differenceOf('payout-unknown', { payout, amount }));
  }
  return differences;
}

type About = {
  sale?: BookedSale | null;
  payment?: CardPayment | null;
  payout?: PayoutLine | null;
  amount: number;
};

function differenceOf(kind: DifferenceKind, { sale = null, payment = null, payout = null, amount }: About): Difference {
  const at = sale?.at ?? payment?.at ?? payout?.at ?? 0;
  const ids = [sale?.id ?? '', payment?.id ?? '', payout?.id ?? ''];
  return {
    key: `${kind}|${ids.join('|')}`,
    kind,
    ...{ sale: sale?.id ?? null, payment: payment?.id ?? null, payout: payout?.id ?? null },
    place: sale?.place ?? payment?.place ?? null,
    ...{ amount, at },
  };
}
