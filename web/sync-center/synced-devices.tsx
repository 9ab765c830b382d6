import type { SyncedDevice } from '../../contract/sync-center.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { addressText } from '../../domain/place.ts';
import { formatDate } from '../http/format.ts';
import { shortDegrees } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { type DeviceType, useSyncedDevices, useSyncStatus } from './api.ts';

/** Markets and machines that a partner system tells of. */
export function SyncedDevices({ type }: { type: DeviceType }) {
  const { get, set } = useAddress();
  const asked = get('q') ?? '';
  const list = useSyncedDevices(type, asked, get('page'));
  if (list.error && !list.data) {
    return <FailedPage list={list} title="Synchronized devices did not load" />;
  }
  return (
    <>
      {(asked !== '' || (list.data?.total ?? 0) > 0) && (
        <div className="w-80 px-4 py-2 max-sm:w-full">
          <AddressSearch label="Search devices" placeholder="Search name or address..." />
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
            <StateView
              icon="search"
              title="No device matches"
              text="Search for something else."
              action={<ClearFilters onClear={() => set({ q: null, page: null })} />}
            />
          ) : (
            <NoDevices type={type} />
          )
        }
      />
    </>
  );
}

const untied: Record<DeviceType, string> = {
  all: 'Nothing that the connected systems tell of is tied to a market or a machine yet.',
  market: 'No market is tied to a connected system yet.',
  vending_machine: 'No machine is tied to a connected system yet.',
};

/** Where systems are connected, connecting is not what is left to do. */
function NoDevices({ type }: { type: DeviceType }) {
  const { data } = useSyncStatus();
  const isConnected = (data?.connectedSystems.length ?? 0) > 0;
  return (
    <StateView
      icon="plug"
      title="No synchronized devices found"
      text={isConnected ? untied[type] : 'Connect to integration systems to see devices'}
      action={
        <AppLink
          href={isConnected ? '/integrations/review?view=devices' : '/inventory?tab=integrations'}
          className={`${buttonClass()} max-lg:min-h-12`}
        >
          {isConnected ? 'See unlinked devices' : 'Choose a system'}
        </AppLink>
      }
    />
  );
}

type Column = PagedColumn<SyncedDevice>;

const name: Column = {
  ...{ key: 'name', header: 'Name', className: 'w-56 max-md:w-auto xl:w-auto' },
  cell: (row) => (
    <>
      <AppLink
        href={row.type === 'market' ? `/markets/${row.id}` : `/vending-machines/${row.id}`}
        className="block py-1 font-medium underline-offset-2 hover:underline max-lg:min-h-12 max-lg:py-3 max-md:pb-1"
        title={row.name}
      >
        <span className="line-clamp-2 whitespace-normal">{row.name}</span>
      </AppLink>
      <OnPhone row={row} />
    </>
  ),
};
const kind: Column = {
  ...{ key: 'type', header: 'Type', className: 'w-36 max-md:hidden' },
  cell: (row) => kindOf(row),
};
const address: Column = {
  ...{ key: 'address', header: 'Address', className: 'w-64 max-md:hidden xl:w-auto' },
  cell: (row) => <span className="line-clamp-2 whitespace-normal">{addressOf(row)}</span>,
};
const gps: Column = {
  ...{ key: 'gps', header: 'GPS', className: 'w-44 tabular-nums max-md:hidden xl:w-40' },
  cell: (row) => placeOf(row),
};
const synced: Column = {
  ...{ key: 'lastSync', header: 'Last Sync', className: 'w-32 max-md:hidden xl:w-28' },
  cell: (row) => (row.lastSync ? formatDate(row.lastSync) : 'Never'),
};
const route: Column = {
  ...{ key: 'route', header: 'Route', className: 'w-28 max-md:hidden' },
  cell: (row) => row.routeDesignation ?? 'Unassigned',
};
const serial: Column = {
  ...{ key: 'serial', header: 'Serial Number', className: 'w-36 max-md:hidden' },
  cell: (row) => row.serialNumber ?? 'Unknown',
};
const source: Column = {
  ...{ key: 'source', header: 'Source', className: 'w-36 max-md:hidden' },
  cell: (row) => sourceOf(row),
};
const status: Column = {
  ...{ key: 'status', header: 'Status', className: 'w-32' },
  cell: (row) => <Badge tone={row.status === 'active' ? 'ok' : 'bad'}>{capital(row.status)}</Badge>,
};

/** What the columns say that a phone has no room for. */
function OnPhone({ row }: { row: SyncedDevice }) {
  const lines = [
    addressOf(row),
    placeOf(row),
    `${kindOf(row)}, route ${row.routeDesignation ?? 'Unassigned'}`,
    row.serialNumber ? `Serial ${row.serialNumber}` : null,
    `${sourceOf(row)}, ${row.lastSync ? `synced ${formatDate(row.lastSync)}` : 'never synced'}`,
  ];
  return (
    <span className="block whitespace-normal pb-2 text-12 text-text-2 md:hidden">
      {lines.filter(Boolean).map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </span>
  );
}

const columnsOf: Record<DeviceType, readonly Column[]> = {
  all: [name, kind, address, gps, synced, source, status],
  market: [name, address, gps, route, source, status],
  vending_machine: [name, serial, address, gps, route, source, status],
};

const kindOf = ({ type }: SyncedDevice): string => (type === 'market' ? 'Micro Market' : 'Vending Machine');

const addressOf = (row: SyncedDevice): string => addressText(row) || 'Unknown';

/** No system tells of a place whose integration id a person typed. */
const sourceOf = ({ integrationSource }: SyncedDevice): string =>
  integrationSource ? systemLabel[integrationSource] : 'Entered by hand';

const placeOf = ({ latitude, longitude }: SyncedDevice): string =>
  `${shortDegrees(latitude)}, ${shortDegrees(longitude)}`;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
