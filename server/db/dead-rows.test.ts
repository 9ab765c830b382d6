import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import type { Database } from './database.ts';
import { firstRow } from './database.ts';
import { clearDeadRows, upkeepingOf } from './dead-rows.ts';

onEachDatabase('dead rows', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.close());

  /** Changes every row, and has the change counted at once. */
  const change = (): Promise<unknown> =>
    database.db.transaction(async (tx) => {
      await tx.execute(sql`update rate_limits set count = count + 1`);
      await tx.execute(sql`select pg_stat_force_next_flush()`);
    });
  const size = async (): Promise<number> =>
    (await firstRow<{ bytes: number }>(database.db, sql`select pg_relation_size('rate_limits')::int as bytes`))
      ?.bytes ?? 0;

  it('give their room to new ones once they were cleared', async () => {
    await database.db.execute(
      sql`insert into rate_limits (key, count, window_ends_at) select 'k' || n, 0, now() from generate_series(1, 4000) n`,
    );
    await change();
    const before = await size();
    expect(await clearDeadRows(database)).toContain('public.rate_limits');
    await change();
    expect(await size()).toBe(before);
    await change();
    expect(await size(), 'not cleared in between').toBeGreaterThan(before);
  });

  it('are looked for again only where many came', async () => {
    await clearDeadRows(database);
    // Taking statistics writes to a table of the database's own.
    const again = await clearDeadRows(database);
    expect(again.filter((name) => name.startsWith('public.'))).toEqual([]);
  });

  it('are cleared by the database itself where it can do that', async () => {
    const found = await firstRow<{ is: string }>(database.db, sql`select current_setting('autovacuum') as is`);
    const { isAutomatic, isOverdue } = await upkeepingOf(database);
    expect(isAutomatic).toBe(database.kind === 'postgres' && found?.is === 'on');
    expect(isOverdue).toBe(false);
  });
});
