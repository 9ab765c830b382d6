import { AppError } from '../../domain/errors.ts';
import { type CardPayment, type DifferenceKind, type Matched, reconcile } from '../../domain/reconciliation.ts';
import type { DayRange } from '../../domain/report.ts';
import { addDays, dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { findBookedSales, findCardPayments, findPayouts, mostRows, type Span } from './queries.ts';

export type Comparison = Matched & { payments: number; pending: number; failed: number; payouts: number };

/** Books, payments and payouts of the days against each other. */
export async function compare(db: Db, span: Span, most = mostRows): Promise<Comparison> {
  const found = await compareUnlessTooMany(db, span, most);
  if (found) return found;
  throw new AppError('invalid-input', 'These days hold too many payments to compare at once. Choose fewer days.');
}

async function compareUnlessTooMany(db: Db, span: Span, most: number): Promise<Comparison | null> {
  const sales = await findBookedSales(db, span);
  const payments = await findCardPayments(db, span);
  const payouts = await findPayouts(db, span);
  if (Math.max(sales.length, payments.length, payouts.length) > most) return null;
  const compared = payments.filter((one) => one.expectsSale);
  const countOf = (asked: CardPayment['status']): number => compared.filter(({ status }) => status === asked).length;
  return {
    ...reconcile({ sales, payments, payouts }),
    ...{ payments: compared.length, pending: countOf('pending'), failed: countOf('failed') },
    payouts: payouts.length,
  };
}

type Named = { key: string; kind: DifferenceKind };

/**
 * Whether the days around an instant have such a difference. What belongs together lies within a day; but where the days that
 * somebody looked at end, the half within them is a difference that more days do not have. The day alone comes first: most are
 * found in it, and a large operator's days may be too many to compare more than one at once.
 */
export async function hasDifference(
  db: Db,
  { key, kind }: Named,
  { at, most = mostRows, ...books }: Omit<Span, 'range'> & { at: Date; most?: number },
): Promise<boolean> {
  const day = dayIn(books.timeZone, at);
  const [before, after] = [addDays(day, -1), addDays(day, 1)];
  const isIn = (found: Comparison | null) => found?.differences.some((one) => one.key === key && one.kind === kind);
  if (isIn(await compare(db, { ...books, range: { from: day, to: day } }, most))) return true;
  const wider: DayRange[] = [
    { from: day, to: after },
    { from: before, to: day },
    { from: before, to: after },
  ];
  for (const range of wider) if (isIn(await compareUnlessTooMany(db, { ...books, range }, most))) return true;
  return false;
}
