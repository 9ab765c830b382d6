import { useState } from 'react';
import type { VdiConfig } from '../../contract/nama-vdi.ts';
import { useMay } from '../auth/api.ts';
import { useRemoveConfig } from '../integrations/config-api.ts';
import { ConfigForm } from '../integrations/config-form.tsx';
import { FormOnceRead } from '../integrations/form-once-read.tsx';
import { nextSyncText } from '../integrations/next-sync.ts';
import { PartnerRest } from '../integrations/partner-rest.tsx';
import { useForgetConfig } from '../integrations/removed-config.ts';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { tellRefused, useSetVdiStatus, useVdiSync, useVdiTest } from './api.ts';
import { EnvironmentBadge } from './environment-badge.tsx';
import { AlertsTab, DevicesTab, JobsTab, TransactionsTab } from './vdi-tabs.tsx';

const tabs = [
  { value: 'devices', label: 'Devices' },
  { value: 'transactions', label: 'Transactions' },
  { value: 'alerts', label: 'Alerts' },
  { value: 'jobs', label: 'Sync Jobs' },
] as const;

const statuses = [
  { value: 'active', label: 'Active' },
  { value: 'maintenance', label: 'Maintenance' },
  { value: 'inactive', label: 'Inactive' },
] as const;

type Props = { config: VdiConfig };

/** One configuration: what can be done with it, and what came by it. */
export function ConfigPanel({ config }: Props) {
  const { get, set } = useAddress();
  const open = tabs.find(({ value }) => value === get('tab'))?.value ?? 'devices';
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {config.name} <EnvironmentBadge config={config} />
        </span>
      }
      actions={<Actions config={config} />}
    >
      {config.problem && (
        <p role="status" className="border-line border-b bg-bad-soft px-4 py-2 text-bad-text">
          {config.problem}
        </p>
      )}
      {config.status === 'active' && (
        <PartnerRest
          system="nama_vdi"
          until={config.waitsUntil}
          className="border-line border-b bg-idle-soft px-4 py-2 text-idle-text"
        />
      )}
      <Controls config={config} />
      <Address config={config} />
      <Tabs
        label="What came by this configuration"
        tabs={tabs}
        value={open}
        onChange={(value) => set({ tab: value === 'devices' ? null : value })}
      >
        {open === 'devices' && <DevicesTab configId={config.id} />}
        {open === 'transactions' && <TransactionsTab configId={config.id} />}
        {open === 'alerts' && <AlertsTab configId={config.id} />}
        {open === 'jobs' && <JobsTab configId={config.id} />}
      </Tabs>
    </Card>
  );
}

/** Where the other side sends its documents: agreed between people, the standard has no call for it. */
function Address({ config }: { config: VdiConfig }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 px-4 pb-3 text-text-2">
      The other side sends to
      <code className="select-all break-all rounded border border-line bg-subtle px-2 py-1 text-12">
        {window.location.origin}/vdi
      </code>
      {config.apiKey.configured
        ? `and signs in as ${config.vmsSystemId} with the API key.`
        : 'as soon as an API key is set: without one nothing is taken.'}
    </p>
  );
}

function Controls({ config }: { config: VdiConfig }) {
  const mayWrite = useMay('office:write');
  const devices = useVdiSync('devices');
  const transactions = useVdiSync('transactions');
  const test = useVdiTest();
  if (!mayWrite) return null;
  const isOff = config.status === 'inactive' || devices.isPending || transactions.isPending;
  return (
    <div className="flex flex-wrap gap-2 px-4 py-3">
      <Button
        icon="refresh"
        disabled={isOff}
        pending={devices.isPending}
        pendingLabel="Syncing..."
        className="max-lg:min-h-12"
        onClick={() => devices.mutate(config.id)}
      >
        Sync Devices
      </Button>
      <Button
        icon="refresh"
        disabled={isOff}
        pending={transactions.isPending}
        pendingLabel="Syncing..."
        className="max-lg:min-h-12"
        onClick={() => transactions.mutate(config.id)}
      >
        Sync Transactions
      </Button>
      <Button
        icon="bolt"
        pending={test.isPending}
        pendingLabel="Testing..."
        className="max-lg:min-h-12"
        onClick={() => test.mutate(config.id)}
      >
        Test Connection
      </Button>
      <p className="basis-full text-text-2">Next sync: {nextSyncText(config.nextSync)}</p>
      {config.status === 'inactive' && (
        <p className="basis-full text-12 text-text-3">Inactive: set it to active to sync.</p>
      )}
    </div>
  );
}

function Actions({ config }: Props) {
  const [doing, setDoing] = useState<'edit' | 'remove' | null>(null);
  const remove = useRemoveConfig({
    done: { title: 'Configuration Deleted', description: `${config.name} is disconnected; its devices and sales stay` },
    failure: 'Error',
    onRemoved: useForgetConfig(['tab']),
  });
  const status = useSetVdiStatus();
  const mayWrite = useMay('office:write');
  const mayDelete = useMay('office:delete');
  const now = config.status === 'error' ? 'active' : config.status;
  if (!mayWrite) return null;
  return (
    <>
      <Select
        label="Status"
        hideLabel
        value={now}
        disabled={status.isPending}
        options={statuses}
        onChange={(value) => {
          const wanted = statuses.find((one) => one.value === value);
          if (wanted) status.mutate({ id: config.id, status: wanted.value });
        }}
      />
      <Button icon="edit" className="max-lg:min-h-12" onClick={() => setDoing('edit')}>
        Edit
      </Button>
      {mayDelete && (
        <Button icon="trash" className="max-lg:min-h-12" onClick={() => setDoing('remove')}>
          Delete
        </Button>
      )}
      {doing === 'edit' && <EditDialog config={config} onClose={() => setDoing(null)} />}
      <ConfirmDialog
        open={doing === 'remove'}
        onClose={() => setDoing(null)}
        title={`Delete ${config.name}?`}
        confirmLabel="Delete Configuration"
        pending={remove.isPending}
        onConfirm={() => remove.mutate(config.id)}
      >
        The other side can no longer send to it and its API key is erased. Devices and sales that came by it stay.
      </ConfirmDialog>
    </>
  );
}

function EditDialog({ config: { id, name }, onClose }: { config: VdiConfig; onClose: () => void }) {
  return (
    <FormOnceRead system="nama_vdi" editedId={id} title={`Edit ${name}`} onClose={onClose}>
      {(system, config) => (
        <ConfigForm
          system={system}
          config={config}
          onClose={onClose}
          onSaved={(saved) => toast({ title: 'Configuration Saved', description: saved.name })}
          onFailed={tellRefused}
        />
      )}
    </FormOnceRead>
  );
}
