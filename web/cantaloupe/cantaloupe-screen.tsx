import { type ReactNode, useState } from 'react';
import type { CantaloupeConfig } from '../../contract/cantaloupe.ts';
import { useMay } from '../auth/api.ts';
import { formatMoney, formatNumber } from '../http/format.ts';
import { useAdding } from '../integrations/use-adding.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useConfigs, useStatus } from './api.ts';
import { ConfigDialog } from './config-dialog.tsx';
import { ConfigPanel } from './config-panel.tsx';

/** Configurations of Cantaloupe and what came through each. */
export function CantaloupeScreen() {
  const { data: configs, error, refetch } = useConfigs();
  const { get, set } = useAddress();
  const mayWrite = useMay('office:write');
  const [edited, setEdited] = useState<number | null>(null);
  const [isAdding, setAdding] = useAdding();
  const isLost = error !== null && !configs;
  const chosen = configs?.find((config) => String(config.id) === get('config')) ?? configs?.[0] ?? null;
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1>Cantaloupe</h1>
        {mayWrite && (
          <Button
            icon="plus"
            variant="primary"
            className="ml-auto max-lg:min-h-12"
            disabled={!configs}
            onClick={() => setAdding(true)}
          >
            Add Configuration
          </Button>
        )}
      </header>
      {isLost && (
        <Card>
          <FailedView error={error} retry={() => void refetch()} title="The configurations did not load" />
        </Card>
      )}
      {!isLost && <Figures count={configs?.length} configId={chosen?.id ?? null} name={chosen?.name ?? null} />}
      {!isLost && (
        <div className={`grid items-start gap-4 ${chosen ? 'xl:grid-cols-[minmax(0,16.25rem)_minmax(0,1fr)]' : ''}`}>
          <ConfigList
            configs={configs}
            chosen={chosen}
            onChoose={(id) => set({ config: String(id), tab: null, page: null, 'devices-page': null })}
            add={
              mayWrite && (
                <Button icon="plus" className="max-lg:min-h-12" onClick={() => setAdding(true)}>
                  Add
                </Button>
              )
            }
          />
          {chosen && (
            <ConfigPanel key={chosen.id} config={chosen} mayWrite={mayWrite} onEdit={() => setEdited(chosen.id)} />
          )}
        </div>
      )}
      {(isAdding || edited !== null) && (
        <ConfigDialog
          editedId={edited}
          onClose={() => (edited === null ? setAdding(false) : setEdited(null))}
          // By the time a change is saved another configuration may be open; a new one is what its maker goes on with.
          onSaved={(id) => edited === null && set({ config: String(id) })}
        />
      )}
    </div>
  );
}

function Figures({
  count,
  configId,
  name,
}: {
  count: number | undefined;
  configId: number | null;
  name: string | null;
}) {
  const { data, error, refetch } = useStatus(configId);
  if (error && !data) {
    return (
      <Card>
        <FailedView error={error} retry={() => void refetch()} title="The figures did not load" />
      </Card>
    );
  }
  if (count === undefined || !data) return <StatPlaceholders />;
  const of = name ? `Of ${name}` : 'Of all configurations';
  return (
    <section aria-label="Figures" className={statGrid}>
      <StatTile label="Configurations" value={formatNumber(count)} />
      <StatTile label="Connected Devices" value={formatNumber(data.devicesCount)} detail={of} />
      <StatTile label="Today's Transactions" value={formatNumber(data.transactionsToday)} detail={of} />
      <StatTile label="Revenue Today" value={formatMoney(data.totalAmount)} detail="Completed, less refunds" />
    </section>
  );
}

type ListProps = {
  configs: CantaloupeConfig[] | undefined;
  chosen: CantaloupeConfig | null;
  onChoose: (id: number) => void;
  /** For who may add one. */
  add: ReactNode;
};

function ConfigList({ configs, chosen, onChoose, add }: ListProps) {
  return (
    <Card title="Configurations">
      {!configs && <SkeletonRows rows={5} className="h-14" />}
      {configs?.length === 0 && (
        <StateView icon="plug" title="No configurations found. Create one to get started." action={add} />
      )}
      <ul>
        {configs?.map((config) => (
          <li key={config.id} className="border-line border-b last:border-b-0">
            <button
              type="button"
              aria-pressed={config.id === chosen?.id}
              onClick={() => onChoose(config.id)}
              className="grid min-h-14 w-full gap-1 px-4 py-2 text-left -outline-offset-2 hover:bg-hover aria-pressed:bg-accent-soft"
            >
              <span className="flex items-center justify-between gap-2">
                <span className="min-w-0 truncate font-medium">{config.name}</span>
                <Badge tone={config.isActive ? 'ok' : 'idle'}>{config.isActive ? 'Active' : 'Inactive'}</Badge>
              </span>
              <span className="text-12 text-text-3">
                {config.environment === 'sandbox' ? 'Sandbox' : 'Production'}
                {config.problem && <span className="text-bad-text"> · Needs attention</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
