import { useMemo } from 'react';
import type { Stop } from '../../../contract/routes.ts';
import { type FieldStatus, fieldStatus, scheduleLabel } from '../../../domain/stock-status.ts';
import { Flag, type Tone } from '../../ui/badge.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { FailedView, StateView } from '../../ui/state-view.tsx';
import { type StockLine, useStopStock } from '../api.ts';
import { stopRef } from './stop-ref.ts';

const tones: Record<FieldStatus, Tone> = { out: 'bad', low: 'warn', good: 'ok' };
const order: Record<FieldStatus, number> = { out: 0, low: 1, good: 2 };

const statusOf = (line: StockLine): FieldStatus => fieldStatus(line.quantity, line.minimum);

/** What is at a stop, what is missing first. */
export function StopStock({ stop }: { stop: Stop }) {
  const { marketId, vendingMachineId } = stop;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the two ids are all of the stop that names its location
  const ref = useMemo(() => stopRef(stop), [marketId, vendingMachineId]);
  const stock = useStopStock(ref);
  const lines = [...(stock.lines ?? [])].sort((a, b) => order[statusOf(a)] - order[statusOf(b)]);
  return (
    <>
      <Counts lines={lines} />
      {stock.failed && <FailedView error={stock.failed} retry={stock.retry} title="Stock did not load" />}
      {!stock.failed && !stock.lines && <SkeletonRows rows={5} />}
      {stock.lines?.length === 0 && <StateView icon="box" title="No inventory data available" />}
      {lines.length > 0 && (
        <ul
          aria-label={`Inventory of ${stop.locationName}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-48 overflow-y-auto"
        >
          {lines.map((line) => (
            <li key={line.key} className="flex min-h-10.5 items-center gap-3 border-line border-b px-4 last:border-b-0">
              {line.slotNumber && <span className="w-10 flex-none font-semibold">{line.slotNumber}</span>}
              <span className="min-w-0 flex-1 py-1">{line.productName}</span>
              <span className="font-semibold">{line.quantity}</span>
              <span className="w-20">
                <Flag tone={tones[statusOf(line)]}>{scheduleLabel[statusOf(line)]}</Flag>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Counts({ lines }: { lines: readonly StockLine[] }) {
  const empty = lines.filter((line) => statusOf(line) === 'out').length;
  const low = lines.filter((line) => statusOf(line) === 'low').length;
  if (empty + low === 0) return null;
  return (
    <p className="flex gap-4 border-line border-b px-4 py-2">
      {empty > 0 && <Flag tone="bad">{empty} Empty</Flag>}
      {low > 0 && <Flag tone="warn">{low} Low</Flag>}
    </p>
  );
}
