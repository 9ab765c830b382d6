import type { ScheduledRoute } from '../../contract/routes.ts';
import { formatNumber } from '../http/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** The day in four figures, computed from its routes. */
export function DayTiles({ routes, failed }: { routes: readonly ScheduledRoute[] | undefined; failed: boolean }) {
  const unknown = failed ? '–' : <Skeleton className="h-8 w-10 max-lg:h-7" />;
  const sum = (of: (route: ScheduledRoute) => number): number =>
    routes?.reduce((total, route) => total + of(route), 0) ?? 0;
  const tiles = [
    ['Scheduled Routes', formatNumber(routes?.length ?? 0)],
    ['Total Stops', formatNumber(sum((route) => route.stops.length))],
    ['Estimated Time', `${formatNumber(Math.round(sum((route) => route.estimatedTime) / 60))}h`],
    ['Completed', formatNumber(sum((route) => route.stops.filter((stop) => stop.completed).length))],
  ];
  return (
    <dl className="grid grid-cols-4 rounded border border-line">
      {tiles.map(([label, value]) => (
        <div
          key={label}
          className="flex min-w-0 flex-col-reverse justify-end border-line border-l p-4 first:border-l-0 max-lg:items-center max-lg:px-1 max-lg:py-3"
        >
          <dt className="text-text-2 max-lg:w-full max-lg:hyphens-auto max-lg:text-center max-lg:text-12 max-lg:wrap-anywhere">
            {label}
          </dt>
          <dd className="font-semibold text-28 max-lg:text-20">{routes ? value : unknown}</dd>
        </div>
      ))}
    </dl>
  );
}
