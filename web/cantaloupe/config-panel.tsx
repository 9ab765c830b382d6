import { useState } from 'react';
import type { CantaloupeConfig } from '../../contract/cantaloupe.ts';
import { useMay } from '../auth/api.ts';
import { PartnerRest } from '../integrations/partner-rest.tsx';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { useRemoveConfig, useUpdateConfig } from './api.ts';
import { Devices, Transactions } from './cantaloupe-tabs.tsx';
import { SyncTab } from './sync-tab.tsx';

const tabs = [
  { value: 'devices', label: 'Devices' },
  { value: 'transactions', label: 'Transactions' },
  { value: 'sync', label: 'Sync' },
] as const;

type Props = { config: CantaloupeConfig; mayWrite: boolean; onEdit: () => void };

/** One configuration: what it told, and what can be done to it. */
export function ConfigPanel({ config, mayWrite, onEdit }: Props) {
  const { get, set } = useAddress();
  const tab = tabs.find(({ value }) => value === get('tab'))?.value ?? 'devices';
  return (
    <Card title={config.name} actions={mayWrite ? <Actions config={config} onEdit={onEdit} /> : undefined}>
      {config.problem && (
        <p role="alert" className="border-line border-b bg-bad-soft px-4 py-3 text-bad-text">
          {config.problem}
        </p>
      )}
      {config.isActive && (
        <PartnerRest
          system="cantaloupe"
          until={config.waitsUntil}
          className="border-line border-b bg-idle-soft px-4 py-2 text-idle-text"
        />
      )}
      <Tabs
        label={config.name}
        tabs={tabs}
        value={tab}
        onChange={(next) => set({ tab: next === 'devices' ? null : next, page: null })}
      >
        {tab === 'devices' && <Devices config={config} />}
        {tab === 'transactions' && <Transactions config={config} />}
        {tab === 'sync' && <SyncTab config={config} mayWrite={mayWrite} />}
      </Tabs>
    </Card>
  );
}

function Actions({ config, onEdit }: { config: CantaloupeConfig; onEdit: () => void }) {
  const mayRemove = useMay('office:delete');
  const update = useUpdateConfig();
  const remove = useRemoveConfig();
  const [isAsking, setIsAsking] = useState(false);
  const { id, version, isActive } = config;
  return (
    <>
      <Button icon="edit" onClick={onEdit} className="max-lg:min-h-12">
        Edit
      </Button>
      <Button
        pending={update.isPending}
        onClick={() => update.mutate({ id, version, isActive: !isActive })}
        className="max-lg:min-h-12"
      >
        {isActive ? 'Deactivate' : 'Activate'}
      </Button>
      {mayRemove && (
        <Button icon="trash" onClick={() => setIsAsking(true)} className="max-lg:min-h-12">
          Delete
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${config.name}?`}
        confirmLabel="Delete Configuration"
        pending={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => setIsAsking(false) })}
      >
        Its password is erased and reports are no longer accepted. Devices and transactions received so far stay.
      </ConfirmDialog>
    </>
  );
}
