import type { MomaAlert, MomaInventory, MomaMachine, MomaSale } from '../../contract/moma.ts';
import type { NayaxDevice, NayaxTransaction } from '../../contract/nayax.ts';
import { methodText } from '../../domain/payment.ts';
import { relativeTime } from '../../domain/time.ts';
import { formatDateTime, formatDateTimeNarrow, formatMoney, formatNumber, trueMinus } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { SeverityBadge } from '../ui/status-badge.tsx';
import { Below } from '../ui/tables/below.tsx';
import { LongId } from '../ui/tables/long-id.tsx';
import { byName, byNumber, byTime } from '../ui/tables/order-choice.tsx';
import type { PagedColumn } from '../ui/tables/paged-table.tsx';
import { AlertState } from './alert-state.tsx';

const none = <span className="text-text-3">Not told</span>;

const tones: Record<string, { tone: Tone; label: string }> = {
  active: { tone: 'ok', label: 'Active' },
  online: { tone: 'ok', label: 'Online' },
  offline: { tone: 'bad', label: 'Offline' },
  inactive: { tone: 'idle', label: 'Inactive' },
  maintenance: { tone: 'warn', label: 'Maintenance' },
  completed: { tone: 'ok', label: 'Completed' },
  pending: { tone: 'run', label: 'Pending' },
  failed: { tone: 'bad', label: 'Failed' },
  refunded: { tone: 'warn', label: 'Refunded' },
};

function State({ value }: { value: string }) {
  const known = tones[value];
  return known ? <Badge tone={known.tone}>{known.label}</Badge> : <Badge tone="outline">{value}</Badge>;
}

/** The machine of ours it is linked to, else its name in the partner's words. */
function Place({ id, name }: { id: number | null; name: string | null }) {
  if (id === null) return <span className="block whitespace-normal py-2">{name ?? none}</span>;
  return (
    <AppLink
      href={`/vending-machines/${id}`}
      // The end of a name is what tells two machines at one address apart.
      className="flex min-h-12 items-center whitespace-normal py-1 font-medium hover:text-accent hover:underline"
    >
      {name ?? `Machine ${id}`}
    </AppLink>
  );
}

function When({ at }: { at: string | null }) {
  if (!at) return none;
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {relativeTime(new Date(at), new Date())}
    </time>
  );
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const sinceText = (what: string, at: string | null): string | null =>
  at && `${what} ${relativeTime(new Date(at), new Date()).toLowerCase()}`;

/** The first column of a list of records, which has to say all of a record on a phone. */
const first = 'max-md:py-2';
/** Between a phone and a wide desk. */
const onDesk = 'max-md:hidden xl:hidden';

const Product = ({ name }: { name: string | null }) =>
  name ? <span className="whitespace-normal">{name}</span> : none;

export const devices: readonly PagedColumn<NayaxDevice>[] = [
  {
    ...{ key: 'name', header: 'Machine', sortBy: 'name', orders: byName, className: first },
    cell: (row) => (
      <>
        <Place id={row.vendingMachineId} name={row.name} />
        <Below lines={[row.deviceId, row.model, sinceText('Seen', row.lastSeen)]} />
      </>
    ),
  },
  {
    ...{ key: 'status', header: 'Status', sortBy: 'status', orders: byName, className: 'w-32' },
    cell: (row) => <State value={row.status} />,
  },
  { key: 'device', header: 'Device', className: 'w-32 max-lg:hidden', cell: (row) => row.deviceId },
  {
    key: 'serial',
    header: 'Serial number',
    className: 'w-44 max-[87rem]:hidden',
    cell: (row) => row.serialNumber ?? none,
  },
  { key: 'model', header: 'Model', className: 'w-36 max-xl:hidden', cell: (row) => row.model ?? none },
  { key: 'firmware', header: 'Firmware', className: 'w-24 max-lg:hidden', cell: (row) => row.firmware ?? none },
  {
    key: 'connectivity',
    header: 'Connectivity',
    className: 'w-28 max-md:hidden',
    cell: (row) => capital(row.connectivity),
  },
  {
    key: 'seen',
    header: 'Last seen',
    sortBy: 'seen',
    orders: byTime,
    className: 'w-32 max-md:hidden',
    cell: (row) => <When at={row.lastSeen} />,
  },
];

export const transactions: readonly PagedColumn<NayaxTransaction>[] = [
  {
    key: 'at',
    header: 'Date',
    sortBy: 'date',
    orders: byTime,
    className: 'w-48 max-md:hidden',
    cell: (row) => formatDateTime(row.transactionDate),
  },
  {
    ...{ key: 'product', header: 'Product', className: first },
    cell: (row) => (
      <>
        <Product name={row.productName} />
        <Below lines={[row.machineName, formatDateTimeNarrow(row.transactionDate), paid(row)]} />
        <Below lines={[paid(row)]} hidden={onDesk} />
      </>
    ),
  },
  {
    ...{ key: 'machine', header: 'Machine', className: 'max-md:hidden' },
    cell: (row) => <Place id={row.vendingMachineId} name={row.machineName} />,
  },
  {
    ...{ key: 'method', header: 'Payment', className: 'w-52 max-xl:hidden' },
    cell: (row) => <span className="whitespace-normal">{paid(row)}</span>,
  },
  {
    key: 'id',
    header: 'Transaction',
    className: 'w-52 max-[87rem]:hidden',
    cell: (row) => <LongId id={row.transactionId} />,
  },
  { key: 'status', header: 'Status', className: 'w-32', cell: (row) => <State value={row.status} /> },
  {
    ...{ key: 'amount', header: 'Amount', align: 'right', className: 'w-24' },
    cell: (row) => formatMoney(row.amount, row.currency),
  },
];

function paid({ paymentMethod, cardType, lastFour }: NayaxTransaction): string {
  const card = [cardType, lastFour && `••••\u00a0${lastFour}`].filter(Boolean).join(' ');
  const method = methodText(paymentMethod ?? '');
  return card ? `${method}, ${card}` : method;
}

export const machines: readonly PagedColumn<MomaMachine>[] = [
  {
    ...{ key: 'name', header: 'Machine', sortBy: 'name', orders: byName, className: first },
    cell: (row) => (
      <>
        <Place id={row.vendingMachineId} name={row.name} />
        <Below
          lines={[
            row.machineId,
            row.temperature && trueMinus(`${row.temperature} °C`),
            `${formatMoney(row.revenue)} today`,
            sinceText('Serviced', row.lastService),
          ]}
        />
      </>
    ),
  },
  {
    ...{ key: 'status', header: 'Status', sortBy: 'status', orders: byName, className: 'w-32' },
    cell: (row) => <State value={row.status} />,
  },
  { key: 'id', header: 'Machine ID', className: 'w-32 max-xl:hidden', cell: (row) => row.machineId },
  {
    ...{ key: 'location', header: 'Location', className: 'max-lg:hidden' },
    cell: (row) => <span className="whitespace-normal">{row.location ?? none}</span>,
  },
  {
    ...{ key: 'temperature', header: 'Temperature', align: 'right', className: 'w-28 max-md:hidden' },
    cell: (row) => (row.temperature === null ? none : trueMinus(`${row.temperature} °C`)),
  },
  {
    ...{ key: 'revenue', header: 'Revenue today', align: 'right', className: 'w-32 max-md:hidden' },
    cell: (row) => formatMoney(row.revenue),
  },
  {
    key: 'service',
    header: 'Last service',
    sortBy: 'service',
    orders: byTime,
    className: 'w-32 max-md:hidden',
    cell: (row) => <When at={row.lastService} />,
  },
];

export const inventory: readonly PagedColumn<MomaInventory>[] = [
  {
    ...{ key: 'product', header: 'Product', sortBy: 'product', orders: byName, className: first },
    cell: (row) => (
      <>
        <Product name={row.productName} />
        <Below lines={[row.machineName, sinceText('Refilled', row.lastRefilled)]} />
      </>
    ),
  },
  {
    ...{ key: 'machine', header: 'Machine', sortBy: 'machine', orders: byName, className: 'max-md:hidden' },
    cell: (row) => <Place id={row.vendingMachineId} name={row.machineName} />,
  },
  { key: 'slot', header: 'Slot', className: 'w-16', cell: (row) => row.slotNumber ?? none },
  {
    ...{ key: 'quantity', header: 'On hand', sortBy: 'quantity', orders: byNumber, align: 'right', className: 'w-24' },
    cell: (row) => `${formatNumber(row.currentQuantity)}${row.maxCapacity === null ? '' : ` of ${row.maxCapacity}`}`,
  },
  {
    ...{ key: 'minimum', header: 'Minimum', align: 'right', className: 'w-24 max-md:hidden' },
    cell: (row) => row.minimumQuantity ?? none,
  },
  {
    ...{ key: 'price', header: 'Price', align: 'right', className: 'w-24 max-md:hidden' },
    cell: (row) => (row.price === null ? none : formatMoney(row.price)),
  },
  {
    key: 'filled',
    header: 'Last refilled',
    className: 'w-32 max-lg:hidden',
    cell: (row) => <When at={row.lastRefilled} />,
  },
];

export const sales: readonly PagedColumn<MomaSale>[] = [
  {
    key: 'at',
    header: 'Date',
    sortBy: 'date',
    orders: byTime,
    className: 'w-48 max-md:hidden',
    cell: (row) => formatDateTime(row.saleDate),
  },
  {
    ...{ key: 'product', header: 'Product', className: first },
    cell: (row) => (
      <>
        <Product name={row.productName} />
        <Below
          lines={[
            row.machineName,
            formatDateTimeNarrow(row.saleDate),
            methodText(row.paymentMethod ?? ''),
            row.synced ? null : 'Not in the books yet',
          ]}
        />
        <Below lines={[methodText(row.paymentMethod ?? '')]} hidden={onDesk} />
      </>
    ),
  },
  {
    ...{ key: 'machine', header: 'Machine', className: 'max-md:hidden' },
    cell: (row) => <Place id={row.vendingMachineId} name={row.machineName} />,
  },
  {
    ...{ key: 'method', header: 'Payment', className: 'w-28 max-xl:hidden' },
    cell: (row) => <span className="whitespace-normal">{methodText(row.paymentMethod ?? '')}</span>,
  },
  {
    ...{ key: 'synced', header: 'In the books', className: 'w-28 max-md:hidden' },
    cell: (row) => (row.synced ? 'Yes' : <span className="text-text-3">Not yet</span>),
  },
  { key: 'status', header: 'Status', className: 'w-32', cell: (row) => <State value={row.status} /> },
  {
    ...{ key: 'total', header: 'Total', align: 'right', className: 'w-24' },
    cell: (row) => formatMoney(row.totalAmount),
  },
];

export const alerts: readonly PagedColumn<MomaAlert>[] = [
  {
    key: 'at',
    header: 'Raised',
    sortBy: 'date',
    orders: byTime,
    className: 'w-48 max-md:hidden',
    cell: (row) => formatDateTime(row.raisedAt),
  },
  {
    ...{ key: 'message', header: 'Alert', className: first },
    cell: (row) => (
      <>
        <span title={row.message} className="whitespace-normal">
          {row.message}
        </span>
        <Below lines={[row.machineName, formatDateTimeNarrow(row.raisedAt), row.alertType]} />
      </>
    ),
  },
  {
    ...{ key: 'machine', header: 'Machine', className: 'max-md:hidden' },
    cell: (row) => <Place id={row.vendingMachineId} name={row.machineName} />,
  },
  { key: 'type', header: 'Type', className: 'w-32 max-lg:hidden', cell: (row) => row.alertType },
  { key: 'severity', header: 'Severity', className: 'w-28', cell: (row) => <SeverityBadge severity={row.severity} /> },
  {
    ...{ key: 'resolved', header: 'State', className: 'w-28' },
    cell: (row) => <AlertState alert={row} />,
  },
];
