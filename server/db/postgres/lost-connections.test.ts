import { sql } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openTestPostgres } from '../../testing/databases/databases.ts';
import { firstRow } from '../database.ts';
import { surviveLostConnections } from './lost-connections.ts';

const server = process.env.TEST_DATABASE_URL;
if (!server) process.stderr.write('** SKIPPED: lost connections of PostgreSQL. TEST_DATABASE_URL is not set. **\n');

describe.skipIf(!server)('a connection that breaks while it is held', () => {
  it('ends the transaction with an error and nothing else: the process and the pool go on', async () => {
    const database = await openTestPostgres(server ?? '');
    // More than the pool has.
    for (let n = 0; n < 12; n++) {
      const broken = database.db.transaction(async (tx) => {
        await tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`);
      });
      await expect(broken).rejects.toThrow();
    }
    expect(await firstRow(database.db, sql`select 1 as one`)).toEqual({ one: 1 });
    await database.close();
  });

  it('goes back to the pool by itself, also when its holder never gives it back', async () => {
    const pool = new pg.Pool({ connectionString: server, max: 1, connectionTimeoutMillis: 5_000 });
    const errors: Error[] = [];
    pool.on('error', (error) => errors.push(error));
    surviveLostConnections(pool, (error) => errors.push(error));
    const held = await pool.connect();
    await expect(held.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
    const next = await pool.connect();
    expect((await next.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
    next.release();
    // Late, and twice, as a transaction does in the end.
    held.release();
    expect(errors.length).toBeGreaterThan(0);
    await pool.end();
  });
});
