import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';

/** What the database holds in a cell, as text; null where it holds nothing. */
export type Cell = string | null;

/** A cell that a spreadsheet would run as a formula; numbers below zero are none. */
const formula = /^(?:[=+@\t\r']|-(?!\d+(?:\.\d+)?$))/;

/**
 * One line. Nothing is an empty field, an empty text is `""`. What a spreadsheet would run gets an apostrophe in front, and so
 * does what begins with one: reading takes it away again.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(field).join(',')}\r\n`;
}

function field(cell: Cell): string {
  if (cell === null) return '';
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The records of such a file, the header line first. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Cell[]> {
  const parser = parse({
    relaxColumnCount: true,
    cast: (text, { quoting }): Cell => (text === '' && !quoting ? null : text.replace(/^'/, '')),
  });
  const fed = pipeline(
    Readable.from(bytes),
    new Transform({ transform: (chunk, _, done) => done(null, chunk) }),
    parser,
  );
  // What goes wrong while feeding shows where the records are read.
  fed.catch(() => {});
  for await (const record of parser) yield record as Cell[];
  await fed;
}
