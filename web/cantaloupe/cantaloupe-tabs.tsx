import { useState } from 'react';
import type { CantaloupeConfig, CantaloupeDevice, CantaloupeTransaction } from '../../contract/cantaloupe.ts';
import { formatDateTime, formatMoney } from '../http/format.ts';
import { AppLink } from '../ui/app-link.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { type PagedColumn, PagedTable } from '../ui/paged-table.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useDevices, useTransactions } from './api.ts';

const deviceTone: Record<string, Tone> = {
  active: 'ok',
  online: 'ok',
  offline: 'bad',
  inactive: 'idle',
  maintenance: 'warn',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const deviceColumns: Column<CantaloupeDevice>[] = [
  {
    key: 'id',
    header: 'Device',
    className: 'w-34 max-sm:w-32',
    sortValue: (row) => row.deviceId,
    cell: (row) => row.deviceId,
  },
  {
    key: 'location',
    header: 'Location',
    className: 'max-sm:hidden',
    sortValue: (row) => row.location,
    cell: (row) => <span title={row.location}>{row.location}</span>,
  },
  {
    key: 'machine',
    header: 'Linked to',
    sortValue: (row) => row.vendingMachineName ?? '',
    cell: (row) =>
      row.vendingMachineId === null ? (
        <span className="text-text-3">Not linked</span>
      ) : (
        <AppLink href={`/vending-machines/${row.vendingMachineId}`} className="hover:text-accent hover:underline">
          {row.vendingMachineName}
        </AppLink>
      ),
  },
  {
    key: 'model',
    header: 'Model',
    className: 'w-36 max-xl:hidden',
    cell: (row) => [row.model, row.firmware].filter(Boolean).join(' · ') || '–',
  },
  {
    key: 'seen',
    header: 'Last seen',
    className: 'w-46 max-lg:hidden',
    sortValue: (row) => row.lastSeen ?? '',
    cell: (row) => (row.lastSeen ? formatDateTime(row.lastSeen) : 'Never'),
  },
  {
    key: 'status',
    header: 'Status',
    className: 'w-26',
    sortValue: (row) => row.status,
    cell: (row) => <Badge tone={deviceTone[row.status] ?? 'outline'}>{capital(row.status)}</Badge>,
  },
];

export function Devices({ config }: { config: CantaloupeConfig }) {
  const { data, error, refetch } = useDevices(config.id);
  if (error) return <FailedView error={error} retry={() => void refetch()} />;
  return (
    <DataTable
      label="Devices"
      rows={data}
      columns={deviceColumns}
      rowKey={(row) => row.id}
      pageSize={10}
      empty={<StateView icon="plug" title="No devices found." text="Sync devices, or wait for the first report." />}
    />
  );
}

const transactionColumns: PagedColumn<CantaloupeTransaction>[] = [
  {
    key: 'id',
    header: 'Transaction',
    className: 'w-40 max-sm:hidden',
    cell: (row) => <span title={row.transactionId}>{row.transactionId}</span>,
  },
  {
    key: 'date',
    header: 'Date',
    className: 'w-48 max-sm:w-auto',
    cell: (row) => <span className="max-sm:text-12">{formatDateTime(row.transactionDate)}</span>,
  },
  { key: 'device', header: 'Device', className: 'w-32 max-lg:hidden', cell: (row) => row.deviceId ?? '–' },
  {
    key: 'product',
    header: 'Product',
    className: 'max-md:hidden',
    cell: (row) => `${row.productName ?? row.productCode ?? '–'}${row.quantity > 1 ? ` × ${row.quantity}` : ''}`,
  },
  {
    key: 'method',
    header: 'Paid by',
    className: 'max-xl:hidden',
    cell: (row) => [row.paymentMethod, row.cardType, row.lastFour].filter(Boolean).join(' · ') || '–',
  },
  {
    ...{ key: 'amount', header: 'Amount', align: 'right', className: 'w-24 max-sm:w-20' },
    cell: (row) => formatMoney(row.amount, row.currency),
  },
  {
    key: 'status',
    header: 'Status',
    className: 'w-32 max-sm:w-30',
    cell: (row) => <Badge tone={row.status === 'completed' ? 'ok' : 'outline'}>{capital(row.status)}</Badge>,
  },
];

export function Transactions({ config }: { config: CantaloupeConfig }) {
  const [page, setPage] = useState<string | null>(null);
  const { data, error, isFetching, refetch } = useTransactions(config.id, page);
  if (error) return <FailedView error={error} retry={() => void refetch()} />;
  return (
    <PagedTable
      label="Transactions"
      page={data}
      waiting={isFetching}
      columns={transactionColumns}
      rowKey={(row) => row.id}
      sort="-date"
      onSort={() => {}}
      onPage={setPage}
      empty={
        <StateView icon="card" title="No transactions found." text="Sync transactions, or wait for the first report." />
      }
    />
  );
}
