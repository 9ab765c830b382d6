import type { ReactNode } from 'react';
import type { Reply } from '../../contract/endpoint.ts';
import type { getInventorySummary } from '../../contract/inventory.ts';
import { useSession } from '../auth/api.ts';
import { countOf, formatMoney, formatNumber } from '../http/format.ts';
import { Card, StatTile } from '../ui/card.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useInventorySummary } from './api.ts';

type Summary = Reply<typeof getInventorySummary>;

export function SummaryCards() {
  const { data, error, refetch } = useInventorySummary();
  const { currency } = useSession().operator;
  if (error && !data) {
    return (
      <Card>
        <FailedView error={error} retry={() => void refetch()} title="The figures did not load" />
      </Card>
    );
  }
  if (!data) return <StatPlaceholders />;
  return (
    <section aria-label="Figures" className={statGrid}>
      <StatTile
        label="Total Items"
        value={formatNumber(data.totalItems)}
        href="/inventory"
        detail="Products at markets"
      />
      <StatTile
        label="Low Stock Items"
        value={formatNumber(data.lowStockItems)}
        href="/inventory?stock=low"
        detail={shareText(data)}
      />
      <StatTile label="Total Value" value={formatMoney(data.totalValue, currency)} detail={valueText(data)} />
      <StatTile
        label="Markets Covered"
        value={formatNumber(data.marketsCovered)}
        href="/markets?sort=items"
        detail={coverText(data)}
      />
    </section>
  );
}

function shareText({ lowStockItems, totalItems }: Summary): string {
  if (lowStockItems === 0) return 'None below its minimum';
  return `${((100 * lowStockItems) / totalItems).toFixed(1)}% of items, below their minimum`;
}

/** What the value rests on, and what is missing in it. */
function valueText({ itemsAtPrice, itemsWithoutValue, totalItems }: Summary): ReactNode {
  if (totalItems === 0) return 'Nothing in stock yet';
  const atPrice = itemsAtPrice > 0 ? `; ${countOf(itemsAtPrice, 'item')} without a cost at price` : '';
  return (
    <>
      At unit cost{atPrice}
      {itemsWithoutValue > 0 && (
        <>
          ;{' '}
          <span className="font-medium text-warn-text">
            {countOf(itemsWithoutValue, 'item')} without cost or price not counted
          </span>
        </>
      )}
    </>
  );
}

function coverText({ marketsCovered, totalMarkets }: Summary): string {
  if (totalMarkets === 0) return 'No markets yet';
  const without = totalMarkets - marketsCovered;
  if (without === 0)
    return totalMarkets === 1 ? 'The one market has items' : `All ${formatNumber(totalMarkets)} markets have items`;
  return `Of ${formatNumber(totalMarkets)}; ${formatNumber(without)} ${without === 1 ? 'has' : 'have'} no items yet`;
}
