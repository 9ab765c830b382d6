import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '../ui/address/use-address.ts';
import { Card } from '../ui/card.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import {
  type ListWish,
  useMomaAlerts,
  useMomaInventory,
  useMomaMachines,
  useMomaSales,
  useNayaxDevices,
  useNayaxTransactions,
} from './api.ts';
import { alerts, devices, inventory, machines, sales, transactions } from './record-columns.tsx';

type Props = { configId: number; name: string };
/** A list, and what it is sorted by as long as nobody chooses. */
type Choice = { value: string; label: string; sort: string };
type ListProps = { wish: ListWish };

const nayaxLists: readonly Choice[] = [
  { value: 'devices', label: 'Devices', sort: 'name' },
  { value: 'transactions', label: 'Transactions', sort: '-date' },
];
const momaLists: readonly Choice[] = [
  { value: 'machines', label: 'Machines', sort: 'name' },
  { value: 'inventory', label: 'Inventory', sort: 'machine' },
  { value: 'sales', label: 'Sales', sort: '-date' },
  { value: 'alerts', label: 'Alerts', sort: '-date' },
];

export function NayaxRecords({ configId, name }: Props) {
  return (
    <Records name={name} lists={nayaxLists}>
      {(list, asked) => {
        const wish = { configId, ...asked };
        return list === 'transactions' ? <Transactions wish={wish} /> : <Devices wish={wish} />;
      }}
    </Records>
  );
}

export function MomaRecords({ configId, name }: Props) {
  return (
    <Records name={name} lists={momaLists}>
      {(list, asked) => {
        const wish = { configId, ...asked };
        if (list === 'inventory') return <Inventory wish={wish} />;
        if (list === 'sales') return <Sales wish={wish} />;
        return list === 'alerts' ? <Alerts wish={wish} /> : <Machines wish={wish} />;
      }}
    </Records>
  );
}

type RecordsProps = {
  name: string;
  lists: readonly Choice[];
  children: (list: string, asked: Omit<ListWish, 'configId'>) => ReactNode;
};

/** What one configuration told of: a choice of lists, each searched and paged by the server. */
function Records({ name, lists, children }: RecordsProps) {
  const { get, set } = useAddress();
  const list = lists.find(({ value }) => value === get('list')) ?? lists[0];
  if (!list) return null;
  return (
    <Card title={name}>
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <Segmented
          label="Records"
          options={lists}
          value={list.value}
          onChange={(value) => set({ list: value, page: null, sort: null })}
        />
        <div className="ml-auto w-72 max-sm:w-full">
          <AddressSearch label="Search records" placeholder="Search..." />
        </div>
      </div>
      {children(list.value, { search: get('q') ?? '', page: get('page'), sort: get('sort') ?? list.sort })}
    </Card>
  );
}

type Page<R> = { rows: R[]; total: number; from: number; next: string | null; previous: string | null };
type TableProps<R> = {
  label: string;
  query: UseQueryResult<Page<R>>;
  columns: readonly PagedColumn<R>[];
  rowKey: (row: R) => number;
  wish: ListWish;
  empty: { title: string; text: string };
};

function RecordTable<R>({ label, query, columns, rowKey, wish, empty }: TableProps<R>) {
  const { set } = useAddress();
  if (query.error && !query.data) {
    return <FailedPage list={query} title={`${label} did not load`} />;
  }
  return (
    <PagedTable
      label={label}
      page={query.data}
      waiting={query.isPlaceholderData}
      columns={columns}
      rowKey={rowKey}
      sort={wish.sort}
      onSort={(sort) => set({ sort, page: null })}
      onPage={(page) => set({ page })}
      empty={
        wish.search ? (
          <StateView
            icon="search"
            title="Nothing matches"
            text={`No record has “${wish.search}”.`}
            action={<ClearFilters onClear={() => set({ q: null, page: null })} />}
          />
        ) : (
          <StateView icon="box" title={empty.title} text={empty.text} />
        )
      }
    />
  );
}

const afterSync = 'Press Sync to read them.';
const key = ({ id }: { id: number }): number => id;

function Devices({ wish }: ListProps) {
  const query = useNayaxDevices(wish);
  const empty = { title: 'No devices found', text: afterSync };
  return <RecordTable label="Devices" query={query} columns={devices} rowKey={key} wish={wish} empty={empty} />;
}

function Transactions({ wish }: ListProps) {
  const query = useNayaxTransactions(wish);
  const empty = { title: 'No transactions found', text: afterSync };
  return (
    <RecordTable label="Transactions" query={query} columns={transactions} rowKey={key} wish={wish} empty={empty} />
  );
}

function Machines({ wish }: ListProps) {
  const query = useMomaMachines(wish);
  const empty = { title: 'No machines found', text: afterSync };
  return <RecordTable label="Machines" query={query} columns={machines} rowKey={key} wish={wish} empty={empty} />;
}

function Inventory({ wish }: ListProps) {
  const query = useMomaInventory(wish);
  const empty = { title: 'No inventory found', text: afterSync };
  return <RecordTable label="Inventory" query={query} columns={inventory} rowKey={key} wish={wish} empty={empty} />;
}

function Sales({ wish }: ListProps) {
  const query = useMomaSales(wish);
  const empty = { title: 'No sales found', text: afterSync };
  return <RecordTable label="Sales" query={query} columns={sales} rowKey={key} wish={wish} empty={empty} />;
}

function Alerts({ wish }: ListProps) {
  const query = useMomaAlerts(wish);
  const empty = { title: 'No alerts found', text: 'No machine told of anything lately.' };
  return <RecordTable label="Alerts" query={query} columns={alerts} rowKey={key} wish={wish} empty={empty} />;
}
