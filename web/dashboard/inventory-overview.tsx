import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { LowStockItem } from '../../contract/inventory.ts';
import { useMay } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { BarList } from '../ui/tables/bar-list.tsx';
import { ShowMore } from '../ui/tables/show-more.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useSmallScreen } from '../ui/use-media.ts';
import { loadLowStock, useLowStock, useTopProducts } from './api.ts';
import { addressOf } from './location-address.ts';
import { type LowStockFormat, saveLowStockReport } from './low-stock-report.ts';

/** Rows shown before somebody asks for more, in the office and on a phone, and with each asking. */
const shownFirst = { wide: 12, small: 5 };
const shownMore = 50;

const fileFormats = [
  { format: 'csv', label: 'CSV' },
  { format: 'xlsx', label: 'Excel' },
] as const;

export function InventoryOverview() {
  const { data } = useLowStock();
  const { pending, save } = useSave(data?.pages ?? []);
  const isOff = !data || pending;
  return (
    <Card
      title="Inventory Overview"
      actions={
        <span className="flex">
          {fileFormats.map(({ format, label }) => (
            <Button
              key={format}
              variant="quiet"
              disabled={isOff}
              aria-label={`Export as ${label}`}
              onClick={() => save(format)}
              className="px-1.5 max-lg:min-h-12 max-lg:px-2"
            >
              {label}
            </Button>
          ))}
          <Button icon="download" disabled={isOff} onClick={() => save('json')} className="ml-1.5 max-lg:min-h-12">
            Export
          </Button>
        </span>
      }
    >
      <LowStock />
      <div className="border-line border-t">
        <TopProducts />
      </div>
    </Card>
  );
}

type LowPage = Awaited<ReturnType<typeof loadLowStock>>;

/** Takes away the whole list: what is loaded without a call, and of a longer list the pages that are still missing. */
function useSave(loaded: readonly LowPage[]) {
  const saving = useMutation({
    mutationFn: async (format: LowStockFormat) => saveLowStockReport(format, await allOf(loaded)),
    onError: (error) => toast({ title: 'Not exported', description: sentenceOf(error), variant: 'destructive' }),
  });
  return { pending: saving.isPending, save: (format: LowStockFormat) => saving.mutate(format) };
}

async function allOf(loaded: readonly LowPage[]): Promise<LowStockItem[]> {
  const items = loaded.flatMap(({ rows }) => rows);
  let next = loaded.at(-1)?.next ?? null;
  while (next) {
    const page = await loadLowStock(next);
    items.push(...page.rows);
    next = page.next;
  }
  return items;
}

function LowStock() {
  const list = useLowStock();
  const first = useSmallScreen() ? shownFirst.small : shownFirst.wide;
  const [more, setMore] = useState(0);
  const shown = more || first;
  const sorted = list.data?.pages.flatMap(({ rows }) => rows);
  const total = list.data?.pages[0]?.total ?? 0;
  const showMore = (): void => {
    setMore(shown + shownMore);
    if (sorted && shown + shownMore > sorted.length && list.hasNextPage) void list.fetchNextPage();
  };
  return (
    <section id="low-stock" tabIndex={-1} aria-labelledby="low-stock-title" className="scroll-mt-20">
      <header className="flex items-center justify-between px-4 pt-3 pb-1">
        <h3 id="low-stock-title">Low Stock Alerts</h3>
        {sorted && total > first && (
          <button
            type="button"
            onClick={() => setMore(more === 0 ? shownMore : 0)}
            className="min-h-6 font-medium text-12 text-accent hover:underline max-lg:min-h-12 max-lg:text-14"
          >
            {more === 0 ? `All ${formatNumber(total)}` : 'Worst only'}
          </button>
        )}
      </header>
      {list.error && !sorted && (
        <FailedView error={list.error} retry={() => void list.refetch()} title="Low stock did not load" />
      )}
      {!list.error && !sorted && <Placeholders />}
      {sorted?.length === 0 && <p className="px-4 pt-1 pb-4 text-text-2">No low stock alerts</p>}
      <ul className={more > 0 ? 'max-h-[30rem] overflow-y-auto pb-2' : 'pb-2'}>
        {sorted?.slice(0, shown).map((item) => (
          <LowStockRow key={item.id} item={item} />
        ))}
      </ul>
      {sorted && more > 0 && (
        <ShowMore
          shown={Math.min(shown, sorted.length)}
          total={total}
          step={shownMore}
          things="items, the emptiest first"
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          onMore={showMore}
        />
      )}
    </section>
  );
}

function Placeholders() {
  return (
    <div role="status" aria-label="Loading low stock">
      {['first', 'second'].map((row) => (
        <div key={row} data-placeholder className="grid gap-2 px-4 py-2">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="h-3 w-1/2" />
        </div>
      ))}
    </div>
  );
}

function LowStockRow({ item }: { item: LowStockItem }) {
  const place = item.marketName ?? 'Unknown Market';
  const isEmpty = item.currentQuantity <= 0;
  return (
    <li className="press-row flex min-h-12 items-center gap-4 px-4 py-1">
      <div className="min-w-0 flex-1">
        <p className="truncate" title={item.productName}>
          {item.productName}
        </p>
        <p className="truncate text-12 text-text-3" title={place}>
          {item.marketName ? (
            <AppLink href={addressOf({ type: 'market', id: item.marketId })} className="text-link">
              {place}
            </AppLink>
          ) : (
            place
          )}
        </p>
      </div>
      <div className="text-right">
        <p className="whitespace-nowrap text-text-2">
          <strong className="font-semibold text-text">{item.currentQuantity}</strong> of min {item.minimumQuantity}
        </p>
        <p className="text-12">
          <Flag tone={isEmpty ? 'bad' : 'warn'}>{isEmpty ? 'Empty' : 'Low'}</Flag>
        </p>
      </div>
    </li>
  );
}

function TopProducts() {
  const top = useTopProducts();
  const mayRead = useMay('office:read');
  return (
    <section aria-labelledby="top-products-title" className="px-4 pt-3 pb-4">
      <header className="flex items-baseline justify-between pb-2">
        <h3 id="top-products-title">Top Products by Volume</h3>
        {mayRead ? (
          <AppLink
            href="/reports?type=sales&range=month"
            className="inline-flex min-h-6 items-center font-medium text-12 text-accent hover:underline max-lg:min-h-12 max-lg:text-14"
          >
            Last 30 days
          </AppLink>
        ) : (
          <span className="text-12 text-text-3">Last 30 days</span>
        )}
      </header>
      {top.error && !top.data && (
        <FailedView error={top.error} retry={() => void top.refetch()} title="Top products did not load" />
      )}
      {!top.error && !top.data && <SkeletonRows rows={5} className="h-6" />}
      {top.data?.length === 0 && <p className="text-text-2">No sales in the last 30 days</p>}
      {top.data && top.data.length > 0 && (
        <BarList
          rows={top.data.map(({ productName, productId, units, share }) => ({
            label: productName,
            href: mayRead && productId ? `/products/${productId}` : undefined,
            value: countOf(units, 'unit'),
            share,
          }))}
        />
      )}
    </section>
  );
}
