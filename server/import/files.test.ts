import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { type Imported, importContent, parsed, reportOf, runImport } from '../testing/imports.ts';
import { storedZip, workbook } from '../testing/workbook.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestEmbedded();
});
afterAll(() => database.close());

const header = 'id,name,lat,lng\n';
const many =
  header + Array.from({ length: 3000 }, (_, n) => `${n},Shop ${n} "x",40.5,-74.${n}\n`.replaceAll('"', '')).join('');

async function marketCount(): Promise<number> {
  const [found] = await rows<{ count: number }>(database.db, sql`select count(*)::int as count from markets`);
  return found?.count ?? -1;
}

/** Many rows, the first of which has an accent in UTF-8. */
function utf8(text: string): Buffer {
  return Buffer.from(text.replace('Shop 1 ', 'Caf\u00e9 '));
}

const broken: [string, string, string | Uint8Array, RegExp][] = [
  ['a half gzip file', 'a.csv.gz', gzipSync(many).subarray(0, 5000), /half-written gzip/],
  ['a damaged gzip file', 'a.csv.gz', damaged(gzipSync(many)), /half-written gzip/],
  ['an empty file', 'a.csv', '', /is empty/],
  ['blank lines only', 'a.csv', '\n\n\n', /no header/],
  ['a quote never closed', 'a.csv', `${many}9001,"Shop,40.5,-74\n`, /quote that is not closed near line/],
  ['a quote closed in the middle of a word', 'a.csv', `${many}9001,"Sh"op,40.5,-74\n`, /quote that is not closed/],
  ['a last line cut off', 'a.csv', `${many}9001,Shop,40`, /stops in the middle of line 3002/],
  ['binary data at the start', 'a.csv', new Uint8Array([1, 2, 0, 4]), /not a table/],
  ['binary data later on', 'a.csv', `${many}9001,Sh\0op,40.5,-74\n`, /binary data/],
  [
    'text of two encodings',
    'a.csv',
    Buffer.concat([utf8(many), Buffer.from('9001,Caf\u00e9,40,-74\n', 'latin1')]),
    /UTF-8/,
  ],
  [
    'a picture named as a table',
    'a.csv',
    Buffer.concat([utf8(header), Buffer.from([0xff, 0xd8, 0x01, 0x02])]),
    /not a table/,
  ],
  ['a web page named as a workbook', 'a.xls', '<html><table><tr><td>id</td></tr></table></html>', /web page/],
  ['an old Excel file', 'a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel/],
  [
    'a workbook too large to unpack',
    'a.xlsx',
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(20_000_000)]),
    /save it as .csv/,
  ],
  [
    'a small workbook that unpacks to more than memory should hold',
    'a.xlsx',
    zipSync({ 'xl/workbook.xml': new Uint8Array(201_000_000) }, { level: 1 }),
    /save it as .csv/,
  ],
  ['a zip that is no workbook', 'a.xlsx', storedZip({ 'a.txt': 'A' }), /not a whole Excel workbook/],
  ['no column with a point', 'a.csv', 'id,name\n1,Shop\n', /no column for latitude or geometry/],
];

function damaged(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at > 4000 && at < 4100 ? byte ^ 0x5a : byte));
}

it.each(broken)('%s is refused in one sentence and changes nothing', async (_title, name, content, sentence) => {
  const result = await importContent(database.db, ['locations', name], content);
  expect(result).toMatchObject({ code: 1, out: '' });
  expect(result.err).toMatch(sentence);
  expect(result.err.split('\n')).toHaveLength(1);
  expect(await marketCount()).toBe(0);
});

it('sales brought before anybody set the operator up are in the sums of payments at once', async () => {
  const [before] = await rows(database.db, sql`select count(*)::int as operators from operator`);
  expect(before).toEqual({ operators: 0 });
  const lines = 'date,price,machine id,product,payment\n2026-03-11 10:00,1.50,L1,Cola,cash\n';
  expect(await reportOf(database.db, ['sales', 'first.csv'], lines)).toMatchObject({ created: 1 });
  const [kept] = await rows(
    database.db,
    sql`select sum(lines)::int as lines, sum(amount)::text as amount from payment_days`,
  );
  expect(kept).toEqual({ lines: 1, amount: '1.50' });
});

it('a file that does not exist is refused in one sentence', async () => {
  const result = await runImport(database.db, ['locations', '/nowhere/at/all.csv']);
  expect(result).toEqual({ code: 1, out: '', err: 'There is no file all.csv. Nothing was changed.' });
});

it.each([
  ['pears', 'a.csv'],
  ['locations'],
  ['locations', 'a.csv', '--what'],
  ['sales', 'a.csv', '--currency', 'dollar'],
])('wrong usage ends with 2: %s %s %s', async (...args) => {
  const result = await runImport(database.db, args.filter(Boolean));
  expect(result).toMatchObject({ code: 2, out: '' });
  expect(result.err).toContain('Usage: milkrun import');
});

const shops = (text: string): string => text.replaceAll('|', '\n');
const same: [string, string | Uint8Array][] = [
  ['a byte order mark', `\ufeff${shops('id,name,lat,lng|1,"A, ""B""",40.5,-74|')}`],
  ['semicolons and decimal commas', shops('id;name;lat;lng|1;"A, ""B""";40,5;-74|')],
  ['tabs', shops('id\tname\tlat\tlng|1\t"A, ""B"""\t40.5\t-74|')],
  ['carriage returns', shops('id,name,lat,lng|1,"A, ""B""",40.5,-74|').replaceAll('\n', '\r\n')],
  ['gzip', gzipSync(shops('id,name,lat,lng|1,"A, ""B""",40.5,-74|'))],
  [
    'UTF-16 as Excel writes it',
    Buffer.from(`\ufeff${shops('id\tname\tlat\tlng|1\t"A, ""B"""\t40.5\t-74|')}`, 'utf16le'),
  ],
  [
    'a workbook',
    workbook([
      ['id', 'name', 'lat', 'lng'],
      [1, 'A, "B"', 40.5, -74],
    ]),
  ],
];

it('writes the same market from every format, and the format is seen by content and not by name', async () => {
  for (const [index, [format, content]] of same.entries()) {
    const report = await reportOf(database.db, ['locations', 'file.dat'], content);
    const expected = index === 0 ? { created: 1, unchanged: 0 } : { created: 0, unchanged: 1 };
    expect({ format, ...report }).toMatchObject({ format, rows: 1, updated: 0, refused: [], ...expected });
  }
  const [market] = await rows(database.db, sql`select name, latitude::text, integration_id as id from markets`);
  expect(market).toEqual({ name: 'A, "B"', latitude: '40.50000000', id: 'import:id:1' });
});

it.each(['\n', '\r\n'])(
  'numbers lines as an editor does, over blank lines and line breaks in quotes: %j',
  async (lineBreak) => {
    const text = shops('id,name,lat,lng|50,"Two|lines",41,-74||51,Bad,x,-74|52,Short|').replaceAll('\n', lineBreak);
    const report = await reportOf(database.db, ['locations', 'a.csv'], text, ['--dry-run']);
    expect(report.refused).toEqual([
      { line: 5, reason: 'has a latitude that is no number: x' },
      { line: 6, reason: 'has 2 cells where the header has 4' },
    ]);
    expect(report).toMatchObject({ rows: 3, created: 1, dryRun: true });
  },
);

describe('a map', () => {
  const text = 'Key,What,N,E,type\nk1,Corner,41,-74,vending\n';
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'milkrun-map-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function mapped(map: unknown): Promise<Imported> {
    const file = path.join(folder, 'map.json');
    writeFileSync(file, JSON.stringify(map));
    return importContent(database.db, ['locations', 'a.csv'], text, ['--map', file, '--dry-run', '--json']);
  }

  it('has a quote within a cell, as inches are written: it is part of the cell', async () => {
    const text = shops(
      'id,name,lat,lng|60,6" Sub Shop,40.5,-74|61,"The ""Best"" 12"" Sub",40.5,-74|62,"""Best"",""Top"" Sub",41,-74|',
    );
    await reportOf(database.db, ['locations', 'a.csv'], text);
    const found = await rows<{ name: string }>(
      database.db,
      sql`select name from markets where name like '%Sub%' order by name`,
    );
    expect(found.map(({ name }) => name).toSorted()).toEqual(['"Best","Top" Sub', '6" Sub Shop', 'The "Best" 12" Sub']);
    await database.db.execute(sql`delete from markets where name like '%Sub%'`);
  });

  it('names columns, and leaves out those mapped to null', async () => {
    const report = parsed(await mapped({ Key: 'id', What: 'name', N: 'latitude', E: 'longitude', type: null }));
    expect(report.columns).toEqual({ id: 'Key', name: 'What', latitude: 'N', longitude: 'E' });
    expect(report.created).toBe(1);
  });

  it.each([
    [{ Nothing: 'id' }, "no column 'Nothing'"],
    [{ Key: 'colour' }, "unknown field 'colour'"],
    [['Key'], 'must be a JSON file'],
  ])('that fits nothing is refused: %j', async (map, sentence) => {
    expect(await mapped(map)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(sentence) });
  });
});

describe('a file as an old system prints it', () => {
  const text = (...lines: string[]): string => `${lines.join('\n')}\n`;
  const dryRun = (kind: string, content: string | Uint8Array) =>
    reportOf(database.db, [kind, 'old.csv'], content, ['--dry-run']);

  it('has titles above the header: they are left out, and lines keep their numbers', async () => {
    const report = await dryRun(
      'locations',
      text('Customer list', 'Printed by J. Doe', '', 'id;name;lat;lng', '60;Shop;40.5;-74', '61;Bad;x;-74'),
    );
    expect(report).toMatchObject({ created: 1, refused: [{ line: 6 }] });
    expect(report.notes).toEqual([
      'No column tells a status: new places are active.',
      ...[1, 2].map((line) => `Line ${line} stands above the header: left out.`),
    ]);
  });

  it('has machines without a Machine ID: they would be markets, and it is said before they are', async () => {
    const note = 'No column tells a Machine ID: new places are markets, not machines.';
    const machines = text('name,latitude,longitude,serial', 'Lobby,40.5,-74,SN-1');
    expect((await dryRun('locations', machines)).notes).toContain(note);
    const told = text('name,latitude,longitude,serial,machine id', 'Lobby,40.5,-74,SN-1,M-1');
    expect((await dryRun('locations', told)).notes).not.toContain(note);
  });

  it('has two columns of one name: the first is meant, the second can be, and it is said', async () => {
    const report = await dryRun('products', text('name,price,price,,price (2)', 'Tea,1.00,2.00,x,3.00'));
    expect(report.columns).toEqual({ name: 'name', unitPrice: 'price' });
    // By its number the second would be the second line of an address.
    const places = await dryRun('locations', text('id,name,address,address,lat,lng', '1,A,1 Road,PO Box 2,40,-74'));
    expect(places.columns).not.toHaveProperty('addressLine2');
    expect(report.notes).toEqual([
      "Another column is called 'price' too: it is 'price (3)' here, and left out unless you say what it means.",
    ]);
  });

  it('has one column only: its first line is no title', async () => {
    const report = await dryRun('products', text('name', 'Tea', 'Milk'));
    expect(report).toMatchObject({ rows: 2, created: 2, notes: [] });
  });

  it('has sums below: they are flagged and not imported, and a product called Total is', async () => {
    const report = await dryRun(
      'products',
      `${text('name,category,price', 'Total,Cereal,4.50', 'Tea,Drinks,1.00', 'Subtotal:,,5.50')}Total,5.50`,
    );
    expect(report).toMatchObject({ rows: 2, created: 2, refused: [] });
    expect(report.flagged).toMatchObject([{ reason: 'a line of totals: not imported', lines: [4, 5] }]);
  });

  it('is text of an older Windows: accents arrive, and the report says so', async () => {
    const long = Array.from({ length: 9000 }, (_, n) => `Product ${n}`);
    const content = Buffer.from(text('name,brand', ...long.map((name) => `${name},x`), 'Caf\u00e9,\u00c5'), 'latin1');
    const report = await reportOf(database.db, ['products', 'old.csv'], content);
    expect(report).toMatchObject({ created: 9001, refused: [] });
    expect(report.notes).toEqual([expect.stringContaining('Windows-1252')]);
    const found = await rows(database.db, sql`select brand from products where name = ${'Caf\u00e9'}`);
    expect(found).toEqual([{ brand: '\u00c5' }]);
  });

  it('has barcodes that a spreadsheet rounded: refused', async () => {
    const report = await dryRun(
      'products',
      text('barcode,name', '8.41E+12,Tea', '"8,41E+12",Milk', '036000291452,Ale'),
    );
    expect(report).toMatchObject({ created: 1, refused: [{ line: 2 }, { line: 3 }] });
    expect(report.refused[0]?.reason).toContain('which a spreadsheet has rounded');
  });

  it('dates its sales month first, with the time in halves of a day', async () => {
    const report = await dryRun(
      'sales',
      text('date,machine id,product,price,upc', '1/31/2026 1:05 PM,m1,Tea,1.50,8E+12'),
    );
    expect(report.sales).toMatchObject({ firstDay: '2026-01-31', amount: '1.50' });
    expect(report.flagged.map(({ reason }) => reason)).toContain('barcode rounded by a spreadsheet: left out');
  });
});
