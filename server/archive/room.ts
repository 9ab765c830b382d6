import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Database } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { type DiskUse, hasRoomFor } from '../watch/disk.ts';

export const nightly = /^nightly-\d{4}-\d{2}-\d{2}\.zip$/;

/** What an archive may take: what that of the last night did. Nothing is known before the first. */
export async function lastArchiveBytes(backups: string): Promise<number> {
  const names = await readdir(backups).catch(() => []);
  const newest = names
    .filter((name) => nightly.test(name))
    .sort()
    .at(-1);
  return newest ? (await stat(path.join(backups, newest))).size : 0;
}

/** What the copy takes out of which the archive of the embedded database is written. */
export async function copyBytes({ db, embedded }: Database): Promise<number> {
  if (!embedded?.dataDir) return 0;
  const found = await firstRow<{ bytes: number }>(
    db,
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return found?.bytes ?? 0;
}

/** Refuses before a byte is written: what fills the disk to its end stops the database that is on it. */
export function requireRoom(use: DiskUse, bytes: number): void {
  if (hasRoomFor(use, bytes)) return;
  throw new AppError(
    'no-room',
    `There is too little room for an archive: ${gigabytes(use.freeBytes)} are free on its disk${bytes > 0 ? `, and one takes about ${gigabytes(bytes)}` : ''}. Make room there, then try again.`,
  );
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
