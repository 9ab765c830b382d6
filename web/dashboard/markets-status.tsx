import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { MarketWithInventory } from '../../contract/markets.ts';
import { useMay } from '../auth/api.ts';
import { formatNumber } from '../http/format.ts';
import { useMarketsWithInventory, useRemoveMarket } from '../markets/api.ts';
import type { Opened } from '../markets/opened.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useAddress } from '../ui/use-address.ts';
import { MarketsTable } from './markets-table.tsx';

const MarketForm = lazy(() => import('../markets/market-form.tsx').then(({ MarketForm }) => ({ default: MarketForm })));
const MarketDialogs = lazy(() =>
  import('../markets/market-dialogs.tsx').then(({ MarketDialogs }) => ({ default: MarketDialogs })),
);

export function MarketsStatus() {
  const list = useMarketsWithInventory();
  const mayWrite = useMay('office:write');
  const remove = useRemoveMarket();
  const { get, set } = useAddress();
  // Typed here first: the address follows, and a letter never waits for it.
  const [text, setText] = useState(get('q') ?? '');
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = (): void => setOpened(null);
  const search = (value: string): void => {
    setText(value);
    set({ q: value || null });
  };
  const add = mayWrite && (
    <Button icon="plus" onClick={() => setOpened({ what: 'form', market: null })} className="max-lg:min-h-12">
      Add Market
    </Button>
  );
  const markets = list.data && matching(list.data, text);

  return (
    <div id="markets-status" tabIndex={-1} className="min-w-0 scroll-mt-20">
      <Card
        title="Micro Markets Status"
        {...(list.data ? { count: formatNumber(list.data.length) } : {})}
        actions={
          <>
            <div className="w-60 max-sm:w-46">
              <SearchBox label="Search markets" placeholder="Search markets..." value={text} onChange={search} />
            </div>
            {add}
          </>
        }
      >
        {list.error && !list.data ? (
          <FailedView error={list.error} retry={() => void list.refetch()} />
        ) : (
          <MarketsTable
            markets={markets}
            onOpen={setOpened}
            empty={text ? <NoHit text={text} onClear={() => search('')} /> : <NoMarkets action={add} />}
          />
        )}
      </Card>
      <Suspense>
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
      </Suspense>
    </div>
  );
}

function matching(markets: readonly MarketWithInventory[], text: string): readonly MarketWithInventory[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return markets;
  return markets.filter(
    ({ name, address }) => name.toLowerCase().includes(wanted) || address.toLowerCase().includes(wanted),
  );
}

function NoHit({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <StateView
      icon="search"
      title={`No market matches '${text}'`}
      text="Names and addresses are searched."
      action={<Button onClick={onClear}>Clear search</Button>}
    />
  );
}

function NoMarkets({ action }: { action: ReactNode }) {
  return (
    <StateView
      icon="market"
      title="No markets yet"
      text={action ? 'Add the first one to see its stock here.' : 'None is assigned to your route.'}
      action={action}
    />
  );
}
