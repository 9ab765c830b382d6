import { useDeferredValue } from 'react';

/** As many rows as fill a screen. */
const firstRows = 16;

/**
 * Another list is drawn in two strokes: the rows one sees at once, those under the screen's edge when the browser has time. Rows of
 * the list that is there already stay drawn.
 */
export function useInSight<R>(
  rows: readonly R[],
  rowKey: (row: R) => string | number,
): { drawn: readonly R[]; toCome: number } {
  const settled = useDeferredValue(rows, []);
  if (settled === rows || rows.length <= firstRows) return { drawn: rows, toCome: 0 };
  const first = rows.slice(0, firstRows);
  const known = new Set(settled.map(rowKey));
  const isSame = first.filter((row) => known.has(rowKey(row))).length > firstRows / 2;
  return isSame ? { drawn: rows, toCome: 0 } : { drawn: first, toCome: rows.length - firstRows };
}
