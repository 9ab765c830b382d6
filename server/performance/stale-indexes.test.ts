import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Db, firstRow } from '../db/database.ts';
import { onEachDatabase, openTestEmbedded } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { databaseUpkeep } from './maintenance.ts';

onEachDatabase('indexes whose making was broken off', (open) => {
  let test: TestApp;
  // The embedded database has one connection.
  const hasMany = open !== openTestEmbedded;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  const write = (db: Db, key: string) =>
    db.execute(sql`insert into rate_limits (key, count, window_ends_at) values (${key}, 1, '2020-01-01')`);
  const spoil = (index: string) =>
    test.deps.db.execute(sql`update pg_index set indisvalid = false where indexrelid = ${index}::regclass`);
  const rebuild = async () => databaseUpkeep.find(({ name }) => name === 'Indexes')?.run(test.deps);
  const isValid = async (index: string) =>
    (
      await firstRow<{ is: boolean }>(
        test.deps.db,
        sql`select indisvalid as is from pg_index where indexrelid = to_regclass(${index})`,
      )
    )?.is;

  it('are made anew, and what an earlier try left of them goes', async () => {
    await test.database.script('create index rate_limits_pkey_ccnew on rate_limits (key)');
    await spoil('rate_limits_pkey_ccnew');
    await spoil('rate_limits_pkey');
    expect(await rebuild()).toBe('rate_limits_pkey was made anew.');
    expect(await isValid('rate_limits_pkey')).toBe(true);
    expect(await isValid('rate_limits_pkey_ccnew')).toBeUndefined();
    expect(await rebuild()).toMatch(/none was stale\.$/);
  });

  /** Runs the work while somebody has written and not ended the transaction. */
  async function besideAWriter(key: string, work: () => Promise<void>): Promise<void> {
    await test.deps.db.transaction(async (tx) => {
      await write(tx, key);
      await work();
    });
  }
  const waits = async (start: string) =>
    (
      await firstRow<{ does: boolean }>(
        test.deps.db,
        sql`select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and starts_with(query, ${start})) as does`,
      )
    )?.does;

  it.runIf(hasMany)('keep nobody from writing while they are made anew', async () => {
    await spoil('rate_limits_pkey');
    let rebuilt: ReturnType<typeof rebuild> | undefined;
    await besideAWriter('first', async () => {
      rebuilt = rebuild();
      await expect.poll(() => waits('reindex'), { timeout: 5_000 }).toBe(true);
      await test.deps.db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '2s'`);
        await write(tx, 'somebody else');
      });
    });
    expect(await rebuilt).toBe('rate_limits_pkey was made anew.');
  });

  it.runIf(hasMany)('are told from those that are just being made', async () => {
    let made: Promise<void> | undefined;
    await besideAWriter('second', async () => {
      made = test.database.script('create index concurrently rate_limits_in_the_making on rate_limits (count)');
      await expect.poll(() => waits('create index'), { timeout: 5_000 }).toBe(true);
      expect(await rebuild()).toMatch(/none was stale\.$/);
    });
    await made;
    expect(await isValid('rate_limits_in_the_making')).toBe(true);
  });
});
