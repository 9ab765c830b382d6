import type { UseQueryResult } from '@tanstack/react-query';
import type { LocationRef } from '../../domain/location.ts';
import { ApiError } from '../http/client.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Breadcrumb } from '../ui/address/breadcrumb.tsx';
import { latePart } from '../ui/address/late-code.tsx';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type Head, LocationHead, lists } from './location-head.tsx';
import { NeedBanner } from './need-banner.tsx';

const waiting = (
  <Card>
    <SkeletonRows rows={5} />
  </Card>
);
const StockTab = latePart(async () => (await import('./stock-tab.tsx')).StockTab, waiting);
const SalesTab = latePart(async () => (await import('./sales-tab.tsx')).SalesTab, waiting);
const AlertsTab = latePart(async () => (await import('./alerts-tab.tsx')).AlertsTab, waiting);
const DexTab = latePart(async () => (await import('../dex/dex-tab.tsx')).DexTab, waiting);
const AboutTab = latePart(async () => (await import('./about-tab.tsx')).AboutTab, waiting);
const ExportVisits = latePart(async () => (await import('../visits/export-visits.tsx')).ExportVisits);
const VisitHistory = latePart(
  async () => (await import('../visits/visit-history.tsx')).VisitHistory,
  <SkeletonRows rows={5} />,
);

type Props = { place: LocationRef; query: Pick<UseQueryResult, 'error' | 'refetch'>; head: Head | undefined };

/** Everything about one location, section by section; each loads when it is opened. */
export function LocationPage({ place, query, head }: Props) {
  if (query.error && !head) return <NotThere place={place} query={query} />;
  if (!head) return <Waiting />;
  return (
    <div className="grid grid-cols-1 gap-4 p-6 max-lg:p-4">
      <LocationHead place={place} head={head} />
      <NeedBanner place={place} />
      <Sections place={place} head={head} />
    </div>
  );
}

const sections = ['stock', 'sales', 'visits', 'alerts', 'dex', 'about'] as const;
type Section = (typeof sections)[number];

const labels: Record<Section, string> = {
  stock: 'Stock',
  sales: 'Sales',
  visits: 'Visits',
  alerts: 'Alerts',
  dex: 'DEX',
  about: 'About',
};

function Sections({ place, head }: { place: LocationRef; head: Head }) {
  const { get, set } = useAddress();
  const asked = get('tab');
  // Only machines have controllers that write DEX files.
  const known = sections.filter((one) => one !== 'dex' || place.type === 'vending_machine');
  const open = known.find((one) => one === asked) ?? 'stock';
  return (
    <div className="min-w-0">
      <Tabs
        onPage
        label="Sections"
        tabs={known.map((value) => ({ value, label: labels[value] }))}
        value={open}
        onChange={(value) => set({ tab: value === 'stock' ? null : value })}
      >
        {open === 'stock' && <StockTab place={place} />}
        {open === 'sales' && <SalesTab place={place} />}
        {open === 'visits' && (
          <Card title="Visits" actions={<ExportVisits place={place} />}>
            <VisitHistory type={place.type} id={place.id} />
          </Card>
        )}
        {open === 'alerts' && <AlertsTab place={place} />}
        {open === 'dex' && <DexTab machineId={place.id} />}
        {open === 'about' && <AboutTab place={place} head={head} />}
      </Tabs>
    </div>
  );
}

function NotThere({ place, query }: Pick<Props, 'place' | 'query'>) {
  const isMarket = place.type === 'market';
  const list = lists[place.type];
  if (!(query.error instanceof ApiError) || query.error.status !== 404) {
    const name = isMarket ? 'Market' : 'Vending Machine';
    return (
      <div className="grid gap-4 p-6 max-lg:p-4">
        <Breadcrumb list={list} here={name} />
        <h1>{name}</h1>
        <Card>
          <FailedView error={query.error} retry={() => void query.refetch()} title="This location did not load" />
        </Card>
      </div>
    );
  }
  return (
    <div className="p-6">
      <h1 className="sr-only">Not found</h1>
      <StateView
        icon={isMarket ? 'market' : 'machine'}
        title={isMarket ? 'Market not found' : 'Vending machine not found'}
        text={query.error.detail}
        action={
          <AppLink href={list.href} className={`${buttonClass()} max-lg:min-h-12`}>
            Back to {list.label}
          </AppLink>
        }
      />
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading" className="grid gap-4 p-6 max-lg:p-4">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-5 w-96 max-w-full" />
      <Skeleton className="h-64" />
    </div>
  );
}
