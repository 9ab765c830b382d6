import { useState } from 'react';
import type { LocationSales } from '../../contract/locations.ts';
import type { LocationRef } from '../../domain/location.ts';
import { weekdayOf } from '../../domain/time.ts';
import { shareOfMoney } from '../../domain/units.ts';
import { countOf, formatDay, formatHour, formatMoney, formatMoneyMark } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ColumnChart } from '../ui/charts/column-chart.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { BarList } from '../ui/tables/bar-list.tsx';
import { useSales } from './api.ts';
import { salesByDayToExport, salesByProductToExport } from './export.ts';

const spans = [
  { value: '7', label: '7 days' },
  { value: '28', label: '28 days' },
  { value: '90', label: '90 days' },
] as const;
const usualSpan = '28';

const saturday = 5;

/** What was sold here: by day, by hour of the day and by product. */
export function SalesTab({ place }: { place: LocationRef }) {
  const { get, set } = useAddress();
  const days = spans.find(({ value }) => value === get('days'))?.value ?? usualSpan;
  const sales = useSales(place, Number(days));
  if (sales.error && !sales.data) {
    return (
      <Card title="Sales">
        <FailedView error={sales.error} retry={() => void sales.refetch()} title="Sales did not load" />
      </Card>
    );
  }
  // Sales of the days chosen before stay on the screen until those of the chosen ones come; they are not theirs to export.
  const ofChosen = sales.isPlaceholderData ? undefined : sales.data;
  const pick = (
    <>
      <Segmented
        label="Days"
        options={spans}
        value={days}
        onChange={(next) => set({ days: next === usualSpan ? null : next })}
      />
      {sales.data && (
        <ExportButton
          label="Export sales by day"
          exported={salesByDayToExport(place, sales.data)}
          total={ofChosen?.total.sales && ofChosen.byDay.length}
        />
      )}
    </>
  );
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2" aria-busy={sales.isPlaceholderData}>
      <Card title="Sales by day" actions={pick} className="xl:col-span-2">
        {sales.data ? <ByDay sales={sales.data} /> : <SkeletonRows rows={5} className="h-11.75" />}
      </Card>
      <Card title="Sales by hour">{sales.data ? <ByHour sales={sales.data} /> : <SkeletonRows rows={5} />}</Card>
      <Card
        title="Sales by product"
        {...(sales.data ? { count: sales.data.byProduct.length } : {})}
        actions={
          sales.data && (
            <ExportButton
              label="Export sales by product"
              exported={salesByProductToExport(place, sales.data)}
              total={ofChosen?.byProduct.length}
            />
          )
        }
      >
        {sales.data ? <ByProduct sales={sales.data} /> : <SkeletonRows rows={5} />}
      </Card>
    </div>
  );
}

export function ByDay({ sales }: { sales: LocationSales }) {
  const { byDay, total, currency } = sales;
  if (total.sales === 0) return <NoSales days={byDay.length} />;
  const mean = shareOfMoney(total.amount, byDay.length);
  return (
    <div className="grid gap-3 p-4">
      <p>
        <span className="font-semibold text-28 tracking-tight">{formatMoney(total.amount, currency)}</span>{' '}
        <span className="text-text-2">
          {countOf(byDay.length, 'day')}, {formatMoney(mean, currency)} a day
        </span>
      </p>
      <ColumnChart
        label={`Sales by day, ${formatDay(sales.from)} to ${formatDay(sales.until)}`}
        columns={['Day', 'Sales']}
        scale={(value) => formatMoneyMark(value, currency)}
        level={toNumber(mean)}
        points={byDay.map(({ day, amount, units }) => ({
          key: day,
          label: formatDay(day),
          value: toNumber(amount),
          text: `${formatMoney(amount, currency)} · ${countOf(units, 'unit')}`,
          quiet: weekdayOf(day) >= saturday,
        }))}
      />
      <p className="flex flex-wrap justify-between gap-2 text-12 text-text-3">
        <span>Dashed mean, grey weekend</span>
        <span>
          {countOf(total.sales, 'sale')}, {countOf(total.units, 'unit')}
          {comparison(sales)}
        </span>
      </p>
    </div>
  );
}

function comparison({ before, total, byDay }: LocationSales): string {
  const earlier = toNumber(before);
  if (earlier <= 0) return '';
  const change = (100 * (toNumber(total.amount) - earlier)) / earlier;
  return `, ${Math.abs(change).toFixed(1)}% ${change >= 0 ? 'above' : 'below'} the ${byDay.length} days before`;
}

function ByHour({ sales }: { sales: LocationSales }) {
  const { byHour, total, currency, byDay } = sales;
  if (total.sales === 0) return <NoSales days={byDay.length} />;
  return (
    <div className="p-4">
      <ColumnChart
        label="Sales by hour of the day"
        columns={['Hour', 'Sales']}
        scale={(value) => formatMoneyMark(value, currency)}
        points={byHour.map(({ hour, amount, units }) => ({
          key: String(hour),
          label: formatHour(hour),
          value: toNumber(amount),
          text: `${formatMoney(amount, currency)} · ${countOf(units, 'unit')}`,
        }))}
      />
    </div>
  );
}

/** So many products are shown before all of them are asked for. */
const bestOnes = 10;

function ByProduct({ sales }: { sales: LocationSales }) {
  const { byProduct, byDay, currency } = sales;
  const [isWhole, setIsWhole] = useState(false);
  if (byProduct.length === 0) return <NoSales days={byDay.length} />;
  const best = toNumber(byProduct[0]?.amount ?? '0');
  const shown = isWhole ? byProduct : byProduct.slice(0, bestOnes);
  return (
    <div className="grid grid-cols-1 gap-3 p-4">
      <BarList
        rows={shown.map(({ productName, units, amount }) => ({
          label: productName,
          value: `${formatMoney(amount, currency)} · ${countOf(units, 'unit')}`,
          share: best > 0 ? toNumber(amount) / best : 0,
        }))}
      />
      {shown.length < byProduct.length && (
        <Button className="justify-self-start max-lg:min-h-12" onClick={() => setIsWhole(true)}>
          Show all {byProduct.length}
        </Button>
      )}
    </div>
  );
}

function NoSales({ days }: { days: number }) {
  return (
    <StateView
      icon="chart"
      title={`No sales in ${days} days`}
      text="Sales arrive from a connected payment system or an import."
    />
  );
}
