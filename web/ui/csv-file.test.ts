import { expect, it } from 'vitest';
import { csvOf } from './csv-file.ts';

it('cells with commas and quotes are quoted, and nothing is run by a spreadsheet', () => {
  const rows = [
    { name: '=HYPERLINK("x")', n: -7 },
    { name: 'Salt, "fine"', n: 2 },
  ];
  const columns = [
    { header: 'Name', value: (row: (typeof rows)[number]) => row.name },
    { header: 'Shortage', value: (row: (typeof rows)[number]) => row.n },
  ];
  expect(csvOf(rows, columns)).toBe('Name,Shortage\r\n"\'=HYPERLINK(""x"")",-7\r\n"Salt, ""fine""",2\r\n');
});
