import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { VdiAlert, VdiDevice, VdiSyncJob, VdiTransaction } from '../../contract/nama-vdi.ts';
import { countOf, formatDateTime, formatMoney, formatNumber } from '../http/format.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { SeverityBadge } from '../ui/status-badge.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { byName, byTime } from '../ui/tables/order-choice.tsx';
import { shown, useVdiAlerts, useVdiDevices, useVdiSyncJobs, useVdiTransactions } from './api.ts';

type Of = { configId: number };

/** A code as words: `cash_collection` is `Cash collection`, and the event ELE of a DEX file is `DEX ELE`. */
function inWords(code: string): string {
  const text = code.replaceAll('_', ' ').replace(/^dex\b( [a-z]{2,3}$)?/, (event) => event.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** On a phone, or until a desk is wide, the columns that have no room stand below the first one. */
const Below = ({ hidden = 'lg:hidden', children }: { hidden?: string; children: ReactNode }) => (
  <span className={`block whitespace-normal text-12 text-text-3 ${hidden}`}>{children}</span>
);
const onWide = 'min-[87rem]:hidden';

type ListProps<R> = {
  label: string;
  query: UseQueryResult<R[]>;
  columns: readonly Column<R>[];
  empty: { icon: IconName; title: string; text: string };
  /** What is said below a full list: there may be more. */
  note?: ReactNode;
};

function List<R extends { id: number }>({ label, query, columns, empty, note }: ListProps<R>) {
  if (query.error && !query.data) {
    return <FailedView error={query.error} retry={() => void query.refetch()} title={`${label} did not load`} />;
  }
  return (
    <>
      <DataTable
        label={label}
        name={label.replaceAll(' ', '-').toLowerCase()}
        rows={query.data}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<StateView {...empty} />}
      />
      {note && query.data && query.data.length >= shown && <p className="px-4 py-2 text-12 text-text-3">{note}</p>}
    </>
  );
}

const deviceTones: Record<string, Tone> = { active: 'ok', online: 'ok', offline: 'bad', maintenance: 'warn' };

const deviceColumns: Column<VdiDevice>[] = [
  {
    key: 'device',
    header: 'Device ID',
    className: 'w-36 max-[87rem]:w-52 max-[87rem]:py-2 max-lg:w-auto',
    cell: ({ deviceId, location, deviceType, model, lastSeen }) => (
      <>
        {deviceId}
        <Below hidden={onWide}>{[inWords(deviceType), model].filter(Boolean).join(' · ')}</Below>
        {location && <Below>{location}</Below>}
        <Below>{lastSeen ? `Last seen ${formatDateTime(lastSeen)}` : 'Never seen'}</Below>
      </>
    ),
    sortValue: ({ deviceId }) => deviceId,
    orders: byName,
  },
  { key: 'type', header: 'Type', className: 'w-34 max-[87rem]:hidden', cell: ({ deviceType }) => inWords(deviceType) },
  { key: 'model', header: 'Model', className: 'w-26 max-[87rem]:hidden', cell: ({ model }) => model ?? 'Not told' },
  {
    key: 'location',
    header: 'Location',
    className: 'max-lg:hidden',
    cell: ({ location }) => <span className="whitespace-normal">{location ?? 'Not told'}</span>,
  },
  {
    key: 'seen',
    header: 'Last seen',
    className: 'w-48 max-lg:hidden',
    cell: ({ lastSeen }) => (lastSeen ? formatDateTime(lastSeen) : 'Never'),
    sortValue: ({ lastSeen }) => lastSeen ?? '',
    orders: byTime,
  },
  {
    key: 'status',
    header: 'Status',
    className: 'w-32',
    cell: ({ status }) => <Badge tone={deviceTones[status] ?? 'idle'}>{inWords(status)}</Badge>,
    sortValue: ({ status }) => status,
    orders: byName,
  },
];

export const DevicesTab = ({ configId }: Of) => (
  <List
    label="Devices"
    query={useVdiDevices(configId)}
    columns={deviceColumns}
    empty={{
      icon: 'machine',
      title: 'No devices found',
      text: 'Sync devices, or wait until the other side tells of them.',
    }}
  />
);

const transactionColumns: Column<VdiTransaction>[] = [
  {
    key: 'product',
    header: 'Product',
    className: 'max-[87rem]:py-2',
    cell: ({ productName, productCode, errorMessage, transactionType, transactionDate, deviceId, quantity }) => (
      <>
        <span className="whitespace-normal">
          {productName ?? productCode ?? (transactionType === 'dex_sale' ? 'DEX file' : 'None')}
          {quantity > 1 && <span className="lg:hidden"> × {formatNumber(quantity)}</span>}
        </span>
        <Below hidden={onWide}>{[deviceId, inWords(transactionType)].filter(Boolean).join(' · ')}</Below>
        <Below>{formatDateTime(transactionDate)}</Below>
        {errorMessage && <span className="block truncate text-12 text-warn-text">{errorMessage}</span>}
      </>
    ),
  },
  {
    key: 'device',
    header: 'Device',
    className: 'w-32 max-[87rem]:hidden',
    cell: ({ deviceId }) => deviceId ?? 'Not told',
  },
  {
    key: 'date',
    header: 'Date',
    className: 'w-48 max-lg:hidden',
    cell: ({ transactionDate }) => formatDateTime(transactionDate),
  },
  {
    key: 'type',
    header: 'Type',
    className: 'w-36 max-[87rem]:hidden',
    cell: ({ transactionType }) => inWords(transactionType),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'right',
    className: 'w-24 tabular-nums max-lg:hidden',
    cell: ({ quantity }) => formatNumber(quantity),
  },
  {
    key: 'total',
    header: 'Total',
    align: 'right',
    className: 'w-24 tabular-nums',
    cell: ({ totalAmount, currency }) => formatMoney(totalAmount, currency ?? undefined),
  },
];

export const TransactionsTab = ({ configId }: Of) => (
  <List
    label="Transactions"
    query={useVdiTransactions(configId)}
    columns={transactionColumns}
    empty={{
      icon: 'card',
      title: 'No transactions found',
      text: 'Sync transactions, or wait until the other side tells of them.',
    }}
    note={`The newest ${shown}. Payment Reports has them all.`}
  />
);

const stateOf = (resolved: boolean): string => (resolved ? 'Resolved' : 'Open');

const alertColumns: Column<VdiAlert>[] = [
  {
    key: 'message',
    header: 'Message',
    className: 'max-[87rem]:py-2',
    cell: ({ message, deviceId, alertType, createdAt, resolved }) => (
      <>
        <span title={message} className="line-clamp-2 whitespace-normal">
          {message}
        </span>
        <Below hidden={onWide}>{`${deviceId ?? 'Device not told'} · ${inWords(alertType)}`}</Below>
        <Below>{`${stateOf(resolved)} · ${formatDateTime(createdAt)}`}</Below>
      </>
    ),
  },
  {
    key: 'device',
    header: 'Device',
    className: 'w-36 max-[87rem]:hidden',
    cell: ({ deviceId }) => deviceId ?? 'Not told',
  },
  { key: 'type', header: 'Type', className: 'w-28 max-[87rem]:hidden', cell: ({ alertType }) => inWords(alertType) },
  {
    key: 'severity',
    header: 'Severity',
    className: 'w-28 max-lg:w-24',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  { key: 'date', header: 'Date', className: 'w-48 max-lg:hidden', cell: ({ createdAt }) => formatDateTime(createdAt) },
  {
    key: 'resolved',
    header: 'State',
    className: 'w-28 max-lg:hidden',
    cell: ({ resolved }) => <Badge tone={resolved ? 'ok' : 'warn'}>{stateOf(resolved)}</Badge>,
  },
];

export const AlertsTab = ({ configId }: Of) => (
  <List
    label="Alerts"
    query={useVdiAlerts(configId)}
    columns={alertColumns}
    empty={{ icon: 'bell', title: 'No alerts found', text: 'Nothing is wrong that the other side told of.' }}
    note={`The newest ${shown}.`}
  />
);

const jobTones: Record<VdiSyncJob['status'], Tone> = {
  pending: 'idle',
  running: 'run',
  completed: 'ok',
  paused: 'idle',
  failed: 'bad',
  cancelled: 'idle',
};

function JobErrors({ job }: { job: VdiSyncJob }) {
  if (job.errorCount === 0) return <span className="text-text-3">None</span>;
  return (
    <details>
      <summary className="cursor-pointer text-bad-text max-lg:py-3">
        {formatNumber(job.errorCount)}
        <span className="lg:hidden">{job.errorCount === 1 ? ' error' : ' errors'}</span>
      </summary>
      <ul className="whitespace-normal py-1 text-12 text-text-2">
        {job.errorDetails.slice(0, 10).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}

const at = (instant: string | null): string => (instant ? formatDateTime(instant) : 'Not yet');

const jobColumns: Column<VdiSyncJob>[] = [
  {
    key: 'type',
    header: 'Type',
    className: 'w-36 max-[87rem]:w-52 max-[87rem]:py-2 max-lg:w-auto',
    cell: (job) => (
      <>
        {job.cause === 'push' ? `Pushed: ${job.jobType}` : inWords(job.jobType)}
        <Below hidden={onWide}>{at(job.startedAt)}</Below>
        <Below>{countOf(job.recordsProcessed, 'record')}</Below>
        {job.errorCount > 0 && (
          <div className="text-12 lg:hidden">
            <JobErrors job={job} />
          </div>
        )}
      </>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    className: 'w-32',
    cell: ({ status }) => <Badge tone={jobTones[status]}>{inWords(status)}</Badge>,
  },
  { key: 'start', header: 'Started', className: 'w-46 max-[87rem]:hidden', cell: ({ startedAt }) => at(startedAt) },
  { key: 'end', header: 'Completed', className: 'w-46 max-lg:hidden', cell: ({ completedAt }) => at(completedAt) },
  {
    key: 'records',
    header: 'Records',
    align: 'right',
    className: 'w-22 tabular-nums max-lg:hidden',
    cell: ({ recordsProcessed }) => formatNumber(recordsProcessed),
  },
  { key: 'errors', header: 'Errors', className: 'max-lg:hidden', cell: (job) => <JobErrors job={job} /> },
];

export const JobsTab = ({ configId }: Of) => (
  <List
    label="Sync Jobs"
    query={useVdiSyncJobs(configId)}
    columns={jobColumns}
    empty={{
      icon: 'history',
      title: 'No sync jobs found',
      text: 'Each sync and each document that is pushed is listed here.',
    }}
  />
);
