import { type ReactNode, useState } from 'react';
import { countOf, formatDay } from '../http/format.ts';
import { niceTop } from '../ui/charts/frame.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';

export type ChartDay = {
  day: string;
  value: number;
  /** What it is compared with: the time before, or the plan. */
  other: number;
  /** Both in words. */
  texts: readonly [value: string, other: string];
};

type Props = {
  title: string;
  days: readonly ChartDay[];
  label: string;
  otherLabel: string;
  /** A value of the scale as text. */
  scale: (value: number) => string;
};

/** Units of the drawing: a day is ten wide, the scale a hundred high; the page stretches both. */
const dayWidth = 10;
const height = 100;
const bar = 6.4;
/** So many days are named under it. */
const mostLabels = 6;

/** Bars a day with a dashed line to compare with; the same figures as a table for those who would rather read. */
export function DayChart({ title, days, label, otherLabel, scale }: Props) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  return (
    <section aria-label={title} className="min-w-0 rounded border border-line bg-ground">
      <header className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2">
        <h2>{title}</h2>
        <p className="ml-auto flex items-center gap-4 text-12 text-text-3">
          <span className="flex items-center gap-1">
            <i aria-hidden className="block size-3 rounded-[2px] bg-series-1" />
            {label}
          </span>
          <span className="flex items-center gap-1">
            <i aria-hidden className="block w-5 border-text-2 border-t-2 border-dashed" />
            {otherLabel}
          </span>
        </p>
        <span className="print:hidden">
          <Segmented
            label="Show as"
            options={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
            value={view}
            onChange={setView}
          />
        </span>
      </header>
      {view === 'chart' ? (
        <Bars days={days} scale={scale} title={title} label={label} otherLabel={otherLabel} />
      ) : (
        <Table days={days} label={label} otherLabel={otherLabel} />
      )}
    </section>
  );
}

function Bars({ days, scale, title, label, otherLabel }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const most = niceTop(Math.max(1, ...days.flatMap(({ value, other }) => [value, other])));
  const width = days.length * dayWidth;
  const y = (value: number): number => height - (height * Math.max(0, value)) / most;
  const middle = (n: number): number => (n + 0.5) * dayWidth;
  const line = days.map(({ other }, n) => `${n === 0 ? 'M' : 'L'}${middle(n)},${y(other).toFixed(2)}`).join('');
  const shown = at === null ? undefined : days[at];
  // A phone has room for every second of them.
  const every = Math.ceil(days.length / mostLabels);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 px-4 pt-5 pb-3">
      <div aria-hidden className="-my-2 flex h-48 flex-col justify-between text-right text-12 text-text-3">
        {[1, 0.5, 0].map((share) => (
          <span key={share}>{scale(most * share)}</span>
        ))}
      </div>
      <div className="relative">
        <svg
          role="img"
          aria-label={`${title}, ${countOf(days.length, 'day')}`}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="block h-44 w-full overflow-visible"
          onPointerLeave={() => setAt(null)}
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            setAt(
              Math.min(
                days.length - 1,
                Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * days.length)),
              ),
            );
          }}
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x2={width}
              y1={y(most * share)}
              y2={y(most * share)}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {days.map(({ day, value }, n) => (
            <rect
              key={day}
              x={middle(n) - bar / 2}
              width={bar}
              y={y(value)}
              height={height - y(value)}
              className={n === at ? 'fill-accent-hover' : 'fill-series-1'}
            />
          ))}
          <path
            d={line}
            fill="none"
            strokeDasharray="4 3"
            className="stroke-text-2"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {shown && at !== null && (
          <Tip days={days} at={at}>
            <p className="font-semibold">{formatDay(shown.day)}</p>
            <p>
              {label} {shown.texts[0]}
            </p>
            <p className="text-text-3">
              {otherLabel} {shown.texts[1]}
            </p>
          </Tip>
        )}
      </div>
      <p aria-hidden className="relative col-start-2 mt-1 h-4 text-12 text-text-3">
        {days.map(({ day }, n) =>
          n % every === 0 ? (
            <span
              key={day}
              className={`-translate-x-1/2 absolute whitespace-nowrap ${n % (2 * every) === 0 ? '' : 'max-sm:hidden'}`}
              // The last one ends with the chart: half of it would stand over the edge of the card.
              style={{ left: `min(${(100 * middle(n)) / width}%, 100% - 2.25rem)` }}
            >
              {formatDay(day)}
            </span>
          ) : null,
        )}
      </p>
    </div>
  );
}

/** On the side of the bar that has more room. */
function Tip({ days, at, children }: { days: readonly ChartDay[]; at: number; children: ReactNode }) {
  const place = (100 * (at + 0.5)) / days.length;
  return (
    <div
      className="pointer-events-none absolute top-0 z-10 whitespace-nowrap rounded border border-line bg-raised px-3 py-2 text-12 shadow-float"
      style={place > 50 ? { right: `${100 - place}%` } : { left: `${place}%` }}
    >
      {children}
    </div>
  );
}

function Table({ days, label, otherLabel }: Pick<Props, 'days' | 'label' | 'otherLabel'>) {
  return (
    <div className="max-h-80 overflow-y-auto">
      <table className="w-full">
        <thead>
          <tr className="text-left text-12 text-text-3">
            <th className="px-4 py-2 font-medium">Day</th>
            <th className="px-4 py-2 text-right font-medium">{label}</th>
            <th className="px-4 py-2 text-right font-medium">{otherLabel}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, texts }) => (
            <tr key={day} className="border-line border-t">
              <td className="px-4 py-2">{formatDay(day)}</td>
              <td className="px-4 py-2 text-right">{texts[0]}</td>
              <td className="px-4 py-2 text-right text-text-3">{texts[1]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
