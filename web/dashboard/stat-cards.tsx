import type { ReactNode } from 'react';
import type { DashboardStats } from '../../contract/dashboard.ts';
import { hoursAndMinutes } from '../../domain/units.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { SectionLink } from '../ui/address/section-link.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useReadLowStock, useStats } from './api.ts';

const grid = 'grid grid-cols-4 gap-4 max-xl:grid-cols-2 max-sm:gap-2';

export function StatCards() {
  const stats = useStats();
  if (stats.error && !stats.data) {
    return (
      <Card>
        <FailedView error={stats.error} retry={() => void stats.refetch()} title="The figures did not load" />
      </Card>
    );
  }
  if (!stats.data) return <Placeholders />;
  return <Figures stats={stats.data} />;
}

function Placeholders() {
  return (
    <section role="status" aria-label="Loading figures" className={grid}>
      {['markets', 'stock', 'route', 'time'].map((name) => (
        <div key={name} data-placeholder className="grid h-30 content-between rounded border border-line p-4">
          <Skeleton className="h-5 w-28" />
          <Skeleton className="h-8 w-20" />
          <Skeleton className="h-4 w-36 max-w-full" />
        </div>
      ))}
    </section>
  );
}

function Figures({ stats }: { stats: DashboardStats }) {
  const mayRead = useMay('office:read');
  return (
    <section aria-label="Figures" className={grid}>
      <StatTile
        label="Total Markets"
        value={<SectionLink section="markets-status">{formatNumber(stats.totalMarkets)}</SectionLink>}
        detail={statusText(stats.marketsByStatus)}
      />
      <StatTile
        label="Low Stock Alerts"
        value={<SectionLink section="low-stock">{formatNumber(stats.lowStockAlerts)}</SectionLink>}
        detail={<EmptyCount />}
      />
      <StatTile
        label="Today's Route"
        value={stats.todayRoute}
        href="/daily-schedule"
        detail={<DayText stats={stats} />}
      />
      <StatTile
        label="Avg. Delivery Time"
        value={stats.avgDeliveryTime}
        href={mayRead ? '/reports?type=route&range=month' : undefined}
        detail={deliveryText(stats)}
        picture={<Sparkline label={trendText(stats)} values={stats.deliveryDays.map(({ minutes }) => minutes)} />}
      />
    </section>
  );
}

function statusText({ active, maintenance, inactive }: DashboardStats['marketsByStatus']): string {
  return `${formatNumber(active)} active, ${formatNumber(maintenance)} maintenance, ${formatNumber(inactive)} inactive`;
}

function EmptyCount(): ReactNode {
  const { data, hasNextPage } = useReadLowStock();
  const read = data?.pages.flatMap(({ rows }) => rows);
  if (!read) return 'At or below their minimum';
  // Empty ones come first: where all that was read are empty, there may be more.
  const empty = read.filter((item) => item.currentQuantity <= 0).length;
  const isAll = empty < read.length || !hasNextPage;
  if (read.length === 0) return 'Nothing is at its minimum';
  return empty === 0 ? (
    'At or below their minimum, none empty'
  ) : (
    <>
      At or below their minimum,{' '}
      <span className="font-medium text-bad-text">
        {isAll ? formatNumber(empty) : `${formatNumber(empty)} or more`} empty
      </span>
    </>
  );
}

function DayText({ stats }: { stats: DashboardStats }): ReactNode {
  const { lateRoutes: late } = stats;
  if (stats.stopsToday === 0) return 'Nothing planned for today';
  return (
    <>
      {formatNumber(stats.stopsDoneToday)} of {countOf(stats.stopsToday, 'stop')} done
      {late > 0 && (
        <>
          , <span className="font-medium text-warn-text">{formatNumber(late)} late</span>
        </>
      )}
    </>
  );
}

function deliveryText({ avgDeliveryTime, plannedDeliveryTime }: DashboardStats): string {
  if (avgDeliveryTime === '0h') return 'No route completed in 30 days';
  return `Last 30 days, planned ${plannedDeliveryTime}`;
}

function trendText({ deliveryDays }: DashboardStats): string {
  const minutes = deliveryDays.map((one) => one.minutes);
  const [least, most] = [Math.min(...minutes), Math.max(...minutes)].map(hoursAndMinutes);
  return `By day, from ${least} to ${most}`;
}
