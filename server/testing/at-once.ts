import { sql } from 'drizzle-orm';
import { firstRow } from '../db/database.ts';
import type { TestApp } from './test-app.ts';

/**
 * Starts calls that all write `table` in the end, holds each of them up where it waits for somebody, and lets go when all do
 * that have not ended: whatever a call looked at before is then as old as it can be. On the embedded database one runs after the other anyway.
 */
export async function atOnce<T>(
  { database }: Pick<TestApp, 'database'>,
  table: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  if (database.kind === 'embedded') return Promise.all(calls.map((call) => call()));
  const running = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${sql.identifier(table)} in share mode`);
    let ended = 0;
    const started = calls.map((call) =>
      call().finally(() => {
        ended += 1;
      }),
    );
    while (ended + (await heldUp(database)) < calls.length);
    return { started };
  });
  return Promise.all(running.started);
}

async function heldUp({ db }: TestApp['database']): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return found?.n ?? 0;
}
