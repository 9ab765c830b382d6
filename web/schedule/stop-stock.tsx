import { useMemo } from 'react';
import type { Stop } from '../../contract/routes.ts';
import { type FieldStatus, fieldStatus, scheduleLabel } from '../../domain/stock-status.ts';
import { toLatLng } from '../http/parse.ts';
import { directionsLink } from '../map/directions-link.ts';
import { StopNeed } from '../need/stop-need.tsx';
import { Flag, type Tone } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type StockLine, useStopStock } from './api.ts';
import { stopRef } from './stop-ref.ts';

const tones: Record<FieldStatus, Tone> = { out: 'bad', low: 'warn', good: 'ok' };
const order: Record<FieldStatus, number> = { out: 0, low: 1, good: 2 };

/** What is at the selected stop, what is missing first. */
export function StopStock({ stop, day }: { stop: Stop | null; day: string }) {
  const ref = useMemo(() => (stop ? stopRef(stop) : null), [stop]);
  const stock = useStopStock(ref);
  if (!stop || !ref) {
    return (
      <Card title="Inventory">
        <StateView icon="box" title="Select a stop to view details" />
      </Card>
    );
  }
  const lines = [...(stock.lines ?? [])].sort((a, b) => order[statusOf(a)] - order[statusOf(b)]);
  return (
    <Card title={stop.locationName} actions={<Counts lines={lines} />}>
      <div className="grid grid-cols-2 gap-2 border-line border-b p-4">
        <a
          href={directionsLink({ destination: toLatLng(stop) })}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ size: 'field' })}
        >
          <Icon name="navigate" size={20} />
          Navigate
        </a>
        <a
          href={`/mobile-inventory?type=${ref.type}&id=${ref.id}`}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ size: 'field', variant: 'primary' })}
        >
          Update Inventory
        </a>
      </div>
      {!stop.completed && <StopNeed place={ref} visit={day} />}
      {stock.failed && <FailedView error={stock.failed} retry={stock.retry} />}
      {!stock.failed && !stock.lines && <SkeletonRows rows={5} />}
      {stock.lines?.length === 0 && <StateView icon="box" title="No inventory data available" />}
      <ul
        aria-label={`Inventory of ${stop.locationName}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-[12rem] overflow-y-auto"
      >
        {lines.map((line) => (
          <li key={line.key} className="flex min-h-12 items-center gap-3 border-line border-b px-4 last:border-b-0">
            {line.slotNumber && <span className="w-10 flex-none font-semibold">{line.slotNumber}</span>}
            <span className="min-w-0 flex-1 truncate" title={line.productName}>
              {line.productName}
            </span>
            <span className="font-semibold">{line.quantity}</span>
            <span className="w-20">
              <Flag tone={tones[statusOf(line)]}>{scheduleLabel[statusOf(line)]}</Flag>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const statusOf = (line: StockLine): FieldStatus => fieldStatus(line.quantity, line.minimum);

function Counts({ lines }: { lines: readonly StockLine[] }) {
  const empty = lines.filter((line) => statusOf(line) === 'out').length;
  const low = lines.filter((line) => statusOf(line) === 'low').length;
  return (
    <>
      {empty > 0 && <Flag tone="bad">{empty} Empty</Flag>}
      {low > 0 && <Flag tone="warn">{low} Low</Flag>}
    </>
  );
}
