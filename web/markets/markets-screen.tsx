import { type ReactNode, useState } from 'react';
import { useMay, useNothingOwn } from '../auth/api.ts';
import { ImportLink } from '../ui/address/import-link.tsx';
import { lateDialog } from '../ui/address/late-code.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type MarketFilter, useMarketsPage, useRemoveMarket } from './api.ts';
import { marketsToExport } from './export.ts';
import { MarketCards } from './market-cards.tsx';
import { MarketsList } from './markets-list.tsx';
import type { Opened } from './opened.ts';

const MarketForm = lateDialog('Market', async () => (await import('./market-form.tsx')).MarketForm);
const MarketDialogs = lateDialog('Market', async () => (await import('./market-dialogs.tsx')).MarketDialogs);

const statuses = [
  { value: '', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'maintenance', label: 'Maintenance' },
  { value: 'inactive', label: 'Inactive' },
];

const usualSort = 'stock';

export function MarketsScreen() {
  const { get, set } = useAddress();
  const [chosen, setOpened] = useState<Opened | null>(null);
  // An address may open the form itself.
  const opened: Opened | null = chosen ?? (get('add') ? { what: 'form', market: null } : null);
  const mayWrite = useMay('office:write');
  const remove = useRemoveMarket();
  const filter: MarketFilter = { search: get('q') ?? '', status: get('status'), sort: get('sort') ?? usualSort };
  const list = useMarketsPage(filter, get('page'));
  const close = (): void => {
    setOpened(null);
    if (get('add')) set({ add: null });
  };
  const add = mayWrite && (
    <Button
      variant="primary"
      icon="plus"
      onClick={() => setOpened({ what: 'form', market: null })}
      className="max-lg:min-h-12"
    >
      Add Market
    </Button>
  );
  const showAll = (): void => {
    set({ q: null, status: null, page: null });
  };
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto">Markets</h1>
        <div className="flex flex-wrap gap-2">
          <ExportButton exported={marketsToExport(filter)} total={list.data?.total} />
          {mayWrite && <ImportLink kind="locations" />}
          {add}
        </div>
      </header>
      <MarketCards />
      <Card>
        <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          <div className="w-72 max-sm:w-full">
            <AddressSearch label="Search markets" placeholder="Search markets..." />
          </div>
          <Segmented
            label="Status"
            options={statuses}
            value={filter.status ?? ''}
            onChange={(status) => set({ status: status || null, page: null })}
          />
        </div>
        {list.error && !list.data ? (
          <FailedPage list={list} title="Markets did not load" />
        ) : (
          <MarketsList
            page={list.data}
            waiting={list.isPlaceholderData}
            sort={filter.sort}
            onSort={(sort) => set({ sort: sort === usualSort ? null : sort, page: null })}
            onPage={(page) => set({ page })}
            onOpen={setOpened}
            empty={<NoMarkets filter={filter} onClear={showAll} action={add} />}
          />
        )}
      </Card>
      {opened?.what === 'form' && <MarketForm market={opened.market} onClose={close} />}
      {opened && opened.what !== 'form' && (
        <MarketDialogs
          opened={opened}
          removing={remove.isPending}
          onOpen={setOpened}
          onClose={close}
          onRemove={(market) => remove.mutate(market.id, { onSettled: close })}
        />
      )}
    </div>
  );
}

type EmptyProps = { filter: MarketFilter; onClear: () => void; action: ReactNode };

function NoMarkets({ filter, onClear, action }: EmptyProps) {
  const nothingOwn = useNothingOwn();
  if (!filter.search && !filter.status) {
    return (
      <StateView
        icon="market"
        title="No markets yet"
        text={action ? 'Add the first one to see its stock here.' : nothingOwn}
        action={action}
      />
    );
  }
  return (
    <StateView
      icon="search"
      title={filter.search ? `No market matches '${filter.search}'` : 'No market has this status'}
      text={filter.search ? 'Names, addresses and numbers are searched.' : 'Choose another status above.'}
      action={<ClearFilters onClear={onClear} />}
    />
  );
}
