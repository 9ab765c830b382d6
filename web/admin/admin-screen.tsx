import { countOf, formatNumber } from '../http/format.ts';
import { latePart } from '../ui/address/late-code.tsx';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { StatTile } from '../ui/card.tsx';
import { Select } from '../ui/forms/select.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { type Filter, roles, useAdministration } from './api.ts';
import { OverviewTab } from './overview-tab.tsx';

const waiting = <Skeleton className="m-4 h-64" />;
const LocationsTab = latePart(async () => (await import('./locations-tab.tsx')).LocationsTab, waiting);
const InventoryTab = latePart(async () => (await import('./inventory-tab.tsx')).InventoryTab, waiting);
const RoutesTab = latePart(async () => (await import('./routes-tab.tsx')).RoutesTab, waiting);
const DevicesTab = latePart(async () => (await import('../device-login/devices.tsx')).Devices, waiting);
const AuditTab = latePart(async () => (await import('./audit-tab.tsx')).AuditTab, waiting);

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'locations', label: 'Locations' },
  { value: 'inventory', label: 'Inventory' },
  { value: 'routes', label: 'Routes' },
  { value: 'devices', label: 'Devices' },
  { value: 'audit', label: 'Audit Log' },
] as const;
type TabName = (typeof tabs)[number]['value'];

export function AdminScreen() {
  const { get, set } = useAddress();
  const filter: Filter = {
    search: get('q') ?? '',
    route: get('route'),
    role: roles.find(({ value }) => value === get('role'))?.value ?? null,
  };
  const tab: TabName = tabs.find(({ value }) => value === get('tab'))?.value ?? 'overview';
  const found = useAdministration(filter);
  const { data } = found;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto max-lg:w-full">Administration Dashboard</h1>
        <div className="w-80 max-sm:w-full">
          <AddressSearch label="Search" placeholder="Search locations, products, users..." />
        </div>
        <Select
          label="Route"
          hideLabel
          className="max-sm:flex-1"
          value={filter.route ?? ''}
          onChange={(route) => set({ route: route || null, page: null })}
          options={[
            { value: '', label: 'All Routes' },
            ...(data?.routeDesignations ?? []).map((value) => ({ value, label: `Route ${value}` })),
          ]}
        />
        <Select
          label="Role"
          hideLabel
          className="max-sm:flex-1"
          value={filter.role ?? ''}
          onChange={(role) => set({ role: role || null, page: null })}
          options={[{ value: '', label: 'All Roles' }, ...roles]}
        />
      </header>
      <Figures found={found} />
      <div className="min-w-0 rounded border border-line bg-ground">
        <Tabs
          label="Administration"
          tabs={tabs}
          value={tab}
          onChange={(value) => set({ tab: value === 'overview' ? null : value, page: null, sort: null, device: null })}
        >
          {tab === 'overview' && <OverviewTab filter={filter} routes={data?.routes} />}
          {tab === 'locations' && <LocationsTab filter={filter} />}
          {tab === 'inventory' && <InventoryTab filter={filter} />}
          {tab === 'routes' && <RoutesTab routes={data?.routes} isFiltered={filter.route !== null} />}
          {tab === 'devices' && (
            <div className="p-4 max-sm:p-0">
              <DevicesTab route={filter.route} />
            </div>
          )}
          {tab === 'audit' && <AuditTab search={filter.search} />}
        </Tabs>
      </div>
    </div>
  );
}

function Figures({ found }: { found: ReturnType<typeof useAdministration> }) {
  const { data } = found;
  if (!data && found.error)
    return <FailedView error={found.error} retry={() => void found.refetch()} title="The figures did not load" />;
  if (!data) return <StatPlaceholders />;
  const machines = data.totalLocations - data.markets;
  return (
    <section aria-label="Figures" className={statGrid}>
      <StatTile
        label="Total Locations"
        value={formatNumber(data.totalLocations)}
        detail={`${countOf(data.markets, 'market')}, ${countOf(machines, 'machine')}`}
      />
      <StatTile
        label="Total Inventory Items"
        value={formatNumber(data.totalInventoryItems)}
        detail={`${formatNumber(data.lowStock)} low`}
      />
      <StatTile label="Active Routes" value={formatNumber(data.activeRoutes)} detail="With an active location" />
      <StatTile label="System Users" value={formatNumber(data.systemUsers)} detail="People who may sign in" />
    </section>
  );
}
