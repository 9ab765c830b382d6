import type { AdminItem } from '../../contract/admin.ts';
import { formatMoney, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { StateView } from '../ui/state-view.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { type Filter, useInventory } from './api.ts';
import { locationHref, locationTypeLabel } from './locations-tab.tsx';
import { NothingFound } from './nothing-found.tsx';

export function InventoryTab({ filter }: { filter: Filter }) {
  const { get, set } = useAddress();
  const sort = get('sort') ?? 'product';
  const stock = get('stock') === 'low' ? 'low' : 'all';
  const list = useInventory({ ...filter, stock }, { sort, page: get('page') });
  return (
    <>
      <div className="border-line border-b px-4 py-2">
        <Segmented
          label="Stock"
          options={[
            { value: 'all', label: 'All' },
            { value: 'low', label: 'Low Stock' },
          ]}
          value={stock}
          onChange={(value) => set({ stock: value === 'all' ? null : value, page: null })}
        />
      </div>
      {list.error && !list.data ? (
        <FailedPage list={list} title="Inventory did not load" />
      ) : (
        <PagedTable
          label="Inventory"
          page={list.data}
          waiting={list.isPlaceholderData}
          columns={columns}
          rowKey={(row) => row.key}
          sort={sort}
          onSort={(by) => set({ sort: by === 'product' ? null : by, page: null })}
          onPage={(page) => set({ page })}
          empty={
            stock === 'low' && filter.search === '' ? (
              <StateView icon="box" title="Nothing is low" text="Every product here is above its limit." />
            ) : (
              <NothingFound
                icon="box"
                title="No product matches"
                filter={filter}
                none={{
                  title: 'No inventory yet',
                  text: 'What markets and machines hold is listed here.',
                  href: '/import?kind=planogram',
                  label: 'Import planograms',
                }}
              />
            )
          }
        />
      )}
    </>
  );
}

/** With the slot: a machine holds one product in several. */
const placeOf = ({ location, slotNumber }: AdminItem): string =>
  slotNumber ? `${location} · ${slotNumber}` : location;

const limitOf = ({ capacity, minimumQuantity }: AdminItem): string =>
  capacity === null ? `min ${formatNumber(minimumQuantity)}` : `of ${formatNumber(capacity)}`;

const columns: readonly PagedColumn<AdminItem>[] = [
  {
    ...{ key: 'product', header: 'Product', sortBy: 'product' },
    cell: (row) => (
      <span className="grid py-1 whitespace-normal">
        <span className="font-medium">{row.productName}</span>
        <span className="text-12 text-text-3 md:hidden">
          {placeOf(row)} · Route {row.routeDesignation ?? 'N/A'}
        </span>
      </span>
    ),
  },
  {
    ...{ key: 'type', header: 'Location type', className: 'w-36 max-xl:hidden' },
    cell: (row) => <Badge tone="outline">{locationTypeLabel[row.locationType]}</Badge>,
  },
  {
    ...{ key: 'location', header: 'Location', className: 'max-md:hidden' },
    cell: (row) => (
      <AppLink href={locationHref(row.locationType, row.locationId)} className="text-link block py-1 whitespace-normal">
        {row.location}
        {row.slotNumber && <span className="block text-12 text-text-3">Slot {row.slotNumber}</span>}
        <span className="block text-12 text-text-3 xl:hidden">{locationTypeLabel[row.locationType]}</span>
      </AppLink>
    ),
  },
  {
    ...{ key: 'route', header: 'Route', className: 'w-20 max-md:hidden' },
    cell: (row) => row.routeDesignation ?? <span className="text-text-3">N/A</span>,
  },
  {
    ...{ key: 'badge', header: 'Status', className: 'w-28' },
    cell: (row) => <Badge tone={row.isLow ? 'warn' : 'ok'}>{row.isLow ? 'Low Stock' : 'In Stock'}</Badge>,
  },
  {
    ...{ key: 'stock', header: 'Stock', align: 'right', sortBy: 'stock', className: 'w-20 max-sm:w-16' },
    cell: (row) => (
      <>
        {formatNumber(row.currentQuantity)}
        <span className="block text-12 text-text-3 xl:hidden">{limitOf(row)}</span>
      </>
    ),
  },
  {
    ...{ key: 'limit', header: 'Capacity / minimum', align: 'right', className: 'w-36 max-xl:hidden' },
    cell: limitOf,
  },
  {
    ...{ key: 'price', header: 'Price', align: 'right', className: 'w-20 max-sm:hidden' },
    cell: (row) => (row.price === null ? <span className="text-text-3">Not set</span> : formatMoney(row.price)),
  },
];
