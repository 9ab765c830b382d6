import type { LocationRef } from '../../domain/location.ts';
import { latePart } from '../ui/address/late-code.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useSales } from './api.ts';
import { MarketStock } from './market-stock.tsx';
import { ByDay } from './sales-tab.tsx';
import { StockOverTime } from './stock-over-time.tsx';

const ReportedStock = latePart(async () => (await import('../nayax-moma/reported-stock.tsx')).ReportedStock);
const Planogram = latePart(
  async () => (await import('../planogram/planogram.tsx')).Planogram,
  <Card title="Planogram">
    <SkeletonRows rows={5} className="h-24" />
  </Card>,
);

/** What is there now, and how it came to be. */
export function StockTab({ place }: { place: LocationRef }) {
  return (
    <div className="grid gap-4">
      {place.type === 'market' ? <MarketStock marketId={place.id} /> : <Planogram machineId={place.id} />}
      {place.type === 'vending_machine' && <ReportedStock machineId={place.id} />}
      <div className="grid items-start gap-4 xl:grid-cols-2 print:hidden">
        <StockOverTime place={place} />
        <SalesInShort place={place} />
      </div>
    </div>
  );
}

const shortSpanDays = 28;

function SalesInShort({ place }: { place: LocationRef }) {
  const { data, error, refetch } = useSales(place, shortSpanDays);
  return (
    <Card title="Sales by day">
      {error && !data && <FailedView error={error} retry={() => void refetch()} title="Sales did not load" />}
      {!error && !data && <SkeletonRows rows={5} className="h-11.75" />}
      {data && <ByDay sales={data} />}
    </Card>
  );
}
