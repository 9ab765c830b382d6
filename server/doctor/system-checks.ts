import { access, constants, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { counted } from '../../domain/counted.ts';
import { firstRow } from '../db/database.ts';
import { clearingOf } from '../db/dead-rows.ts';
import { brokenPromises, clockAheadMs, clockSentence, tolerableClockMs } from '../db/fitness.ts';
import { newestKnown, newestMigration } from '../db/pending.ts';
import { examineMonthFiles } from '../retention/service.ts';
import { getOperator } from '../settings/service.ts';
import { type DiskUse, diskStateOf, readDiskOf } from '../watch/disk.ts';
import { broken, type Check, type Finding, good, warning } from './finding.ts';

/** What PostgreSQL promises to keep when the power fails. */
export const database: Check = {
  name: 'Database',
  look: async ({ database: whole }) => {
    const { db, kind } = whole;
    if ((await newestMigration(db)) < newestKnown()) return broken('The schema is old. Start the server once.');
    if (kind === 'embedded') {
      return good('Embedded, schema up to date. It survives a crash of this program, not a loss of power.');
    }
    const off = await brokenPromises(whole);
    if (off.length > 0) {
      return broken(
        `PostgreSQL has ${off.join(' and ')} off: what it confirmed may be lost. Turn on, then restart it.`,
      );
    }
    const found = await firstRow<{ version: string }>(db, sql`select current_setting('server_version') as version`);
    return good(`PostgreSQL ${found?.version}, schema up to date, writes are durable.`);
  },
};

/** Where nobody clears dead rows tables swell, and after two thousand million transactions the database stops. */
export const deadRows: Check = {
  name: 'Dead rows',
  look: async ({ database: whole }) => {
    const { isAutomatic, isOverdue } = await clearingOf(whole);
    if (isOverdue) {
      return broken(
        'Rows were not frozen for 1,000 million transactions; at 2,000 million the database stops taking writes. End transactions that were left open and replication slots that nobody reads, then repair.',
      );
    }
    if (isAutomatic) return good('PostgreSQL clears them itself.');
    if (whole.kind === 'embedded') return good('The server clears them.');
    return warning(
      'PostgreSQL has autovacuum off. The server clears dead rows of its own tables instead, but not those of the system and of other databases. Turn autovacuum on.',
    );
  },
  repair: async ({ database: whole }) => {
    await whole.script('vacuum (freeze)');
    if (!(await clearingOf(whole)).isOverdue) return 'All rows were frozen.';
    return whole.kind === 'embedded'
      ? 'It is not enough on this folder: take a backup and restore it into a new one.'
      : 'Something still holds old rows back, or they are in another database of this PostgreSQL: as its superuser, run vacuumdb --all --freeze.';
  },
};

/** What the compose file asks for is twice what PostgreSQL comes with, and enough for small databases only. */
const smallMemory = 256 * 1024 * 1024;
const timesTheMemory = 8;

/** A large database with little memory reads from its disk what could lie there. */
export const databaseMemory: Check = {
  name: 'Memory',
  look: async ({ database: { db, kind } }) => {
    if (kind === 'embedded') return good('The embedded database has what it needs.');
    const found = await firstRow<{ memory: number; size: number }>(
      db,
      sql`select pg_size_bytes(current_setting('shared_buffers'))::float8 as memory,
            pg_database_size(current_database())::float8 as size`,
    );
    return memoryFor(found ?? { memory: 0, size: 0 });
  },
};

/** Both in bytes. */
export function memoryFor({ memory, size }: { memory: number; size: number }): Finding {
  const has = `The database takes ${megabytes(size)}, for which PostgreSQL has ${megabytes(memory)} of memory`;
  if (memory > smallMemory || size <= timesTheMemory * memory) return good(`${has}.`);
  return warning(
    `${has}. Set shared_buffers to a quarter of its machine's memory and max_wal_size to 4GB or more, then restart it.`,
  );
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024).toLocaleString('en-US')} MB`;

/** PgBouncer takes no settings of a connection: behind it only the role has limits, or nobody. */
export const limits: Check = {
  name: 'Limits',
  look: async ({ database: { db, kind } }) => {
    if (kind === 'embedded') return good('The embedded database needs none.');
    const found = await firstRow<{ missing: string | null; role: string }>(
      db,
      sql`select string_agg(name, ' and ' order by name desc) as missing, quote_ident(current_user) as role
          from unnest(array['statement_timeout', 'idle_in_transaction_session_timeout']) name
          where current_setting(name) = '0'`,
    );
    if (!found?.missing) return good('Statements and transactions that hang are ended.');
    const set = `ALTER ROLE ${found.role} SET`;
    return warning(
      `The application has no ${found.missing}: what hangs holds its locks for ever. In psql: ${set} statement_timeout = '30s'; ${set} idle_in_transaction_session_timeout = '10s'; then restart the pooler.`,
    );
  },
};

export const clock: Check = {
  name: 'Clock',
  look: async ({ database: { db }, now }) => {
    const ahead = await clockAheadMs(db, now);
    if (Math.abs(ahead) <= tolerableClockMs) return good('This machine and the database have the same time.');
    return warning(clockSentence(ahead));
  },
};

/** Judged as the server judges it: it writes on as long as this is not broken. */
export const disk: Check = {
  name: 'Disk',
  look: async ({ env }) => {
    await mkdir(env.dataFolder, { recursive: true });
    try {
      await access(env.dataFolder, constants.W_OK);
    } catch {
      return broken(`${env.dataFolder} cannot be written. Give this user the right, or set MILKRUN_DATA.`);
    }
    return roomLeft(await readDiskOf(env.dataFolder)(), env.dataFolder);
  },
};

export function roomLeft(use: DiskUse, folder: string): Finding {
  const free = `${(use.freeBytes / 1e9).toFixed(1)} GB are free in ${folder}`;
  const state = diskStateOf(use);
  if (state === 'full') return broken(`${free}, too little to go on. Make room now.`);
  if (state === 'warning') return warning(`${free}: ${Math.round(use.usedShare * 100)} % are used. Make room.`);
  return good(`${free}.`);
}

const dayMs = 24 * 3_600_000;

export const backups: Check = {
  name: 'Backups',
  look: async ({ env, now }) => {
    const folder = path.join(env.dataFolder, 'backups');
    const names = await readdir(folder).catch(() => []);
    const nights = names.filter((name) => /^nightly-.*\.zip$/.test(name)).sort();
    const newest = nights.at(-1)?.slice('nightly-'.length, -'.zip'.length);
    if (!newest) {
      return warning(
        `No nightly backup is in ${folder}. The server takes one each night; milkrun backup takes one now.`,
      );
    }
    if (now.getTime() - Date.parse(newest) > 2 * dayMs) {
      return warning(`The newest nightly backup is of ${newest}. Is the server running at night? See its log.`);
    }
    if (nights.length === 1) return good(`1 nightly backup, of ${newest}. Copy it to another machine.`);
    return good(`${nights.length} nightly backups, the newest of ${newest}. Copy them to another machine.`);
  },
};

export const months: Check = {
  name: 'Months',
  look: async ({ database: { db }, env }) => {
    const { months: count, missing, changed, folder } = await examineMonthFiles(db, env.dataFolder);
    if (changed.length > 0) {
      return broken(`${changed.join(', ')} in ${folder} is not what was written. Bring it back from a copy.`);
    }
    if (missing.length > 0) {
      return warning(
        `${missing.slice(0, 5).join(', ')} is not in ${folder}: without it that month is gone for good. If another machine rolled it up, keep the file there.`,
      );
    }
    if (count === 0) return good('All months of ledger and sales are in the database.');
    return good(
      `${counted(count, 'month of ledger and sales is', 'months of ledger and sales are')} in files in ${folder}. Copy that folder to another machine.`,
    );
  },
};

export const settings: Check = {
  name: 'Settings',
  look: async ({ env, database: { db } }) => {
    const { isDemo } = await getOperator(db);
    if (isDemo) return good('The demo operator: bound to this machine, messages go to its outbox.');
    const missing = [
      env.secretKey
        ? null
        : 'MILKRUN_SECRET_KEY is not set: the key is the file secret.key in the data folder (keep a copy apart from the backups, and the same on every server)',
      env.smtpUrl || env.smsGatewayUrl
        ? null
        : 'neither SMTP_URL nor SMS_GATEWAY_URL is set: sign-in codes stand in the log only',
      env.publicUrl ? null : 'PUBLIC_URL is not set: people can sign in from this machine only',
    ].filter((sentence) => sentence !== null);
    return missing.length === 0 ? good('Key, messages and address are set.') : warning(`${missing.join('; ')}.`);
  },
};
