import type { ComponentProps } from 'react';
import type { SyncStatus } from '../../contract/sync-center.ts';
import { useMay } from '../auth/api.ts';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Skeleton, Spinner } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useAutoSync, useManualSync, useSyncStatus } from './api.ts';
import { ConnectionCard } from './connection-card.tsx';
import { SyncedDevices } from './synced-devices.tsx';

const tabs = [
  { value: 'overview', label: 'Overview', type: 'all' },
  { value: 'markets', label: 'Micro Markets', type: 'market' },
  { value: 'machines', label: 'Vending Machines', type: 'vending_machine' },
] as const;

/** The office's one place for all partner systems: which are connected, what they tell of, and reading them now. */
export function SyncCenterScreen() {
  const status = useSyncStatus();
  const { get, set } = useAddress();
  const tab = tabs.find(({ value }) => value === get('tab')) ?? tabs[0];
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-3">
        <h1>Integration Sync Center</h1>
        {status.data && (
          <Badge tone={status.data.connected ? 'ok' : 'warn'}>
            {status.data.connected ? 'All Systems Connected' : 'Missing Connections'}
          </Badge>
        )}
      </header>
      {status.error && !status.data ? (
        <Card>
          <FailedView
            error={status.error}
            retry={() => void status.refetch()}
            title="The status of the systems did not load"
          />
        </Card>
      ) : (
        <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] items-start gap-4 max-xl:grid-cols-1">
          {status.data ? <ConnectionCard status={status.data} /> : <LoadingStatus />}
          <Controls status={status.data} />
        </div>
      )}
      <Card>
        <Tabs
          label="Synchronized devices"
          tabs={tabs}
          value={tab.value}
          onChange={(value) => set({ tab: value === 'overview' ? null : value, page: null })}
        >
          <SyncedDevices key={tab.value} type={tab.type} />
        </Tabs>
      </Card>
    </div>
  );
}

function LoadingStatus() {
  return (
    <Card title="Connection Status">
      <div role="status" aria-label="Loading status" className="grid min-h-60 place-items-center p-4">
        <Spinner className="size-8" />
        <span className="sr-only">
          <Skeleton />
          Loading
        </span>
      </div>
    </Card>
  );
}

function Controls({ status }: { status: SyncStatus | undefined }) {
  const manual = useManualSync();
  const auto = useAutoSync();
  const mayWrite = useMay('office:write');
  const isRunning = manual.isPending || auto.isPending;
  const isOff = isRunning || !mayWrite || status?.connected !== true;
  return (
    <Card title="Sync Controls">
      <div className="grid gap-3 p-4">
        <div className="flex flex-wrap gap-2">
          <Starter
            variant="primary"
            icon="refresh"
            disabled={isOff}
            running={manual.isPending ? 'Syncing...' : null}
            onClick={() => manual.mutate()}
          >
            Manual Sync
          </Starter>
          <Starter
            icon="bolt"
            disabled={isOff}
            running={auto.isPending ? 'Triggering...' : null}
            onClick={() => auto.mutate()}
          >
            Auto-Sync
          </Starter>
        </div>
        <p className="text-text-2">{noteOf(status)}</p>
      </div>
    </Card>
  );
}

type StarterProps = ComponentProps<typeof Button> & { icon: IconName; running: string | null };

/** Starts something long: while it runs it says what, and turns. */
function Starter({ icon, running, children, ...rest }: StarterProps) {
  return (
    <Button {...rest} {...(running ? {} : { icon })} pending={running !== null} className="flex-1 max-lg:min-h-12">
      {running && <Spinner />}
      {running ?? children}
    </Button>
  );
}

function noteOf(status: SyncStatus | undefined): string {
  if (!status) return 'Reading the status of the systems.';
  if (!status.connected) return 'Both wait until every system is connected.';
  if (status.autoSyncEnabled) return 'All systems are connected. Devices sync automatically when data changes.';
  return 'Manual Sync reads all systems once. Auto-Sync reads them now and from then on by itself.';
}
