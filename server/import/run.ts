import type { Db } from '../db/database.ts';
import type { Operator } from '../settings/service.ts';
import { type ReadPoint, squeezed } from './file/cells.ts';
import { type ColumnMap, type Columns, widthProblem } from './file/columns.ts';
import type { SourceRow, Table } from './file/read-table.ts';
import { isTotal } from './file/table-edges.ts';
import type { ImportReport, Tally } from './report.ts';

/** Where a row stands that does not say so itself; a text is the reason why nobody knows. */
export type Located = { point: ReadPoint; isLookedUp: boolean } | string;
/** By line of the file. */
export type LocatedRows = ReadonlyMap<number, Located>;

/** One import under way: everything is written in `tx`, wholly or not at all. */
export type Run = {
  tx: Db;
  at: Date;
  /** Everything is undone at the end. */
  isDry: boolean;
  table: Table;
  map: ColumnMap;
  tally: Tally;
  operator: Operator;
  /** Null: no address search is set up. */
  located: LocatedRows | null;
  /** What the file itself does not say. */
  given: { currency: string | null; machine: string | null };
};

/** What a kind of import adds to the report. */
export type Outcome = { columns: Record<string, string>; sales?: ImportReport['sales']; swapped?: boolean };

/** Counts and yields the rows that fit the header; the others are refused. */
export async function* wholeRows<F extends string>(run: Run, columns: Columns<F>): AsyncGenerator<SourceRow> {
  for await (const row of run.table.rows) {
    if (isTotal(row, columns.width)) {
      run.tally.flag(row.line, 'a line of totals: not imported');
      continue;
    }
    run.tally.row();
    const problem = widthProblem(row, columns.width);
    if (problem) run.tally.refuse(row.line, problem);
    else yield row;
  }
}

/** Most characters that are kept of a field. */
export type Longest<F extends string> = Partial<Record<F, number>>;

/** Names the cells of a row that hold more than is kept of them. */
export function flagCut<F extends string>(run: Run, columns: Columns<F>, row: SourceRow, longest: Longest<F>): void {
  for (const [field, most] of Object.entries(longest) as [F, number][]) {
    const cell = columns.read(row, field);
    // By whole characters, as what is kept is counted; most cells are far from it.
    if (cell.length <= most || [...squeezed(cell)].length <= most) continue;
    run.tally.flag(row.line, `more than ${most} characters in '${columns.nameOf(field)}': the rest is left out`);
  }
}

/** Groups what comes into lists of at most `size`. */
export async function* inChunks<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const one of source) {
    chunk.push(one);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length) yield chunk;
}

/** Field -> column name, for the report. */
export function namedColumns<F extends string>(columns: Columns<F>, fields: readonly F[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const name = columns.nameOf(field);
      return name === null ? [] : [[field, name]];
    }),
  );
}
