import type { DayPlan } from '../../contract/day-plans.ts';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';

type Props = { plan: DayPlan; stopping: boolean; onStop: () => void };

const width = 240;
const height = 40;

/** The search as it goes: the cost falling, the time left, and a way to be content with what is there. */
export function SearchProgress({ plan, stopping, onStop }: Props) {
  const share = Math.min(1, plan.elapsedMs / Math.max(1, plan.timeLimitMs));
  const curve = curveOf(plan);
  return (
    <section aria-label="Search" className="grid gap-2 rounded border border-line p-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="font-medium">
          Looking for better routes, {countOf(plan.totals.stops, 'stop')} placed
        </p>
        <Button className="ml-auto max-lg:h-12" pending={stopping} pendingLabel="Stopping..." onClick={onStop}>
          Stop and keep this plan
        </Button>
      </div>
      {curve ? <Curve {...curve} elapsedMs={plan.elapsedMs} /> : <div className="h-10" />}
      <progress
        aria-label="Time used"
        className="h-1 w-full appearance-none overflow-hidden rounded-[2px] bg-idle-soft [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-idle-soft [&::-webkit-progress-value]:bg-accent"
        value={share}
        max={1}
      />
      <p className="text-12 text-text-3">
        {curve ? foundText(plan.progress.length, curve.gained) : 'Reading distances'}
      </p>
    </section>
  );
}

/** The line has no scale and no zero: without words a fall of a few percent would look like one to nothing. */
const foundText = (plans: number, gained: number): string =>
  `${countOf(plans, 'better plan')} so far${gained > 0 ? `. The line shows how the cost fell by ${gained}%; it does not start at zero.` : ''}`;

/** Stops left out weigh so much that plans with more of them would flatten the rest: only the last level is drawn. */
function curveOf({ progress }: DayPlan) {
  const last = progress.at(-1);
  if (!last) return null;
  const points = progress.filter(({ cost }) => cost <= last.cost * 1.5 + 60);
  const top = Math.max(...points.map(({ cost }) => cost));
  return { points, top, last, gained: top > 0 ? Math.round((100 * (top - last.cost)) / top) : 0 };
}

type CurveProps = NonNullable<ReturnType<typeof curveOf>> & { elapsedMs: number };

function Curve({ points, top, last, gained, elapsedMs }: CurveProps) {
  const low = last.cost;
  const end = Math.max(elapsedMs, last.ms, 1);
  const x = (ms: number): number => (ms / end) * width;
  const y = (cost: number): number => (top === low ? height - 2 : 2 + ((top - cost) / (top - low)) * (height - 4));
  const [first = last, ...rest] = points;
  const steps = rest.map(({ ms, cost }) => `H${x(ms).toFixed(1)}V${y(cost).toFixed(1)}`).join('');
  const path = `M${x(first.ms).toFixed(1)},${y(first.cost).toFixed(1)}${steps}H${width}`;
  return (
    <svg
      role="img"
      aria-label={`Cost fell by ${gained} percent`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-10 w-full text-accent"
    >
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
