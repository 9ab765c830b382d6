type Props = {
  /** What is drawn, in words, for those who do not see it. */
  label: string;
  values: readonly number[];
};

/** How a figure came about, without a scale: from its least to its most, the last value marked. Nothing where there are fewer than two. */
export function Sparkline({ label, values }: Props) {
  if (values.length < 2) return null;
  const least = Math.min(...values);
  const span = Math.max(...values) - least || 1;
  const points = values.map((value, at) => [(100 * at) / (values.length - 1), 28 - (24 * (value - least)) / span - 2]);
  const [lastX = 0, lastY = 0] = points.at(-1) ?? [];
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="-2 0 106 28"
      className="h-7 w-24 min-w-0 shrink-[1000] overflow-visible max-sm:hidden"
    >
      <title>{label}</title>
      <polyline
        points={points.map((point) => point.join()).join(' ')}
        fill="none"
        strokeWidth={1.25}
        strokeLinejoin="round"
        className="stroke-text-2"
      />
      <circle cx={lastX} cy={lastY} r={2.5} className="fill-text-2" />
    </svg>
  );
}
