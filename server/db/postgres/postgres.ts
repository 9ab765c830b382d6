import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Database, Db } from '../database.ts';
import { firstRow } from '../database.ts';
import { requireVersion } from '../fitness.ts';
import { grantToApplication, roleOf } from '../grants.ts';
import { forgetWritten, keepAnswersOf } from '../lately.ts';
import { listenOn } from '../listen.ts';
import { casing, withMigrationsUpTo } from '../migrations.ts';
import { pendingMigrations } from '../pending.ts';
import { feelPulse, usualPatienceMs } from '../pulse.ts';
import { againOnDeadlock } from '../statements/again.ts';
import { type OnQuery, timePool } from '../timed.ts';
import { keepPlans } from './kept-plans.ts';
import { surviveLostConnections } from './lost-connections.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { requireOneDatabase } from './one-database.ts';
import { writeTogether } from './one-write.ts';
import { backUpBeforeMigration } from './postgres-backup.ts';
import { holdBackReads, readGate } from './read-gate.ts';
import { openReplica } from './replica.ts';

// count(*) and other 8-byte integers are numbers, as on the embedded database.
pg.types.setTypeParser(20, Number);

/** An arbitrary constant: the one lock that every starting process takes before migrating. */
const migrationLock = 7_204_501;

type Options = {
  url: string;
  /** Past a pooler: for LISTEN, migrations and jobs. */
  directUrl: string | null;
  /** Migrations with more rights than the application's role. */
  adminUrl: string | null;
  /** Whose rights migrations see to; absent: of `url`. */
  applicationUrl?: string | null;
  backups: string | null;
  onError: (error: Error) => void;
  /** A copy that follows the primary, for reports. */
  replicaUrl?: string | null;
  onQuery?: OnQuery;
  /** What uploads of phones take lately, in milliseconds: reads make room for them. */
  uploadMs?: () => number;
  /** After so long without a connection or an answer the database counts as away. */
  patienceMs?: number;
};

const mostConnections = 10;

/** A pooler takes none of them: there the role has the limits. Compiling a statement takes longer than any of ours gains by it. */
const ownSettings = {
  ...{ statement_timeout: 30_000, idle_in_transaction_session_timeout: 10_000 },
  options: '-c jit=off',
};

/** Opens PostgreSQL 15 or newer. Works behind PgBouncer in transaction mode: there no named statements, and no session state. */
export async function openPostgres(options: Options): Promise<Database> {
  const limits = options.directUrl ? {} : ownSettings;
  const { patienceMs = usualPatienceMs } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: mostConnections,
    connectionTimeoutMillis: patienceMs,
    ...limits,
    pipeline: !options.directUrl,
  });
  // Without a listener a restart of PostgreSQL would end this process.
  pool.on('error', options.onError);
  surviveLostConnections(pool, options.onError);
  if (options.directUrl) oneAtATime(pool);
  else keepPlans(pool);
  writeTogether(pool);
  const uploadMs = options.uploadMs ?? (() => 0);
  const gate = readGate({ widest: mostConnections, uploadMs, now: () => performance.now() });
  holdBackReads(pool, gate);
  const db = repeating(drizzle(pool, { casing }) as unknown as Db);
  keepAnswersOf(db);
  timePool(pool, (done) => {
    forgetWritten(db, done.written);
    options.onQuery?.(done);
  });
  const pulse = feelPulse(options.url, pool, { mustWrite: true, patienceMs });
  try {
    await requireVersion(db);
    await requireOneDatabase(db, { DATABASE_DIRECT_URL: options.directUrl, DATABASE_ADMIN_URL: options.adminUrl });
  } catch (error) {
    await pulse.stop();
    await pool.end();
    throw error;
  }
  const replica = options.replicaUrl ? openReplica({ ...options, url: options.replicaUrl, limits }) : null;
  return {
    kind: 'postgres',
    embedded: null,
    db,
    connections: () => ({
      ...{ most: mostConnections, total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
    }),
    reads: gate,
    isAway: pulse.isAway,
    reading: (work) => (replica ? replica.reading(work, db) : work(db)),
    listen: (channel, onNote, onGap) =>
      listenOn(options.directUrl ?? options.url, channel, { onNote, onGap, onError: options.onError }),
    script: async (text) => {
      await withClient(options.adminUrl ?? options.directUrl ?? options.url, (client) => client.query(text));
    },
    migrate: (say = () => {}, upTo) => migrateLocked(options, say, upTo),
    close: async () => {
      await pulse.stop();
      await replica?.close();
      await pool.end();
    },
  };
}

/** Sums are shared by all who write: where two transactions wait for each other, the one that was ended begins anew. */
function repeating(db: Db): Db {
  const transaction = db.transaction.bind(db);
  db.transaction = (work, config) => againOnDeadlock(() => transaction(work, config));
  return db;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // A connection that is lost fails the statement at work; unheard, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    // What the role may have for the application's sake would end a migration of a large table.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    // Dead rows are cleared while people work: at the pace of PostgreSQL's own clearing, not as fast as the disk allows.
    await client.query("set vacuum_cost_delay = '2ms'");
    return await work(client);
  } finally {
    await client.end();
  }
}

async function migrateLocked(options: Options, say: (line: string) => void, upTo?: number): Promise<void> {
  const url = options.adminUrl ?? options.directUrl ?? options.url;
  await withClient(url, async (client) => {
    // The lock of the session ends with the connection, whatever happens in between.
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    const db = drizzle(client, { casing }) as unknown as Db;
    const filled = await firstRow<{ there: boolean }>(db, pendingMigrations.hasTables);
    if (options.backups && filled?.there && (await pendingMigrations.any(db))) {
      say(await backUpBeforeMigration(url, options.backups));
    }
    // A migration that waits for a long reader makes everybody behind it wait as well.
    await client.query("set lock_timeout = '2s'");
    await untilLocksAreFree(() =>
      withMigrationsUpTo(upTo, (folder) => migrate(drizzle(client, { casing }), { migrationsFolder: folder })),
    );
    // An older schema has not all that is granted, and is nobody's but the owner's until it is the newest.
    if (options.adminUrl && upTo === undefined)
      await grantToApplication(client, roleOf(options.applicationUrl ?? options.url));
  });
}

const lockTries = 30;
const lockPauseMs = 1_000;

/** Migrations are one transaction: what was broken off is as if it had never begun. */
async function untilLocksAreFree(work: () => Promise<void>, tries = lockTries): Promise<void> {
  try {
    await work();
  } catch (error) {
    const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const isLocked = source instanceof Error && 'code' in source && source.code === '55P03';
    if (!isLocked || tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
    await untilLocksAreFree(work, tries - 1);
  }
}
