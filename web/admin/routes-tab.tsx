import type { RouteSummary } from '../../contract/admin.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { StateView } from '../ui/state-view.tsx';

type Props = { routes: readonly RouteSummary[] | undefined; isFiltered: boolean };

/** One card for each route with an active location. */
export function RoutesTab({ routes, isFiltered }: Props) {
  if (!routes) return <Skeleton className="m-4 h-40" />;
  if (routes.length === 0) {
    return (
      <StateView
        icon="route"
        title={isFiltered ? 'This route has no active location' : 'No routes yet'}
        text="A route appears here as soon as an active location has its designation."
        action={<ButtonLink href="/admin-dashboard?tab=locations">Show locations</ButtonLink>}
      />
    );
  }
  return (
    <ul className="grid grid-cols-3 gap-4 p-4 max-xl:grid-cols-2 max-md:grid-cols-1">
      {routes.map((route) => (
        <li key={route.designation} className="grid content-start gap-3 rounded border border-line p-4">
          <div className="flex items-center justify-between gap-2">
            <h2>{route.name}</h2>
            {route.lowStock > 0 && <Badge tone="warn">{formatNumber(route.lowStock)} low stock</Badge>}
          </div>
          <dl className="grid gap-1">
            <Fact label="Active locations" value={formatNumber(route.activeLocations)} />
            <Fact label="Inventory items" value={formatNumber(route.inventoryItems)} />
            <Fact label="Low-stock alerts" value={formatNumber(route.lowStock)} />
            <Fact label="Assigned workers" value={formatNumber(route.workers)} />
            <Fact label="Last activity" value={route.lastActivity ? formatDateTime(route.lastActivity) : 'None yet'} />
          </dl>
          <AppLink
            href={`/admin-dashboard?tab=locations&route=${encodeURIComponent(route.designation)}`}
            className={`${buttonClass()} max-lg:min-h-12`}
          >
            Show locations
          </AppLink>
        </li>
      ))}
    </ul>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-text-3">{label}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}
