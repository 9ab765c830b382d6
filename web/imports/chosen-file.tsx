import { useState } from 'react';
import type { ImportResult, ImportUpload } from '../../contract/imports.ts';
import { useSession } from '../auth/api.ts';
import { ApiError, sentenceOf } from '../http/client.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { StepProgress } from '../ui/charts/meter.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { type Far, type Meanings, useRun, withSwappedPoints } from './api.ts';
import { ColumnList } from './column-list.tsx';
import { ReportCard } from './report-card.tsx';
import { anyOf } from './wording.ts';

/** From the columns of a file to what was imported: nothing is written before it was checked. */
export function ChosenFile({ upload }: { upload: ImportUpload }) {
  const { operator } = useSession();
  const run = useRun(upload.id);
  const [meanings, setMeanings] = useState<Meanings>(() =>
    Object.fromEntries(upload.columns.map(({ name, field }) => [name, field])),
  );
  const [currency, setCurrency] = useState(operator.currency);
  const [machine, setMachine] = useState('');
  const isSales = upload.kind === 'sales';
  const problem = problemOf(upload, meanings);
  const start = (dryRun: boolean, map = meanings): void => {
    const given = isSales ? { currency: currency.trim().toUpperCase(), machine: machine.trim() || null } : {};
    setCheckedRows(dryRun ? null : (result?.rows ?? null));
    run.mutate({ kind: upload.kind, map, dryRun, ...given });
  };
  const result = run.data;
  const [checkedRows, setCheckedRows] = useState<number | null>(null);
  const isDone = result !== undefined && !result.dryRun;
  // What was checked is not what would be imported any more.
  const change = (apply: () => void): void => {
    apply();
    run.reset();
  };
  return (
    <>
      <Card
        title="Columns"
        count={upload.columns.length}
        actions={upload.remembered && <span className="text-12 text-text-3">As chosen the last time</span>}
      >
        <ColumnList
          upload={upload}
          meanings={meanings}
          disabled={run.isPending}
          onChange={(column, field) => change(() => setMeanings({ ...meanings, [column]: field }))}
        />
        {isSales && (
          <div className="grid items-start gap-4 border-line border-t p-4 sm:grid-cols-[15rem_15rem]">
            <TextField
              label="Currency, where no column names one"
              value={currency}
              maxLength={3}
              error={run.error instanceof ApiError ? run.error.fields.currency : undefined}
              disabled={run.isPending}
              onChange={(value) => change(() => setCurrency(value))}
            />
            <TextField
              label="Machine ID, where no column names one"
              value={machine}
              disabled={run.isPending}
              hint="Empty: the name of the file."
              onChange={(value) => change(() => setMachine(value))}
            />
          </div>
        )}
      </Card>
      {run.cancelled && (
        <p role="alert" className="rounded border border-line bg-subtle px-4 py-3">
          {run.variables?.dryRun
            ? 'Cancelled. Nothing was changed.'
            : 'Cancelled. Look under Past imports whether it was done in its last moment.'}
        </p>
      )}
      {run.error && !run.cancelled && (
        <p role="alert" className="rounded border border-bad bg-bad-soft px-4 py-3 text-bad-text">
          {`${sentenceOf(run.error)} ${run.variables?.dryRun ? 'Nothing was changed.' : 'Check again to see what is there.'}`}
        </p>
      )}
      {!isDone && (
        <footer className="flex flex-wrap items-center gap-2">
          <Button
            variant={result ? 'secondary' : 'primary'}
            icon="eye"
            disabled={problem !== null || run.isPending}
            pending={run.isPending && run.variables.dryRun}
            pendingLabel="Checking..."
            onClick={() => start(true)}
            className="max-lg:min-h-12"
          >
            Check
          </Button>
          <Button
            variant="primary"
            icon="upload"
            disabled={!result || run.isPending || result.created + result.updated === 0}
            pending={run.isPending && !run.variables.dryRun}
            pendingLabel="Importing..."
            onClick={() => start(false)}
            className="max-lg:min-h-12"
          >
            Import
          </Button>
          {run.isPending ? (
            <Under far={run.far} rows={checkedRows} onCancel={run.cancel} />
          ) : (
            <p role="status" className="text-text-2">
              {problem ?? nextStep(result)}
            </p>
          )}
        </footer>
      )}
      {result?.swapped && (
        <SwappedPoints
          isDone={isDone}
          onSwap={() => {
            const swapped = withSwappedPoints(meanings);
            setMeanings(swapped);
            start(true, swapped);
          }}
        />
      )}
      {result && <ReportCard id={upload.id} result={result} />}
    </>
  );
}

/** Said before anything is written, and after it to those who wanted it so. */
function SwappedPoints({ isDone, onSwap }: { isDone: boolean; onSwap: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded border border-warn bg-warn-soft px-4 py-3 text-warn-text"
    >
      <p className="min-w-60 flex-1">
        <strong className="font-semibold">Latitude and longitude look swapped.</strong> Most points lie where you are
        only the other way round. {isDone && 'Look at them on the map; under Past imports this import can be undone.'}
      </p>
      {!isDone && (
        <Button onClick={onSwap} className="max-lg:min-h-12">
          Swap them
        </Button>
      )}
    </div>
  );
}

type UnderProps = { far: Far | null; rows: number | null; onCancel: () => void };

/** How far a check or an import is, and the way out of it. */
function Under({ far, rows, onCancel }: UnderProps) {
  const { read, done } = far ?? { read: 0, done: 0 };
  const words =
    rows === null
      ? `${countOf(read, 'row')} read, ${formatNumber(done)} done`
      : `${formatNumber(done)} of ${countOf(rows, 'row')} done`;
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
      <Button icon="close" onClick={onCancel} className="max-lg:min-h-12">
        Cancel
      </Button>
      <div className="grid min-w-60 max-w-100 flex-1 gap-1">
        {rows !== null && <StepProgress done={Math.min(done, rows)} total={rows} label="Rows done" />}
        <p className="tabular-nums text-text-2">{words}</p>
      </div>
      <p className="text-12 text-text-3">Leave this page open: leaving it cancels.</p>
    </div>
  );
}

/** Why the file cannot be checked yet. */
const positionNeeded =
  'Still needed: where each place is. Choose the columns of its latitude and longitude, or the one that holds both. ' +
  'A file without them cannot be drawn or routed to: add them to the file, or the places by hand.';

function problemOf({ needs }: ImportUpload, meanings: Meanings): string | null {
  const chosen = Object.values(meanings).filter((field) => field !== null);
  const missing = needs.filter((group) => !group.some((field) => chosen.includes(field)));
  if (missing.some((group) => group.includes('latitude'))) return positionNeeded;
  if (missing.length) return `Still needed: ${missing.map(anyOf).join('; ')}. Choose the column that means it.`;
  return new Set(chosen).size < chosen.length ? 'Two columns mean the same. Choose one of them.' : null;
}

function nextStep(result: ImportResult | undefined): string {
  if (!result) return 'Check shows everything before anything is changed.';
  const rows = result.created + result.updated;
  if (result.rows > 0 && result.refused.total === result.rows) {
    return 'Every row is refused: read why below, and choose other meanings.';
  }
  if (result.rows === 0) return 'There is nothing to import: the file has no rows below its header.';
  if (rows === 0) return 'There is nothing to import: no row is new or changed.';
  return `Imports ${countOf(rows, 'row')}. It can be undone as a whole.`;
}
