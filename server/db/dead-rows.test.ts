import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { clearWhereNothingDoes } from '../upkeep.ts';
import { type Database, firstRow } from './database.ts';
import { clearDeadRows, clearingOf } from './dead-rows.ts';
import { openEmbedded } from './embedded/embedded.ts';

/** Changes every row, and has the change counted at once. */
const change = ({ db }: Pick<Database, 'db'>): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`update rate_limits set count = count + 1`);
    await tx.execute(sql`select pg_stat_force_next_flush()`);
  });
const sizeOf = async ({ db }: Pick<Database, 'db'>): Promise<number> =>
  (await firstRow<{ bytes: number }>(db, sql`select pg_relation_size('rate_limits')::int as bytes`))?.bytes ?? 0;
const fill = ({ db }: Pick<Database, 'db'>): Promise<unknown> =>
  db.execute(
    sql`insert into rate_limits (key, count, window_ends_at) select 'k' || n, 0, now() from generate_series(1, 4000) n`,
  );

onEachDatabase('dead rows', (open) => {
  let test: TestApp;
  let database: Database;
  beforeAll(async () => {
    test = await testApp(open);
    ({ database } = test);
    // The test decides when they are cleared, whatever the database would do.
    await database.script(`alter table rate_limits set (autovacuum_enabled = off)`);
  });
  beforeEach(() => database.script('truncate rate_limits'));
  afterAll(() => test.close());

  it('give their room to new ones once they were cleared', async () => {
    await fill(database);
    await change(database);
    const before = await sizeOf(database);
    expect(await clearDeadRows(database)).toContain('public.rate_limits');
    await change(database);
    expect(await sizeOf(database)).toBe(before);
    await change(database);
    expect(await sizeOf(database), 'not cleared in between').toBeGreaterThan(before);
  });

  it('are looked for again only where many came', async () => {
    await clearDeadRows(database);
    // Taking statistics writes to a table of the database's own.
    const again = await clearDeadRows(database);
    expect(again.filter((name) => name.startsWith('public.'))).toEqual([]);
  });

  it('are cleared one table after the other, until it is to end', async () => {
    await clearDeadRows(database);
    await fill(database);
    await change(database);
    await database.script(`drop table if exists shelf; create table shelf (n int) with (autovacuum_enabled = off);
      insert into shelf select n from generate_series(1, 2000) n; update shelf set n = n + 1`);
    await database.db.execute(sql`select pg_stat_force_next_flush()`);
    const waits: number[] = [];
    const endFromNow = async (tables: number): Promise<boolean> => waits.push(tables) === 0;
    const first = await clearDeadRows(database, endFromNow);
    expect(waits.length).toBe(1);
    expect(first.length).toBe(1);
    const rest = await clearDeadRows(database);
    expect([...first, ...rest]).toEqual(expect.arrayContaining(['public.rate_limits', 'public.shelf']));
    await database.script('drop table shelf');
  });

  it('are cleared where the database does not do it itself, and not where it does', async () => {
    const found = await firstRow<{ is: string }>(database.db, sql`select current_setting('autovacuum') as is`);
    const { isAutomatic, isOverdue } = await clearingOf(database);
    expect(isAutomatic).toBe(database.kind === 'postgres' && found?.is === 'on');
    expect(isOverdue).toBe(false);
    await fill(database);
    await change(database);
    await clearWhereNothingDoes(test.deps, 0);
    expect((await clearDeadRows(database)).includes('public.rate_limits')).toBe(isAutomatic);
  });
});

it('dead rows of before a start of the embedded database are found after it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-dead-rows-'));
  const before = await openEmbedded(folder);
  await before.script('create table rate_limits (key text primary key, count int, window_ends_at timestamptz)');
  await fill(before);
  await change(before);
  await before.close();
  const after = await openEmbedded(folder);
  expect(await clearDeadRows(after)).toContain('public.rate_limits');
  await after.close();
  rmSync(folder, { recursive: true, force: true });
});
