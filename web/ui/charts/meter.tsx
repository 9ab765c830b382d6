import type { Tone } from '../badge.tsx';

const fills: Record<Tone, string> = {
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  idle: 'bg-idle',
  run: 'bg-accent',
  outline: 'bg-idle',
};

type MeterProps = { percent: number; tone: Tone; label: string; width?: number };

/** A level in percent: a bar and the number beside it. */
export function Meter({ percent, tone, label, width = 96 }: MeterProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: the element cannot be drawn alike in all browsers */}
      <span
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="block h-2 min-w-4 overflow-hidden rounded-[2px] border border-line bg-idle-soft"
        style={{ width }}
      >
        <span className={`block h-full ${fills[tone]}`} style={{ width: `${percent}%` }} />
      </span>
      <span className="w-9 shrink-0 text-right">{percent}%</span>
    </span>
  );
}

const seriesText = ['text-text-3', 'text-series-1', 'text-series-2', 'text-series-3', 'text-series-4', 'text-series-5'];
/** More steps than this are drawn as one bar: single marks would be too thin to see. */
const mostMarks = 30;

type StepsProps = {
  done: number;
  total: number;
  series?: number;
  label: string /** Nothing comes next, though steps were left out. */;
  ended?: boolean;
};

/** How many steps of a whole are done, one mark each; the next one is outlined. */
export function StepProgress({ done, total, series = 1, label, ended = false }: StepsProps) {
  const share = total === 0 ? 0 : (100 * done) / total;
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      className={`flex h-2 gap-0.5 ${seriesText[series] ?? 'text-accent'}`}
    >
      {total > mostMarks || total === 0 ? (
        <span className="block flex-1 overflow-hidden rounded-[2px] border border-line bg-idle-soft">
          <span className="block h-full bg-current" style={{ width: `${share}%` }} />
        </span>
      ) : (
        Array.from({ length: total }, (_, n) => (
          <Mark key={`${n}-of-${total}`} state={ended && n >= done ? 'open' : markState(n, done)} />
        ))
      )}
    </span>
  );
}

function markState(n: number, done: number): 'done' | 'next' | 'open' {
  if (n < done) return 'done';
  return n === done ? 'next' : 'open';
}

function Mark({ state }: { state: 'done' | 'next' | 'open' }) {
  const look = { done: 'bg-current', next: 'border-2 border-current', open: 'border border-line bg-idle-soft' }[state];
  return <i className={`block flex-1 rounded-[1px] ${look}`} />;
}
