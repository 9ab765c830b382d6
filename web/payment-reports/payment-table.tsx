import type { Payment } from '../../contract/payments.ts';
import { methodText, paidFor, paymentSource } from '../../domain/payment.ts';
import { formatDate, formatDateTime, formatMoney, formatTime } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/forms/select.tsx';
import { StateView } from '../ui/state-view.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { LongId } from '../ui/tables/long-id.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { type Paper, usePrinting } from '../ui/tables/use-paper.ts';
import { type PaymentState, pageSizes, usePayments } from './api.ts';
import { systemOf, type Wish } from './wish.ts';

const states: { value: PaymentState | ''; label: string }[] = [
  { value: '', label: 'All statuses' },
  { value: 'completed', label: 'Completed' },
  { value: 'pending', label: 'Pending' },
  { value: 'failed', label: 'Failed' },
  { value: 'refunded', label: 'Refunded' },
];

const columns: PagedColumn<Payment>[] = [
  {
    key: 'id',
    header: 'ID',
    className: 'w-36 max-sm:w-auto max-sm:py-2',
    cell: (row) => (
      <>
        <LongId id={row.id} />
        <span className="block truncate text-12 text-text-3 sm:hidden">{formatDate(row.date)}</span>
        <span className="block whitespace-normal text-12 text-text-3 sm:hidden">
          {formatTime(row.date)}, {row.deviceId}
        </span>
        <span className="block whitespace-normal text-12 text-text-3 sm:hidden">
          {[paidFor(row), methodText(row.paymentMethod)].filter(Boolean).join(', ')}
        </span>
      </>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    className: 'w-46 max-sm:hidden',
    cell: (row) => <span className="print:inline-block print:min-w-22">{formatDateTime(row.date)}</span>,
  },
  {
    key: 'device',
    header: 'Device',
    className: 'w-32 max-[87rem]:hidden',
    cell: (row) => <span title={[row.deviceId, row.location?.name].filter(Boolean).join(', ')}>{row.deviceId}</span>,
  },
  {
    key: 'product',
    header: 'Product',
    className: 'max-xl:hidden',
    cell: (row) => (
      <span title={paidFor(row) ?? undefined} className="line-clamp-2 whitespace-normal">
        {paidFor(row) ?? '–'}
      </span>
    ),
  },
  { key: 'system', header: 'System', className: 'w-34 max-xl:hidden', cell: (row) => paymentSource(row.system) },
  { key: 'method', header: 'Paid by', className: 'w-38 max-lg:hidden', cell: paidBy },
  {
    ...{ key: 'amount', header: 'Amount', align: 'right', className: 'w-24 max-sm:w-20' },
    cell: (row) => formatMoney(row.amount, row.currency),
  },
  { key: 'status', header: 'Status', className: 'w-36 max-sm:w-30', cell: (row) => <StatusBadge row={row} /> },
];
const withoutSystem = columns.filter(({ key }) => key !== 'system');

function paidBy({ paymentMethod, cardType, lastFour }: Payment) {
  const card = [cardType, lastFour ? `•••• ${lastFour}` : ''].filter(Boolean).join(' ');
  return (
    <>
      {methodText(paymentMethod)}
      {card && <span className="block whitespace-normal text-12 text-text-3">{card}</span>}
    </>
  );
}

function StatusBadge({ row }: { row: Payment }) {
  if (row.refunded) return <Badge tone="warn">Refunded</Badge>;
  if (row.status === 'completed') return <Badge tone="ok">Completed</Badge>;
  if (row.status === 'failed') return <Badge tone="bad">Failed</Badge>;
  return <Badge tone="idle">Pending</Badge>;
}

/** The payments themselves, the newest first. */
export function PaymentTable({ wish, paper }: { wish: Wish; paper: Paper }) {
  const ofOneSystem = systemOf(wish) !== null;
  const { get, set } = useAddress();
  const status = states.find(({ value }) => value !== '' && value === get('status'))?.value || null;
  const page = get('page');
  const query = usePayments(wish, {
    status,
    ...(paper.isWanted ? { page: null, limit: pageSizes.paper } : { page, limit: pageSizes.screen }),
  });
  usePrinting(paper, query);
  const { data, error, isPlaceholderData, refetch } = query;
  return (
    <Card
      title="Transactions"
      actions={
        <span className={status ? undefined : 'print:hidden'}>
          <Select
            label="Status"
            hideLabel
            value={status ?? ''}
            options={states}
            onChange={(value) => set({ status: value || null, page: null })}
          />
        </span>
      }
    >
      {error ? (
        <FailedPage list={{ error, refetch }} title="Transactions did not load" />
      ) : (
        <PagedTable
          label="Transactions"
          page={data}
          waiting={isPlaceholderData}
          columns={ofOneSystem ? withoutSystem : columns}
          rowKey={(row) => `${row.system} ${row.id} ${row.date}`}
          sort="-date"
          onSort={() => {}}
          onPage={(next) => set({ page: next })}
          empty={<StateView icon="card" title="No transactions found." text="Choose other days or another status." />}
        />
      )}
    </Card>
  );
}
