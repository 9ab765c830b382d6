import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Db } from '../database.ts';
import { firstRow } from '../database.ts';
import { casing } from '../migrations.ts';
import { feelPulse, usualPatienceMs } from '../pulse.ts';
import { type OnQuery, timePool } from '../timed.ts';
import { surviveLostConnections } from './lost-connections.ts';

type Options = {
  url: string;
  limits: object;
  onError: (error: Error) => void;
  onQuery?: OnQuery;
};

/** A look at the replica holds for so long. */
const lookEveryMs = 10_000;
/** Behind by more than this, reports of the last hour would be wrong. */
const tolerableLagSeconds = 60;

export type Replica = {
  /** On the replica; on the primary where the replica is away, behind, or breaks off. */
  reading: <T>(work: (db: Db) => Promise<T>, primary: Db) => Promise<T>;
  close: () => Promise<void>;
};

export function openReplica({ url, limits, onError, onQuery }: Options): Replica {
  const pool = new pg.Pool({ connectionString: url, max: 5, connectionTimeoutMillis: usualPatienceMs, ...limits });
  pool.on('error', onError);
  surviveLostConnections(pool, onError);
  if (onQuery) timePool(pool, onQuery);
  const db = drizzle(pool, { casing }) as unknown as Db;
  // One that is frozen breaks no connection: without this, whoever reads there would wait for hours.
  const pulse = feelPulse(url, pool, { mustWrite: false });
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isGood = false;
  const look = async (primary: Db): Promise<boolean> => {
    if (performance.now() - lookedAt < lookEveryMs) return isGood;
    lookedAt = performance.now();
    isGood = await isGoodCopy(db, primary).catch((error: Error) => {
      onError(error);
      return false;
    });
    return isGood;
  };
  return {
    reading: async (work, primary) => {
      if (pulse.isAway() || !(await look(primary))) return work(primary);
      try {
        return await work(db);
      } catch (error) {
        if (!isReplicasFault(error)) throw error;
        isGood = false;
        return work(primary);
      }
    },
    close: async () => {
      await pulse.stop();
      await pool.end();
    },
  };
}

async function isGoodCopy(db: Db, primary: Db): Promise<boolean> {
  if (!(await isClose(db))) return false;
  const [own, wanted] = await Promise.all([firstLinkOf(db), firstLinkOf(primary)]);
  if (own !== wanted) {
    throw new Error('DATABASE_REPLICA_URL leads to a database that does not follow the one of DATABASE_URL');
  }
  return true;
}

/** The oldest link of the audit chain: no two databases have the same, and a copy has that of its primary. */
async function firstLinkOf(db: Db): Promise<string | null> {
  const row = await firstRow<{ hash: string }>(db, sql`select hash from audit_chain order by seq limit 1`);
  return row?.hash ?? null;
}

/** Nothing left to apply counts as close, however long ago the last change was. */
async function isClose(db: Db): Promise<boolean> {
  const row = await firstRow<{ lag: number | string }>(
    db,
    sql`select case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
          else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 1e9) end::float8 as lag`,
  );
  return Number(row?.lag ?? Number.POSITIVE_INFINITY) <= tolerableLagSeconds;
}

/** Connection lost, or a query ended because it stood in the way of what the primary sent. */
function isReplicasFault(error: unknown): boolean {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(source instanceof Error)) return false;
  const code = 'code' in source ? String(source.code) : '';
  return (
    /^(?:08|57P|40001|25006|XX|E[A-Z]+$)/.test(code) || /Connection terminated|timeout exceeded/.test(source.message)
  );
}
