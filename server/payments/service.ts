import type { Payment, PaymentReport, PaymentTotals } from '../../contract/payments.ts';
import { AppError } from '../../domain/errors.ts';
import { paymentNumber } from '../../domain/payment.ts';
import { type DayRange, type ReportSpan, rangeBefore, refusedRange, spanUpTo } from '../../domain/report.ts';
import { lessMoney, sumOfMoney } from '../../domain/units.ts';
import type { Page } from '../db/statements/paging.ts';
import type { Deps } from '../deps.ts';
import { getOperator, today } from '../settings/service.ts';
import {
  type Cut,
  findBefore,
  findCuts,
  findKnownSystems,
  findOtherCurrencies,
  findPlaceSums,
  findSystemSums,
  type SystemSum,
  type Wish,
} from './queries.ts';
import { findPayments, type PaymentRow, type RowWish } from './row-queries.ts';

export { countWrongPaymentSums, rebuildPaymentSums } from './kept-sums.ts';

export type Asked = {
  range: ReportSpan;
  from?: string | undefined;
  to?: string | undefined;
  system?: string | undefined;
};

/** The days asked for; refused where they are none or too many. */
export async function rangeOf(deps: Deps, { range: span, from, to }: Asked): Promise<DayRange> {
  if ((from === undefined) !== (to === undefined)) {
    const missing = from === undefined ? 'from' : 'to';
    throw new AppError('invalid-input', 'Give both days of a range of your own.', {
      fields: { [missing]: 'Required' },
    });
  }
  const range = from && to ? { from, to } : spanUpTo(span, await today(deps.db, deps.clock));
  const refused = refusedRange(range);
  if (refused) throw new AppError('invalid-input', refused, { fields: { to: refused } });
  return range;
}

export async function paymentReport(deps: Deps, asked: Asked): Promise<PaymentReport> {
  const { db } = deps;
  const range = await rangeOf(deps, asked);
  const { currency } = await getOperator(db);
  const wish: Wish = { range, system: asked.system ?? null, currency };
  const before = rangeBefore(range);
  const systems = await findSystemSums(db, wish);
  const cuts = await findCuts(db, wish);
  const told = await findBefore(db, { ...wish, range: before });
  const of = (by: Cut['by']): Cut[] => cuts.filter((cut) => cut.by === by);
  return {
    range,
    before: { ...before, ...told },
    currency,
    total: totalsOf(systems),
    systems: systems.map((sum) => ({ system: sum.system, ...totalsOf([sum]) })),
    known: (await findKnownSystems(db)).sort(),
    days: daysOf(of('day')),
    methods: of('method'),
    cardTypes: of('card').filter((cut) => cut.key !== ''),
    statuses: of('status'),
    hours: hoursOf(of('hour')),
    otherCurrencies: await findOtherCurrencies(db, wish),
  };
}

function totalsOf(sums: readonly SystemSum[]): PaymentTotals {
  const count = (name: 'lines' | 'units' | 'completed' | 'failed' | 'pending' | 'refunded' | 'feeLines'): number =>
    sums.reduce((all, sum) => all + sum[name], 0);
  const revenue = sumOfMoney(sums.map((sum) => sum.revenue));
  const cash = sumOfMoney(sums.map((sum) => sum.cash));
  return {
    ...{ lines: count('lines'), units: count('units'), completed: count('completed'), failed: count('failed') },
    ...{ pending: count('pending'), refunded: count('refunded'), revenue, cash },
    cashless: lessMoney(revenue, cash),
    refunds: sumOfMoney(sums.map((sum) => sum.refunds)),
    fees: count('feeLines') === 0 ? null : sumOfMoney(sums.map((sum) => sum.fees)),
    feeLines: count('feeLines'),
  };
}

function daysOf(cuts: readonly Cut[]): PaymentReport['days'] {
  const days = new Map<string, Cut[]>();
  for (const cut of cuts) days.set(cut.key, [...(days.get(cut.key) ?? []), cut]);
  return [...days].sort().map(([key, all]) => ({
    key,
    lines: all.reduce((sum, cut) => sum + cut.lines, 0),
    revenue: sumOfMoney(all.map((cut) => cut.revenue)),
    systems: Object.fromEntries(all.map((cut) => [cut.system, cut.revenue])),
  }));
}

function hoursOf(cuts: readonly Cut[]): PaymentReport['hours'] {
  return Array.from({ length: 24 }, (_, hour) => {
    const cut = cuts.find((one) => one.key === String(hour));
    return { hour, lines: cut?.lines ?? 0, revenue: cut?.revenue ?? '0.00' };
  });
}

type RowsAsked = Asked & { page?: string | undefined; limit: number; status?: PaymentRow['status'] | undefined };

/** The rows that a file or a page shows. */
export async function rowWish(
  deps: Deps,
  asked: Asked & { status?: PaymentRow['status'] | undefined },
): Promise<RowWish> {
  const { timeZone } = await getOperator(deps.db);
  return { range: await rangeOf(deps, asked), system: asked.system ?? null, status: asked.status ?? null, timeZone };
}

export async function listPayments(deps: Deps, asked: RowsAsked): Promise<Page<Payment>> {
  const wish = await rowWish(deps, asked);
  const page = await findPayments(deps.db, { ...wish, page: asked.page, limit: asked.limit });
  return { ...page, rows: page.rows.map(toPayment) };
}

export function toPayment(row: PaymentRow): Payment {
  const { paymentId, locationType, locationId, locationName, status, paidAt, ...told } = row;
  return {
    ...told,
    id: paymentNumber(row.system, paymentId),
    location:
      locationType && locationId !== null ? { type: locationType, id: locationId, name: locationName ?? '' } : null,
    amount: cents(row.amount),
    revenue: cents(row.revenue),
    status: status === 'refunded' ? 'completed' : status,
    refunded: status === 'refunded',
    date: paidAt,
  };
}

/** Partners tell amounts with more or fewer places: two are shown where nothing is lost. */
function cents(text: string): string {
  const [whole = '0', part = ''] = text.split('.');
  return `${whole}.${part.replace(/0+$/, '').padEnd(2, '0')}`;
}

export async function paymentPlaces(deps: Deps, asked: Asked & { limit: number }) {
  const { currency } = await getOperator(deps.db);
  const wish = { range: await rangeOf(deps, asked), system: asked.system ?? null, currency };
  const found = await findPlaceSums(deps.db, wish, asked.limit);
  return {
    places: found[0]?.places ?? 0,
    rows: found.map(({ place, name, locationType, locationId, lines, failed, revenue }) => ({
      ...{ place, name: name || 'Unknown device', lines, failed, revenue },
      location: locationType && locationId !== null ? { type: locationType, id: locationId } : null,
    })),
  };
}
