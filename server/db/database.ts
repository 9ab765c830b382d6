import type { PGlite } from '@electric-sql/pglite';
import type { SQL } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** A connection or transaction of either database: the same SQL runs on both. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** An open database. Everything that touches the embedded one lives in this process. */
export type Database = {
  kind: 'embedded' | 'postgres';
  db: Db;
  /** The embedded instance, for what must run beside it in this process; null on PostgreSQL. */
  embedded: PGlite | null;
  /** Runs `onNote` for each notification on the channel; resolves once listening. `onGap` tells that some may be lost. */
  listen: (channel: string, onNote: (payload: string) => void, onGap: () => void) => Promise<() => Promise<void>>;
  /** Connections of the pool now. */
  connections: () => { most: number; total: number; idle: number; waiting: number };
  /** The line of statements that only read: how long its first has waited, and how many are let through at a time. */
  reads: { waitMs: () => number; width: () => number };
  /** It did not answer when it was asked last, a moment ago. */
  isAway: () => boolean;
  /** Runs what only reads: on the replica where there is one that keeps up, else on the primary. */
  reading: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Several statements without parameters, e.g. for emptying the schema. */
  script: (text: string) => Promise<void>;
  /**
   * Brings the schema to the newest migration, or to that of a time; safe when several processes start at once. `say` tells of
   * the backup.
   */
  migrate: (say?: (line: string) => void, upTo?: number) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Rows of a raw statement, which is sent at once. The caller names the shape, which the statement's column aliases must match:
 * this is the one place where that promise is taken.
 */
export function rows<T>(db: Db, statement: SQL): Promise<T[]> {
  return db.execute(statement).then((result) => (result as unknown as { rows: T[] }).rows);
}

/** Sends a raw statement at once; `db.execute` by itself waits until somebody waits for it. */
export function run(db: Db, statement: SQL): Promise<void> {
  return db.execute(statement).then(() => {});
}

/** The first row of a raw statement, if any. */
export async function firstRow<T>(db: Db, statement: SQL): Promise<T | undefined> {
  return (await rows<T>(db, statement))[0];
}
