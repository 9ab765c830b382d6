import type { ReactNode } from 'react';
import { useAllConfigs } from '../integrations/config-api.ts';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { useReviewSummary } from './api.ts';
import { ConnectionList } from './connection-list.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { DeviceList } from './device-list.tsx';
import { DifferenceList } from './difference-list.tsx';
import { HeldList } from './held-list.tsx';
import { PlanogramList } from './planogram-list.tsx';

const views = ['connections', 'devices', 'held', 'messages', 'stock', 'planograms'] as const;
type View = (typeof views)[number];

/** The office, from Inventory & Integrations: what partner systems told and a person has to decide about. */
export function IntegrationReviewScreen() {
  const address = useAddress();
  const { data } = useReviewSummary();
  const view: View = views.find((one) => one === address.get('view')) ?? 'connections';
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <header className="grid gap-1">
        <h1>Partner Connections</h1>
        <p className="text-text-2">
          How each connection runs, and what could not be linked, believed or read. Everything else is in the books.
        </p>
      </header>
      <section className="min-w-0 rounded border border-line bg-ground pt-2">
        <Tabs
          label="What to review"
          value={view}
          onChange={(next) => address.set({ view: next, page: null })}
          tabs={[
            { value: 'connections', label: 'Connections' },
            { value: 'devices', label: 'Devices', count: data?.devices },
            { value: 'held', label: 'Held Records', count: data?.held },
            { value: 'messages', label: 'Messages', count: data?.dead },
            { value: 'stock', label: 'Stock Differences', count: data?.differences },
            { value: 'planograms', label: 'Planograms', count: data?.planograms },
          ]}
        >
          <Shown view={view} />
        </Tabs>
      </section>
    </div>
  );
}

/** Where nothing is connected there is nothing to agree or to differ: every view says that. */
function Shown({ view }: { view: View }) {
  const nothingConnected = useAllConfigs().data?.length === 0;
  if (nothingConnected || view === 'connections') return <ConnectionList />;
  return lists[view];
}

const lists: Record<Exclude<View, 'connections'>, ReactNode> = {
  devices: <DeviceList />,
  held: <HeldList />,
  messages: <DeliveryList />,
  stock: <DifferenceList />,
  planograms: <PlanogramList />,
};
