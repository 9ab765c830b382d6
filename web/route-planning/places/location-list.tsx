import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { LocationRow } from './location-row.tsx';
import type { Candidate } from './locations.ts';

const rowPx = 102;

type Props = {
  label: string;
  rows: readonly Candidate[];
  selected: ReadonlySet<string>;
  onToggle: (key: string) => void;
};

/** A checkbox list that draws only the rows in sight. */
export function LocationList({ label, rows, selected, onToggle }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 6,
    initialRect: { width: 320, height: 480 },
    getItemKey: (index) => rows[index]?.key ?? index,
  });
  return (
    <section
      ref={scroller}
      className="h-105 overflow-y-auto lg:h-[clamp(320px,calc(100dvh-480px),608px)]"
      aria-label={label}
      tabIndex={-1}
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={key}
              className="absolute inset-x-0 top-0 border-line border-b"
              style={{ height: rowPx, transform: `translateY(${start}px)` }}
              aria-setsize={rows.length}
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
