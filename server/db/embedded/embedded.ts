import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { Database, Db } from '../database.ts';
import { firstRow } from '../database.ts';
import { dropOldBackups, nextBackup } from '../kept-backups.ts';
import { forgetWritten, keepAnswersOf } from '../lately.ts';
import { casing, withMigrationsUpTo } from '../migrations.ts';
import { pendingMigrations } from '../pending.ts';
import { type OnQuery, timeEmbedded } from '../timed.ts';
import { lockFolder } from './folder-lock.ts';

/** Where copies of the database stand while they are read. */
export const copiesOf = (dataFolder: string): string => path.join(dataFolder, 'copies');

/** Opens the embedded database (PostgreSQL in this process) in a folder of its own, exclusively. */
export async function openEmbedded(dataFolder: string, onQuery?: OnQuery): Promise<Database> {
  const unlock = lockFolder(dataFolder);
  try {
    // Left by a process that died while it read one.
    rmSync(copiesOf(dataFolder), { recursive: true, force: true });
    const lite = await PGlite.create({ dataDir: path.join(dataFolder, 'database') });
    return embeddedDatabase(lite, {
      backups: path.join(dataFolder, 'backups'),
      onClose: unlock,
      ...(onQuery ? { onQuery } : {}),
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

type Options = { backups: string | null; onClose: () => void; onQuery?: OnQuery };

/** Wraps a PGlite instance; tests hand in one loaded from memory. */
export function embeddedDatabase(lite: PGlite, options: Options): Database {
  const timed = timeEmbedded(lite, (done) => {
    forgetWritten(db, done.written);
    options.onQuery?.(done);
  });
  const db = drizzle(timed, { casing }) as unknown as Db;
  keepAnswersOf(db);
  return {
    kind: 'embedded',
    embedded: lite,
    db,
    // One connection, and what waits for it waits in the instance.
    connections: () => ({ most: 1, total: 1, idle: 1, waiting: 0 }),
    // One thread does all of it, one statement after the other.
    reads: { waitMs: () => 0, width: () => 1 },
    isAway: () => false,
    reading: (work) => work(db),
    listen: (channel, onNote) => lite.listen(channel, onNote),
    script: async (text) => {
      await lite.exec(text);
    },
    migrate: async (say = () => {}, upTo) => {
      if (options.backups && (await needsBackup(db))) {
        say(`A backup was taken before the migration: ${await backUp(lite, options.backups)}`);
      }
      await withMigrationsUpTo(upTo, (folder) => migrate(drizzle(lite, { casing }), { migrationsFolder: folder }));
    },
    close: async () => {
      await lite.close();
      options.onClose();
    },
  };
}

async function needsBackup(db: Db): Promise<boolean> {
  const filled = await firstRow<{ there: boolean }>(db, pendingMigrations.hasTables);
  return filled?.there === true && (await pendingMigrations.any(db));
}

const ending = '.tar.gz';

async function backUp(lite: PGlite, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = nextBackup(folder, ending);
  const dump = await lite.dumpDataDir('gzip');
  writeFileSync(file, new Uint8Array(await dump.arrayBuffer()));
  dropOldBackups(folder, ending);
  return file;
}
