import { useMay } from '../auth/api.ts';
import { formatMoney, formatNumber } from '../http/format.ts';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { AnalyticsTab } from './analytics-tab.tsx';
import { useAnalytics, useLynxConfigs, useSyncAll } from './api.ts';
import { ConfigTab } from './config-tab.tsx';

const tabs = ['nayax', 'moma', 'analytics'] as const;

/** Both systems of Nayax on one screen: what they bring today, their configurations, how people pay and how they are. */
export function NayaxMomaScreen() {
  const { get, set } = useAddress();
  const tab = tabs.find((one) => one === get('tab')) ?? 'nayax';
  const nayax = useLynxConfigs('nayax').data;
  const moma = useLynxConfigs('moma').data;
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto">Nayax Core & MoMa 2.0</h1>
        <SyncAll active={[...(nayax ?? []), ...(moma ?? [])].filter(({ isActive }) => isActive).length} />
      </header>
      <Tiles />
      <div className="min-w-0">
        <Tabs
          onPage
          label="Systems"
          tabs={[
            { value: 'nayax', label: 'Nayax Core', count: nayax?.length },
            { value: 'moma', label: 'MoMa 2.0', count: moma?.length },
            { value: 'analytics', label: 'Analytics' },
          ]}
          value={tab}
          onChange={(value) =>
            set({ tab: value === 'nayax' ? null : value, config: null, list: null, page: null, q: null, sort: null })
          }
        >
          {tab === 'analytics' ? <AnalyticsTab /> : <ConfigTab key={tab} system={tab} />}
        </Tabs>
      </div>
    </div>
  );
}

function SyncAll({ active }: { active: number }) {
  const syncAll = useSyncAll();
  if (!useMay('office:write')) return null;
  return (
    <Button
      icon="refresh"
      className="max-lg:min-h-12"
      disabled={active === 0}
      title={active === 0 ? 'There is no active configuration' : `Syncs ${active} active`}
      pending={syncAll.isPending}
      pendingLabel="Syncing..."
      onClick={() => syncAll.mutate()}
    >
      Sync All
    </Button>
  );
}

function Tiles() {
  const { data, error, refetch } = useAnalytics('all', 30);
  if (error && !data) {
    return (
      <Card>
        <FailedView error={error} retry={() => void refetch()} title="The figures did not load" />
      </Card>
    );
  }
  if (!data) return <StatPlaceholders />;
  const { devices, today } = data;
  return (
    <section aria-label="Figures" className={statGrid}>
      <StatTile
        label="Nayax Devices"
        value={formatNumber(devices.nayax)}
        detail={`${formatNumber(devices.nayaxActive)} active`}
      />
      <StatTile
        label="MoMa Machines"
        value={formatNumber(devices.moma)}
        detail={`${formatNumber(devices.momaActive)} active`}
      />
      <StatTile label="Today's Transactions" value={formatNumber(today.transactions)} detail="Completed, each once" />
      <StatTile label="Revenue Today" value={formatMoney(today.revenue)} detail="Settled, of both systems" />
    </section>
  );
}
