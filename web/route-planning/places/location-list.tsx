import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { hasSpot, LocationRow } from './location-row.tsx';
import type { Candidate } from './locations.ts';

/** Height of a row in rem, as its lines are; one more where the rows are machines: a list has one kind. */
const rowRemOf = ([first]: readonly Candidate[]): number => (first && hasSpot(first) ? 7.375 : 6.375);

/** What a rem is where the browser is set to another size of text. */
const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;

type Props = {
  label: string;
  rows: readonly Candidate[];
  /** How many there are, loaded or not. */
  total: number;
  selected: ReadonlySet<string>;
  onToggle: (place: Candidate) => void;
  /** The end of what is loaded comes into sight. */
  onMore: () => void;
};

/** Rows before the end that ask for the next page. */
const rowsAhead = 30;

/** A checkbox list that draws only the rows in sight, and loads on as it is scrolled. */
export function LocationList({ label, rows, total, selected, onToggle, onMore }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowPx = rowRemOf(rows) * remPx();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
    initialRect: { width: 320, height: 480 },
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  const shown = virtual.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) > rows.length - rowsAhead;
  const isMore = rows.length < total;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each page that came
  useEffect(() => {
    if (isNearEnd && isMore) onMore();
  }, [isNearEnd, isMore, rows]);
  return (
    <section
      ref={scroller}
      className="h-105 overflow-y-auto lg:h-[clamp(320px,calc(100dvh-480px),608px)]"
      aria-label={label}
      tabIndex={-1}
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              className="absolute inset-x-0 top-0 border-line border-b"
              style={{ height: rowPx, transform: `translateY(${start}px)` }}
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              <LocationRow row={row} selected={selected.has(row.key)} onToggle={onToggle} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
