import { useState } from 'react';
import { useLocation } from 'wouter';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import { useMay } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime } from '../http/format.ts';
import { ConfigForm } from '../integrations/config-form.tsx';
import { nextSyncText } from '../integrations/next-sync.ts';
import { PartnerRest, RestBadge } from '../integrations/partner-rest.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { type ToastMessage, toast } from '../ui/toasts/toast.ts';
import { useConnect, useDisconnect, useFields, useSetActive, useStartSync } from './api.ts';

const states: Record<IntegrationConfig['status'], { tone: Tone; label: string }> = {
  active: { tone: 'ok', label: 'Connected' },
  inactive: { tone: 'idle', label: 'Paused' },
  error: { tone: 'bad', label: 'Failing' },
  maintenance: { tone: 'warn', label: 'Maintenance' },
};

const signedOut = { tone: 'warn', label: 'Not signed in' } as const;

/** One connected store: its state, what is wrong, and what can be done. */
export function ConfigCard({ config }: { config: IntegrationConfig }) {
  const isSignedOut = config.status === 'active' && !config.connected;
  const { tone, label } = isSignedOut ? signedOut : states[config.status];
  const isResting = config.isActive && config.waitsUntil !== null;
  const mayWrite = useMay('office:write');
  return (
    <Card title={config.name} actions={isResting ? <RestBadge /> : <Badge tone={tone}>{label}</Badge>}>
      {isResting && (
        <PartnerRest
          system="lightspeed"
          until={config.waitsUntil}
          className="border-line border-b bg-idle-soft px-4 py-2 text-idle-text"
        />
      )}
      {config.problem && (
        <p role="alert" className="border-line border-b bg-bad-soft px-4 py-2 text-bad-text">
          {config.problem}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-x-8 gap-y-3 p-4">
        <Fact label="Store" value={String(config.settings.domainPrefix ?? 'Unknown')} />
        <Fact label="Last sync" value={config.lastSyncAt ? formatDateTime(config.lastSyncAt) : 'Never'} />
        <Fact label="Next sync" value={nextSyncText(config.nextSync)} />
        <Fact label="Client secret" value={secretOf(config)} />
        {mayWrite && <Actions config={config} />}
      </div>
    </Card>
  );
}

function secretOf({ secrets }: IntegrationConfig): string {
  const { clientSecret } = secrets;
  if (!clientSecret?.configured) return 'Not set';
  return clientSecret.ending ? `Set, ends in ${clientSecret.ending}` : 'Set';
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <p className="font-medium text-12 text-text-2">{label}</p>
      <p className="truncate">{value}</p>
    </div>
  );
}

function Actions({ config }: { config: IntegrationConfig }) {
  const sync = useStartSync();
  const { connect, isPending: isConnecting } = useConnect();
  const active = useSetActive();
  const disconnect = useDisconnect();
  const [isAsking, setAsking] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { data: system } = useFields();
  const mayDelete = useMay('office:delete');
  const needsReconnect = !config.connected;
  const isShown = useAddress().get('tab') === 'sync';
  const [screen, navigate] = useLocation();
  const begun: ToastMessage = {
    title: 'Sync Started',
    description: `${config.name} is being read now.`,
    // By then another store may be open here, or another screen.
    action: { label: 'Show', run: () => navigate(`${screen}?config=${config.id}&tab=sync`) },
  };
  const start = (): void => sync.mutate(config.id, { onSuccess: () => isShown || toast(begun) });
  const again = (): void =>
    void connect({ configId: config.id }).catch((error: unknown) =>
      toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) }),
    );
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Button
        icon="refresh"
        variant={needsReconnect ? 'secondary' : 'primary'}
        disabled={!config.isActive}
        pending={sync.isPending}
        onClick={start}
        className="max-lg:min-h-12"
      >
        Sync Now
      </Button>
      <Button
        icon="link"
        variant={needsReconnect ? 'primary' : 'secondary'}
        pending={isConnecting}
        onClick={again}
        className="max-lg:min-h-12"
      >
        {needsReconnect && !config.settings.domainPrefix ? 'Connect' : 'Reconnect'}
      </Button>
      <Button
        icon={config.isActive ? 'stop' : 'play'}
        pending={active.isPending}
        onClick={() => active.mutate({ id: config.id, isActive: !config.isActive })}
        className="max-lg:min-h-12"
      >
        {config.isActive ? 'Pause' : 'Activate'}
      </Button>
      <Button icon="edit" disabled={!system} onClick={() => setEditing(true)} className="max-lg:min-h-12">
        Edit
      </Button>
      {mayDelete && (
        <Button icon="trash" onClick={() => setAsking(true)} className="max-lg:min-h-12">
          Disconnect
        </Button>
      )}
      {!config.isActive && <p className="basis-full text-12 text-text-3">Paused: activate it to sync.</p>}
      {isEditing && system && (
        <ConfigForm
          system={system}
          config={config}
          onClose={() => setEditing(false)}
          onSaved={({ name }) => toast({ title: 'Configuration Saved', description: name })}
        />
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Disconnect ${config.name}?`}
        confirmLabel="Disconnect"
        pending={disconnect.isPending}
        onConfirm={() => disconnect.mutate(config.id, { onSettled: () => setAsking(false) })}
      >
        Secrets and tokens are erased and nothing is read any more. Sales, stock and markets stay as they are.
      </ConfirmDialog>
    </div>
  );
}
