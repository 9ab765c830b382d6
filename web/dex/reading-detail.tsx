import type { DexReadDetail } from '../../contract/dex.ts';
import { countOf, formatClock, formatDateTime, formatMoney, formatNumber, trueMinus } from '../http/format.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { useDexRead } from './api.ts';

const unknown = 'Not told';
const count = (value: number | null): string => (value === null ? unknown : formatNumber(value));

/** Writes counters as money, where the file says how many decimals it has. */
function moneyOf({ decimalPoint, currency }: DexReadDetail): (value: number | null) => string {
  return (value) => {
    if (value === null || decimalPoint === null) return unknown;
    return formatMoney((value / 10 ** decimalPoint).toFixed(2), currency);
  };
}

/** The machine's clock has no zone: shown as it stands. */
const clockText = (at: string | null): string => (at === null ? unknown : formatClock(at));

export function ReadingDetail({ machineId, readId }: { machineId: number; readId: number }) {
  const read = useDexRead(machineId, readId);
  if (read.error && !read.data) {
    return (
      <Card title="DEX file">
        <FailedView error={read.error} retry={() => void read.refetch()} title="This file did not load" />
      </Card>
    );
  }
  if (!read.data) {
    return (
      <Card title="DEX file">
        <SkeletonRows rows={5} className="h-17" />
      </Card>
    );
  }
  const { data } = read;
  return (
    <div className="grid min-w-0 gap-4">
      <Head read={data} />
      <Card title="Selections" count={data.selections.length}>
        <DataTable
          label="Selections"
          rows={data.selections.map((one, at) => ({ ...one, key: `${one.id} ${at}` }))}
          columns={selectionColumns(moneyOf(data))}
          rowKey={({ key }) => key}
          pageSize={60}
          empty={<StateView icon="box" title="No selections" text="This file tells of no single selections." />}
        />
      </Card>
      <div className="grid grid-cols-2 items-start gap-4 max-lg:grid-cols-1">
        <Tubes read={data} />
        <Events read={data} />
      </div>
    </div>
  );
}

const checksums: Record<DexReadDetail['crc'], { tone: Tone; label: string }> = {
  ok: { tone: 'ok', label: 'Checksum holds' },
  mismatch: { tone: 'bad', label: 'Checksum does not hold' },
  absent: { tone: 'idle', label: 'No checksum' },
};

function Head({ read }: { read: DexReadDetail }) {
  const money = moneyOf(read);
  const { soldTotal } = read;
  const facts: [string, string][] = [
    ['Machine', [read.model, read.serial && `serial ${read.serial}`].filter(Boolean).join(', ') || unknown],
    ['Machine clock', clockText(read.machineTime)],
    ['Vends', count(read.vends)],
    ['Value', money(read.value)],
    ['Cash', money(read.cash)],
    ['Cashless', money(read.cashless)],
    ['Cash box', money(read.cashInBox)],
    ['Temperature', read.temperature === null ? unknown : trueMinus(`${read.temperature} °C`)],
    ['Power cuts', count(read.powerCuts)],
  ];
  return (
    <Card
      title={`Read ${formatDateTime(read.readAt)}`}
      actions={<Badge tone={checksums[read.crc].tone}>{checksums[read.crc].label}</Badge>}
    >
      {soldTotal && (
        <p className="border-line border-b px-4 py-3">
          <span className="font-semibold text-20">{count(soldTotal.all?.vends ?? read.soldVends)} sold since</span>{' '}
          <span className="text-text-2">
            the file before, cash {money(soldTotal.cash?.value ?? null)}, cashless{' '}
            {money(soldTotal.cashless?.value ?? null)}
          </span>
        </p>
      )}
      <dl className="grid grid-cols-3 gap-x-4 gap-y-3 p-4 max-lg:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-12 text-text-2">{label}</dt>
            <dd className="break-words font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Notes read={read} />
    </Card>
  );
}

function Notes({ read }: { read: DexReadDetail }) {
  const notes = [...read.notes, ...read.warnings.map(({ message }) => message)];
  if (notes.length === 0) return null;
  return (
    <ul aria-label="What is odd about it" className="grid gap-2 border-line border-t px-4 py-3">
      {notes.map((note) => (
        <li key={note} className="flex gap-2 text-text-2">
          <span className="mt-0.5 flex-none text-warn">
            <Icon name="alert" size={14} />
          </span>
          {note}
        </li>
      ))}
    </ul>
  );
}

type Selection = DexReadDetail['selections'][number] & { key: string };

function selectionColumns(money: (value: number | null) => string): Column<Selection>[] {
  const figure = 'w-24 tabular-nums';
  return [
    { key: 'id', header: 'Selection', className: 'w-24', cell: ({ id }) => id },
    { key: 'name', header: 'Name', className: 'max-lg:hidden', cell: ({ name }) => name },
    {
      key: 'price',
      header: 'Price',
      align: 'right',
      className: `${figure} max-lg:hidden`,
      cell: ({ price }) => money(price),
    },
    {
      key: 'vends',
      header: 'Vends',
      align: 'right',
      className: figure,
      cell: ({ vends }) => count(vends),
      sortValue: ({ vends }) => vends ?? -1,
    },
    {
      key: 'value',
      header: 'Value',
      align: 'right',
      className: `${figure} max-lg:hidden`,
      cell: ({ value }) => money(value),
    },
    {
      key: 'sold',
      header: 'Sold since',
      align: 'right',
      className: 'w-28 tabular-nums',
      cell: ({ sold }) => (sold ? formatNumber(sold.vends) : 'New'),
      sortValue: ({ sold }) => sold?.vends ?? -1,
    },
  ];
}

function Tubes({ read }: { read: DexReadDetail }) {
  const money = moneyOf(read);
  return (
    <Card title="Coin tubes" count={money(read.tubeValue)}>
      <DataTable
        label="Coin tubes"
        rows={read.tubes}
        rowKey={({ tube }) => tube}
        columns={[
          { key: 'coin', header: 'Coin', cell: ({ coinValue }) => money(coinValue) },
          { key: 'coins', header: 'Coins', align: 'right', cell: ({ coins }) => count(coins) },
          { key: 'full', header: 'State', cell: ({ full }) => (full ? <Badge tone="warn">Full</Badge> : '') },
        ]}
        empty={<StateView icon="box" title="No tubes" text="This file tells of no coin tubes." />}
      />
    </Card>
  );
}

function Events({ read }: { read: DexReadDetail }) {
  return (
    <Card title="Events" count={read.events.length}>
      {read.events.length === 0 && <StateView icon="bell" title="No events" text="This file tells of no events." />}
      <ul className="max-h-96 overflow-auto">
        {read.events.map((event, at) => (
          <li
            key={`${at} ${event.code}`}
            className="flex flex-wrap items-baseline gap-x-2 border-line border-b px-4 py-2 last:border-b-0"
          >
            <span className="font-medium">{event.description ?? event.code}</span>
            <span className="text-12 text-text-3">
              {[event.description && event.code, event.detail].filter(Boolean).join(' ')}
            </span>
            {event.active && <Badge tone="bad">Still present</Badge>}
            <span className="ml-auto text-12 text-text-2">
              {event.at ? clockText(event.at) : event.count !== null && countOf(event.count, 'time')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
