import type { SyncStatus } from '../../contract/sync-center.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { formatDate, formatDateTime, formatNumber } from '../http/format.ts';
import { PartnerRest } from '../integrations/partner-rest.tsx';
import { addressOf, placeOf } from '../integrations/system-screens.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { LastRuns } from './last-runs.tsx';

/** The three counters, every system, and what is missing. */
export function ConnectionCard({ status }: { status: SyncStatus }) {
  const { systems, connectedSystems, missingConnections, totalDevices, lastSync } = status;
  return (
    <Card title="Connection Status">
      <dl className="grid grid-cols-3 border-line border-b max-sm:grid-cols-1">
        <Counter label="Connected Systems" value={`${connectedSystems.length} of ${systems.length}`} />
        <Counter label="Total Devices" value={formatNumber(totalDevices)} />
        <Counter label="Last Sync" value={lastSync ? formatDate(lastSync) : 'Never'} />
      </dl>
      <ul>
        {systems.map((system) => (
          <SystemLine key={system.system} system={system} />
        ))}
      </ul>
      {missingConnections.length > 0 && (
        <div role="note" className="m-4 flex gap-3 rounded border border-line bg-warn-soft p-3 text-warn-text">
          <Icon name="alert" size={20} />
          <div className="min-w-0">
            <p className="font-semibold">
              Missing connections: {missingConnections.map((system) => systemLabel[system]).join(', ')}
            </p>
            <p>Connect all systems to enable automatic sync.</p>
          </div>
        </div>
      )}
    </Card>
  );
}

function Counter({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0 border-line border-r p-4 last:border-r-0 max-sm:border-r-0 max-sm:border-b max-sm:py-3 max-sm:last:border-b-0">
      <dt className="font-medium text-12 text-text-2">{label}</dt>
      <dd className="truncate font-semibold text-20">{value}</dd>
    </div>
  );
}

function SystemLine({
  system: { system, connected, problem, waitsUntil, lastSync, running },
}: {
  system: SyncStatus['systems'][number];
}) {
  return (
    <li className="grid min-h-12 grid-cols-[minmax(0,9rem)_minmax(0,1fr)_auto_9.5rem] items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2 last:border-b-0 max-md:grid-cols-[minmax(0,1fr)_auto]">
      <AppLink
        href={addressOf(placeOf(system))}
        className="inline-flex min-h-8 items-center font-medium underline-offset-2 hover:underline max-lg:min-h-12"
      >
        {systemLabel[system]}
      </AppLink>
      <span className="text-12 text-text-3 max-md:order-1 max-md:empty:hidden">{lineOf({ running, lastSync })}</span>
      <span className="max-md:order-2 max-md:col-start-2 max-md:justify-self-end">
        <LastRuns system={system} />
      </span>
      <span className="justify-self-end">
        <Mark connected={connected} failing={problem !== null} />
      </span>
      {problem && <p className="order-3 col-span-full text-bad-text">{problem}</p>}
      <PartnerRest system={system} until={waitsUntil} className="order-3 col-span-full text-text-2" />
    </li>
  );
}

/** A system that is set up and does not answer is not said to be in order. */
function Mark({ connected, failing }: { connected: boolean; failing: boolean }) {
  if (!connected) return <Badge tone="idle">Not Connected</Badge>;
  return failing ? <Badge tone="warn">Connected, failing</Badge> : <Badge tone="ok">Connected</Badge>;
}

function lineOf({ running, lastSync }: { running: boolean; lastSync: string | null }): string {
  if (running) return 'Syncing now';
  return lastSync ? `Last sync ${formatDateTime(lastSync)}` : '';
}
