import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../domain/errors.ts';
import type { Db } from '../db/database.ts';
import { archiveOf } from './write.ts';

/** How the name of a file ends that is being written, or was when its process died. */
export const unfinishedEnd = '.unfinished';

export type ArchiveWish = {
  file: string;
  at: Date;
  without?: ReadonlySet<string>;
  /** Breaks off, and leaves nothing. */
  signal?: AbortSignal;
};

/**
 * Writes the whole database into a file that did not exist. It appears under its name when it is complete, so that a file with
 * this name is never half a backup.
 */
export async function writeArchive(
  db: Db,
  { file, at, without = new Set(), signal }: ArchiveWish,
): Promise<{ bytes: number }> {
  if (existsSync(file)) throw new AppError('conflict', `${file} is there already. Choose another name.`);
  await mkdir(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
  // A name of its own: two that are written at once must not end in one file.
  const unfinished = `${file}.${randomUUID()}${unfinishedEnd}`;
  try {
    const bytes = Readable.from(archiveOf(db, { takenAt: at, without }));
    const into = createWriteStream(unfinished, { mode: 0o600, flush: true });
    await pipeline(bytes, into, signal ? { signal } : {});
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return { bytes: (await stat(file)).size };
}
