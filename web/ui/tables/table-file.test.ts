import { readSheet } from 'read-excel-file/node';
import { expect, it } from 'vitest';
import { csvOf, tableOf, workbookOf } from './table-file.ts';

it('cells with commas and quotes are quoted, and nothing is run by a spreadsheet', () => {
  const rows = [
    { name: '=HYPERLINK("x")', n: -7 },
    { name: 'Salt, "fine"', n: 2 },
  ];
  const columns = [
    { header: 'Name', value: (row: (typeof rows)[number]) => row.name },
    { header: 'Shortage', value: (row: (typeof rows)[number]) => row.n },
  ];
  expect(csvOf(tableOf(rows, columns))).toBe('Name,Shortage\r\n"\'=HYPERLINK(""x"")",-7\r\n"Salt, ""fine""",2\r\n');
});

it('a workbook keeps decimals as numbers, barcodes and formulas as text', async () => {
  const table = {
    headers: ['Name', 'Barcode', 'Price', 'Units'],
    lines: [['=1+1', '0012345678905', '-1.50', 3]],
  };
  const rows = await readSheet(Buffer.from(await (await workbookOf(table)).arrayBuffer()));
  expect(rows).toEqual([table.headers, ['=1+1', '0012345678905', -1.5, 3]]);
});
