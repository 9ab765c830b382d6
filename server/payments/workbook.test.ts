import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type Cell, type Column, workbook } from './workbook.ts';

const columns: readonly Column[] = [
  { header: 'Name', kind: 'text' },
  { header: 'Units', kind: 'count' },
  { header: 'Amount', kind: 'money' },
];

async function made(...chunks: Cell[][][]): Promise<Record<string, string>> {
  const rows = (async function* () {
    yield* chunks;
  })();
  const bytes: Uint8Array[] = [];
  for await (const piece of workbook('Payments', columns, rows)) bytes.push(piece);
  const files = unzipSync(Buffer.concat(bytes));
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, strFromU8(content)]));
}

test('every part that a spreadsheet looks for is there, and what it is told to find', async () => {
  const files = await made();
  const named = files['[Content_Types].xml']?.match(/(?<=PartName="\/)[^"]+/g) ?? [];
  expect(Object.keys(files)).toEqual(expect.arrayContaining([...named, '_rels/.rels', 'xl/_rels/workbook.xml.rels']));
  expect(files['xl/workbook.xml']).toContain('name="Payments"');
});

test('texts stay texts, amounts keep every digit, and what is not there has no cell', async () => {
  const { 'xl/worksheets/sheet1.xml': sheet = '' } = await made(
    [['=1+1', 2, '12345678901234.50']],
    [['A & B', null, null]],
  );
  expect(sheet).toContain('<c r="A2" s="0" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
  expect(sheet).toContain('<c r="B2" s="0"><v>2</v></c><c r="C2" s="2"><v>12345678901234.50</v></c>');
  expect(sheet).toMatch(/<row r="3"><c r="A3"[^/]*>A &amp; B<\/t><\/is><\/c><\/row>/);
});

test('a character that XML cannot hold is left out, and a pair stays whole', async () => {
  const { 'xl/worksheets/sheet1.xml': sheet = '' } = await made([['a\u0007b\ud83dc \ud83c\udf4e', 1, '1']]);
  expect(sheet).toContain('>abc \ud83c\udf4e<');
});

test('others get their turn while many rows are written', async () => {
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  });
  await made(Array.from({ length: 20_000 }, (_, n) => [`Row ${n}`, n, '1.00']));
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});
