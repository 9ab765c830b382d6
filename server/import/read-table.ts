import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { CsvError, parse } from 'csv-parse';
import { readSheet } from 'read-excel-file/node';
import { type OpenedFile, openBytes, unreadable } from './open-bytes.ts';

/** A row with the number of its (first) line in the file; cells are trimmed. */
export type SourceRow = { line: number; cells: string[] };

export type Table = {
  name: string;
  header: string[];
  rows: AsyncIterable<SourceRow>;
  /** True once everything was read and the last line had no line break: it may be cut off. */
  endsOpen: () => boolean;
  close: () => Promise<void>;
};

/** Longer than any row of a real export: a quote that was opened and never closed. */
const maxRowLength = 1_000_000;
const delimiters = [',', ';', '\t', '|'] as const;

/** Reads CSV, TSV (UTF-8 or UTF-16) and XLSX, plain or gzip, row by row. Throws AppError for a file that is none of them. */
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
  const all = text ? csvRows(opened, text.parts) : sheetRows(opened);
  const header = await firstRow(all);
  if (!header) throw unreadable(`${opened.name} has no header line.`);
  const endsOpen = text?.endsOpen ?? (() => false);
  const rows = whole(all, { name: opened.name, header, endsOpen });
  return { name: opened.name, header: header.cells, rows, endsOpen, close: opened.close };
}

async function firstRow(rows: AsyncGenerator<SourceRow>): Promise<SourceRow | null> {
  const next = await rows.next();
  return next.done ? null : next.value;
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
  if (about.endsOpen() && last.cells.length < about.header.cells.length) {
    throw unreadable(`${about.name} stops in the middle of line ${last.line}: it is only half written.`);
  }
  yield last;
}

function encodingOf({ head, name }: OpenedFile): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head.subarray(0, 4).toString('hex') === 'd0cf11e0') {
    throw unreadable(`${name} is an old Excel file: save it as .xlsx or .csv.`);
  }
  if (head.includes(0)) throw unreadable(`${name} is not a table: CSV, TSV and XLSX files are read.`);
  return 'utf-8';
}

function decoded({ chunks, name }: OpenedFile, encoding: string) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lastCharacter = '';
  const parts = async function* (): AsyncGenerator<string> {
    for await (const chunk of chunks) {
      const part = decodedPart(decoder, chunk, name);
      if (part.includes('\0')) throw unreadable(`${name} is damaged: it holds binary data.`);
      lastCharacter = part.at(-1) ?? lastCharacter;
      yield part;
    }
    decodedPart(decoder, null, name);
  };
  return { parts: parts(), endsOpen: () => lastCharacter !== '\n' && lastCharacter !== '\r' };
}

function decodedPart(decoder: TextDecoder, chunk: Buffer | null, name: string): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw unreadable(`${name} is not UTF-8 text: save it as 'CSV UTF-8'.`);
    throw error;
  }
}

/** The most frequent delimiter of the first line, quoted text left out. */
function delimiterOf(head: string): string {
  const line = head.split(/\r\n|\r|\n/, 1)[0]?.replaceAll(/"[^"]*"/g, '') ?? '';
  const counted = delimiters.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

type Parsed = { record: string[]; info: { lines: number } };

async function* csvRows(opened: OpenedFile, parts: AsyncIterable<string>): AsyncGenerator<SourceRow> {
  const head = new TextDecoder(encodingOf(opened)).decode(opened.head);
  const parser = parse({
    delimiter: delimiterOf(head),
    info: true,
    relax_column_count: true,
    max_record_size: maxRowLength,
  });
  const records: AsyncIterable<Parsed> = pipeline(Readable.from(parts), parser, () => {});
  let linesBefore = 0;
  try {
    for await (const { record, info } of records) {
      const line = linesBefore + 1;
      linesBefore = info.lines;
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
  for await (const chunk of chunks) parts.push(chunk);
  const sheet = await readFirstSheet(Buffer.concat(parts), name);
  for (const [index, row] of sheet.entries()) {
    const cells = row.map(cellText);
    if (cells.some((cell) => cell !== '')) yield { line: index + 1, cells };
  }
}

async function readFirstSheet(content: Buffer, name: string): Promise<readonly (readonly unknown[])[]> {
  try {
    return await readSheet(content);
  } catch {
    // Whatever its parser met: to the person it is one thing, a file that is no whole workbook.
    throw unreadable(`${name} is not a whole Excel workbook (.xlsx).`);
  }
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  // A sheet's date has no zone: its clock time is what the person saw.
  if (value instanceof Date) return value.toISOString().replace('T00:00:00.000Z', '').replace(/Z$/, '');
  return String(value).replaceAll('\0', '').trim();
}
