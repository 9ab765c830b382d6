import type { Series } from '../map-data.ts';

/** Outlines on a 24 px field: one per series, so that routes read without colour. */
export const shapeOutline: Record<Series | 0, string> = {
  0: 'M12 4a8 8 0 1 0 0 16 8 8 0 1 0 0-16Z',
  1: 'M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 1 0 0-21Z',
  2: 'M5 2h14a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3Z',
  3: 'M6.6 2.2h10.8L23 12l-5.6 9.8H6.6L1 12Z',
  4: 'M12 .5 23.5 12 12 23.5.5 12Z',
  5: 'M12 1 23 9.2 18.8 22.2H5.2L1 9.2Z',
};

export const tickOutline = 'M7 12.4 10.4 16 17 8.6';

const colours: Record<Series | 0, string> = {
  0: 'var(--text-2)',
  1: 'var(--series-1)',
  2: 'var(--series-2)',
  3: 'var(--series-3)',
  4: 'var(--series-4)',
  5: 'var(--series-5)',
};

export function seriesColour(series: Series | undefined): string {
  return colours[series ?? 0];
}

type Props = { series?: Series | undefined; text?: string; done?: boolean; size?: number };

/** The mark of a location as the map draws it, for lists and legends. Decorative: the words stand beside it. */
export function MarkerShape({ series, text, done = false, size = 20 }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="flex-none">
      <path d={shapeOutline[text ? (series ?? 1) : (series ?? 0)]} fill={seriesColour(text ? (series ?? 1) : series)} />
      {done && <path d={tickOutline} fill="none" stroke="var(--on-state)" strokeWidth={2.4} />}
      {!done && text && (
        <text
          x={12}
          y={12}
          dy="0.36em"
          textAnchor="middle"
          fontSize={text.length > 2 ? 9 : 11.5}
          fontWeight={600}
          fill="var(--on-state)"
        >
          {text}
        </text>
      )}
    </svg>
  );
}
