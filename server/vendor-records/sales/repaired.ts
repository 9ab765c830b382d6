import { eq } from 'drizzle-orm';
import type { VendorSale } from '../../../domain/integration.ts';
import type { Told } from '../batch.ts';
import { type SaleRow, vendorSales } from '../tables.ts';

type Figures = Pick<SaleRow, 'amount' | 'unitPrice' | 'quantity' | 'soldAt'>;

const isAlike = (a: Pick<Figures, 'amount' | 'quantity'>, b: Pick<Figures, 'amount' | 'quantity'>): boolean =>
  Number(a.amount) === Number(b.amount) && a.quantity === b.quantity;

/** What a person put right counts wherever the partner's sales are added up; what was told is kept beside it. */
export async function noteRepaired(
  { db, at }: Told,
  booked: readonly { row: SaleRow; repaired: VendorSale | null }[],
): Promise<void> {
  for (const { row, repaired } of booked) {
    if (!repaired || (isAlike(row, repaired) && row.soldAt.getTime() === repaired.soldAt.getTime())) continue;
    const { amount, unitPrice, quantity, soldAt } = repaired;
    const told = { amount: row.amount, unitPrice: row.unitPrice, quantity: row.quantity, soldAt: row.soldAt };
    await db
      .update(vendorSales)
      .set({ amount, unitPrice, quantity, soldAt, details: { ...row.details, told }, updatedAt: at })
      .where(eq(vendorSales.id, row.id));
  }
}

/** Of a sale that a person put right: what the partner had told. */
const toldOf = (row: SaleRow | undefined) => (row?.details.told ?? null) as Pick<Figures, 'amount' | 'quantity'> | null;

/** True when a sale is told again with the figures that a person put right before. */
export function isToldAsBefore(row: Pick<Figures, 'amount' | 'quantity'>, before: SaleRow | undefined): boolean {
  const told = toldOf(before);
  return told !== null && isAlike(row, told);
}

/** Told again, a sale keeps the figures that a person put right; a partner that corrects itself is believed. */
export function keepRepaired<R extends Figures & { status: string; details: SaleRow['details'] }>(
  row: R,
  before: SaleRow | undefined,
): R {
  if (!before || toldOf(before) === null) return row;
  if (row.status !== 'refunded' && !isToldAsBefore(row, before)) return row;
  const { amount, unitPrice, quantity, soldAt, details } = before;
  return { ...row, amount, unitPrice, quantity, soldAt, details: { ...row.details, told: details.told } };
}
