import { returnLabel } from '../../../domain/return-labels.ts';
import { formatNumber, formatTime } from '../../http/format.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { Flag } from '../../ui/badge.tsx';
import { DayFigures } from './day-figures.tsx';
import { reasonsInOrder } from './returns-form.tsx';
import { keyOf, type ReturnLine } from './summary.ts';
import type { DayEnd, SentDay } from './use-day-end.ts';

/** The end of a day as the office has it from its driver, not as it would be counted now. */
export function SentDayView({ end, sent }: { end: DayEnd; sent: SentDay }) {
  const { summary, allBags, photosUnsent } = end;
  return (
    <>
      <section aria-label="What was sent" className="grid gap-1 border-line border-b p-4 text-16">
        <p className="flex flex-wrap items-center gap-3">
          <span className="font-semibold">Day finished {formatTime(sent.at)}</span>
          <StateWord state={sent.state} />
        </p>
        {summary.unitsFilled > sent.unitsFilled && (
          <p className="text-warn-text">
            {`Since then the units filled have become ${formatNumber(summary.unitsFilled)}. Correct what was sent to tell the office.`}
          </p>
        )}
      </section>
      <DayFigures summary={{ ...summary, unitsFilled: sent.unitsFilled }} photosUnsent={photosUnsent} />
      <SentBags all={allBags} handed={sent.bagNumbers} />
      <SentReturns lines={sent.returns} />
    </>
  );
}

function SentBags({ all, handed }: { all: readonly string[]; handed: readonly string[] }) {
  return (
    <section aria-label="Cash bags" className="grid gap-2 border-line border-b p-4">
      <h2 className="flex justify-between text-16">
        <span>Cash bags handed over</span>
        <span className="tabular-nums">
          {handed.length} of {all.length}
        </span>
      </h2>
      {all.map((bag) => (
        <p key={bag} className="flex min-h-10 items-center gap-3 text-16">
          <span className="flex-1">{bag}</span>
          {handed.includes(bag) ? <Flag tone="ok">Handed over</Flag> : <Flag tone="warn">Not handed over</Flag>}
        </p>
      ))}
    </section>
  );
}

function SentReturns({ lines }: { lines: readonly ReturnLine[] }) {
  const total = lines.reduce((sum, line) => sum + line.units, 0);
  const inOrder = reasonsInOrder.flatMap((reason) => lines.filter((line) => line.reason === reason));
  return (
    <section aria-label="Brought back" className="grid gap-2 p-4">
      <h2 className="flex justify-between text-16">
        <span>Units brought back</span>
        <span className="tabular-nums">{formatNumber(total)}</span>
      </h2>
      <ul>
        {inOrder.map((line) => (
          <li key={keyOf(line)} className="flex min-h-12 items-center gap-4 border-line border-t py-1">
            <span className="min-w-0 flex-1">
              <span className="block text-16">{line.productName}</span>
              <span className="text-text-2">{returnLabel[line.reason]}</span>
            </span>
            <span className="font-semibold text-16 tabular-nums">{formatNumber(line.units)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
