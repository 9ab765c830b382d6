import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { readSheet } from 'read-excel-file/node';
import type { AppError } from '../../../domain/errors.ts';
import { decoded, type Encoding } from './decode-text.ts';
import { type OpenedFile, openBytes, unreadable } from './open-bytes.ts';
import { isTotal, ownNames, type SourceRow, startOf } from './table-edges.ts';
import { unpacksWithin } from './unpacked-size.ts';

export type { SourceRow } from './table-edges.ts';

export type Table = {
  name: string;
  /** Each column by a name of its own: a second 'Price' is 'Price (2)', one without a name 'Column 5'. */
  header: string[];
  /** Of such columns the name that the file gives them. */
  sameAs: ReadonlyMap<string, string>;
  rows: AsyncIterable<SourceRow>;
  /** What is odd about the file as a whole; complete once everything was read. */
  notes: () => string[];
  close: () => Promise<void>;
};

/** Longer than any row of a real export: a quote that was opened and never closed. */
const maxRowLength = 1_000_000;
/** A workbook is unpacked in memory, to many times its size: of zeros, to a thousand times. */
const maxWorkbook = 20_000_000;
const maxUnpacked = 200_000_000;
const mostTitleLines = 20;
const delimiters = [',', ';', '\t', '|'] as const;

/** Reads CSV, TSV (UTF-8, UTF-16 or Windows-1252) and XLSX, plain or gzip, row by row. Throws AppError for a file that is none of them. */
export async function openTable(file: string): Promise<Table> {
  const opened = await openBytes(file);
  try {
    return await tableOf(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function tableOf(opened: OpenedFile): Promise<Table> {
  const isZip = opened.head.subarray(0, 4).toString('latin1') === 'PK\x03\x04';
  const text = isZip ? null : decoded(opened, encodingOf(opened));
  const { header, titles, rows: below } = await startOf(text ? csvRows(opened, text.parts) : sheetRows(opened));
  if (!header) throw unreadable(`${opened.name} has no header line.`);
  const endsOpen = text?.endsOpen ?? (() => false);
  const rows = whole(below, { name: opened.name, header, endsOpen });
  const { names, sameAs } = ownNames(header.cells);
  const notes = (): string[] => [
    ...[...sameAs]
      .filter(([, name]) => name !== '')
      .map(
        ([own, name]) =>
          `Another column is called '${name}' too: it is '${own}' here, and left out unless you say what it means.`,
      ),
    ...titles.map((line) => `Line ${line} stands above the header: left out.`),
    ...(text?.isOldWindows()
      ? ["The file is not UTF-8: read as Windows-1252. Look at accents and signs; 'CSV UTF-8' is always right."]
      : []),
    ...(endsOpen() ? ['The last line has no line break: make sure that the file was written wholly.'] : []),
  ];
  return { name: opened.name, header: names, sameAs, rows, notes, close: opened.close };
}

type Whole = { name: string; header: SourceRow; endsOpen: () => boolean };

/** The rows after the header; a file that stops in the middle of a row is no whole file. */
async function* whole(rows: AsyncGenerator<SourceRow>, about: Whole): AsyncGenerator<SourceRow> {
  let last: SourceRow | null = null;
  for await (const row of rows) {
    if (last) yield last;
    last = row;
  }
  if (!last) return;
  const width = about.header.cells.length;
  if (about.endsOpen() && last.cells.length < width && !isTotal(last, width)) {
    throw unreadable(`${about.name} stops in the middle of line ${last.line}: it is only half written.`);
  }
  yield last;
}

function encodingOf({ head, name }: OpenedFile): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.subarray(0, 4).toString('hex') === 'd0cf11e0') {
    throw unreadable(`${name} is an old Excel file: save it as .xlsx or .csv.`);
  }
  if (head.includes(0) || head.toString('latin1', 0, 5) === '%PDF-')
    throw unreadable(`${name} is not a table: CSV, TSV and XLSX files are read.`);
  if (/^\s*<(?:!doctype|html|table|\?xml)/i.test(head.toString('latin1', 0, 200))) {
    throw unreadable(`${name} is a web page, not a table: open it in a spreadsheet and save it as .xlsx or .csv.`);
  }
  return 'utf-8';
}

/** The most frequent delimiter of the first line that has any, quoted text left out: a title above has none. */
function delimiterOf(head: string): string {
  for (const line of head.split(/\r\n|\r|\n/, mostTitleLines)) {
    const bare = line.replaceAll(/"[^"]*"/g, '');
    const counted = delimiters.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
    const best = counted.reduce((most, one) => (one.count > most.count ? one : most));
    if (best.count > 1) return best.delimiter;
  }
  return delimiters[0];
}

type Parsed = { record: string[]; raw: string };

/** A line whose quoted cells end where they close: after any other end, where the cell stops is anybody's guess. */
function wholeCells(delimiter: string): RegExp {
  const sign = delimiter === '|' ? '\\|' : delimiter;
  const cell = `(?:"(?:[^"]|"")*"|[^"${sign}][^${sign}]*)?`;
  return new RegExp(`^${cell}(?:${sign}${cell})*[\\r\\n]*$`);
}

async function* csvRows(opened: OpenedFile, parts: AsyncIterable<string>): AsyncGenerator<SourceRow> {
  const head = new TextDecoder(encodingOf(opened)).decode(opened.head);
  const delimiter = delimiterOf(head);
  const isWhole = wholeCells(delimiter);
  const parser = parse({
    delimiter,
    raw: true,
    // Inches: 6" Sub.
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: maxRowLength,
  });
  const records: AsyncIterable<Parsed> = pipeline(Readable.from(parts), parser, () => {});
  let linesBefore = 0;
  try {
    for await (const { record, raw } of records) {
      const line = linesBefore + 1;
      // The parser's own count takes a CRLF within quotes for two.
      linesBefore += raw.match(/\r\n|\r|\n/g)?.length ?? 0;
      if (record.some((cell) => cell.startsWith('"')) && !isWhole.test(raw)) {
        throw unreadable(`${opened.name} has a quote that is not closed near line ${line}.`);
      }
      const cells = record.map((cell) => cell.trim());
      if (cells.some((cell) => cell !== '')) yield { line, cells };
    }
  } catch (error) {
    throw csvRefusal(error, opened.name);
  }
}

function csvRefusal(error: unknown, name: string): unknown {
  if (!(error instanceof CsvError)) return error;
  const where = typeof error.lines === 'number' ? ` near line ${error.lines}` : '';
  if (error.code.includes('QUOTE')) return unreadable(`${name} has a quote that is not closed${where}.`);
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return unreadable(`${name} has a row of more than ${maxRowLength} characters${where}: is a quote not closed?`);
  }
  return unreadable(`${name} is not a table that can be read${where}.`);
}

async function* sheetRows({ chunks, name }: OpenedFile): AsyncGenerator<SourceRow> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxWorkbook) throw tooLarge(name);
    parts.push(chunk);
  }
  const sheet = await readFirstSheet(Buffer.concat(parts), name);
  for (const [index, row] of sheet.entries()) {
    const cells = row.map(cellText);
    if (cells.some((cell) => cell !== '')) yield { line: index + 1, cells };
  }
}

async function readFirstSheet(content: Buffer, name: string): Promise<readonly (readonly unknown[])[]> {
  try {
    if (unpacksWithin(content, maxUnpacked)) return await readSheet(content);
  } catch {
    // Whatever its parser met: to the person it is one thing, a file that is no whole workbook.
    throw unreadable(`${name} is not a whole Excel workbook (.xlsx).`);
  }
  throw tooLarge(name);
}

const tooLarge = (name: string): AppError => unreadable(`${name} is too large for a workbook: save it as .csv.`);

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  // A sheet's date has no zone: its clock time is what the person saw.
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '').replace(/Z$/, '');
  return String(value).replaceAll('\0', '').trim();
}
