import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'drizzle-orm';
import { build } from 'esbuild';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { openEmbedded } from '../db/embedded/embedded.ts';
import { fillDataFolder } from '../testing/databases/embedded-template.ts';
import { buildMarket } from '../testing/factories.ts';
import { hasThreadPriorities, isOneBehind } from '../testing/thread-priority.ts';
import { writeArchiveBeside } from './beside.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-beside-'));
// Inside the project, so that the thread finds the packages it imports.
const built = path.join(import.meta.dirname, '../../node_modules/.cache', path.basename(folder));
const workerFile = path.join(built, 'archive-worker.mjs');
const at = new Date('2026-03-12T15:00:00.000Z');
let database: Database;

beforeAll(async () => {
  const entry = path.join(import.meta.dirname, 'archive-worker.ts');
  await build({
    ...{ entryPoints: [entry], outfile: workerFile, bundle: true, format: 'esm', platform: 'node' },
    packages: 'external',
  });
  await fillDataFolder(folder);
  database = await openEmbedded(folder);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(built, { recursive: true, force: true });
});

it('writes the archive of the embedded database in a thread, and answers others meanwhile', async () => {
  await buildMarket(database.db, { name: 'Before' });
  const file = path.join(folder, 'archive.zip');
  let isWritten = false;
  const written = writeArchiveBeside(database, { file, at }, pathToFileURL(workerFile)).finally(() => {
    isWritten = true;
  });
  let answers = 0;
  let wasBehind = false;
  while (!isWritten) {
    wasBehind ||= hasThreadPriorities && isOneBehind();
    await database.db.execute(sql`select 1`);
    answers++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await written).bytes).toBeGreaterThan(1_000);
  const markets = unzipSync(new Uint8Array(readFileSync(file)))['markets.csv'] ?? new Uint8Array();
  expect(Buffer.from(markets).toString()).toContain('Before');
  expect(answers).toBeGreaterThan(50);
  expect(wasBehind).toBe(hasThreadPriorities);
  expect(readdirSync(path.join(folder, 'copies'))).toEqual([]);
  // The thread starts a database of its own, beside a loop that asks without a pause.
}, 300_000);

it('says what broke in the thread, and leaves nothing behind', async () => {
  const missing = new URL('./nothing.mjs', pathToFileURL(workerFile));
  const file = path.join(folder, 'never.zip');
  await expect(writeArchiveBeside(database, { file, at }, missing)).rejects.toThrow('nothing.mjs');
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(path.join(folder, 'copies'))).toEqual([]);
});

it('ends the thread when it is told to, and leaves nothing behind', async () => {
  const stop = new AbortController();
  const file = path.join(folder, 'stopped.zip');
  const wish = { file, at, signal: stop.signal };
  const endless = new URL(`data:text/javascript,${encodeURIComponent('setInterval(() => {}, 1000)')}`);
  const written = writeArchiveBeside(database, wish, endless);
  await expect
    .poll(() => existsSync(path.join(folder, 'copies')) && readdirSync(path.join(folder, 'copies')))
    .toHaveLength(1);
  stop.abort(new Error('The server stops.'));
  await expect(written).rejects.toThrow('The server stops.');
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(path.join(folder, 'copies'))).toEqual([]);
});

it('what a process left that died while it read a copy goes at the next start', async () => {
  await database.close();
  mkdirSync(path.join(folder, 'copies', 'archive-left', 'database'), { recursive: true });
  database = await openEmbedded(folder);
  expect(existsSync(path.join(folder, 'copies'))).toBe(false);
});
