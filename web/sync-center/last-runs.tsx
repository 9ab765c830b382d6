import { useState } from 'react';
import { type EndedRun, latestRunsShown } from '../../contract/sync-center.ts';
import type { IntegrationSystem } from '../../domain/integration.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { useRunsOfSystem } from '../integrations/config-api.ts';
import { Runs } from '../integrations/run-list.tsx';
import { runState, unreadOf } from '../integrations/run-state.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useLatestRuns } from './api.ts';

/** How a system fared of late, a bar a run; pressed, its runs are told in words. */
export function LastRuns({ system }: { system: IntegrationSystem }) {
  const { data, error } = useLatestRuns();
  const [opened, setOpened] = useState<{ run: number | null } | null>(null);
  if (!data) {
    if (error) return <span className="text-12 text-text-3">The last runs did not load</span>;
    return <Skeleton className="h-9 w-[10.375rem]" />;
  }
  const runs = data.find((one) => one.system === system)?.runs ?? [];
  if (runs.length === 0) return <span className={`block text-12 text-text-3 md:text-right ${width}`}>No runs yet</span>;
  return (
    <>
      <button
        type="button"
        aria-label={`${systemLabel[system]}, ${titleOf(runs.length)}: ${sumOf(runs)}`}
        onClick={({ target }) => setOpened({ run: runOf(target) })}
        className="group grid content-center gap-0.5 rounded-s text-left max-lg:min-h-12"
      >
        <Bars runs={runs} />
        <span className="text-right text-12 text-text-3 group-hover:text-text">{titleOf(runs.length)}</span>
      </button>
      {opened && <RunsDialog system={system} chosen={opened.run} onClose={() => setOpened(null)} />}
    </>
  );
}

const titleOf = (count: number): string => (count === 1 ? 'Last run' : `Last ${count} runs`);

type Look = 'failed' | 'warned' | 'usual';

/** Failed needs somebody; warned brought less than it was told, or broke off and went on later. */
function lookOf({ status, errorCount, held }: EndedRun): Look {
  if (status === 'failed') return 'failed';
  return status === 'abandoned' || errorCount > 0 || held > 0 ? 'warned' : 'usual';
}

function sumOf(runs: readonly EndedRun[]): string {
  const numberOf = (look: Look): number => runs.filter((run) => lookOf(run) === look).length;
  const [failed, warned] = [numberOf('failed'), numberOf('warned')];
  const told = [failed > 0 && `${failed} failed`, warned > 0 && `${warned} with warnings`].filter(Boolean);
  return told.length === 0 ? 'none failed' : told.join(', ');
}

function lineOf(run: EndedRun): string {
  const { status, startedAt, recordsProcessed, held } = run;
  const unread = unreadOf(run);
  const facts = [
    countOf(recordsProcessed, 'record'),
    unread > 0 && `${formatNumber(unread)} not read`,
    held > 0 && `${formatNumber(held)} held back`,
  ];
  return `${formatDateTime(startedAt)}: ${runState[status].label}, ${facts.filter(Boolean).join(', ')}`;
}

const [barWidth, gap, height, least] = [5, 2, 20, 3];
const whole = latestRunsShown * (barWidth + gap) - gap;
const width = 'w-[10.375rem]';

/** The newest at the right; of fewer the room at the left stays empty, so that rows compare. */
function Bars({ runs }: { runs: readonly EndedRun[] }) {
  const most = Math.max(1, ...runs.map(({ recordsProcessed }) => recordsProcessed));
  const left = whole + gap - runs.length * (barWidth + gap);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${whole} ${height}`} className={`h-5 ${width}`}>
      {runs.map((run, at) => (
        // Between its neighbours nothing is left that is pressed in vain.
        <g key={run.id} data-run={run.id} transform={`translate(${left + at * (barWidth + gap)} 0)`}>
          <title>{lineOf(run)}</title>
          <rect x={-gap / 2} width={barWidth + gap} height={height} fill="transparent" />
          <Bar look={lookOf(run)} size={sizeOf(run, most)} />
        </g>
      ))}
    </svg>
  );
}

/** By the root: beside one that read years of sales, the others would all be of no height. */
const sizeOf = ({ recordsProcessed }: EndedRun, most: number): number =>
  Math.max(least, Math.round(height * Math.sqrt(recordsProcessed / most)));

function Bar({ look, size }: { look: Look; size: number }) {
  const top = height - size;
  if (look === 'failed') {
    return (
      <rect
        x={0.75}
        y={0.75}
        width={barWidth - 1.5}
        height={height - 1.5}
        strokeWidth={1.5}
        className="fill-none stroke-bad"
      />
    );
  }
  if (look === 'warned') {
    const peak = Math.min(top, height - 6);
    return (
      <path
        d={`M0 ${height}V${peak + barWidth}L${barWidth / 2} ${peak}L${barWidth} ${peak + barWidth}V${height}Z`}
        className="fill-warn"
      />
    );
  }
  return <rect y={top} width={barWidth} height={size} rx={1} className="fill-previous" />;
}

/** The run whose bar was pressed; none where the words or a key were. */
function runOf(target: EventTarget): number | null {
  const bar = target instanceof Element ? target.closest('[data-run]') : null;
  return bar ? Number(bar.getAttribute('data-run')) : null;
}

type DialogProps = { system: IntegrationSystem; chosen: number | null; onClose: () => void };

function RunsDialog({ system, chosen, onClose }: DialogProps) {
  const { data, error, refetch } = useRunsOfSystem(system, latestRunsShown);
  const mayStop = useMay('office:write');
  return (
    <Dialog open wide onClose={onClose} title={`Runs of ${systemLabel[system]}`} description="The newest first.">
      {data && <Runs runs={data.rows} mayStop={mayStop} chosen={chosen} />}
      {error && !data && <FailedView error={error} retry={() => void refetch()} title="The runs did not load" />}
      {!data && !error && <SkeletonRows rows={5} className="h-10" />}
    </Dialog>
  );
}
