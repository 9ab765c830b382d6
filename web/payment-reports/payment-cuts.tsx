import type { Reply } from '../../contract/endpoint.ts';
import type { listPaymentPlaces, PaymentReport } from '../../contract/payments.ts';
import { methodText } from '../../domain/payment.ts';
import { countOf, formatHour, formatMoney, formatMoneyMark, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Card } from '../ui/card.tsx';
import { ColumnChart } from '../ui/charts/column-chart.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { BarList } from '../ui/tables/bar-list.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { usePaymentPlaces } from './api.ts';
import type { Wish } from './wish.ts';

const statusLabel: Record<string, string> = {
  completed: 'Completed',
  pending: 'Pending',
  failed: 'Failed',
  refunded: 'Refunded',
};

type Cut = { key: string; lines: number; revenue: string };

function rowsOf(cuts: readonly Cut[], nameOf: (key: string) => string) {
  const most = Math.max(1, ...cuts.map((cut) => toNumber(cut.revenue)));
  return cuts.map((cut) => ({
    key: cut.key,
    label: nameOf(cut.key),
    value: `${formatMoney(cut.revenue)} · ${countOf(cut.lines, 'payment')}`,
    share: Math.max(0, toNumber(cut.revenue)) / most,
  }));
}

/** The same money by method, card, state and hour. */
export function PaymentCuts({ report }: { report: PaymentReport }) {
  const { methods, cardTypes, statuses, hours } = report;
  const most = Math.max(1, ...statuses.map((one) => one.lines));
  const shownHours = hours.map(({ hour, lines, revenue }) => ({
    key: String(hour),
    label: formatHour(hour),
    value: toNumber(revenue),
    text: `${formatMoney(revenue)} · ${countOf(lines, 'payment')}`,
  }));
  return (
    <div className="grid grid-cols-2 gap-4 max-lg:grid-cols-1 print:grid-cols-2 print:*:break-inside-avoid">
      <Card title="By payment method">
        <div className="p-4">
          <BarList rows={rowsOf(methods, methodText)} />
        </div>
      </Card>
      <Card title="By card type">
        {cardTypes.length > 0 ? (
          <div className="p-4">
            <BarList rows={rowsOf(cardTypes, (key) => key)} />
          </div>
        ) : (
          <StateView
            icon="card"
            title="No card types told"
            text="Connected payment systems tell them; imported files do not."
          />
        )}
      </Card>
      <Card title="By status">
        <div className="p-4">
          <BarList
            rows={statuses.map((one) => ({
              label: statusLabel[one.key] ?? one.key,
              value: `${formatMoney(one.amount)} · ${countOf(one.lines, 'payment')}`,
              share: one.lines / most,
            }))}
          />
        </div>
      </Card>
      <Card title="By hour of the day">
        <div className="p-4">
          <ColumnChart
            label="Revenue by hour"
            points={shownHours}
            columns={['Hour', 'Revenue']}
            scale={(value) => formatMoneyMark(value)}
          />
        </div>
      </Card>
    </div>
  );
}

/** Where most was paid. */
export function PaymentPlaces({ wish }: { wish: Wish }) {
  const { data, error, refetch } = usePaymentPlaces(wish);
  return (
    <Card title="By machine and market" count={data ? formatNumber(data.places) : undefined}>
      {error && !data && (
        <FailedView error={error} retry={() => void refetch()} title="Machines and markets did not load" />
      )}
      {!data && !error && <SkeletonRows rows={5} className="h-10" />}
      {data && (
        <DataTable
          label="Machines and markets"
          rows={data.rows}
          columns={placeColumns}
          rowKey={(row) => row.place}
          empty={<StateView icon="card" title="No transactions found." text="Nothing was paid in these days." />}
        />
      )}
    </Card>
  );
}

type PlaceRow = Reply<typeof listPaymentPlaces>['rows'][number];

const placeName = 'block truncate max-sm:line-clamp-4 max-sm:whitespace-normal';

function PlaceName({ row: { name, location } }: { row: PlaceRow }) {
  if (!location) {
    return (
      <span className="block py-1">
        <span title={name} className={placeName}>
          {name}
        </span>
        <span className="block text-12 text-text-3">Linked to no machine</span>
      </span>
    );
  }
  return (
    <AppLink
      href={`/${location.type === 'market' ? 'markets' : 'vending-machines'}/${location.id}`}
      title={name}
      className={`text-link ${placeName}`}
    >
      {name}
    </AppLink>
  );
}

const placeColumns: readonly Column<PlaceRow>[] = [
  {
    ...{ key: 'place', header: 'Place' },
    cell: (row) => (
      <>
        <PlaceName row={row} />
        {/* On a phone a column of its own would leave no room for names. */}
        {row.failed > 0 && (
          <span className="block text-12 text-text-3 sm:hidden print:hidden">{formatNumber(row.failed)} failed</span>
        )}
      </>
    ),
  },
  {
    ...{ key: 'revenue', header: 'Revenue', align: 'right', className: 'w-32 max-sm:w-24' },
    cell: (row) => <span className="font-medium">{formatMoney(row.revenue)}</span>,
  },
  {
    ...{ key: 'payments', header: 'Payments', align: 'right', className: 'w-28 max-sm:w-25 max-sm:pr-4 max-sm:pl-1' },
    cell: (row) => formatNumber(row.lines),
  },
  {
    ...{ key: 'failed', header: 'Failed', align: 'right', className: 'w-24 max-sm:hidden print:table-cell' },
    cell: (row) => (row.failed > 0 ? formatNumber(row.failed) : <span className="text-text-3">0</span>),
  },
];
