import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyFolder } from './folder-copy.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-copy-'));
const from = path.join(folder, 'database');
let lite: PGlite;

beforeAll(async () => {
  lite = await PGlite.create({ dataDir: from });
  await lite.exec('create table sums (n int); create table tallies (n int);');
});
afterAll(async () => {
  await lite.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A row in each of two tables, together, until told to stop. */
function keepWriting() {
  let isOn = true;
  let rows = 0;
  const ended = (async () => {
    while (isOn) {
      await lite.transaction(async (tx) => {
        await tx.query(`insert into sums values (${rows})`);
        await tx.query(`insert into tallies values (${rows})`);
      });
      rows++;
      // The files' turn: a database in this process answers without ever waiting for one.
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  return {
    rows: () => rows,
    stop: async () => {
      isOn = false;
      await ended;
    },
  };
}

it('is the database at one moment, and writing went on while it was made', async () => {
  const writer = keepWriting();
  const to = path.join(folder, 'copy');
  await copyFolder(lite, { from, to });
  const during = writer.rows();
  await writer.stop();
  await lite.exec('drop table tallies');
  const copy = await PGlite.create({ dataDir: to });
  const { rows } = await copy.query<{ sums: number; tallies: number; highest: number }>(
    'select (select count(*)::int from sums) as sums, (select count(*)::int from tallies) as tallies, (select max(n) + 1 from sums) as highest',
  );
  await copy.close();
  const held = rows[0]?.sums ?? 0;
  expect(rows[0]).toEqual({ sums: held, tallies: held, highest: held });
  expect(during).toBeGreaterThan(10);
  expect(held).toBeGreaterThan(10);
});

it('holds no file that the database has dropped meanwhile', async () => {
  const to = path.join(folder, 'again');
  await copyFolder(lite, { from, to });
  await lite.exec('create table one (n int); insert into one values (1); drop table sums;');
  await copyFolder(lite, { from, to });
  const copy = await PGlite.create({ dataDir: to });
  expect((await copy.query('select tablename from pg_tables where schemaname = $1', ['public'])).rows).toEqual([
    { tablename: 'one' },
  ]);
  await copy.close();
});

it('ends between two files when it is told to', async () => {
  const to = path.join(folder, 'stopped');
  const stopped = copyFolder(lite, { from, to, signal: AbortSignal.abort(new Error('The server stops.')) });
  await expect(stopped).rejects.toThrow('The server stops.');
  expect(readdirSync(to)).toEqual([]);
});
