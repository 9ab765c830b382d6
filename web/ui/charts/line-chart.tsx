import { ChartFrame, type Mark, niceTop } from './frame.tsx';

type Props = {
  label: string;
  /** Evenly spaced; null where nothing was measured: the line has a gap there. */
  points: readonly (Mark & { value: number | null })[];
  columns: readonly [string, string];
  scale: (value: number) => string;
  /** A dashed line across, e.g. the target. */
  level?: number;
};

/** One series as a line. */
export function LineChart({ label, points, columns, scale, level = 0 }: Props) {
  const top = niceTop(Math.max(level, ...points.map((point) => point.value ?? 0)));
  const y = (value: number): number => 100 - (100 * value) / top;
  const runs = runsOf(points.map(({ value }) => value));
  return (
    <ChartFrame label={label} points={points} top={top} scale={scale} columns={columns}>
      {level > 0 && (
        <line
          x1={0}
          x2={points.length * 10}
          y1={y(level)}
          y2={y(level)}
          vectorEffect="non-scaling-stroke"
          strokeDasharray="3 3"
          className="stroke-text-2"
        />
      )}
      {runs.map((run) => (
        <polyline
          key={run.from}
          points={lineOf(run, y)}
          fill="none"
          vectorEffect="non-scaling-stroke"
          strokeWidth={2}
          className="stroke-series-1"
        />
      ))}
      {points.map((point, at) => (
        <rect key={point.key} x={at * 10} width={10} y={0} height={100} fill="transparent">
          <title>{`${point.label}: ${point.text}`}</title>
        </rect>
      ))}
    </ChartFrame>
  );
}

type Run = { from: number; values: number[] };

/** Stretches without a gap, each with the position of its first point. */
function runsOf(values: readonly (number | null)[]): Run[] {
  const runs: Run[] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    const last = runs.at(-1);
    if (last && last.from + last.values.length === at) last.values.push(value);
    else runs.push({ from: at, values: [value] });
  }
  return runs;
}

/** One point alone is a dash, since a line of one point is not drawn. */
function lineOf({ from, values }: Run, y: (value: number) => number): string {
  const [only = 0] = values;
  if (values.length === 1) return `${from * 10 + 2},${y(only)} ${from * 10 + 8},${y(only)}`;
  return values.map((value, at) => `${(from + at) * 10 + 5},${y(value)}`).join(' ');
}
