import type { VdiConfig } from '../../contract/nama-vdi.ts';
import { useMay } from '../auth/api.ts';
import { formatDateTime } from '../http/format.ts';
import { ConfigForm } from '../integrations/config-form.tsx';
import { FormOnceRead } from '../integrations/form-once-read.tsx';
import { useAdding } from '../integrations/use-adding.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { tellRefused, useVdiConfigs } from './api.ts';
import { ConfigPanel } from './config-panel.tsx';
import { EnvironmentBadge } from './environment-badge.tsx';

/** Exchange of data with market systems by NAMA VDI: configurations on the left, what came by each on the right. */
export function NamaVdiScreen() {
  const configs = useVdiConfigs();
  const { get, set } = useAddress();
  const [adding, setAdding] = useAdding();
  const mayWrite = useMay('office:write');
  const chosen = configs.data?.find(({ id }) => String(id) === get('config'));
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 max-lg:basis-full">
          <h1>NAMA VDI 2.0</h1>
          <p className="text-text-2">Sales, kiosks and DEX files of market systems, exchanged by VDI.</p>
        </div>
        {mayWrite && (
          <Button variant="primary" icon="plus" className="max-lg:min-h-12" onClick={() => setAdding(true)}>
            Add VDI Configuration
          </Button>
        )}
      </header>
      <div className="grid grid-cols-[minmax(0,16.25rem)_minmax(0,1fr)] items-start gap-4 max-xl:grid-cols-1">
        <Card title="VDI Configurations" {...(configs.data ? { count: configs.data.length } : {})}>
          {configs.isPending && <SkeletonRows rows={5} />}
          {configs.error && !configs.data && (
            <FailedView
              error={configs.error}
              retry={() => void configs.refetch()}
              title="Configurations did not load"
            />
          )}
          {configs.data?.length === 0 && (
            <StateView
              icon="link"
              title="No VDI configurations"
              text="Add the first one to exchange data with a market system."
              action={
                mayWrite && (
                  <Button icon="plus" className="max-lg:min-h-12" onClick={() => setAdding(true)}>
                    Add
                  </Button>
                )
              }
            />
          )}
          <ul>
            {configs.data?.map((config) => (
              <ConfigRow
                key={config.id}
                config={config}
                isChosen={config === chosen}
                onChoose={() => set({ config: String(config.id) })}
              />
            ))}
          </ul>
        </Card>
        {chosen ? (
          <ConfigPanel key={chosen.id} config={chosen} />
        ) : (
          <Card title="Details">
            <StateView
              icon="info"
              title="Select a configuration"
              text="Its devices, transactions, alerts and sync jobs are shown here."
            />
          </Card>
        )}
      </div>
      {adding && <AddDialog onClose={() => setAdding(false)} onAdded={(id) => set({ config: String(id) })} />}
    </div>
  );
}

type RowProps = { config: VdiConfig; isChosen: boolean; onChoose: () => void };

function ConfigRow({ config, isChosen, onChoose }: RowProps) {
  return (
    <li className="border-line border-b last:border-b-0">
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="grid min-h-14 w-full grid-cols-1 gap-1 border-transparent border-l-2 px-4 py-2 text-left hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
      >
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 grow basis-24 break-words font-semibold">{config.name}</span>
          <EnvironmentBadge config={config} />
        </span>
        <span className="flex flex-wrap gap-x-2 text-12 text-text-2">
          <span>Version {config.version}</span>
          {config.status !== 'active' && <span className="capitalize">{config.environment}</span>}
          <span>{config.lastSync ? `Synced ${formatDateTime(config.lastSync)}` : 'Never synced'}</span>
        </span>
        {config.problem && <span className="text-12 text-bad-text">{config.problem}</span>}
      </button>
    </li>
  );
}

function AddDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (id: number) => void }) {
  const title = 'Add VDI Configuration';
  return (
    <FormOnceRead system="nama_vdi" editedId={null} title={title} onClose={onClose}>
      {(system) => (
        <ConfigForm
          system={system}
          config={null}
          title={title}
          onClose={onClose}
          onSaved={({ id, name }) => {
            toast({ title: 'Configuration Created', description: name });
            onAdded(id);
          }}
          onFailed={tellRefused}
        />
      )}
    </FormOnceRead>
  );
}
