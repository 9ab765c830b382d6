import { setImmediate as nextTurn } from 'node:timers/promises';
import { strToU8, Zip, ZipDeflate } from 'fflate';

export type Cell = string | number | null;
export type Column = { header: string; kind: 'text' | 'count' | 'money' };

/** Packed between two turns of the thread: a few milliseconds. */
const rowsAtOnce = 500;

/**
 * A workbook of one sheet with at most 26 columns, written while its rows are read. Made whole, a quarter's payments would keep
 * the thread, and with it every other caller, for seconds. Texts stand in their cells, so that none are collected first.
 */
export async function* workbook(
  title: string,
  columns: readonly Column[],
  rows: AsyncIterable<readonly Cell[][]>,
): AsyncGenerator<Uint8Array> {
  const packed: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    packed.push(bytes);
  });
  const begin = (name: string): ZipDeflate => {
    const part = new ZipDeflate(name);
    zip.add(part);
    return part;
  };
  for (const [name, text] of Object.entries(partsOf(title))) begin(name).push(strToU8(text), true);
  const sheet = begin('xl/worksheets/sheet1.xml');
  let number = 1;
  const heads = columns.map(({ header }, at) => textCell(at, number, header, 1));
  sheet.push(strToU8(`${sheetHead}${rowOf(number, heads)}`));
  for await (const chunk of rows) {
    for (let from = 0; from < chunk.length; from += rowsAtOnce) {
      const text = chunk.slice(from, from + rowsAtOnce).map((row) => {
        number += 1;
        return rowOf(
          number,
          columns.map(({ kind }, at) => cellOf(kind, row[at] ?? null, at, number)),
        );
      });
      sheet.push(strToU8(text.join('')));
      yield* packed.splice(0);
      await nextTurn();
    }
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true);
  zip.end();
  yield* packed;
}

const rowOf = (number: number, cells: readonly string[]): string => `<row r="${number}">${cells.join('')}</row>`;
const place = (at: number, number: number): string => `${String.fromCharCode(65 + at)}${number}`;

function cellOf(kind: Column['kind'], value: Cell, at: number, number: number): string {
  if (value === null) return '';
  if (kind === 'text') return textCell(at, number, String(value), 0);
  return `<c r="${place(at, number)}" s="${kind === 'money' ? 2 : 0}"><v>${value}</v></c>`;
}

const textCell = (at: number, number: number, text: string, style: number): string =>
  `<c r="${place(at, number)}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** What XML has no way to write: most control characters, and halves of a pair. */
const unwritable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(unwritable, '').replace(/[&<>"]/g, (mark) => marks[mark] ?? '');

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The row of headers stays while one scrolls. */
const sheetHead =
  `${head}<worksheet ${main}><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';

/** Style 0 is plain, 1 bold, 2 an amount with two decimals. */
const styles =
  `${head}<styleSheet ${main}><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="2" applyNumberFormat="1"/></cellXfs></styleSheet>';

const partsOf = (title: string): Record<string, string> => ({
  '[Content_Types].xml':
    `${head}<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  '_rels/.rels':
    `${head}<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml':
    `${head}<workbook ${main} xmlns:r="${office}"><sheets>` +
    `<sheet name="${escaped(title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    `${head}<Relationships xmlns="${packages}/relationships">` +
    `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles,
});
