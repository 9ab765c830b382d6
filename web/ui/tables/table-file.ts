import { noteExport } from '../../../contract/audit.ts';
import { call } from '../../http/client.ts';
import { toNumber } from '../../http/parse.ts';

export type FileColumn<R> = { header: string; value: (row: R) => string | number | null };

/** Rows as a file has them: texts, numbers and blanks under their headers. */
export type FileTable = { headers: string[]; lines: (string | number | null)[][] };

export function tableOf<R>(rows: readonly R[], columns: readonly FileColumn<R>[]): FileTable {
  return {
    headers: columns.map(({ header }) => header),
    lines: rows.map((row) => columns.map(({ value }) => value(row))),
  };
}

export type TableFormat = 'csv' | 'xlsx';

/** Saves a table under a name that gets the format's ending. */
export async function saveTable(format: TableFormat, name: string, table: FileTable): Promise<void> {
  const rows = table.lines.length;
  if (format === 'csv') saveFile(`${name}.csv`, 'text/csv;charset=utf-8', csvOf(table), rows);
  else saveFile(`${name}.xlsx`, xlsxType, await workbookOf(table), rows);
}

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A cell that a spreadsheet would run as a formula; numbers below zero are none. */
const formula = /^(?:[=+@\t\r]|-(?!\d+(?:\.\d+)?$))/;

export function csvOf({ headers, lines }: FileTable): string {
  return [headers, ...lines].map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Money and coordinates travel as decimal text; a number without a point may be a barcode and stays text. */
const decimalText = /^-?\d{1,12}\.\d{1,8}$/;

/** A workbook of one sheet. Every cell has a type, so that a spreadsheet runs none of them. */
export async function workbookOf({ headers, lines }: FileTable): Promise<Blob> {
  const { default: write } = await import('write-excel-file/browser');
  const head = headers.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const body = lines.map((line) => line.map(typedCell));
  return write([head, ...body], {
    columns: headers.map((_, index) => ({ width: widthOf(headers, lines, index) })),
  }).toBlob();
}

function typedCell(value: string | number | null) {
  if (value === null || value === '') return null;
  if (typeof value === 'number') return { value, type: Number };
  return decimalText.test(value) ? { value: toNumber(value), type: Number } : { value, type: String };
}

/** In characters, from what the first rows hold. */
function widthOf(headers: FileTable['headers'], lines: FileTable['lines'], index: number): number {
  const shown = [headers[index], ...lines.slice(0, 100).map((line) => line[index])];
  return Math.min(48, Math.max(8, ...shown.map((value) => String(value ?? '').length + 2)));
}

/** Saves a file; that it was taken out is noted by the server, where it can be reached. */
export function saveFile(name: string, type: string, content: string | Blob, rows: number | null = null): void {
  saveShown(name, type, content);
  // Without a network the file is the person's all the same: it holds what was on their screen already.
  call(noteExport, { body: { name: name.slice(0, 100), rows } }).catch(() => undefined);
}

/** By then a browser has begun to save a file, also one that asks its person first. */
const longestStartMs = 60_000;

/** Saves what stands on the screen whole, without a call to the server. */
export function saveShown(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Safari reads the file only after the click: an address that is gone by then saves nothing.
  setTimeout(() => URL.revokeObjectURL(address), longestStartMs);
}
