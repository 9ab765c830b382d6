import { useMemo, useRef, useState } from 'react';
import type { InventoryRow } from '../../../contract/inventory.ts';

/** Picked items by their id, with the names they had. */
export type Picked = ReadonlyMap<number, InventoryRow>;

export type Picking = {
  picked: Picked;
  /** Of the page in sight. */
  onPage: number;
  /** `isRange`: together with every row from the one picked before. */
  pick: (row: InventoryRow, isPicked: boolean, isRange: boolean) => void;
  pickPage: (isPicked: boolean) => void;
  pickOnly: (rows: readonly InventoryRow[]) => void;
  leaveOut: (ids: readonly number[]) => void;
  clear: () => void;
};

const none: Picked = new Map();

/** What is picked stays so on another page, in another order and behind another filter: a set is made of several searches. */
export function usePicked(rows: readonly InventoryRow[]): Picking {
  const [picked, setPicked] = useState(none);
  const before = useRef<number | null>(null);
  return useMemo(() => {
    const change = (some: readonly InventoryRow[], isPicked: boolean): void =>
      setPicked((held) => {
        const next = new Map(held);
        for (const row of some) {
          if (isPicked) next.set(row.id, row);
          else next.delete(row.id);
        }
        return next;
      });
    return {
      picked,
      onPage: rows.filter(({ id }) => picked.has(id)).length,
      pick: (row, isPicked, isRange) => {
        change(isRange ? rangeOf(rows, before.current, row) : [row], isPicked);
        before.current = row.id;
      },
      pickPage: (isPicked) => change(rows, isPicked),
      pickOnly: (some) => setPicked(new Map(some.map((row) => [row.id, row]))),
      leaveOut: (ids) => setPicked((held) => new Map([...held].filter(([id]) => !ids.includes(id)))),
      clear: () => setPicked(none),
    };
  }, [picked, rows]);
}

/** The rows between two, whichever is above; the one alone where the other is on another page. */
function rangeOf(rows: readonly InventoryRow[], from: number | null, to: InventoryRow): readonly InventoryRow[] {
  const [start, end] = [from, to.id].map((id) => rows.findIndex((row) => row.id === id));
  if (start === undefined || end === undefined || start < 0 || end < 0) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1);
}
