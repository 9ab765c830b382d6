import { sql } from 'drizzle-orm';
import pg from 'pg';
import { AppError } from '../../../domain/errors.ts';
import type { Db } from '../database.ts';
import { firstRow } from '../database.ts';

/** What the address of one setting led to: its sentence names this setting. */
export class AddressError extends Error {
  readonly setting: string;

  constructor(setting: string, cause: Error) {
    super(`${setting}: ${cause.message}`, { cause });
    this.setting = setting;
  }
}

/** An arbitrary constant, held only while addresses are compared. */
const compareLock = 7_204_502;

/** Refuses further addresses, by the names of their settings, that answer no one or lead to another database than `db`. */
export async function requireOneDatabase(db: Db, addresses: Record<string, string | null>): Promise<void> {
  for (const [setting, url] of Object.entries(addresses)) if (url) await requireSame(db, setting, url);
}

async function requireSame(db: Db, setting: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that is lost fails the statement at work; unheard, the event would end the process.
  client.on('error', () => {});
  await client.connect().catch((error: Error) => {
    throw new AddressError(setting, error);
  });
  try {
    // Such a lock is seen in its own database only and needs no rights. Of a transaction: a pooler would keep one of a session.
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [compareLock]);
    const found = await firstRow<{ free: boolean }>(db, sql`select pg_try_advisory_xact_lock(${compareLock}) as free`);
    if (found?.free) {
      throw new AppError(
        'unavailable',
        `${setting} leads to another database than DATABASE_URL. Accepted: an address of the same one.`,
      );
    }
    await client.query('rollback');
  } finally {
    await client.end();
  }
}
