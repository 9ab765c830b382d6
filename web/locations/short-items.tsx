import { fieldStatus } from '../../domain/stock-status.ts';
import { Flag } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useMarketItems } from './api.ts';

/** Products of a market that are sold out or low, the emptiest first. */
export function ShortItems({ marketId }: { marketId: number }) {
  const items = useMarketItems(marketId);
  const short = (items.data ?? [])
    .filter((item) => fieldStatus(item.currentQuantity, item.minimumQuantity) !== 'good')
    .sort((a, b) => a.currentQuantity - b.currentQuantity);
  return (
    <Card title="Sold out and low" {...(items.data ? { count: short.length } : {})}>
      {items.error && !items.data && (
        <FailedView error={items.error} retry={() => void items.refetch()} title="Stock did not load" />
      )}
      {items.isPending && <SkeletonRows rows={5} />}
      {items.data && short.length === 0 && (
        <StateView icon="check" title="Nothing is low" text="Every product is above its minimum." />
      )}
      <ul aria-label="Sold out and low">
        {short.map((item) => (
          <li
            key={item.id}
            className="flex min-h-12 flex-wrap items-center gap-x-3 border-line border-b px-4 py-1 last:border-b-0 max-sm:py-2"
          >
            <span className="w-24 flex-none">
              {item.currentQuantity <= 0 ? <Flag tone="bad">Sold out</Flag> : <Flag tone="warn">Low</Flag>}
            </span>
            <span className="min-w-0 flex-1 max-sm:order-first max-sm:basis-full">{item.productName}</span>
            <span className="text-text-2 max-sm:ml-auto">
              {item.currentQuantity} there, minimum {item.minimumQuantity}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
