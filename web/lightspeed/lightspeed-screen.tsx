import { useEffect, useState } from 'react';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import { useMay } from '../auth/api.ts';
import { dropNewDraft } from '../integrations/config-draft.ts';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/forms/select.tsx';
import { Icon } from '../ui/icon.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useConfigs, useStartSync } from './api.ts';
import { ConfigCard } from './config-card.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { Outlets, Products, Sales } from './records.tsx';
import { SyncRuns } from './sync-runs.tsx';

const tabs = [
  { value: 'outlets', label: 'Outlets' },
  { value: 'products', label: 'Products' },
  { value: 'sales', label: 'Sales' },
  { value: 'sync', label: 'Sync' },
] as const;

/** Lightspeed Retail: connect a store, see its outlets, products and sales, and read it now. */
export function LightspeedScreen() {
  const configs = useConfigs();
  const { get, set } = useAddress();
  const mayWrite = useMay('office:write');
  const [isOpen, setOpen] = useState(false);
  const isAdding = mayWrite && (isOpen || get('connect') !== null);
  useArrival();
  const shown = configs.data?.find(({ id }) => String(id) === get('config')) ?? configs.data?.[0];
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto">Lightspeed Retail</h1>
        {(configs.data?.length ?? 0) > 1 && (
          <Select
            label="Store"
            hideLabel
            value={String(shown?.id ?? '')}
            onChange={(config) => set({ config, page: null, q: null })}
            options={(configs.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        )}
        {mayWrite && (configs.data?.length ?? 0) > 0 && (
          <Button icon="plus" onClick={() => setOpen(true)} className="max-lg:min-h-12">
            Connect another store
          </Button>
        )}
      </header>
      <Problem />
      {configs.error && !configs.data && (
        <Card>
          <FailedView error={configs.error} retry={() => void configs.refetch()} title="The connections did not load" />
        </Card>
      )}
      {!configs.data && !configs.error && <SkeletonRows rows={5} className="h-16" />}
      {configs.data?.length === 0 && (
        <Card>
          <StateView
            icon="link"
            title="No store connected"
            text="Connect your Lightspeed store, and its outlets, products and sales appear here."
            action={
              mayWrite && (
                <Button variant="primary" icon="link" onClick={() => setOpen(true)} className="max-lg:min-h-12">
                  Connect
                </Button>
              )
            }
          />
        </Card>
      )}
      {shown && <Store config={shown} />}
      {isAdding && (
        <ConnectDialog
          onClose={() => {
            setOpen(false);
            set({ connect: null });
          }}
        />
      )}
    </div>
  );
}

/** Back from Lightspeed with success: say so once, and read the store for the first time. */
function useArrival(): void {
  const { get, set } = useAddress();
  const connected = get('connected');
  const { mutate } = useStartSync();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an arrival counts, not what changes with the address
  useEffect(() => {
    if (connected === null || !/^\d+$/.test(connected)) return;
    set({ connected: null, config: connected, tab: 'sync' });
    dropNewDraft('lightspeed');
    toast({ title: 'Lightspeed connected', description: 'Its outlets, products and sales are being read now.' });
    mutate(Number(connected));
  }, [connected]);
}

/** Why a sign-in did not connect, in the words of whoever refused. Said once: a reload or a shared address is no refusal. */
function Problem() {
  const { get, set } = useAddress();
  const told = get('problem');
  const [problem, setProblem] = useState(told);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an arrival counts, not what changes with the address
  useEffect(() => {
    if (told === null) return;
    setProblem(told);
    set({ problem: null });
  }, [told]);
  if (problem === null) return null;
  return (
    <div role="alert" className="flex items-start gap-3 rounded border border-line bg-bad-soft p-3 text-bad-text">
      <Icon name="alert" size={20} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">Not connected</p>
        <p>{problem}</p>
      </div>
      <IconButton label="Close" icon="close" className="max-lg:size-12" onClick={() => setProblem(null)} />
    </div>
  );
}

function Store({ config }: { config: IntegrationConfig }) {
  const { get, set } = useAddress();
  const tab = tabs.find(({ value }) => value === get('tab'))?.value ?? 'outlets';
  return (
    <>
      <ConfigCard config={config} />
      <Card>
        <Tabs
          label="Store"
          tabs={tabs}
          value={tab}
          onChange={(value) => set({ tab: value === 'outlets' ? null : value, page: null, q: null, sort: null })}
        >
          {tab === 'outlets' && <Outlets configId={config.id} />}
          {tab === 'products' && <Products configId={config.id} />}
          {tab === 'sales' && <Sales configId={config.id} />}
          {tab === 'sync' && <SyncRuns config={config} />}
        </Tabs>
      </Card>
    </>
  );
}
