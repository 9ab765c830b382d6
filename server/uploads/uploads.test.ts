import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ImportResult, ImportUpload } from '../../contract/imports.ts';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { purgeUploads } from './service.ts';

const dayMs = 86_400_000;
const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const catalogue = lines('Code,What it is,Colour,Sells at', '036000291452,Tea,red,1.50', '8.41E+12,Milk,white,2.00');
const meanings = { Code: 'barcode', 'What it is': 'name', Colour: null, 'Sells at': 'unitPrice' };

onEachDatabase('files to import', (open) => {
  let folder = '';
  let test: TestApp;
  let manager: Person;
  let admin: Person;
  let worker: Person;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'milkrun-uploads-'));
    test = await testApp(open, { MILKRUN_DATA: folder });
    ({ manager, admin, worker } = await oneOfEachRole(test, '101'));
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true });
  });

  const octets = { 'content-type': 'application/octet-stream' };
  const send = (content: string | Buffer, query = 'name=old.csv', person = manager) =>
    person.call('POST', `/api/imports?${query}`, { headers: octets, body: content });
  async function sent(content: string | Buffer, query?: string): Promise<ImportUpload> {
    const reply = await send(content, query);
    expect(reply.json()).toMatchObject({ id: expect.any(Number) });
    return reply.json();
  }
  const run = (id: number, body: object, person = manager) =>
    person.call('POST', `/api/imports/${id}/run`, { body: { kind: 'products', map: meanings, dryRun: true, ...body } });
  const stored = (name: string) =>
    firstRow(test.deps.db, sql`select unit_price::text as price from products where name = ${name}`);
  const kept = (): string[] =>
    existsSync(path.join(folder, 'uploads')) ? readdirSync(path.join(folder, 'uploads')) : [];

  it('a dry run says everything and changes nothing; the import does it, and a second time changes nothing', async () => {
    const upload = await sent(catalogue, 'name=old.csv&kind=products');
    expect(upload).toMatchObject({
      name: 'old.csv',
      kind: 'products',
      needs: [['barcode', 'name']],
      remembered: false,
    });
    expect(upload.columns).toEqual([
      { name: 'Code', sameAs: null, samples: ['036000291452', '8.41E+12'], field: 'barcode' },
      { name: 'What it is', sameAs: null, samples: ['Tea', 'Milk'], field: null },
      { name: 'Colour', sameAs: null, samples: ['red', 'white'], field: null },
      { name: 'Sells at', sameAs: null, samples: ['1.50', '2.00'], field: null },
    ]);
    const checked = (await run(upload.id, {})).json() as ImportResult;
    expect(checked).toMatchObject({ dryRun: true, rows: 2, created: 1, refused: { total: 1, first: [{ line: 3 }] } });
    expect(await stored('Tea')).toBeUndefined();
    expect((await run(upload.id, { dryRun: false })).json()).toMatchObject({ dryRun: false, created: 1 });
    expect(await stored('Tea')).toEqual({ price: '1.50' });
    expect((await run(upload.id, { dryRun: false })).json()).toMatchObject({ created: 0, unchanged: 1 });
  });

  it('both of two columns with one name are offered, and the second can be meant', async () => {
    const upload = await sent(
      lines('Code,Price,,Price,', '5901234123457,9.00,x,1.75,'),
      'name=twice.csv&kind=products',
    );
    expect(upload.columns.map(({ name, sameAs, field }) => [name, sameAs, field])).toEqual([
      ['Code', null, 'barcode'],
      ['Price', null, 'unitPrice'],
      ['Column 3', '', null],
      ['Price (2)', 'Price', null],
    ]);
    const map = { Code: 'barcode', Price: null, 'Column 3': 'name', 'Price (2)': 'unitPrice' };
    expect((await run(upload.id, { map, dryRun: false })).json()).toMatchObject({ created: 1, swapped: false });
    expect(await stored('x')).toEqual({ price: '1.75' });
  });

  it('meanings chosen once are offered for the next file with this header, and for no other kind', async () => {
    const first = await sent(catalogue, 'name=a.csv&kind=products');
    await run(first.id, {});
    // By these every row is refused.
    await run(first.id, {
      map: { Colour: 'barcode', 'Sells at': 'unitCost', Code: 'unitPrice', 'What it is': 'caseSize' },
    });
    const next = await sent(catalogue, 'name=b.csv&kind=products');
    expect(next.remembered).toBe(true);
    expect(Object.fromEntries(next.columns.map(({ name, field }) => [name, field]))).toEqual(meanings);
    const read = await manager.call('GET', `/api/imports/${next.id}?kind=planogram`);
    expect(read.json()).toMatchObject({ kind: 'planogram', remembered: false });
    expect((await manager.call('GET', `/api/imports/${next.id}`)).json().kind).toBe('planogram');
  });

  it('meanings left as they were found are not remembered, and those put back are forgotten', async () => {
    const file = lines('upc,title,cost', '036000291452,Tea,0.50');
    const first = await sent(file, 'name=a.csv&kind=products');
    const found = Object.fromEntries(first.columns.map(({ name, field }) => [name, field]));
    await run(first.id, { map: found });
    expect(await sent(file, 'name=b.csv&kind=products')).toMatchObject({ remembered: false });
    await run(first.id, { map: { ...found, cost: 'unitPrice' } });
    expect((await sent(file, 'name=c.csv&kind=products')).columns[2]).toMatchObject({ field: 'unitPrice' });
    await run(first.id, { map: found });
    const last = await sent(file, 'name=d.csv&kind=products');
    expect(last).toMatchObject({ remembered: false, columns: first.columns });
  });

  it.each([
    ['locations', lines('name,lat,lng', 'Shop,40.5,-74')],
    ['sales', lines('date,machine id,product,price', '2026-03-01,m1,Tea,1.50')],
    ['planogram', lines('machine id,slot,product,price,capacity', 'm1,A1,Tea,1.50,10')],
    ['products', lines('upc,item,cost', '036000291452,Tea,0.50')],
  ])('a file of %s is known by its columns', async (kind, content) => {
    expect((await sent(content)).kind).toBe(kind);
  });

  it('a list of sales without a price is known as sales, and needs none', async () => {
    const upload = await sent('Machine,Product,Date Sold\nVM-1,Tea,11/19/2026\n', 'name=noprice.csv');
    expect(upload).toMatchObject({
      kind: 'sales',
      needs: [['soldAt'], expect.arrayContaining(['price', 'amount', 'productName'])],
    });
    const places = 'Machine ID,Name,Address,Latitude,Longitude,Date\nM-1,Hall,1 St,40,-74,11/19/2026\n';
    expect((await sent(places, 'name=places.csv')).kind).toBe('locations');
  });

  it('sales come with their sums, in the currency and of the machine that were said', async () => {
    const { id } = await sent(lines('when,price,product', '1/31/2026 9:05 AM,1.50,Tea', 'Total,1.50,'));
    const map = { when: 'soldAt', price: 'price', product: 'productName' };
    const reply = await run(id, { kind: 'sales', map, currency: 'EUR', machine: 'OLD-1' });
    expect(reply.json()).toMatchObject({
      rows: 1,
      created: 1,
      flagged: [{ reason: 'a line of totals: not imported', lines: [3] }],
      sales: { currency: 'EUR', amount: '1.50', units: 1, firstDay: '2026-01-31', machinesCreated: ['OLD-1'] },
    });
  });

  it('every refused line can be taken away, the screen shows the first', async () => {
    const bad = Array.from({ length: 120 }, (_, n) => `${10 ** 14 + n},"Item ""${n}"""`);
    const { id } = await sent(lines('barcode,name', ...bad));
    const file = `/api/imports/${id}/refused.csv`;
    expect((await manager.call('GET', file)).statusCode).toBe(404);
    const { refused } = (await run(id, { map: {} })).json() as ImportResult;
    expect([refused.total, refused.first.length]).toEqual([120, 50]);
    const reply = await manager.call('GET', file);
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.body.trim().split('\r\n')).toHaveLength(121);
  });

  it('a file may be called as what is kept beside it', async () => {
    const { id } = await sent(lines('barcode,name', '100000000000000,Item'), 'name=refused');
    expect((await run(id, { map: {} })).json()).toMatchObject({ refused: { total: 1 } });
    expect((await manager.call('GET', `/api/imports/${id}/refused.csv`)).statusCode).toBe(200);
  });

  const many = (from: number, count: number): string =>
    lines('name,price', ...Array.from({ length: count }, (_, n) => `Crate ${from + n},1.00`));

  it('an import under way tells how far it is, and ends with what it did or why it did not', async () => {
    const { id } = await sent(many(0, 3000));
    const body = { kind: 'products', map: {}, dryRun: false };
    const reply = await manager.call('POST', `/api/imports/${id}/watch`, { body });
    const told = reply.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told.length).toBeGreaterThan(5);
    expect(told[0]).toEqual({ read: 250, done: 0 });
    expect(told.at(-1)).toMatchObject({ result: { created: 3000, dryRun: false } });
    const refused = await manager.call('POST', `/api/imports/${id}/watch`, {
      body: { ...body, map: { price: 'wheels' } },
    });
    expect(JSON.parse(refused.body)).toMatchObject({
      problem: { status: 400, detail: expect.stringContaining('wheels') },
    });
    expect((await worker.call('POST', `/api/imports/${id}/watch`, { body })).statusCode).toBe(403);
  });

  it('whoever hangs up cancels the import, and nothing of it stays', async () => {
    const { id } = await sent(many(10_000, 20_000));
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
    const ending = new AbortController();
    const reply = await fetch(`${address}/api/imports/${id}/watch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: manager.cookie },
      body: JSON.stringify({ kind: 'products', map: {}, dryRun: false }),
      signal: ending.signal,
    });
    await reply.body?.getReader().read();
    ending.abort();
    await expect.poll(async () => (await run(id, { map: {} })).statusCode, { timeout: 30_000 }).toBe(200);
    expect(await stored('Crate 10000')).toBeUndefined();
  });

  it('what cannot be read is refused in a sentence, and nothing of it is kept', async () => {
    const before = kept();
    const refusals: [string | Buffer, string][] = [
      ['', 'old.csv is empty.'],
      ['%PDF-1.4 with no zero byte at its start', 'old.csv is not a table: CSV, TSV and XLSX files are read.'],
      [Buffer.from([0xff, 0xd8, 0, 1, 2]), 'old.csv is not a table: CSV, TSV and XLSX files are read.'],
    ];
    for (const [content, sentence] of refusals) {
      expect((await send(content)).json()).toMatchObject({ status: 400, detail: sentence });
    }
    const large = await manager.call('POST', '/api/imports?name=a.csv', {
      headers: { ...octets, 'content-length': '100000001' },
    });
    expect(large.json()).toMatchObject({ status: 413, detail: expect.stringContaining('at most 100 MB') });
    expect((await send(catalogue, 'kind=pears&name=a')).json().detail).toContain('kind must be one of');
    expect((await send(catalogue, '')).json()).toMatchObject({ status: 400, detail: 'Name the file' });
    expect(kept()).toEqual(before);
  });

  it('meanings that do not fit are refused in a sentence', async () => {
    const { id } = await sent(catalogue);
    const detail = async (body: object) => (await run(id, body)).json().detail;
    expect(await detail({ map: { Code: 'name', Colour: 'name' } })).toBe(
      "'Code' and 'Colour' mean the same. Choose one of them.",
    );
    expect(await detail({ map: { Code: 'wheels' } })).toContain("unknown field 'wheels'");
    expect(await detail({ map: { Gone: 'name' } })).toContain("no column 'Gone'");
    expect(await detail({ kind: 'locations', map: {} })).toContain('Rename the one that holds it, or say which it is.');
    expect(await detail({ kind: 'pears' })).toContain('kind must be one of');
    expect(await detail({ currency: 'dollar' })).toContain('three letters');
    expect((await run(id, { currency: 'NAN' })).json().fields).toEqual({
      currency: expect.stringContaining('no such currency'),
    });
  });

  it('a name that is a path stays in its folder', async () => {
    const upload = await sent(catalogue, `name=${encodeURIComponent('../../../etc/pass:wd.csv')}`);
    expect(upload.name).toBe('pass_wd.csv');
    expect(readdirSync(path.join(folder, 'uploads', String(upload.id)))).toEqual(['pass_wd.csv']);
  });

  it('is for the office, and each file for the one who brought it', async () => {
    const { id } = await sent(catalogue);
    expect((await send(catalogue, 'name=a.csv', nobody(test.app))).statusCode).toBe(401);
    expect((await send(catalogue, 'name=a.csv', worker)).statusCode).toBe(403);
    for (const reply of [
      await run(id, {}, admin),
      await admin.call('GET', `/api/imports/${id}`),
      await admin.call('GET', `/api/imports/${id}/refused.csv`),
      await admin.call('DELETE', `/api/imports/${id}`),
    ]) {
      expect(reply.json()).toMatchObject({ status: 404, detail: expect.stringContaining('Choose it again') });
    }
    expect((await run(id, {})).statusCode).toBe(200);
  });

  it('is removed on demand, and by itself after a day', async () => {
    const { id } = await sent(catalogue);
    expect((await manager.call('DELETE', `/api/imports/${id}`)).statusCode).toBe(200);
    expect(kept()).not.toContain(String(id));
    const other = await sent(catalogue);
    const at = test.deps.clock.now().getTime();
    const purgeAfter = (ms: number) => purgeUploads({ ...test.deps, clock: { now: () => new Date(at + ms) } });
    await purgeAfter(dayMs - 1000);
    expect(kept()).toContain(String(other.id));
    await purgeAfter(dayMs + 1000);
    expect(kept()).toEqual([]);
    expect((await run(other.id, {})).statusCode).toBe(404);
  });
});
