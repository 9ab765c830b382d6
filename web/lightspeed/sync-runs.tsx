import type { SyncRun } from '../../contract/integration-runs.ts';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { pauseOf } from '../integrations/open-run.ts';
import { runState } from '../integrations/run-state.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/skeleton.tsx';
import { StateView } from '../ui/state-view.tsx';
import { Below } from '../ui/tables/below.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useCancelSync, useRuns } from './api.ts';

const causes: Record<SyncRun['cause'], string> = {
  manual: 'By hand',
  timetable: 'Timetable',
  nightly: 'Nightly check',
  backfill: 'Backfill',
  webhook: 'Webhook',
  push: 'Push',
};

/** What was read when, how far it is, and what went wrong. */
export function SyncRuns({ config }: { config: IntegrationConfig }) {
  const { get, set } = useAddress();
  const list = useRuns(config.id, get('page'));
  const open = list.data?.rows.find(({ status }) => status === 'running' || status === 'pending');
  if (list.error && !list.data) {
    return <FailedPage list={list} title="Syncs did not load" />;
  }
  return (
    <>
      {open && <Progress run={open} />}
      <PagedTable
        label="Sync runs"
        page={list.data}
        waiting={list.isPlaceholderData}
        columns={columns}
        rowKey={(row) => row.id}
        sort=""
        onSort={() => {}}
        onPage={(page) => set({ page })}
        empty={<StateView icon="refresh" title="Never synced" text="Press Sync Now to read the store." />}
      />
    </>
  );
}

function Progress({ run }: { run: SyncRun }) {
  const cancel = useCancelSync();
  const mayWrite = useMay('office:write');
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 border-line border-b bg-accent-soft px-4 py-3">
      <Spinner />
      <p className="min-w-0 flex-1">{progressOf(run)}</p>
      {mayWrite && !run.isStopping && (
        <Button pending={cancel.isPending} onClick={() => cancel.mutate(run.id)} className="max-lg:min-h-12">
          Cancel
        </Button>
      )}
    </div>
  );
}

function progressOf({ system, status, isStopping, progress }: SyncRun): string {
  const read = progress?.resource
    ? `Reading ${progress.resource}: ${countOf(progress.records, 'record')} in ${countOf(progress.pages, 'page')}`
    : null;
  const pause = pauseOf(system, { status, isStopping, waitsUntil: progress?.waitsUntil ?? null });
  if (read === null || isStopping) return pause ?? 'Reading the first page';
  return pause === null ? read : `${read}. ${pause}`;
}

const columns: readonly PagedColumn<SyncRun>[] = [
  {
    ...{ key: 'started', header: 'Started', className: 'md:w-48' },
    cell: (row) => (
      <>
        {formatDateTime(row.startedAt ?? row.createdAt)}
        {/* On a phone there is room for two columns: the rest stands below the first. */}
        <span className="block whitespace-normal pb-2 text-text-2 md:hidden">{shortlyOf(row)}</span>
        <Below
          lines={[[durationOf(row), ...bookedOf(row)].filter(Boolean).join(', ')]}
          hidden="max-md:hidden xl:hidden"
        />
      </>
    ),
  },
  {
    ...{ key: 'status', header: 'Status', className: 'w-32' },
    cell: (row) => <Badge tone={runState[row.status].tone}>{runState[row.status].label}</Badge>,
  },
  { key: 'cause', header: 'Cause', className: 'w-28 max-md:hidden', cell: (row) => causes[row.cause] },
  {
    ...{ key: 'duration', header: 'Duration', align: 'right' as const, className: 'w-22 max-xl:hidden' },
    cell: durationOf,
  },
  {
    ...{ key: 'records', header: 'Records', align: 'right' as const, className: 'w-20 max-md:hidden' },
    cell: (row) => formatNumber(row.recordsProcessed),
  },
  {
    ...{ key: 'sales', header: 'Sales Booked', align: 'right' as const, className: 'w-28 max-xl:hidden' },
    cell: (row) => formatNumber(row.counts.booked),
  },
  {
    ...{ key: 'held', header: 'Held', align: 'right' as const, className: 'w-16 max-xl:hidden' },
    cell: (row) => formatNumber(row.counts.held),
  },
  {
    ...{ key: 'errors', header: 'Errors', className: 'min-w-0 pl-6 max-md:hidden' },
    cell: (row) => <span className="block whitespace-normal py-2">{detailOf(row)}</span>,
  },
];

function durationOf({ durationMs }: SyncRun): string {
  return durationMs === null ? '' : `${(durationMs / 1000).toFixed(1)} s`;
}

function bookedOf({ counts }: SyncRun): string[] {
  return [
    ...(counts.booked > 0 ? [`${countOf(counts.booked, 'sale')} booked`] : []),
    ...(counts.held > 0 ? [`${formatNumber(counts.held)} held`] : []),
  ];
}

function shortlyOf(run: SyncRun): string {
  const duration = durationOf(run);
  const known = [causes[run.cause], countOf(run.recordsProcessed, 'record'), ...bookedOf(run)];
  const facts = duration === '' ? known : [...known, duration];
  const detail = detailOf(run);
  return detail === '' ? facts.join(', ') : `${facts.join(', ')}. ${detail}`;
}

/** The sentence of the run is that of its first error: said once. */
function detailOf({ message, errorDetails }: SyncRun): string {
  const isSaid = message !== null && errorDetails.some((detail) => detail.includes(message));
  return [...(message === null || isSaid ? [] : [message]), ...errorDetails].join(' ');
}
