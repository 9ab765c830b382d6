import type { VendorSale } from '../../../domain/integration.ts';
import { rightTime } from '../../../domain/machine-clock.ts';
import { checkFigures, checkSale, type Hold, type Repair, repairSale } from '../../../domain/vendor-check.ts';
import type { Sale } from '../../sales/service.ts';
import type { SaleRow } from '../tables.ts';
import type { FoundFacts } from './facts.ts';

export type Judged = { sale: Sale; repaired: VendorSale | null; seenMs: number | null };
type Known = { found: FoundFacts; repair: Repair | null; at: Date };

/** What a sale is to the ledger, or why it is not believed. */
export function judge(row: SaleRow, { found, repair, at }: Known): Judged | { hold: Hold } {
  const put = putRight(row, found);
  const told = repair ? repairSale(put, repair) : put;
  const unplaced = repair?.asTold || repair?.productId ? null : whatIsMissing(row, found);
  if (unplaced) return { hold: unplaced };
  // A person looked at it: only what cannot be stored at all is refused again.
  const hold = repair ? checkFigures(told) : checkSale(told, factsOf(found, row));
  if (hold) return { hold };
  return { sale: toSale(row, { told, found, at }), repaired: repair ? told : null, seenMs: found.machineSeenMs };
}

/** The sale as the machine would have told it with a right clock. */
function putRight(row: SaleRow, { clockSkewSeconds, clockSince }: FoundFacts): VendorSale {
  const sale = asTold(row);
  const since = clockSince === null ? null : new Date(clockSince);
  return { ...sale, soldAt: rightTime(sale, clockSkewSeconds, since) };
}

function factsOf(found: FoundFacts, row: SaleRow) {
  const slotProduct = found.slotProductId ? { id: found.slotProductId, name: found.slotProductName ?? '' } : null;
  const soldProduct = found.productId ? { id: found.productId, name: found.productName ?? '' } : null;
  return {
    receivedAt: row.createdAt,
    expectedPrice: found.slotPrice ?? found.productPrice ?? found.partnerPrice,
    capacity: found.capacity,
    slotProduct,
    soldProduct,
  };
}

const what = (row: SaleRow): string => row.productName ?? row.productCode ?? 'this product';

/** A slot or a product that none of ours is, where the place has slots or items to choose from. */
function whatIsMissing(row: SaleRow, found: FoundFacts): Hold | null {
  if (found.machineId && row.slotNumber && found.hasSlots && !found.slotNumber) {
    return {
      reason: 'slot',
      explanation: `The machine has no slot ${row.slotNumber} here. Say which slot it is.`,
      repair: null,
    };
  }
  const isNamed = row.productName !== null || row.productCode !== null;
  const isPlaced = found.slotNumber !== null || found.productSlot !== null || found.itemId !== null;
  const hasChoice = found.machineId ? found.hasSlots : found.hasItems;
  if (!isNamed || isPlaced || found.productId !== null || !hasChoice) return null;
  return {
    reason: 'product',
    explanation: `No product here is called ${what(row)}. Say which one it is.`,
    repair: null,
  };
}

function toSale(row: SaleRow, { told, found, at }: { told: VendorSale; found: FoundFacts; at: Date }): Sale {
  const soldAt = told.soldAt > at ? at : told.soldAt;
  const isOurName = found.isMapped || (found.productName !== null && found.slotNumber === null);
  return {
    source: row.ledgerSource,
    transactionId: row.ledgerId,
    line: row.ledgerLine,
    machineId: found.machineId,
    marketId: found.machineId ? null : found.marketId,
    slotNumber: found.slotNumber ?? found.productSlot ?? told.slotNumber,
    productName: isOurName ? found.productName : told.productName,
    productCode: isOurName ? null : (told.productCode?.slice(0, 50) ?? null),
    category: told.category,
    quantity: Math.max(1, told.quantity),
    price: ledgerAmount(told.unitPrice),
    totalAmount: ledgerAmount(told.amount),
    currency: row.currency,
    paymentMethod: told.paymentMethod,
    soldAt,
    successful: true,
    refunded: row.status === 'refunded',
    flags: told.soldAt.getTime() === row.soldAt.getTime() ? null : `machine clock said ${row.soldAt.toISOString()}`,
  };
}

/** The ledger keeps whole cents, and a refund as a sale with a mark, not as less than nothing. */
export const ledgerAmount = (amount: string): string => Math.min(Math.abs(Number(amount)), 99_999_999).toFixed(2);

/** The stored row in the shape of the partner's telling. */
export function asTold(row: SaleRow): VendorSale {
  return {
    ...row,
    ledger: { source: row.ledgerSource, transactionId: row.ledgerId, line: row.ledgerLine },
    status: row.status as VendorSale['status'],
  };
}
