import { useState } from 'react';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { relativeTime } from '../../domain/time.ts';
import { useMay } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime, formatDay, formatNumber, today } from '../http/format.ts';
import {
  useAllConfigs,
  useBackfill,
  useStartSync,
  useSystems,
  useTestConnection,
  useUpdateConfig,
} from '../integrations/config-api.ts';
import { PartnerRest, RestBadge } from '../integrations/partner-rest.tsx';
import { RunList } from '../integrations/run-list.tsx';
import { addressOf, hasOwnScreen, placeOf } from '../integrations/system-screens.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { DayField } from '../ui/forms/day-field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useNow } from '../ui/use-now.ts';
import { ConnectHere, ToolsHere } from './connect-here.tsx';

const resourceLabel = { devices: 'Devices', products: 'Products', stock: 'Stock', sales: 'Sales', alerts: 'Alerts' };

/** Every connected configuration: how fresh its data are, what its last runs did, and how to run it by hand. */
export function ConnectionList() {
  const { data, error, refetch } = useAllConfigs();
  if (error && !data) return <FailedView error={error} retry={() => void refetch()} title="Connections did not load" />;
  if (!data) return <SkeletonRows rows={5} className="m-4 h-24" />;
  return (
    <>
      <ConnectHere />
      {data.length === 0 && (
        <StateView
          icon="plug"
          title="No system is connected yet"
          text="What a partner system tells appears here once it is connected."
          action={
            <AppLink
              href="/inventory?tab=integrations"
              className={`${buttonClass({ variant: 'primary' })} max-lg:min-h-12`}
            >
              Connect a system
            </AppLink>
          }
        />
      )}
      <ul>
        {failingFirst(data).map((config) => (
          <li key={config.id} className="grid gap-3 border-line border-t px-4 py-4 first:border-t-0">
            <Connection config={config} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What waits for a person is seen without looking for it; the others keep the order they came in. */
const failingFirst = (configs: readonly IntegrationConfig[]): IntegrationConfig[] =>
  configs.toSorted((a, b) => Number(b.status === 'error') - Number(a.status === 'error'));

const stateLook = {
  active: { tone: 'ok', label: 'Active' },
  inactive: { tone: 'idle', label: 'Inactive' },
  error: { tone: 'bad', label: 'Needs you' },
  maintenance: { tone: 'warn', label: 'Maintenance' },
} as const;

function Connection({ config }: { config: IntegrationConfig }) {
  const { id, name, system, status, problem, waitsUntil, isActive, fresh } = config;
  const now = useNow();
  const look = stateLook[status];
  const mayWrite = useMay('office:write');
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 text-16">{name}</h2>
        {hasOwnScreen(system) ? (
          <AppLink
            href={addressOf(placeOf(system), `config=${id}`)}
            className="inline-flex items-center text-text-2 underline-offset-2 hover:underline max-lg:min-h-12"
          >
            {systemLabel[system]}
          </AppLink>
        ) : (
          <span className="text-text-3">{systemLabel[system]}</span>
        )}
        {isActive && waitsUntil ? <RestBadge /> : <Badge tone={look.tone}>{look.label}</Badge>}
      </div>
      {isActive && <PartnerRest system={system} until={waitsUntil} />}
      {problem && (
        <p role="status" className="rounded-s bg-bad-soft px-3 py-2 text-bad-text">
          {problem}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-text-2">
        {fresh.map(({ resource, lastGoodAt }) => (
          <span key={resource}>
            {`${resourceLabel[resource]}: ${lastGoodAt ? relativeTime(new Date(lastGoodAt), now).toLowerCase() : 'never read'}`}
          </span>
        ))}
        <span>{nextInWords(config, now)}</span>
      </p>
      <Rejected config={config} />
      {mayWrite && <Tools config={config} />}
      {mayWrite && !hasOwnScreen(system) && <ToolsHere config={config} />}
      <RunList configId={id} mayStop={mayWrite} />
    </>
  );
}

/** Messages whose signature does not fit: nothing of them is kept, so this is all there is to see. */
function Rejected({ config }: { config: IntegrationConfig }) {
  const { rejectedDeliveries: count, lastRejectedAt, lastRejectedReason, system } = config;
  if (count === 0 || !lastRejectedAt) return null;
  return (
    <p className="text-12 text-warn-text">
      {`${count === 1 ? '1 message was' : `${formatNumber(count)} messages were`} refused, the last on ${formatDateTime(lastRejectedAt)}: ${lastRejectedReason ?? ''} If ${systemLabel[system]} sent it, enter the secret that it signs with now.`}
    </p>
  );
}

/** When it is read next by itself, or why it is not. */
function nextInWords({ isActive, syncEnabled, connected, fresh }: IntegrationConfig, now: Date): string {
  if (!isActive || !syncEnabled) return 'Next: only by hand';
  if (!connected) return 'Next: when this is put right';
  const [soonest] = fresh.map(({ nextDueAt }) => nextDueAt ?? '').toSorted();
  if (!soonest || new Date(soonest) <= now) return 'Next: in a minute';
  return `Next: ${formatDateTime(soonest)}`;
}

function Tools({ config }: { config: IntegrationConfig }) {
  const { id, name, system, isActive, version } = config;
  const sync = useStartSync();
  const test = useTestConnection();
  const update = useUpdateConfig();
  // A system that only remembers its latest sales cannot tell older ones again.
  const canReadAgain = useSystems().data?.find((one) => one.system === system)?.backfills === true;
  const look = 'max-lg:min-h-12';
  const onTest = (): void =>
    test.mutate(id, {
      onSuccess: ({ connected, detail, error }) =>
        toast(
          connected
            ? { title: 'Connection Successful', description: detail ?? `${name} answers.` }
            : { title: 'Connection Failed', description: error ?? 'It does not answer.', variant: 'destructive' },
        ),
      onError: (error) => toast({ title: 'Connection Failed', description: sentenceOf(error), variant: 'destructive' }),
    });
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Button
        icon="refresh"
        disabled={!isActive}
        pending={sync.isPending}
        onClick={() => sync.mutate(id)}
        className={look}
      >
        Sync now
      </Button>
      <Button pending={test.isPending} pendingLabel="Testing..." onClick={onTest} className={look}>
        Test connection
      </Button>
      <Button
        pending={update.isPending}
        onClick={() => update.mutate({ id, isActive: !isActive, version })}
        className={look}
      >
        {isActive ? 'Switch off' : 'Switch on'}
      </Button>
      {canReadAgain && isActive && <Backfill id={id} />}
      {!isActive && <p className="basis-full text-12 text-text-3">Switched off: switch it on to sync.</p>}
    </div>
  );
}

function Backfill({ id }: { id: number }) {
  const [from, setFrom] = useState('');
  const backfill = useBackfill();
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        backfill.mutate(
          { id, from },
          {
            onSuccess: () =>
              toast({
                title: 'Reading again',
                description: `Sales since ${formatDay(from)}. What is known is not counted twice.`,
              }),
            onError: (error) => toast({ title: 'Not started', description: sentenceOf(error), variant: 'destructive' }),
          },
        );
      }}
    >
      <DayField label="Read again since" empty="No day chosen" max={today()} value={from} onChange={setFrom} />
      <Button type="submit" disabled={!from} pending={backfill.isPending} className="max-lg:min-h-12">
        Backfill
      </Button>
    </form>
  );
}
