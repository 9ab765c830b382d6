import { useState } from 'react';
import type { LocationRef } from '../../domain/location.ts';
import { countOf, formatDay, formatNumber } from '../http/format.ts';
import { Card } from '../ui/card.tsx';
import { LineChart } from '../ui/charts/line-chart.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useStockDays } from './api.ts';

const spans = [
  { value: '28', label: '28 days' },
  { value: '90', label: '90 days' },
] as const;
type Span = (typeof spans)[number]['value'];

/** Units at the end of each day, out of the ledger; the dashed line is everything filled to par. */
export function StockOverTime({ place }: { place: LocationRef }) {
  const [days, setDays] = useState<Span>('28');
  const stock = useStockDays(place, Number(days));
  const { data } = stock;
  const last = data?.days.at(-1);
  return (
    <Card title="Stock over time" actions={<Segmented label="Days" options={spans} value={days} onChange={setDays} />}>
      {stock.error && !data && (
        <FailedView error={stock.error} retry={() => void stock.refetch()} title="Stock over time did not load" />
      )}
      {stock.isPending && <SkeletonRows rows={5} className="h-11.75" />}
      {data && data.days.length === 0 && (
        <StateView icon="chart" title="No counts yet" text="The line begins with the first count." />
      )}
      {data && last && (
        <div className="grid gap-3 p-4">
          <p>
            <span className="font-semibold text-28 tracking-tight">{formatNumber(last.units)}</span>{' '}
            <span className="text-text-2">
              {last.units === 1 ? 'unit' : 'units'} of {formatNumber(data.target)} at par, {last.empty} empty
            </span>
          </p>
          <LineChart
            label={`Units at the end of each day, ${days} days`}
            columns={['Day', 'Units']}
            scale={formatNumber}
            level={data.target}
            points={data.days.map(({ day, units, empty }) => ({
              key: day,
              label: formatDay(day),
              value: units,
              text: `${countOf(units, 'unit')}, ${empty} empty`,
            }))}
          />
          <p className="text-12 text-text-3">Dashed: everything filled to par</p>
        </div>
      )}
    </Card>
  );
}
