import { useState } from 'react';
import type { IntegrationConfig, IntegrationSystemInfo } from '../../contract/integrations.ts';
import { useMay } from '../auth/api.ts';
import { useRemoveConfig, useSystems } from '../integrations/config-api.ts';
import { ConfigForm } from '../integrations/config-form.tsx';
import { hasOwnScreen } from '../integrations/system-screens.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Copyable } from '../ui/copyable.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { toast } from '../ui/toasts/toast.ts';

/** Adds configurations of the systems that have no screen of their own. */
export function ConnectHere() {
  const systems = useSystems().data?.filter(({ system }) => !hasOwnScreen(system)) ?? [];
  const mayWrite = useMay('office:write');
  const { get, set } = useAddress();
  const [isOpen, setOpen] = useState<string | null>(null);
  const asked = get('connect') === null ? null : get('system');
  const adding = systems.find(({ system }) => system === (isOpen ?? asked));
  if (!mayWrite || systems.length === 0) return null;
  const close = (): void => {
    setOpen(null);
    if (asked !== null) set({ connect: null });
  };
  return (
    <div className="flex flex-wrap gap-2 px-4 py-3">
      {systems.map(({ system, label }) => (
        <Button key={system} icon="plus" onClick={() => setOpen(system)} className="max-lg:min-h-12">
          {`Connect ${label}`}
        </Button>
      ))}
      {adding && (
        <ConfigForm
          system={adding}
          config={null}
          onClose={close}
          onSaved={({ name }) => toast({ title: 'Configuration Created', description: `${name} is read in a minute` })}
        />
      )}
    </div>
  );
}

/** What a system's own screen would have: its address for messages, the form, and its end. */
export function ToolsHere({ config }: { config: IntegrationConfig }) {
  const system = useSystems().data?.find((one) => one.system === config.system);
  const mayDelete = useMay('office:delete');
  const [open, setOpen] = useState<'form' | 'end' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button icon="edit" disabled={!system} onClick={() => setOpen('form')} className="max-lg:min-h-12">
        Edit
      </Button>
      {mayDelete && (
        <Button icon="trash" onClick={() => setOpen('end')} className="max-lg:min-h-12">
          Disconnect
        </Button>
      )}
      {config.webhookPath && (
        <div className="grid min-w-0 basis-full gap-1 text-text-2">
          <span>Give the system this address for its messages:</span>
          <Copyable text={`${window.location.origin}${config.webhookPath}`} what="Address" />
        </div>
      )}
      {open === 'form' && system && <EditForm system={system} config={config} onClose={close} />}
      {open === 'end' && <EndDialog config={config} onClose={close} />}
    </div>
  );
}

type EditProps = { system: IntegrationSystemInfo; config: IntegrationConfig; onClose: () => void };

function EditForm({ system, config, onClose }: EditProps) {
  const onSaved = ({ name }: IntegrationConfig): void =>
    void toast({ title: 'Configuration Updated', description: name });
  return <ConfigForm system={system} config={config} onClose={onClose} onSaved={onSaved} />;
}

function EndDialog({ config, onClose }: { config: IntegrationConfig; onClose: () => void }) {
  const remove = useRemoveConfig({
    done: { title: 'Disconnected', description: 'The secrets are erased. Sales and links stay.' },
    failure: 'Not removed',
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Disconnect ${config.name}?`}
      confirmLabel="Disconnect"
      pending={remove.isPending}
      onConfirm={() => remove.mutate(config.id, { onSettled: onClose })}
    >
      Its secrets are erased and nothing is read any more. Sales and links stay as they are.
    </ConfirmDialog>
  );
}
