import type { SyncRun } from '../../contract/integration-runs.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useCancelSync, useRuns } from './config-api.ts';
import { pauseOf } from './open-run.ts';
import { runState, unreadOf } from './run-state.ts';

const causeLabel: Record<SyncRun['cause'], string> = {
  manual: 'by hand',
  timetable: 'by timetable',
  nightly: 'nightly reread',
  backfill: 'backfill',
  webhook: 'after a message',
  push: 'pushed',
};

/** The latest runs of one configuration. */
export function RunList({ configId, mayStop }: { configId: number; mayStop: boolean }) {
  const { data, error, refetch } = useRuns(configId);
  if (error && !data)
    return <FailedView error={error} retry={() => void refetch()} title="The latest runs did not load" />;
  if (!data) return <SkeletonRows rows={5} className="h-4" />;
  if (data.rows.length === 0) return <p className="text-12 text-text-3">It has not run yet.</p>;
  return <Runs runs={data.rows} mayStop={mayStop} />;
}

type RunsProps = {
  runs: readonly SyncRun[];
  mayStop: boolean;
  /** The one that was pressed to come here. */
  chosen?: number | null;
};

export function Runs({ runs, mayStop, chosen = null }: RunsProps) {
  return (
    <ul aria-label="Latest runs" className="rounded border border-line">
      {runs.map((run) => (
        <Run key={run.id} run={run} mayStop={mayStop} isChosen={run.id === chosen} />
      ))}
    </ul>
  );
}

const intoSight = (row: HTMLElement | null): void => row?.scrollIntoView({ block: 'center' });

function Run({ run, mayStop, isChosen }: { run: SyncRun; mayStop: boolean; isChosen: boolean }) {
  const stop = useCancelSync();
  const look = runState[run.status];
  const isOpen = run.status === 'running' || run.status === 'pending';
  return (
    <li
      ref={isChosen ? intoSight : null}
      aria-current={isChosen || undefined}
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-3 py-1 text-12 last:border-b-0 aria-[current]:bg-accent-soft"
    >
      <span className="w-24 flex-none">
        <Badge tone={look.tone}>{look.label}</Badge>
      </span>
      <span className="w-60 text-text-2">{`${formatDateTime(run.startedAt ?? run.createdAt)}, ${causeLabel[run.cause]}`}</span>
      <span className="min-w-40 flex-1">{isOpen ? progressOf(run) : resultOf(run)}</span>
      {isOpen && mayStop && !run.isStopping && (
        <Button
          size="small"
          icon="stop"
          pending={stop.isPending}
          onClick={() => stop.mutate(run.id)}
          className="max-lg:min-h-12"
        >
          Stop
        </Button>
      )}
    </li>
  );
}

function progressOf({ system, status, isStopping, progress }: SyncRun): string {
  const pause = pauseOf(system, { status, isStopping, waitsUntil: progress?.waitsUntil ?? null });
  if (!progress || isStopping) return pause ?? 'Begins in a moment';
  const read = `${countOf(progress.records, 'record')} read${progress.resource ? `, now ${progress.resource}` : ''}`;
  return pause === null ? read : `${read}. ${pause}`;
}

function resultOf(run: SyncRun): string {
  const { counts, durationMs, message } = run;
  const unread = unreadOf(run);
  const took = durationMs === null ? '' : ` in ${seconds(durationMs)}`;
  const facts = [
    `${countOf(counts.processed, 'record')}${took}`,
    counts.booked > 0 && `${countOf(counts.booked, 'sale')} booked`,
    counts.added > 0 && `${countOf(counts.added, 'place')} linked`,
    counts.held > 0 && `${formatNumber(counts.held)} held back`,
    unread > 0 && `${formatNumber(unread)} not read`,
    message,
  ];
  return facts.filter(Boolean).join(', ');
}

const seconds = (ms: number): string => (ms < 950 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 9_950 ? 1 : 0)} s`);
