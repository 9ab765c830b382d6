import type { AdminLocation } from '../../contract/admin.ts';
import { formatDateTime } from '../http/format.ts';
import { shortDegrees } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { byName, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { type Filter, useLocations } from './api.ts';
import { NothingFound } from './nothing-found.tsx';

export const locationTypeLabel = { market: 'Market', vending_machine: 'Vending Machine' } as const;
export const locationHref = (type: AdminLocation['type'], id: number): string =>
  `/${type === 'market' ? 'markets' : 'vending-machines'}/${id}`;

export function LocationsTab({ filter }: { filter: Filter }) {
  const { get, set } = useAddress();
  const sort = get('sort') ?? 'name';
  const list = useLocations(filter, { sort, page: get('page') });
  if (list.error && !list.data) {
    return <FailedPage list={list} title="Locations did not load" />;
  }
  return (
    <PagedTable
      label="Locations"
      page={list.data}
      waiting={list.isPlaceholderData}
      columns={columns}
      rowKey={(row) => row.key}
      sort={sort}
      onSort={(by) => set({ sort: by === 'name' ? null : by, page: null })}
      onPage={(page) => set({ page })}
      empty={
        <NothingFound
          icon="pin"
          title="No location matches"
          filter={filter}
          none={{
            title: 'No locations yet',
            text: 'Markets and machines are listed here.',
            href: '/import?kind=locations',
            label: 'Import locations',
          }}
        />
      }
    />
  );
}

const cityOf = ({ city, state }: AdminLocation): string => [city, state].filter(Boolean).join(', ') || 'City not set';

const Coordinates = ({ row: { latitude, longitude } }: { row: AdminLocation }) => (
  <span className="block">
    {shortDegrees(latitude)}, {shortDegrees(longitude)}
  </span>
);

const columns: readonly PagedColumn<AdminLocation>[] = [
  {
    ...{ key: 'name', header: 'Location', sortBy: 'name', orders: byName },
    cell: (row) => (
      <span className="grid">
        <AppLink
          href={locationHref(row.type, row.id)}
          className="block py-1 font-medium hover:text-accent hover:underline"
        >
          <span className="line-clamp-3 whitespace-normal">{row.name}</span>
        </AppLink>
        <span className="truncate text-12 text-text-3 md:hidden">
          {locationTypeLabel[row.type]} · Route {row.routeDesignation ?? 'N/A'}
        </span>
        <span className="text-12 text-text-3 xl:hidden">
          <span className="line-clamp-2 whitespace-normal">{[row.address, cityOf(row)].join(', ')}</span>
          <Coordinates row={row} />
          <span className="block">Updated {formatDateTime(row.lastUpdated)}</span>
        </span>
      </span>
    ),
  },
  {
    ...{ key: 'type', header: 'Type', sortBy: 'type', orders: byName, className: 'w-36 max-md:hidden' },
    cell: (row) => <Badge tone="outline">{locationTypeLabel[row.type]}</Badge>,
  },
  {
    ...{ key: 'route', header: 'Route', sortBy: 'route', orders: byName, className: 'w-20 max-md:hidden' },
    cell: (row) => row.routeDesignation ?? <span className="text-text-3">N/A</span>,
  },
  {
    ...{ key: 'status', header: 'Status', sortBy: 'status', orders: byName, className: 'w-32' },
    cell: (row) => <LocationStatusBadge status={row.status} />,
  },
  {
    ...{ key: 'address', header: 'Address', className: 'w-44 max-xl:hidden' },
    cell: (row) => (
      <span className="grid">
        <span className="line-clamp-2 whitespace-normal">{row.address}</span>
        <span className="truncate text-12 text-text-3">{cityOf(row)}</span>
        <span className="text-12 text-text-3 min-[87rem]:hidden">
          <Coordinates row={row} />
        </span>
      </span>
    ),
  },
  {
    ...{ key: 'coordinates', header: 'Coordinates', className: 'w-40 max-[87rem]:hidden' },
    cell: (row) => <Coordinates row={row} />,
  },
  {
    ...{ key: 'updated', header: 'Last updated', sortBy: 'updated', orders: byTime, className: 'w-48 max-xl:hidden' },
    cell: (row) => formatDateTime(row.lastUpdated),
  },
];
