import type { SyncedDevice } from '../../contract/sync-center.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { formatDate } from '../http/format.ts';
import { AppLink } from '../ui/app-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { type PagedColumn, PagedTable } from '../ui/paged-table.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useAddress } from '../ui/use-address.ts';
import { useSearchText } from '../ui/use-search-text.ts';
import { type DeviceType, useSyncedDevices } from './api.ts';

/** Markets and machines that a partner system tells of. */
export function SyncedDevices({ type }: { type: DeviceType }) {
  const { get, set } = useAddress();
  const { text, asked, setText } = useSearchText();
  const list = useSyncedDevices(type, asked, get('page'));
  if (list.error && !list.isPlaceholderData) {
    return (
      <FailedView
        error={list.error}
        retry={() => {
          set({ page: null });
          void list.refetch();
        }}
      />
    );
  }
  return (
    <>
      {(asked !== '' || (list.data?.total ?? 0) > 0) && (
        <div className="w-80 px-4 py-2 max-sm:w-full">
          <SearchBox label="Search devices" placeholder="Search name or address..." value={text} onChange={setText} />
        </div>
      )}
      <PagedTable
        label="Synchronized devices"
        page={list.data}
        waiting={list.isPlaceholderData}
        columns={columnsOf[type]}
        rowKey={(row) => `${row.type}-${row.id}`}
        sort=""
        onSort={() => {}}
        onPage={(page) => set({ page })}
        empty={
          asked ? (
            <StateView icon="search" title="No device matches" text="Search for something else." />
          ) : (
            <StateView
              icon="plug"
              title="No synchronized devices found"
              text="Connect to integration systems to see devices"
            />
          )
        }
      />
    </>
  );
}

type Column = PagedColumn<SyncedDevice>;

const name: Column = {
  ...{ key: 'name', header: 'Name', className: 'w-56 xl:w-auto' },
  cell: (row) => (
    <AppLink
      href={row.type === 'market' ? `/markets/${row.id}` : `/vending-machines/${row.id}`}
      className="block truncate py-1.5 font-medium underline-offset-2 hover:underline max-lg:py-3"
      title={row.name}
    >
      {row.name}
    </AppLink>
  ),
};
const kind: Column = {
  ...{ key: 'type', header: 'Type', className: 'w-36 xl:w-32' },
  cell: (row) => (row.type === 'market' ? 'Micro Market' : 'Vending Machine'),
};
const address: Column = {
  ...{ key: 'address', header: 'Address', className: 'w-64 xl:w-auto' },
  cell: ({ address: street, city, state }) => [street, city, state].filter(Boolean).join(', ') || 'Unknown',
};
const gps: Column = {
  ...{ key: 'gps', header: 'GPS', className: 'w-44 tabular-nums xl:w-40' },
  cell: ({ latitude, longitude }) => `${shortened(latitude)}, ${shortened(longitude)}`,
};
const synced: Column = {
  ...{ key: 'lastSync', header: 'Last Sync', className: 'w-32 xl:w-28' },
  cell: (row) => (row.lastSync ? formatDate(row.lastSync) : 'Never'),
};
const route: Column = {
  ...{ key: 'route', header: 'Route', className: 'w-28' },
  cell: (row) => row.routeDesignation ?? 'Unassigned',
};
const serial: Column = {
  ...{ key: 'serial', header: 'Serial Number', className: 'w-36' },
  cell: (row) => row.serialNumber ?? 'Unknown',
};
const source: Column = {
  ...{ key: 'source', header: 'Source', className: 'w-36' },
  cell: (row) => (row.integrationSource ? systemLabel[row.integrationSource] : 'Unknown'),
};
const status: Column = {
  ...{ key: 'status', header: 'Status', className: 'w-32' },
  cell: (row) => <Badge tone={row.status === 'active' ? 'ok' : 'bad'}>{capital(row.status)}</Badge>,
};

const columnsOf: Record<DeviceType, readonly Column[]> = {
  all: [name, kind, address, gps, synced, source, status],
  market: [name, address, gps, route, source, status],
  vending_machine: [name, serial, address, gps, route, source, status],
};

/** Four decimals are eleven metres. */
const shortened = (degrees: string): string => Number(degrees).toFixed(4);

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
