import { and, eq, or, sql } from 'drizzle-orm';
import { AppError } from '../../../domain/errors.ts';
import type { VendorSale } from '../../../domain/integration.ts';
import { recordAudit } from '../../audit/service.ts';
import type { Caller } from '../../http/caller.ts';
import { correctSale } from '../../sales/service.ts';
import type { Told } from '../batch.ts';
import { ledgerAmount } from '../sales/judging.ts';
import { isHeld } from '../sales/outcome.ts';
import { findSalesOf } from '../sales/sales.ts';
import { heldRecords, type SaleRow, vendorSales } from '../tables.ts';

type Disputed = typeof heldRecords.$inferSelect;
type Figures = Pick<VendorSale, 'quantity' | 'unitPrice' | 'amount'>;

const refusals = {
  unknown: 'This sale is not in the ledger any more: its month was rolled up. Leave this out.',
  refunded: 'This sale was paid back since. Leave this out.',
};

/** A person believes what is told now of a sale that is booked with another amount: it counts so from now on. */
export async function takeChanged(told: Told, caller: Caller, held: Disputed): Promise<void> {
  const to = figuresOf(held);
  const [own] = held.vendorId === null ? [] : await findSalesOf(told.db, told.configId, [held.vendorId]);
  if (!own) throw new AppError('conflict', 'This sale is not known any more. Leave this out.');
  const named = { source: own.ledgerSource, transactionId: own.ledgerId, line: own.ledgerLine };
  const corrected = await correctSale(told.db, named, {
    to: { quantity: to.quantity, price: ledgerAmount(to.unitPrice), totalAmount: ledgerAmount(to.amount) },
    decision: String(held.id),
    at: told.at,
  });
  if (typeof corrected === 'string') throw new AppError('conflict', refusals[corrected]);
  await keepFigures(told, own, to);
  // Should it be told otherwise once more, and then like this again, a person is asked again.
  await told.db
    .update(heldRecords)
    .set({
      status: 'replayed',
      resolvedAt: told.at,
      resolvedBy: caller.userId,
      recordKey: sql`left(record_key, 280) || '#' || id`,
    })
    .where(eq(heldRecords.id, held.id));
  await recordAudit(told.db, caller, {
    action: 'integration.take-changed',
    objectType: 'integration',
    objectId: told.configId,
    detail: { sale: own.ledgerId, from: corrected.before, to: { quantity: to.quantity, amount: to.amount } },
  });
}

function figuresOf({ record }: Disputed): Figures {
  const { quantity, unitPrice, amount } = record as Figures;
  const isBookable = quantity >= 1 && Number.isFinite(Number(amount)) && Number.isFinite(Number(unitPrice));
  if (!isBookable) throw new AppError('conflict', 'These figures cannot be booked. Leave this out.');
  return { quantity, unitPrice, amount };
}

/** The partners' own lists add up to what the ledger says; what another partner had told is kept beside it. */
async function keepFigures({ db, at }: Told, own: SaleRow, to: Figures): Promise<void> {
  const { told: _told, ...details } = own.details;
  const outcome = isHeld(own) ? 'same' : own.outcome;
  // Without its hash the record counts as told anew whatever it says next, and is compared with these figures.
  const fields = { ...to, details, outcome, contentHash: '', updatedAt: at };
  await db.update(vendorSales).set(fields).where(eq(vendorSales.id, own.id));
  const others = await db
    .select()
    .from(vendorSales)
    .where(
      and(
        eq(vendorSales.ledgerSource, own.ledgerSource),
        eq(vendorSales.ledgerId, own.ledgerId),
        sql`${vendorSales.ledgerLine} is not distinct from ${own.ledgerLine}`,
        or(eq(vendorSales.outcome, 'booked'), eq(vendorSales.outcome, 'same')),
        sql`${vendorSales.id} <> ${own.id}`,
      ),
    );
  for (const other of others) {
    const { amount, unitPrice, quantity, soldAt } = other;
    const before = other.details.told ?? { amount, unitPrice, quantity, soldAt };
    await db
      .update(vendorSales)
      .set({ ...to, details: { ...other.details, told: before }, updatedAt: at })
      .where(eq(vendorSales.id, other.id));
  }
}
