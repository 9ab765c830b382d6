import { useState } from 'react';
import { relativeTime } from '../../domain/time.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { nextSyncText } from '../integrations/next-sync.ts';
import { pauseOf } from '../integrations/open-run.ts';
import { PartnerRest, RestBadge } from '../integrations/partner-rest.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Copyable } from '../ui/copyable.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { type LynxConfig, type LynxSystem, useRemoveLynx, useSwitchLynx, useSyncLynx } from './api.ts';
import { ConfigDialog } from './config-dialog.tsx';

type Props = { system: LynxSystem; config: LynxConfig; isShown: boolean; onShow: () => void };

/** One connection: what it is, how it is, and everything one can do with it. */
export function ConfigCard({ system, config, isShown, onShow }: Props) {
  const mayWrite = useMay('office:write');
  const mayDelete = useMay('office:delete');
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  const sync = useSyncLynx(system);
  const change = useSwitchLynx(system);
  const remove = useRemoveLynx(system);
  const isBusy = sync.isPending || config.run !== null;
  return (
    <article
      aria-label={config.name}
      className={`grid min-w-0 content-start gap-3 rounded border bg-ground p-4 ${isShown ? 'border-accent' : 'border-line'}`}
    >
      <header className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto min-w-0 truncate font-semibold text-16 text-text" title={config.name}>
          {config.name}
        </h3>
        <Badge tone="outline">{config.environment === 'production' ? 'Production' : 'Sandbox'}</Badge>
        <StateBadge config={config} />
      </header>
      <Facts system={system} config={config} />
      {config.problem && config.isActive && (
        <p role="status" className="rounded-s bg-bad-soft px-3 py-2 text-bad-text">
          {config.problem}
        </p>
      )}
      {config.isActive && <PartnerRest system={system} until={config.waitsUntil} />}
      {isBusy && <Progress system={system} config={config} />}
      <div className="mt-1 flex flex-wrap gap-2">
        {mayWrite && (
          <Button
            variant="primary"
            icon="refresh"
            className="max-lg:min-h-12"
            disabled={!config.isActive}
            pending={isBusy}
            pendingLabel="Syncing..."
            onClick={() => sync.mutate(config)}
          >
            Sync
          </Button>
        )}
        <Button aria-pressed={isShown} className="max-lg:min-h-12" onClick={onShow}>
          {isShown ? 'Hide records' : 'Show records'}
        </Button>
        {mayWrite && (
          <Button variant="quiet" icon="edit" className="max-lg:min-h-12" onClick={() => setOpened('edit')}>
            Edit
          </Button>
        )}
        {mayWrite && (
          <Button
            variant="quiet"
            className="max-lg:min-h-12"
            pending={change.isPending}
            onClick={() => change.mutate(config)}
          >
            {config.isActive ? 'Switch off' : 'Switch on'}
          </Button>
        )}
        {mayDelete && (
          <Button variant="quiet" icon="trash" className="max-lg:min-h-12" onClick={() => setOpened('delete')}>
            Delete
          </Button>
        )}
        {mayWrite && !config.isActive && (
          <p className="basis-full text-12 text-text-3">Switched off: switch it on to sync.</p>
        )}
      </div>
      {opened === 'edit' && <ConfigDialog system={system} config={config} onClose={() => setOpened(null)} />}
      <ConfirmDialog
        open={opened === 'delete'}
        onClose={() => setOpened(null)}
        title={`Delete ${config.name}?`}
        confirmLabel="Delete Configuration"
        pending={remove.isPending}
        onConfirm={() => remove.mutate(config, { onSuccess: () => setOpened(null) })}
      >
        Its secrets are erased and it is not synced any more. Machines, sales and their links stay. This cannot be
        undone.
      </ConfirmDialog>
    </article>
  );
}

const words: Record<LynxConfig['status'], { tone: Tone; label: string }> = {
  active: { tone: 'ok', label: 'Active' },
  inactive: { tone: 'idle', label: 'Inactive' },
  error: { tone: 'bad', label: 'Failing' },
  maintenance: { tone: 'warn', label: 'Maintenance' },
};

function StateBadge({ config }: { config: LynxConfig }) {
  if (config.isActive && config.waitsUntil) return <RestBadge />;
  const { tone, label } = words[config.status];
  return <Badge tone={tone}>{label}</Badge>;
}

function timetableOf({ isActive, syncEnabled }: LynxConfig): string {
  if (!isActive) return 'Off';
  return syncEnabled ? 'Syncs by itself' : 'Only by button';
}

function Facts({ system, config }: { system: LynxSystem; config: LynxConfig }) {
  const { devices, unlinked, lastSync } = config;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 [&_dd]:truncate [&_dt]:text-text-3">
      <dt>Last sync</dt>
      <dd>
        {lastSync ? (
          <time dateTime={lastSync} title={formatDateTime(lastSync)}>
            {relativeTime(new Date(lastSync), new Date())}
          </time>
        ) : (
          'Never'
        )}
      </dd>
      <dt>{system === 'nayax' ? 'Devices' : 'Machines'}</dt>
      <dd>
        {formatNumber(devices)}
        {unlinked > 0 && <span className="text-warn-text">, {formatNumber(unlinked)} to link</span>}
      </dd>
      {'merchantId' in config && (
        <>
          <dt>Merchant ID</dt>
          <dd title={config.merchantId}>{config.merchantId}</dd>
        </>
      )}
      <dt>Timetable</dt>
      <dd>{timetableOf(config)}</dd>
      <dt>Next sync</dt>
      <dd>{nextSyncText(config.nextSync)}</dd>
      {'webhookPath' in config && config.webhookPath && (
        <>
          <dt>Notifications</dt>
          <dd className="grid gap-1">
            <span>Give Nayax this address:</span>
            <Copyable text={`${window.location.origin}${config.webhookPath}`} what="Address" />
          </dd>
        </>
      )}
    </dl>
  );
}

const reading: Record<string, string> = {
  devices: 'machines',
  stock: 'stock',
  sales: 'sales',
  alerts: 'alerts',
};

function Progress({ system, config: { run } }: { system: LynxSystem; config: LynxConfig }) {
  const what = run?.resource ? `Reading ${reading[run.resource] ?? run.resource}` : 'Starting';
  const read = run && run.records > 0 ? `${what}, ${countOf(run.records, 'record')} so far` : what;
  const pause = run && run.status === 'running' ? pauseOf(system, run) : null;
  return (
    <p aria-live="polite" className="flex items-center gap-2 text-text-2">
      <span className="size-2 flex-none animate-pulse rounded-full bg-accent motion-reduce:animate-none" aria-hidden />
      {pause ?? read}
    </p>
  );
}
