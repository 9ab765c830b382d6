import type { VendorSale } from './integration.ts';

/**
 * The firewall between partner systems and the ledger: a sale that cannot be true is held with a sentence that says why
 * and, where the remedy is plain, with what one click would do. Limits are wide: holding a good sale costs a person's
 * time, booking a bad one costs the numbers' trust.
 */

export type HoldReason =
  /** The price is not what anything costs here. */
  | 'price'
  /** Quantity, price and amount do not fit together. */
  | 'amounts'
  /** It happened when it cannot have. */
  | 'clock'
  /** More pieces than can have been sold. */
  | 'counter'
  /** The record was told before with another amount. */
  | 'changed'
  /** The slot holds another product of ours. */
  | 'map'
  /** The machine has no such slot. */
  | 'slot'
  /** It is not known what was sold. */
  | 'product'
  /** The record cannot be read. */
  | 'unreadable';

/** What one click changes about a held sale before it is booked. Absent members stay as told. */
export type Repair = {
  soldAt?: string;
  unitPrice?: string;
  amount?: string;
  quantity?: number;
  slotNumber?: string;
  productId?: number;
  /** Books it as it was told: a person looked. */
  asTold?: boolean;
};

export type Hold = { reason: HoldReason; explanation: string; repair: Repair | null };

/** What is known here about where and what a sale says it was. */
export type SaleFacts = {
  /** When it reached us. */
  receivedAt: Date;
  /** Decimal text: what the slot, the item or the partner's own list asks for one. */
  expectedPrice: string | null;
  /** What the slot holds when full. */
  capacity: number | null;
  /** The product of ours in the slot, and the product of ours that the sale means, where each is certain. */
  slotProduct: { id: number; name: string } | null;
  soldProduct: { id: number; name: string } | null;
};

const minute = 60_000;
const day = 24 * 60 * minute;
/** How far a machine's clock may be ahead of ours before its word counts for nothing. */
const aheadMs = 10 * minute;
/** No system here keeps sales for longer: a machine that lost its clock tells 2000 or 1970. */
const oldestMs = 6 * 366 * day;
/** A card sale is settled within days, cash at once. */
const slowestSettlementMs = 60 * day;

const priceCeiling = 2_000;
const ratioHeld = 9;
const mostPieces = 200;
const fillsPerSale = 4;
/** A cent a piece of rounding, and what taxes and deposits may add. */
const taxShare = 0.35;

/** Why a sale is not booked as told; null when nothing speaks against it. */
export function checkSale(sale: VendorSale, facts: SaleFacts): Hold | null {
  return (
    checkQuantity(sale, facts) ??
    checkPrice(sale, facts) ??
    checkAmounts(sale) ??
    checkClock(sale, facts) ??
    checkMap(facts)
  );
}

/**
 * As `checkSale`, for what moves no stock. Only its time is asked for: a payment has neither slot nor price to compare with, and money
 * given back comes long after the sale.
 */
export function checkPayment(sale: VendorSale, receivedAt: Date): Hold | null {
  return sale.status === 'failed' ? null : checkInstant(sale, receivedAt);
}

const cents = (text: string): number => Math.round(Number(text) * 100);

/** A sale that is in the ledger, told again: with another amount it is held, and what is booked stands. */
export function checkRepeat(sale: VendorSale, before: { amount: string; quantity: number }): Hold | null {
  if (sale.status === 'refunded') return null;
  if (cents(before.amount) === cents(sale.amount) && before.quantity === sale.quantity) return null;
  return {
    reason: 'changed',
    explanation: `This sale was booked with ${before.quantity} for ${before.amount} and is now told with ${sale.quantity} for ${sale.amount}. The first stands: ask the partner which is right, then take the new amount or leave it out.`,
    repair: null,
  };
}

/**
 * When a sale was that is told again: an impossible time does not move it away from a possible one. The partner's own words
 * for it are kept as told.
 */
export function timeOfRepeat(sale: VendorSale, before: Date, receivedAt: Date): Date {
  const isWorse = checkInstant(sale, receivedAt) && !checkInstant({ ...sale, soldAt: before }, receivedAt);
  return isWorse ? before : sale.soldAt;
}

function checkQuantity(sale: VendorSale, { capacity }: SaleFacts): Hold | null {
  const { quantity } = sale;
  if (!Number.isInteger(quantity) || quantity < 1) {
    return {
      reason: 'counter',
      explanation: `It tells of ${quantity} pieces sold. A counter ran backwards or was set to zero.`,
      repair: null,
    };
  }
  const most = capacity ? Math.max(fillsPerSale * capacity, 20) : mostPieces;
  if (quantity <= most) return null;
  return {
    reason: 'counter',
    explanation: capacity
      ? `It tells of ${quantity} pieces at once out of a slot that holds ${capacity}. A counter jumped.`
      : `It tells of ${quantity} pieces at once. A counter jumped.`,
    repair: { quantity: 1 },
  };
}

/** What no decision of a person makes bookable: an amount that is none would make every sum it is part of none. */
export function checkFigures({ unitPrice, amount }: Pick<VendorSale, 'unitPrice' | 'amount'>): Hold | null {
  if (Number.isFinite(Number(unitPrice)) && Number.isFinite(Number(amount))) return null;
  return { reason: 'price', explanation: `The price “${unitPrice}” is not an amount. Leave this out.`, repair: null };
}

function checkPrice(sale: VendorSale, { expectedPrice }: SaleFacts): Hold | null {
  const unreadable = checkFigures(sale);
  if (unreadable) return unreadable;
  const price = Number(sale.unitPrice);
  const amount = Number(sale.amount);
  if (sale.status !== 'refunded' && (price < 0 || amount < 0)) {
    return {
      reason: 'price',
      explanation: `The amount ${sale.amount} is below zero, but the sale is not told as a refund.`,
      repair: null,
    };
  }
  const expected = expectedPrice === null ? 0 : Number(expectedPrice);
  if (expected <= 0) return price > priceCeiling ? tooDear(sale, null) : null;
  // Given away for nothing is a test or a promotion, no mistake of reading.
  if (price === 0) return null;
  const ratio = Math.abs(price) / expected;
  if (ratio < ratioHeld && ratio > 1 / ratioHeld) return null;
  return ratio >= ratioHeld ? tooDear(sale, expectedPrice) : tooCheap(sale, expectedPrice);
}

function tooDear(sale: VendorSale, expected: string | null): Hold {
  const hundredth = fraction(sale.unitPrice, -2);
  const isCents = expected !== null && isNear(Number(hundredth), Number(expected));
  const rest = expected === null ? 'Nothing here costs that much.' : `It costs ${expected} here.`;
  const why = isCents ? ' The amount was probably written in cents.' : '';
  return {
    reason: 'price',
    explanation: `It was sold for ${sale.unitPrice} each. ${rest}${why}`,
    repair: isCents ? { unitPrice: hundredth, amount: fraction(sale.amount, -2) } : atPrice(sale, expected),
  };
}

function tooCheap(sale: VendorSale, expected: string | null): Hold {
  const hundredfold = fraction(sale.unitPrice, 2);
  const isScaled = expected !== null && isNear(Number(hundredfold), Number(expected));
  const why = isScaled ? ' The decimal point was probably set wrong.' : '';
  return {
    reason: 'price',
    explanation: `It was sold for ${sale.unitPrice} each. It costs ${expected} here.${why}`,
    repair: isScaled ? { unitPrice: hundredfold, amount: fraction(sale.amount, 2) } : atPrice(sale, expected),
  };
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 0.3 * b;

/** Decimal text times a power of ten, at two places. */
const fraction = (text: string, power: number): string => (Number(text) * 10 ** power).toFixed(2);

function atPrice(sale: VendorSale, expected: string | null): Repair | null {
  if (expected === null) return null;
  return { unitPrice: expected, amount: (Number(expected) * sale.quantity).toFixed(2) };
}

function checkAmounts(sale: VendorSale): Hold | null {
  const line = cents(sale.unitPrice) * sale.quantity;
  const amount = Math.abs(cents(sale.amount));
  const slack = sale.quantity + Math.max(Math.abs(line) * taxShare, Math.abs(cents(sale.tax ?? '0')));
  // Less than the line is a discount; more than the line with its taxes cannot be.
  if (amount <= Math.abs(line) + slack || line === 0) return null;
  return {
    reason: 'amounts',
    explanation: `${sale.quantity} at ${sale.unitPrice} do not make ${sale.amount}.`,
    repair: { amount: (line / 100).toFixed(2) },
  };
}

function checkClock(sale: VendorSale, { receivedAt }: SaleFacts): Hold | null {
  const impossible = checkInstant(sale, receivedAt);
  if (impossible) return impossible;
  const soldMs = sale.soldAt.getTime();
  const settledMs = sale.processedAt?.getTime() ?? soldMs;
  if (soldMs - settledMs > aheadMs || settledMs - soldMs > slowestSettlementMs) {
    const way = soldMs > settledMs ? 'after' : 'before';
    return {
      reason: 'clock',
      explanation: `It says it was sold ${spanInWords(Math.abs(soldMs - settledMs))} ${way} it was paid. The machine's clock is wrong.`,
      repair: { soldAt: likelyTime(sale, receivedAt).toISOString() },
    };
  }
  return null;
}

/** A time that nothing here can have: one that has not come yet, or one before any system kept sales. */
function checkInstant(sale: VendorSale, receivedAt: Date): Hold | null {
  const soldMs = sale.soldAt.getTime();
  const receivedMs = receivedAt.getTime();
  const repair = { soldAt: likelyTime(sale, receivedAt).toISOString() };
  if (Number.isNaN(soldMs)) return { reason: 'clock', explanation: 'It has no readable time.', repair };
  const [did, clock] = sale.movesStock ? ['sold', "The machine's clock"] : ['paid', "The sender's clock"];
  if (soldMs - receivedMs > aheadMs) {
    const span = spanInWords(soldMs - receivedMs);
    return {
      reason: 'clock',
      explanation: `It says it was ${did} ${span} after it reached us. ${clock} is ahead.`,
      repair,
    };
  }
  if (soldMs >= receivedMs - oldestMs) return null;
  const year = sale.soldAt.getUTCFullYear();
  return { reason: 'clock', explanation: `It says it was ${did} in ${year}. ${clock} lost its date.`, repair };
}

/** When it was paid, else when it reached us: a machine that is wrong about the one may be wrong about the other. */
function likelyTime({ processedAt }: VendorSale, receivedAt: Date): Date {
  const lateMs = processedAt ? receivedAt.getTime() - processedAt.getTime() : Number.NaN;
  return processedAt && lateMs >= -aheadMs && lateMs <= oldestMs ? processedAt : receivedAt;
}

function spanInWords(ms: number): string {
  if (ms < 2 * 60 * minute) return `${Math.round(ms / minute)} minutes`;
  if (ms < 2 * day) return `${Math.round(ms / (60 * minute))} hours`;
  return `${Math.round(ms / day)} days`;
}

function checkMap({ slotProduct, soldProduct }: SaleFacts): Hold | null {
  if (!slotProduct || !soldProduct || slotProduct.id === soldProduct.id) return null;
  return {
    reason: 'map',
    explanation: `${soldProduct.name} was sold out of a slot that holds ${slotProduct.name} here. One of the two plans is old.`,
    repair: { productId: slotProduct.id },
  };
}

/** The sale as a repair makes it. */
export function repairSale(sale: VendorSale, repair: Repair): VendorSale {
  return {
    ...sale,
    soldAt: repair.soldAt === undefined ? sale.soldAt : new Date(repair.soldAt),
    unitPrice: repair.unitPrice ?? sale.unitPrice,
    amount: repair.amount ?? (repair.quantity === undefined ? sale.amount : lineOf(sale, repair.quantity)),
    quantity: repair.quantity ?? sale.quantity,
    slotNumber: repair.slotNumber ?? sale.slotNumber,
  };
}

const lineOf = (sale: VendorSale, quantity: number): string => (Number(sale.unitPrice) * quantity).toFixed(2);
