import type { RouteSummary } from '../../contract/admin.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { StateView } from '../ui/state-view.tsx';
import type { Filter } from './api.ts';
import { PeopleTable } from './people-table.tsx';

type Props = { filter: Filter; routes: readonly RouteSummary[] | undefined };

/** Who works here, and which routes need somebody. */
export function OverviewTab({ filter, routes }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_18rem] max-[1399px]:grid-cols-[minmax(0,1fr)]">
      <section
        aria-labelledby="people"
        className="min-w-0 border-line border-r max-[1399px]:border-r-0 max-[1399px]:border-b"
      >
        <PeopleTable filter={filter} titleId="people" />
      </section>
      <section aria-labelledby="route-alerts" className="min-w-0">
        <h2 id="route-alerts" className="flex min-h-12 items-center border-line border-b px-4">
          System Alerts
        </h2>
        <RouteAlerts routes={routes} />
      </section>
    </div>
  );
}

function RouteAlerts({ routes }: { routes: readonly RouteSummary[] | undefined }) {
  if (!routes) return <Skeleton className="m-4 h-40" />;
  if (routes.length === 0) {
    return (
      <StateView
        icon="route"
        title="No route has an active location"
        text="Give locations a route designation."
        action={<ButtonLink href="/admin-dashboard?tab=locations">Show locations</ButtonLink>}
      />
    );
  }
  const most = Math.max(1, ...routes.map(({ lowStock }) => lowStock));
  return (
    <ul>
      {routes.map((route) => (
        <li key={route.designation} className="grid gap-1 border-line border-b px-4 py-2 last:border-b-0">
          <div className="flex items-center justify-between gap-2">
            <span>
              <span className="font-medium">{route.name}</span>
              <span className="block text-12 text-text-3">{countOf(route.locations, 'location')}</span>
            </span>
            {route.lowStock > 0 && (
              <AppLink
                href={`/admin-dashboard?tab=inventory&stock=low&route=${encodeURIComponent(route.designation)}`}
                className="max-lg:grid max-lg:min-h-12 max-lg:place-items-center"
              >
                <Badge tone="warn">{formatNumber(route.lowStock)} low stock</Badge>
              </AppLink>
            )}
          </div>
          {route.lowStock > 0 && (
            <span aria-hidden="true" className="block h-1 overflow-hidden rounded-[2px] bg-idle-soft">
              <span className="block h-full bg-warn" style={{ width: `${(100 * route.lowStock) / most}%` }} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
