import { AppError } from '../../domain/errors.ts';
import { type DifferenceKind, type Matched, reconcile, usualMatching } from '../../domain/reconciliation.ts';
import type { DayRange } from '../../domain/report.ts';
import { addDays, dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { findBookedSales, findCardPayments, findPaidOutUntil, findPayouts, mostRows, type Span } from './queries.ts';

export type Comparison = Matched & { payments: number; payouts: number };

/** Books, payments and payouts of the days against each other. */
export async function compare(db: Db, span: Span): Promise<Comparison> {
  const sales = await findBookedSales(db, span);
  const payments = await findCardPayments(db, span);
  const payouts = await findPayouts(db, span);
  if (Math.max(sales.length, payments.length, payouts.length) > mostRows) {
    throw new AppError('invalid-input', 'These days hold too many payments to compare at once. Choose fewer days.');
  }
  const options = { ...usualMatching, paidOutUntil: await findPaidOutUntil(db, span.timeZone) };
  return {
    ...reconcile({ sales, payments, payouts }, options),
    payments: payments.filter((one) => one.expectsSale).length,
    payouts: payouts.length,
  };
}

type Named = { key: string; kind: DifferenceKind };

/**
 * Whether the days around an instant have such a difference. What belongs together lies within a day; but where the days that
 * somebody looked at end, the half within them is a difference that more days do not have.
 */
export async function hasDifference(
  db: Db,
  { key, kind }: Named,
  { at, ...books }: Omit<Span, 'range'> & { at: Date },
) {
  const day = dayIn(books.timeZone, at);
  const [before, after] = [addDays(day, -1), addDays(day, 1)];
  const ranges: DayRange[] = [
    { from: before, to: after },
    { from: day, to: after },
    { from: before, to: day },
    { from: day, to: day },
  ];
  for (const range of ranges) {
    const { differences } = await compare(db, { ...books, range });
    if (differences.some((one) => one.key === key && one.kind === kind)) return true;
  }
  return false;
}
