import { ChartFrame, niceTop, type Point } from './frame.tsx';

type Props = {
  label: string;
  points: readonly (Point & { quiet?: boolean })[];
  columns: readonly [string, string];
  scale: (value: number) => string;
  /** A dashed line across, e.g. the mean. */
  level?: number;
};

/** One series as columns; quiet ones (a weekend) are grey. */
export function ColumnChart({ label, points, columns, scale, level }: Props) {
  const top = niceTop(Math.max(0, ...points.map((point) => point.value)));
  const height = (value: number): number => (100 * value) / top;
  return (
    <ChartFrame label={label} points={points} top={top} scale={scale} columns={columns}>
      {points.map((point, at) => (
        <rect
          key={point.key}
          x={at * 10 + 1}
          width={8}
          y={100 - height(point.value)}
          height={height(point.value)}
          className={point.quiet ? 'fill-previous' : 'fill-series-1'}
        >
          <title>{`${point.label}: ${point.text}`}</title>
        </rect>
      ))}
      {level !== undefined && level > 0 && (
        <line
          x1={0}
          x2={points.length * 10}
          y1={100 - height(level)}
          y2={100 - height(level)}
          vectorEffect="non-scaling-stroke"
          strokeDasharray="3 3"
          className="stroke-text-2"
        />
      )}
    </ChartFrame>
  );
}
