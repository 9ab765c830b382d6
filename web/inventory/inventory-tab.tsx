import { useState } from 'react';
import type { StockFilter } from '../../contract/inventory.ts';
import { useMay } from '../auth/api.ts';
import { countOf } from '../http/format.ts';
import { useChosenMarket } from '../markets/api.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { Icon } from '../ui/icon.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { useSmallScreen } from '../ui/use-media.ts';
import { type InventoryFilter, useInventoryPage } from './api.ts';
import { itemsToExport } from './export.ts';
import { InventoryTable } from './inventory-table.tsx';
import { ItemDialogs } from './item-dialogs.tsx';
import { BulkBar } from './many/bulk-bar.tsx';
import { useLeave } from './many/use-leave.ts';
import { usePicked } from './many/use-picked.ts';
import { NoItems } from './no-items.tsx';
import type { Opened } from './opened.ts';
import { SummaryCards } from './summary-cards.tsx';

const filters = [
  { value: 'all', label: 'All' },
  { value: 'low', label: 'Low Stock' },
  { value: 'in-stock', label: 'In Stock' },
] as const satisfies readonly { value: StockFilter; label: string }[];

const usualSort = 'cover';
const none: readonly never[] = [];

export function InventoryTab() {
  const { get, set } = useAddress();
  const [opened, setOpened] = useState<Opened | null>(null);
  const mayWrite = useMay('office:write');
  const stock = filters.find(({ value }) => value === get('stock'))?.value ?? 'all';
  const filter: InventoryFilter = {
    search: get('q') ?? '',
    stock,
    market: Number(get('market')) || null,
    sort: get('sort') ?? usualSort,
  };
  const list = useInventoryPage(filter, get('page'));
  const picking = usePicked(list.data?.rows ?? none);
  const place = useLeave(picking);
  const isSmall = useSmallScreen();
  const market = useChosenMarket(filter.market);
  const shownMarket = market.data ? { id: market.data.id, name: market.data.name } : null;
  const close = (): void => setOpened(null);
  const add = mayWrite && (
    <Button variant="primary" icon="plus" onClick={() => setOpened({ what: 'add' })} className="max-lg:min-h-12">
      Add Item
    </Button>
  );
  return (
    <>
      <SummaryCards />
      <div ref={place}>
        <Card>
          <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
            <div className="w-72 max-sm:w-full">
              <AddressSearch label="Search products or markets" placeholder="Search products or markets..." />
            </div>
            <Segmented
              label="Stock"
              options={filters}
              value={stock}
              onChange={(value) => set({ stock: value === 'all' ? null : value, page: null })}
            />
            {filter.market && (
              <button
                type="button"
                aria-label={`Show all markets instead of ${shownMarket?.name ?? 'this one'}`}
                onClick={() => set({ market: null, page: null })}
                className="inline-flex h-8 max-w-64 items-center gap-1.5 rounded-full border border-accent bg-accent-soft px-3 font-medium text-12 text-accent max-lg:h-12"
              >
                <span className="truncate">{shownMarket?.name ?? 'One market'}</span>
                <Icon name="close" size={12} />
              </button>
            )}
            <span className="ml-auto flex gap-2 max-sm:w-full max-sm:*:grow">
              <ExportButton exported={itemsToExport(filter)} total={list.data?.total} />
              {add}
            </span>
          </div>
          <p role="status" className="sr-only">
            {picking.picked.size > 0 && `${countOf(picking.picked.size, 'item')} selected`}
          </p>
          {picking.picked.size > 0 && !isSmall && (
            <BulkBar picking={picking} filter={filter} total={list.data?.total ?? 0} />
          )}
          {list.error && !list.data ? (
            <FailedPage list={list} title="Inventory did not load" />
          ) : (
            <InventoryTable
              page={list.data}
              waiting={list.isPlaceholderData}
              sort={filter.sort}
              onSort={(sort) => set({ sort: sort === usualSort ? null : sort, page: null })}
              onPage={(page) => set({ page })}
              onOpen={setOpened}
              picking={picking}
              empty={
                <NoItems
                  filter={filter}
                  onClear={() => {
                    set({ q: null, stock: null, market: null, page: null });
                  }}
                  action={add}
                />
              }
            />
          )}
        </Card>
      </div>
      {opened && <ItemDialogs opened={opened} place={shownMarket} onOpen={setOpened} onClose={close} />}
    </>
  );
}
