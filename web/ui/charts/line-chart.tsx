import { ChartFrame, niceTop, type Point } from './frame.tsx';

type Props = {
  label: string;
  points: readonly Point[];
  columns: readonly [string, string];
  scale: (value: number) => string;
  /** A dashed line across, e.g. the target. */
  level?: number;
};

/** One series as a line. */
export function LineChart({ label, points, columns, scale, level = 0 }: Props) {
  const top = niceTop(Math.max(level, ...points.map((point) => point.value)));
  const y = (value: number): number => 100 - (100 * value) / top;
  const line = points.map((point, at) => `${at * 10 + 5},${y(point.value)}`).join(' ');
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
      <polyline
        points={line}
        fill="none"
        vectorEffect="non-scaling-stroke"
        strokeWidth={2}
        className="stroke-series-1"
      />
      {points.map((point, at) => (
        <rect key={point.key} x={at * 10} width={10} y={0} height={100} fill="transparent">
          <title>{`${point.label}: ${point.text}`}</title>
        </rect>
      ))}
    </ChartFrame>
  );
}
