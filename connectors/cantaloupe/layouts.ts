import type { CsvRow } from './csv.ts';

/** The four reports that operators register, by the columns that tell them apart. */
export type LayoutName = 'transactions' | 'line-items' | 'daily-items' | 'rollup';

const needed: Record<LayoutName, readonly string[]> = {
  transactions: ['reference #', 'trans type', 'device', 'date', 'amount', 'details'],
  'line-items': ['ref nbr', 'device serial num', 'tran date', 'tran time', 'tran amount', 'item', 'line item price'],
  'daily-items': ['item ref #', 'device', 'item date', 'amount', 'column(s)'],
  rollup: ['serial #', 'trans type name', 'tran count', 'vend count', 'amount'],
};

/** What every row names: the transaction, or of the sums by device the device. */
export const keyColumn: Record<LayoutName, string> = {
  transactions: 'reference #',
  'line-items': 'ref nbr',
  'daily-items': 'item ref #',
  rollup: 'serial #',
};

export const layoutTitle: Record<LayoutName, string> = {
  transactions: 'Transactions in Payment',
  'line-items': 'Transaction Line Item Export',
  'daily-items': 'Daily Item Export',
  rollup: 'Sales Rollup',
};

/** Cells of a row by the name of their column, empty text where it has none. */
export type Cells = (column: string) => string;

export type Report = { layout: LayoutName; rows: { line: number; cells: Cells; width: number }[]; width: number };

/** A report exported by hand has titles above its header. */
const mostTitleLines = 20;

/** Finds the header and hands out the rows under it, total lines left out; null: none of the four. */
export function recogniseReport(rows: readonly CsvRow[]): Report | null {
  for (const [at, row] of rows.slice(0, mostTitleLines).entries()) {
    const names = row.cells.map(plainName);
    const layout = layoutOf(names);
    if (!layout) continue;
    const index = new Map(names.map((name, column) => [name, column] as const).reverse());
    const width = names.length;
    const key = index.get(keyColumn[layout]) ?? 0;
    const below = rows
      .slice(at + 1)
      .filter(({ cells }) => !isTotal(cells, { width, key: cells[key] ?? '' }) && !isHeader(cells, names));
    return {
      layout,
      width,
      rows: below.map(({ line, cells }) => ({
        line,
        width: cells.length,
        cells: (column) => cells[index.get(column) ?? -1] ?? '',
      })),
    };
  }
  return null;
}

function layoutOf(names: readonly string[]): LayoutName | null {
  const has = new Set(names);
  for (const [layout, columns] of Object.entries(needed) as [LayoutName, readonly string[]][]) {
    if (columns.every((column) => has.has(column))) return layout;
  }
  return null;
}

const plainName = (cell: string): string =>
  cell
    .replace(/^\uFEFF/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const totalWord = /^(?:grand |sub-?|report |page )?totals?\b/i;

/** `Total`, `Grand Total:`, `Report Total (12 rows)`: a sum of what stands above it. A place may be called Total Fitness. */
function isTotal(cells: readonly string[], { width, key }: { width: number; key: string }): boolean {
  const told = cells.filter((cell) => cell !== '');
  const namesRow = key !== '' && !totalWord.test(key);
  return !namesRow && told.some((cell) => totalWord.test(cell)) && told.length < width - 1;
}

/** Exports of several pages repeat their header. */
function isHeader(cells: readonly string[], names: readonly string[]): boolean {
  return cells.length === names.length && cells.every((cell, at) => plainName(cell) === names[at]);
}
