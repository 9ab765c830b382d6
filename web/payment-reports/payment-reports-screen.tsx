import type { ReactNode } from 'react';
import type { PaymentReport } from '../../contract/payments.ts';
import { paymentSource } from '../../domain/payment.ts';
import type { DayRange } from '../../domain/report.ts';
import { useMay } from '../auth/api.ts';
import { formatDay, formatMoney, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { ChangeText } from '../reports/change-text.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { Tabs } from '../ui/address/tabs.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type Paper, usePaper } from '../ui/tables/use-paper.ts';
import { usePaymentReport } from './api.ts';
import { approvedText, Comparison } from './comparison.tsx';
import { PaymentBar } from './payment-bar.tsx';
import { PaymentCuts, PaymentPlaces } from './payment-cuts.tsx';
import { PaymentTable } from './payment-table.tsx';
import { Reconciliation } from './reconciliation.tsx';
import { SystemDays } from './system-days.tsx';
import { systemOf, useWish, type Wish } from './wish.ts';

/** The money of all systems on one page; every figure is a sum of the payments under it. */
export function PaymentReportsScreen() {
  const { wish, set } = useWish();
  const { data, error, isFetching, refetch } = usePaymentReport(wish);
  const paper = usePaper({ hasTable: data !== undefined && hasTransactions(data, wish) });
  return (
    <div className="grid gap-4 p-6 max-lg:p-4" aria-busy={isFetching}>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div>
          <h1>Payment Systems Reports</h1>
          <p className="min-h-5 text-text-3">{data && rangeText(data.range)}</p>
        </div>
        <PaymentBar wish={wish} set={set} lines={data ? data.total.lines : null} print={paper.print} />
      </header>
      <div className="min-w-0">
        <Tabs onPage label="Reports" tabs={tabsOf(data, wish)} value={wish.tab} onChange={(tab) => set({ tab })}>
          <div className="grid gap-4">
            {error && !data && (
              <Card>
                <FailedView error={error} retry={() => void refetch()} title="The report did not load" />
              </Card>
            )}
            {!data && !error && <StatPlaceholders />}
            {data && wish.tab !== 'reconciliation' && <Shown report={data} wish={wish} paper={paper} />}
            {data && wish.tab === 'reconciliation' && <Reconciliation wish={wish} />}
          </div>
        </Tabs>
      </div>
    </div>
  );
}

/** The two that always have a page of their own, and each other system that told of a payment. */
function tabsOf(report: PaymentReport | undefined, wish: Wish) {
  const fixed = ['cantaloupe', 'nayax'];
  const shown = systemOf(wish);
  const others = new Set([...(report?.known ?? []), ...(shown ? [shown] : [])].filter((one) => !fixed.includes(one)));
  return [
    { value: 'overview', label: 'Overview' },
    ...[...fixed, ...others].map((system) => ({ value: system, label: paymentSource(system) })),
    { value: 'comparison', label: 'Comparison' },
    { value: 'reconciliation', label: 'Reconciliation' },
  ];
}

const hasTransactions = (report: PaymentReport, { tab }: Wish): boolean =>
  report.total.lines > 0 && tab !== 'comparison' && tab !== 'reconciliation';

function Shown({ report, wish, paper }: { report: PaymentReport; wish: Wish; paper: Paper }): ReactNode {
  const system = systemOf(wish);
  const mayWrite = useMay('office:write');
  return (
    <>
      <Tiles report={report} />
      <OtherCurrencies report={report} />
      {report.total.lines === 0 && (
        <Card>
          <StateView
            icon="card"
            title={system ? `No payments of ${paymentSource(system)} in these days` : 'No payments in these days'}
            text="Choose other days, connect a payment system, or import sales from your vendor's files."
            action={
              mayWrite && (
                <span className="flex flex-wrap justify-center gap-2">
                  <ButtonLink href="/inventory?tab=integrations">Connect a system</ButtonLink>
                  <ButtonLink href="/import?kind=sales">Import sales</ButtonLink>
                </span>
              )
            }
          />
        </Card>
      )}
      {report.total.lines > 0 && wish.tab === 'comparison' && <Comparison report={report} />}
      {hasTransactions(report, wish) && (
        <>
          <SystemDays report={report} />
          <PaymentCuts report={report} />
          <PaymentPlaces wish={wish} />
          <PaymentTable wish={wish} paper={paper} />
        </>
      )}
    </>
  );
}

function Tiles({ report: { total, before } }: { report: PaymentReport }) {
  const revenue = toNumber(total.revenue);
  const cashless =
    revenue > 0 ? `${((100 * toNumber(total.cashless)) / revenue).toFixed(0)}% cashless` : 'Nothing paid';
  const refunds = total.refunded === 0 ? '' : `, ${formatNumber(total.refunded)} refunded`;
  const approved = total.lines === total.pending ? 'None decided' : `${approvedText(total)} approved`;
  return (
    <section aria-label="Figures" className={statGrid}>
      <StatTile
        label="Revenue"
        value={<span className="max-sm:text-20">{formatMoney(total.revenue)}</span>}
        detail={<ChangeText before={toNumber(before.revenue)} now={revenue} />}
      />
      <StatTile label="Transactions" value={formatNumber(total.lines)} detail={`${cashless}${refunds}`} />
      <StatTile
        label="Failed"
        value={formatNumber(total.failed)}
        detail={`${approved}${total.pending ? `, ${formatNumber(total.pending)} pending` : ''}`}
      />
      <StatTile
        label="Fees"
        value={total.fees === null ? 'Not told' : formatMoney(total.fees)}
        detail={
          total.fees === null
            ? 'No system tells what it keeps'
            : `Known for ${formatNumber(total.feeLines)} of ${formatNumber(total.lines)} payments`
        }
      />
    </section>
  );
}

function OtherCurrencies({ report: { otherCurrencies, currency } }: { report: PaymentReport }) {
  if (otherCurrencies.length === 0) return null;
  const told = otherCurrencies.map((one) => `${formatMoney(one.revenue, one.currency)} (${formatNumber(one.lines)})`);
  return (
    <p className="rounded border border-line bg-subtle px-4 py-3 text-text-2">
      Not added, because the currency is not {currency}: {told.join(', ')}.
    </p>
  );
}

function rangeText({ from, to }: DayRange): string {
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
}
