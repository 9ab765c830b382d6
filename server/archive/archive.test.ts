import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { loadOperator } from '../demo/load.ts';
import { getMarker, restoredMarker } from '../settings/service.ts';
import { onEachDatabase, openTestEmbedded, openTestPostgres } from '../testing/databases/databases.ts';
import { type SmallDisk, smallDisk } from '../testing/databases/small-disk.ts';
import { buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { stopBackground } from '../vendor-sync/service.ts';
import { type Cell, csvLine, readCsv } from './csv.ts';
import { type Manifest, manifest, manifestName } from './manifest.ts';
import { backUpNightly, isUnused, restoreArchive, writeArchive } from './service.ts';
import { archiveOf } from './write.ts';

describe('a CSV file of an archive', () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '=1+1', '-1', '-x', "'", "''a", '"', 'a,b', 'a\r\nb', '@x'),
  );

  it('gives back every cell as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1 }), async (lines) => {
        const bytes = Buffer.from(lines.map(csvLine).join(''));
        const read: Cell[][] = [];
        for await (const record of readCsv(cut(bytes))) read.push(record);
        expect(read).toEqual(lines);
      }),
    );
  });

  it('holds nothing that a spreadsheet would run', () => {
    expect(csvLine(['=cmd|calc', '+1', '-2.5', '-x', '@sum', null, ''])).toBe(
      "'=cmd|calc,'+1,-2.5,'-x,'@sum,,\"\"\r\n",
    );
  });
});

/** Pieces that end anywhere, also within a character. */
async function* cut(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-archive-'));
const at = new Date('2026-03-12T15:00:00.000Z');
const quiet = (): void => {};
const original = path.join(folder, 'original.zip');
let source: TestApp;

beforeAll(async () => {
  source = await testApp(openTestEmbedded, { MILKRUN_DATA: folder });
  await source.database.db.execute(sql`delete from operator`);
  await loadOperator(source.deps, { profile: 'S', seed: 1, days: 5, until: '2026-03-11' }, quiet);
  await source.deps.db.execute(sql`insert into photos (hash, width, height, content) values ('00', 1, 1, '\\x00ff0a')`);
  await writeArchive(source.deps.db, { file: original, at });
});
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

function manifestOf(file: string): Manifest {
  const found = unzipSync(new Uint8Array(readFileSync(file)))[manifestName] ?? new Uint8Array(0);
  return manifest.parse(JSON.parse(strFromU8(found)));
}

/** The archive with one of its files changed. */
function changed(name: string, change: (text: string) => string): string {
  const files = unzipSync(new Uint8Array(readFileSync(original)));
  const file = path.join(folder, `changed-${readdirSync(folder).length}.zip`);
  files[name] = strToU8(change(strFromU8(files[name] ?? new Uint8Array(0))));
  writeFileSync(file, zipSync(files));
  return file;
}

/** What an archive holds, but for what restoring itself notes. */
const content = (file: string) => manifestOf(file).tables.filter((table) => table.name !== 'installation');

const targets: [string, (() => Promise<Database>) | null][] = [
  ['the embedded database', openTestEmbedded],
  ['PostgreSQL', process.env.TEST_DATABASE_URL ? () => openTestPostgres(process.env.TEST_DATABASE_URL ?? '') : null],
];

describe.each(targets)('a backup restored into %s', (_, open) => {
  it.runIf(open)('holds the same rows to the byte, and work goes on', async () => {
    const target = await (open ?? openTestEmbedded)();
    await restoreArchive(target, { file: original, at, say: quiet });
    const again = path.join(folder, `again-${target.kind}.zip`);
    await writeArchive(target.db, { file: again, at });
    expect(content(again)).toEqual(content(original));
    expect(content(original).find((table) => table.name === 'stock_movements')?.rows).toBeGreaterThan(1000);
    expect(await getMarker(target.db, restoredMarker)).toBe(at.toISOString());
    await expect(target.db.execute(sql`delete from stock_movements`)).rejects.toThrow();
    const restored = await testApp(async () => target);
    const manager = await firstRow<{ id: number }>(target.db, sql`select id from users where role = 'route_manager'`);
    const person = await restored.as(manager?.id ?? 0);
    const market = { name: 'New', address: '1 New Street', latitude: '40.7', longitude: '-74.0', status: 'active' };
    expect((await person.call('POST', '/api/markets', { body: market })).statusCode).toBe(201);
    await restored.close();
  });
});

/** The database, with transactions that may hardly stand still. */
function impatient(database: Database): Database {
  const transaction: Database['db']['transaction'] = (work, config) =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout to 100`);
      return work(tx);
    }, config);
  const db = new Proxy(database.db, {
    get: (real, name) => (name === 'transaction' ? transaction : Reflect.get(real, name)),
  });
  return { ...database, db };
}

it.runIf(targets[1]?.[1])('a backup that is slow to unpack is restored into PostgreSQL all the same', async () => {
  const target = await openTestPostgres(process.env.TEST_DATABASE_URL ?? '');
  const standStill = (line: string): void => {
    if (line.startsWith('markets:')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  };
  await restoreArchive(impatient(target), { file: original, at, say: standStill });
  expect(await getMarker(target.db, restoredMarker)).toBe(at.toISOString());
  await target.close();
});

/** The database, with a server that ends the connection of every transaction. */
function losing(database: Database): Database {
  const transaction: Database['db']['transaction'] = (work, config) =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
      return work(tx);
    }, config);
  const db = new Proxy(database.db, {
    get: (real, name) => (name === 'transaction' ? transaction : Reflect.get(real, name)),
  });
  return { ...database, db };
}

it.runIf(targets[1]?.[1])('a restore that loses PostgreSQL says so in a sentence, and what to do', async () => {
  const target = await openTestPostgres(process.env.TEST_DATABASE_URL ?? '');
  await expect(restoreArchive(losing(target), { file: original, at, say: quiet })).rejects.toThrow(
    /^The restore broke off: the connection to the database was lost\..* restore the file again/,
  );
  await target.close();
});

describe('a backup', () => {
  it('is refused, and nothing touched, when a file in it is not what was written', async () => {
    const target = await openTestEmbedded();
    await target.db.execute(sql`insert into audit_log (action) values ('kept')`);
    const broken = changed('markets.csv', (text) => text.replace('active', 'actiwe'));
    await expect(restoreArchive(target, { file: broken, at, say: quiet })).rejects.toThrow('markets.csv');
    const cutOff = path.join(folder, 'cut-off.zip');
    writeFileSync(cutOff, readFileSync(original).subarray(0, 20_000));
    await expect(restoreArchive(target, { file: cutOff, at, say: quiet })).rejects.toThrow(
      /(its end is missing|it is damaged).* Use another backup\.$/,
    );
    const newer = changed(manifestName, (text) => text.replace(/"schema": \d+/, '"schema": 99999999999999'));
    await expect(restoreArchive(target, { file: newer, at, say: quiet })).rejects.toThrow('newer Milkrun');
    const newerForm = changed(manifestName, (text) => text.replace('"version": 1', '"version": 2'));
    await expect(restoreArchive(target, { file: newerForm, at, say: quiet })).rejects.toThrow('newer Milkrun');
    expect(await firstRow(target.db, sql`select action from audit_log`)).toEqual({ action: 'kept' });
    await target.close();
  });

  it('of an older schema comes back as it was and is then migrated', async () => {
    const target = await openTestEmbedded();
    const before = 1795251402297;
    await target.script('drop schema public cascade; drop schema drizzle cascade; create schema public;');
    await target.migrate(quiet, before);
    await target.db.execute(
      sql`insert into markets (name, address, latitude, longitude) values ('Old', '1 Old Street', 40, -74)`,
    );
    const file = path.join(folder, 'older.zip');
    await writeArchive(target.db, { file, at });
    expect(manifestOf(file).schema).toBe(before);
    await restoreArchive(target, { file, at, say: quiet });
    expect(await firstRow(target.db, sql`select name, changed_xid::text as xid from markets`)).toEqual({
      name: 'Old',
      xid: '0',
    });
    await target.close();
  });

  it('never takes the place of a file', async () => {
    await expect(writeArchive(source.deps.db, { file: original, at })).rejects.toThrow('is there already');
  });

  it('that is written twice at once is whole', async () => {
    const file = path.join(folder, 'twice.zip');
    await Promise.all([1, 2].map(() => writeArchive(source.deps.db, { file, at })));
    expect(content(file)).toEqual(content(original));
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  });

  it('that nobody reads to its end leaves the database free', async () => {
    for await (const piece of archiveOf(source.deps.db, { takenAt: at })) if (piece.length > 0) break;
    expect(await firstRow(source.deps.db, sql`select 1 as free`)).toEqual({ free: 1 });
  });

  it('is taken once a night, and a fortnight of them is kept', async () => {
    const backups = path.join(folder, 'backups');
    const nameOf = (night: number): string => `nightly-2026-04-${String(night).padStart(2, '0')}.zip`;
    mkdirSync(backups, { recursive: true });
    for (let night = 1; night <= 14; night++) writeFileSync(path.join(backups, nameOf(night)), '');
    // Of a process that died while it wrote.
    writeFileSync(path.join(backups, `${nameOf(14)}.half.unfinished`), '');
    for (const night of [15, 16]) {
      // One in the morning in New York, then three: nothing is taken before two.
      source.setNow(new Date(Date.UTC(2026, 3, night, 5)));
      await backUpNightly(source.deps);
      expect(existsSync(path.join(backups, nameOf(night)))).toBe(false);
      source.setNow(new Date(Date.UTC(2026, 3, night, 7)));
      await backUpNightly(source.deps);
      await backUpNightly(source.deps);
    }
    const kept = readdirSync(backups).sort();
    expect(kept).toHaveLength(14);
    expect(kept[0]).toBe(nameOf(3));
  });

  it('is not begun where one as large as the last would leave too little room on the disk', async () => {
    const backups = path.join(folder, 'backups');
    mkdirSync(backups, { recursive: true });
    const last = path.join(backups, 'nightly-2026-05-01.zip');
    writeFileSync(last, '');
    truncateSync(last, 2_000_000_000);
    source.setNow(new Date('2026-05-02T07:00:00Z'));
    await source.setDisk({ usedShare: 0.85, freeBytes: 3e9 });
    writeFileSync(path.join(backups, 'nightly-2026-05-01.zip.half.unfinished'), '');
    const before = readdirSync(backups).filter((name) => !name.endsWith('.unfinished'));
    await expect(backUpNightly(source.deps)).rejects.toThrow(
      /^There is too little room for an archive: 3\.0 GB are free on its disk, and one takes about 2\.0 GB\. Make room/,
    );
    expect(readdirSync(backups)).toEqual(before);
    await source.setDisk({ usedShare: 0.5, freeBytes: 1e12 });
    await backUpNightly(source.deps);
    expect(existsSync(path.join(backups, 'nightly-2026-05-02.zip'))).toBe(true);
    rmSync(last);
  });
});

/** The database, with a process that is told to stop as soon as it is being read. */
function readWhileStopping(database: Database, stop: () => void): Database {
  const transaction: Database['db']['transaction'] = (work, config) =>
    database.db.transaction((tx) => {
      stop();
      return work(tx);
    }, config);
  const db = new Proxy(database.db, {
    get: (real, name) => (name === 'transaction' ? transaction : Reflect.get(real, name)),
  });
  return { ...database, db };
}

describe.each(targets)('a nightly backup of %s', (_, open) => {
  it.runIf(open)('that the process stops over ends at once, leaves nothing and is taken by the next', async () => {
    const data = mkdtempSync(path.join(folder, 'stopped-'));
    const t = await testApp(open ?? openTestEmbedded, { MILKRUN_DATA: data });
    const backups = path.join(data, 'backups');
    const stopping = { ...t.deps };
    stopping.database = readWhileStopping(t.database, () => void stopBackground(stopping));
    await expect(backUpNightly(stopping)).rejects.toThrow('aborted');
    expect(readdirSync(backups)).toEqual([]);
    // The transaction has ended: on the embedded database it would hold everybody.
    expect(await firstRow(t.deps.db, sql`select 1 as free`)).toEqual({ free: 1 });
    await backUpNightly(t.deps);
    expect(readdirSync(backups)).toEqual(['nightly-2026-03-12.zip']);
    await t.close();
  });
});

it('a database is unused until somebody or something is in it', async () => {
  const target = await openTestEmbedded();
  expect(await isUnused(target.db)).toBe(true);
  expect(await isUnused(source.deps.db)).toBe(false);
  await target.close();
});

const probe = smallDisk(1);
probe?.remove();
if (!probe) process.stderr.write('** SKIPPED: an export without room. This user may not mount a small disk. **\n');

onEachDatabase('an export', (open) => {
  let disk: SmallDisk | null = null;
  afterEach(() => {
    vi.unstubAllEnvs();
    disk?.remove();
  });

  it('that nobody waits for any more ends at once, leaves nothing and is noted nowhere', async () => {
    const test = await testApp(open);
    const { cookie } = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
    const temporary = mkdtempSync(path.join(folder, 'cut-'));
    vi.stubEnv('TMPDIR', temporary);
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
    let stopped = Promise.resolve();
    test.deps.database = readWhileStopping(test.database, () => {
      test.app.server.closeAllConnections();
      stopped = Promise.resolve(test.app.close());
    });
    await expect(fetch(`${address}/api/export/everything`, { headers: { cookie } })).rejects.toThrow();
    await stopped;
    expect(readdirSync(temporary)).toEqual([]);
    const audited = sql`select count(*)::int as n from audit_log where action = 'export.everything'`;
    expect(await firstRow(test.deps.db, audited)).toEqual({ n: 0 });
    await test.close();
  });

  it('is not made for who only asks for its head', async () => {
    const test = await testApp(open);
    const admin = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
    expect((await admin.call('HEAD', '/api/export/everything')).statusCode).toBe(404);
    const audited = sql`select count(*)::int as n from audit_log where action = 'export.everything'`;
    expect(await firstRow(test.deps.db, audited)).toEqual({ n: 0 });
    await test.close();
  });

  it.runIf(probe)('is not begun where the folder for temporary files has no room for it', async () => {
    disk = smallDisk(20);
    const data = mkdtempSync(path.join(folder, 'of-export-'));
    const test = await testApp(open, { MILKRUN_DATA: data });
    const admin = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
    vi.stubEnv('TMPDIR', disk?.folder ?? '');
    const take = async () => (await admin.call('GET', '/api/export/everything')).statusCode;
    const audited = sql`select count(*)::int as n from audit_log where action = 'export.everything'`;
    expect((await admin.call('GET', '/api/export/room')).statusCode).toBe(200);
    expect(await take()).toBe(200);
    await expect.poll(() => readdirSync(disk?.folder ?? '')).toEqual([]);
    disk?.fill(500_000);
    expect(await take()).toBe(507);
    const asked = await admin.call('GET', '/api/export/room');
    expect([asked.statusCode, asked.json().detail]).toEqual([507, expect.stringContaining('too little room')]);
    expect(readdirSync(disk?.folder ?? '')).toEqual(['ballast']);
    disk?.free();
    const last = path.join(data, 'backups', 'nightly-2026-03-11.zip');
    mkdirSync(path.dirname(last), { recursive: true });
    writeFileSync(last, '');
    truncateSync(last, 25_000_000);
    expect(await take()).toBe(507);
    expect(await firstRow(test.deps.db, audited)).toEqual({ n: 1 });
    await test.close();
  });
});
