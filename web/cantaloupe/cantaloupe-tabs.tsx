import type { CantaloupeConfig, CantaloupeDevice, CantaloupeTransaction } from '../../contract/cantaloupe.ts';
import { methodText } from '../../domain/payment.ts';
import { formatDateTime, formatDateTimeNarrow, formatMoney } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { LongId } from '../ui/tables/long-id.tsx';
import { byName, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useDevices, useTransactions } from './api.ts';

const deviceTone: Record<string, Tone> = {
  active: 'ok',
  online: 'ok',
  offline: 'bad',
  inactive: 'idle',
  maintenance: 'warn',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const modelOf = ({ model, firmware }: CantaloupeDevice): string =>
  [model, firmware].filter(Boolean).join(' · ') || 'Model not told';

function LinkedMachine({ row }: { row: CantaloupeDevice }) {
  if (row.vendingMachineId === null) return <span className="text-text-3">Not linked</span>;
  return (
    <AppLink
      href={`/vending-machines/${row.vendingMachineId}`}
      title={row.vendingMachineName ?? undefined}
      className="block hover:text-accent hover:underline max-lg:min-h-12 max-lg:py-3.5"
    >
      <span className="line-clamp-2 whitespace-normal">{row.vendingMachineName}</span>
    </AppLink>
  );
}

const deviceColumns: Column<CantaloupeDevice>[] = [
  {
    key: 'id',
    header: 'Device',
    className: 'w-36 max-sm:w-auto max-sm:py-2',
    sortValue: (row) => row.deviceId,
    orders: byName,
    cell: (row) => (
      <>
        {row.deviceId}
        <span className="block truncate text-12 text-text-3">{modelOf(row)}</span>
        <span className="block sm:hidden">
          <LinkedMachine row={row} />
        </span>
      </>
    ),
  },
  {
    key: 'location',
    header: 'Location',
    className: 'max-sm:hidden',
    sortValue: (row) => row.location,
    orders: byName,
    cell: (row) => (
      <span className="line-clamp-2 whitespace-normal" title={row.location}>
        {row.location}
      </span>
    ),
  },
  {
    key: 'machine',
    header: 'Linked to',
    className: 'max-sm:hidden',
    sortValue: (row) => row.vendingMachineName ?? '',
    orders: byName,
    cell: (row) => <LinkedMachine row={row} />,
  },
  {
    key: 'seen',
    header: 'Last seen',
    className: 'w-46 max-lg:hidden',
    sortValue: (row) => row.lastSeen ?? '',
    orders: byTime,
    cell: (row) => (row.lastSeen ? formatDateTime(row.lastSeen) : 'Never'),
  },
  {
    key: 'status',
    header: 'Status',
    className: 'w-34',
    sortValue: (row) => row.status,
    orders: byName,
    cell: (row) => <Badge tone={deviceTone[row.status] ?? 'outline'}>{capital(row.status)}</Badge>,
  },
];

export function Devices({ config }: { config: CantaloupeConfig }) {
  const { data, error, refetch } = useDevices(config.id);
  if (error && !data) return <FailedView error={error} retry={() => void refetch()} title="Devices did not load" />;
  return (
    <DataTable
      label="Devices"
      name="devices"
      rows={data}
      columns={deviceColumns}
      rowKey={(row) => row.id}
      pageSize={10}
      empty={<StateView icon="plug" title="No devices found." text="Sync devices, or wait for the first report." />}
    />
  );
}

const productOf = ({ productName, productCode, quantity }: CantaloupeTransaction): string =>
  `${productName ?? productCode ?? '–'}${quantity > 1 ? ` × ${quantity}` : ''}`;

/** The code under which the product was told, where its name stands before it. */
const codeOf = ({ productName, productCode }: CantaloupeTransaction): string | null =>
  productName === null ? null : productCode;

const transactionColumns: PagedColumn<CantaloupeTransaction>[] = [
  {
    key: 'id',
    header: 'Transaction',
    className: 'w-38 max-[87rem]:w-46 max-[87rem]:py-2 max-sm:w-auto',
    cell: (row) => (
      <>
        <LongId id={row.transactionId} />
        <span className="block truncate text-12 text-text-3">{row.deviceId ?? 'Device not told'}</span>
        <span className="block whitespace-normal text-12 text-text-3 min-[87rem]:hidden">
          {formatDateTimeNarrow(row.transactionDate)}
        </span>
        <span className="block whitespace-normal text-12 text-text-3 md:hidden">
          {[productOf(row), codeOf(row)].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    className: 'w-46 max-[87rem]:hidden',
    cell: (row) => formatDateTime(row.transactionDate),
  },
  {
    key: 'product',
    header: 'Product',
    className: 'max-md:hidden',
    cell: (row) => (
      <>
        <span className="line-clamp-2 whitespace-normal" title={productOf(row)}>
          {productOf(row)}
        </span>
        <span className="block truncate text-12 text-text-3">{codeOf(row)}</span>
      </>
    ),
  },
  {
    key: 'method',
    header: 'Paid by',
    className: 'max-xl:hidden',
    cell: ({ paymentMethod, cardType, lastFour }) => (
      <>
        {methodText(paymentMethod ?? '')}
        <span className="block truncate text-12 text-text-3">
          {[cardType, lastFour ? `•••• ${lastFour}` : ''].filter(Boolean).join(' ')}
        </span>
      </>
    ),
  },
  {
    ...{ key: 'amount', header: 'Amount', align: 'right', className: 'w-22 max-sm:w-18' },
    cell: (row) => formatMoney(row.amount, row.currency),
  },
  {
    key: 'status',
    header: 'Status',
    className: 'w-36 max-sm:w-29',
    cell: (row) => <Badge tone={row.status === 'completed' ? 'ok' : 'outline'}>{capital(row.status)}</Badge>,
  },
];

export function Transactions({ config }: { config: CantaloupeConfig }) {
  const { get, set } = useAddress();
  const { data, error, isPlaceholderData, refetch } = useTransactions(config.id, get('page'));
  if (error && !data) {
    return <FailedPage list={{ error, refetch }} title="Transactions did not load" />;
  }
  return (
    <PagedTable
      label="Transactions"
      page={data}
      waiting={isPlaceholderData}
      columns={transactionColumns}
      rowKey={(row) => row.id}
      sort="-date"
      onSort={() => {}}
      onPage={(page) => set({ page })}
      empty={
        <StateView icon="card" title="No transactions found." text="Sync transactions, or wait for the first report." />
      }
    />
  );
}
