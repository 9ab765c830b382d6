import type { Point } from '../../domain/location.ts';
import type { Cell, Table } from './engines/provider.ts';

/** Places are the same when they agree to 1e-5 degrees, about a metre. */
const perDegree = 100_000;

/** A place in whole hundred-thousandths of a degree. */
export type Spot = { lat: number; lng: number };

export function spotOf({ lat, lng }: Point): Spot {
  return { lat: Math.round(lat * perDegree), lng: Math.round(lng * perDegree) };
}

/** One number for a spot, below 2^53. */
export function spotKey({ lat, lng }: Spot): number {
  return (lat + 9_000_000) * 40_000_000 + (lng + 18_000_000);
}

/** What is known of a square matrix over spots; undefined: not asked or not answered. */
export type Grid = { durations: (Cell | undefined)[][]; distances: (Cell | undefined)[][] };

/** An empty grid but for the diagonal. */
export function emptyGrid(size: number): Grid {
  const rowsOf = (): (Cell | undefined)[][] =>
    Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_, column) => (row === column ? 0 : undefined)),
    );
  return { durations: rowsOf(), distances: rowsOf() };
}

/** Writes a block; a pair of which only one number came counts as unreachable. */
export function putBlock(grid: Grid, rows: readonly number[], columns: readonly number[], block: Table): void {
  for (const [i, row] of rows.entries()) {
    for (const [j, column] of columns.entries()) {
      if (row === column) continue;
      putCell(grid, row, column, [block.durations[i]?.[j] ?? null, block.distances[i]?.[j] ?? null]);
    }
  }
}

export function putCell(grid: Grid, row: number, column: number, [seconds, metres]: readonly [Cell, Cell]): void {
  const durations = grid.durations[row];
  const distances = grid.distances[row];
  if (!durations || !distances) return;
  durations[column] = metres === null ? null : seconds;
  distances[column] = seconds === null ? null : metres;
}

export type Gap = { rows: number[]; columns: number[] };

/** The unknown cells as few rectangles: rows that lack the same columns together. */
export function gapsOf({ durations }: Grid): Gap[] {
  const gaps = new Map<string, Gap>();
  for (const [row, cells] of durations.entries()) {
    const columns = cells.flatMap((cell, column) => (cell === undefined ? [column] : []));
    if (columns.length === 0) continue;
    // A row alone in its gap lacks every other column but its own: rows of new places belong together.
    const own = columns.length === cells.length - 1 ? cells.map((_, column) => column) : columns;
    const key = own.join();
    const gap = gaps.get(key) ?? { rows: [], columns: own };
    gap.rows.push(row);
    gaps.set(key, gap);
  }
  return [...gaps.values()];
}

/** Rectangles cut to at most `limit` rows and columns. */
export function blocksOf({ rows, columns }: Gap, limit: number): Gap[] {
  const parts = <T>(list: readonly T[]): T[][] =>
    Array.from({ length: Math.ceil(list.length / limit) }, (_, at) => list.slice(at * limit, (at + 1) * limit));
  return parts(rows).flatMap((some) => parts(columns).map((others) => ({ rows: some, columns: others })));
}
