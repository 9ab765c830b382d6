import { useMay, useSession } from '../auth/api.ts';
import { latePart } from '../ui/address/late-code.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StateView } from '../ui/state-view.tsx';
import { useToday } from '../ui/use-today.ts';
import { useRoutesOfDay } from './api.ts';
import { InventoryOverview } from './inventory-overview.tsx';
import { NeedsYou } from './needs-you.tsx';
import { StatCards } from './stat-cards.tsx';
import { TodayRoute } from './today/today-route.tsx';

const FirstStepsCard = latePart(async () => (await import('../first-steps/first-steps-card.tsx')).FirstStepsCard);
const RestBanner = latePart(async () => (await import('../incidents/rest-banner.tsx')).RestBanner);
const MarketsStatus = latePart(
  async () => (await import('./markets-status.tsx')).MarketsStatus,
  <Card title="Micro Markets Status" className="min-h-[40rem]">
    <SkeletonRows rows={5} className="h-12" />
  </Card>,
);

export function DashboardScreen() {
  const unassigned = useUnassigned();
  const mayWrite = useMay('office:write');
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <h1>Dashboard</h1>
      {mayWrite && <FirstStepsCard />}
      <RestBanner />
      {unassigned ? <NothingAssigned /> : <NeedsYou />}
      <StatCards />
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_25.5rem]">
        <TodayRoute />
        <InventoryOverview />
      </div>
      <MarketsStatus />
    </div>
  );
}

/** A field worker with neither a designation nor a route today sees no location at all. */
function useUnassigned(): boolean {
  const { person } = useSession();
  const { routes } = useRoutesOfDay(useToday());
  return person.role === 'field_worker' && !person.routeDesignation && routes?.length === 0;
}

function NothingAssigned() {
  return (
    <Card>
      <StateView
        icon="route"
        title="Nothing is assigned to you"
        text="You have no route designation and no route today. Ask your route manager to give you one; it appears here by itself."
      />
    </Card>
  );
}
