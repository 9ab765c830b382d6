import { useMemo } from 'react';
import type { PaymentReport, PaymentTotals } from '../../contract/payments.ts';
import { paymentSource } from '../../domain/payment.ts';
import { lessMoney, shareOfMoney } from '../../domain/units.ts';
import { countOf, formatMoney, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { Card } from '../ui/card.tsx';
import { StateView } from '../ui/state-view.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { byName, byNumber } from '../ui/tables/order-choice.tsx';
import { SystemDays, seriesOf } from './system-days.tsx';

type Row = PaymentTotals & { system: string; at: number };

const decided = (row: PaymentTotals): number => row.completed + row.refunded + row.failed;

/** Share of the decided payments that came through, as text. */
export function approvedText(row: PaymentTotals): string {
  const all = decided(row);
  return all === 0 ? '–' : `${((100 * (all - row.failed)) / all).toFixed(1)}%`;
}

/** Systems side by side on the same days. */
export function Comparison({ report }: { report: PaymentReport }) {
  const { systems, total } = report;
  const rows = useMemo(() => systems.map((one, at): Row => ({ ...one, at })), [systems]);
  const columns = useMemo(() => columnsOf(total), [total]);
  return (
    <>
      <Card title="Comparison">
        <DataTable
          label="Systems"
          name="systems"
          rows={rows}
          columns={columns}
          rowKey={(row) => row.system}
          initialSort={{ key: 'revenue', down: true }}
          empty={<StateView icon="card" title="No transactions found." text="Nothing was paid in these days." />}
        />
        {rows.length > 1 && (
          <p className="flex flex-wrap justify-between gap-x-6 border-line border-t bg-subtle px-4 py-3 font-semibold">
            <span>Total</span>
            <span>
              {formatMoney(total.revenue)} · {countOf(total.lines, 'transaction')}
            </span>
          </p>
        )}
      </Card>
      <SystemDays report={report} />
    </>
  );
}

function columnsOf(total: PaymentTotals): Column<Row>[] {
  const figure = (
    key: string,
    header: string,
    value: (row: Row) => number,
    text: (row: Row) => string,
  ): Column<Row> => ({
    ...{ key, header, align: 'right', sortValue: value, orders: byNumber, cell: text },
  });
  const hidden = (column: Column<Row>, className: string): Column<Row> => ({ ...column, className });
  const all = toNumber(total.revenue);
  return [
    {
      ...{ key: 'system', header: 'System', className: 'w-36 sm:max-xl:w-40 2xl:w-48' },
      sortValue: (row) => paymentSource(row.system),
      orders: byName,
      cell: (row) => (
        <span className="inline-flex items-center gap-2 whitespace-normal">
          <i aria-hidden className={`block size-2.5 flex-none rounded-[2px] ${seriesOf(row.at)}`} />
          {paymentSource(row.system)}
        </span>
      ),
    },
    figure(
      'lines',
      'Transactions',
      (row) => row.lines,
      (row) => formatNumber(row.lines),
    ),
    figure(
      'revenue',
      'Revenue',
      (row) => toNumber(row.revenue),
      (row) => formatMoney(row.revenue),
    ),
    hidden(
      figure(
        'share',
        'Share',
        (row) => toNumber(row.revenue),
        (row) => (all > 0 ? `${((100 * toNumber(row.revenue)) / all).toFixed(1)}%` : '–'),
      ),
      'max-[87rem]:hidden',
    ),
    hidden(
      figure(
        'mean',
        'Mean',
        (row) => toNumber(meanOf(row)),
        (row) => (row.completed === 0 ? '–' : formatMoney(meanOf(row))),
      ),
      'max-xl:hidden',
    ),
    hidden(
      figure(
        'fees',
        'Fees',
        (row) => toNumber(row.fees ?? '-1'),
        (row) => (row.fees === null ? 'Not told' : formatMoney(row.fees)),
      ),
      'max-lg:hidden',
    ),
    hidden(
      figure(
        'net',
        'Net',
        (row) => toNumber(netOf(row)),
        (row) => (row.fees === null ? '–' : formatMoney(netOf(row))),
      ),
      'max-lg:hidden',
    ),
    hidden(
      figure(
        'failed',
        'Failed',
        (row) => row.failed,
        (row) => formatNumber(row.failed),
      ),
      'max-md:hidden',
    ),
    hidden(
      figure('approved', 'Approved', (row) => row.failed, approvedText),
      'max-xl:hidden',
    ),
  ];
}

const meanOf = (row: Row): string => (row.completed === 0 ? '0' : shareOfMoney(row.revenue, row.completed));
const netOf = (row: Row): string => lessMoney(row.revenue, row.fees ?? '0');
