import { type ReactNode, useState } from 'react';
import { useMay, useNothingOwn } from '../auth/api.ts';
import { useMarketsPage, useRemoveMarket } from '../markets/api.ts';
import { marketsToExport } from '../markets/export.ts';
import type { Opened } from '../markets/opened.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { MarketsTable } from './markets-table.tsx';

const MarketForm = lateDialog('Market', async () => (await import('../markets/market-form.tsx')).MarketForm);
const MarketDialogs = lateDialog('Market', async () => (await import('../markets/market-dialogs.tsx')).MarketDialogs);

const rowsShown = 10;
const usualSort = 'stock';

export function MarketsStatus() {
  const mayWrite = useMay('office:write');
  const remove = useRemoveMarket();
  const { get, set } = useAddress();
  const asked = get('q') ?? '';
  const sort = get('sort') ?? usualSort;
  const filter = { search: asked, status: null, sort };
  const list = useMarketsPage(filter, get('page'), rowsShown);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const add = mayWrite && (
    <Button icon="plus" onClick={() => setOpened({ what: 'form', market: null })} className="max-lg:min-h-12">
      Add Market
    </Button>
  );
  return (
    <div id="markets-status" tabIndex={-1} className="min-w-0 scroll-mt-20">
      <Card
        title="Micro Markets Status"
        {...(list.data ? { count: list.data.total } : {})}
        actions={
          <>
            <div className="w-60 max-sm:w-full">
              <AddressSearch label="Search markets" placeholder="Search markets..." />
            </div>
            <ExportButton label="Export markets" exported={marketsToExport(filter)} total={list.data?.total} />
            {add}
          </>
        }
      >
        {list.error && !list.data ? (
          <FailedPage list={list} title="The markets did not load" />
        ) : (
          <MarketsTable
            page={list.data}
            waiting={list.isPlaceholderData}
            sort={sort}
            onSort={(by) => set({ sort: by === usualSort ? null : by, page: null })}
            onPage={(page) => set({ page })}
            onOpen={setOpened}
            empty={
              asked ? <NoHit text={asked} onClear={() => set({ q: null, page: null })} /> : <NoMarkets action={add} />
            }
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

function NoHit({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <StateView
      icon="search"
      title={`No market matches '${text}'`}
      text="Names, addresses and numbers are searched."
      action={<ClearFilters onClear={onClear} />}
    />
  );
}

function NoMarkets({ action }: { action: ReactNode }) {
  const nothingOwn = useNothingOwn();
  return (
    <StateView
      icon="market"
      title="No markets yet"
      text={action ? 'Add the first one to see its stock here.' : nothingOwn}
      action={action}
    />
  );
}
