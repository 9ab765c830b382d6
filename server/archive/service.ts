import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../domain/errors.ts';
import { dayIn, instantIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import { archiveOf } from './write.ts';

export { isUnused, restoreArchive } from './restore.ts';

/** How many nightly backups are kept. */
const keptNights = 14;
/** Minutes after midnight when drivers have not begun and yesterday's sales are in. */
const quietMinute = 120;
const nightly = /^nightly-\d{4}-\d{2}-\d{2}\.zip$/;

type Wish = { file: string; at: Date; without?: ReadonlySet<string> };

/**
 * Writes the whole database into a file that did not exist. It appears under its name when it is complete, so that a file with
 * this name is never half a backup.
 */
export async function writeArchive(db: Db, { file, at, without = new Set() }: Wish): Promise<{ bytes: number }> {
  if (existsSync(file)) throw new AppError('conflict', `${file} is there already. Choose another name.`);
  await mkdir(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
  try {
    const bytes = Readable.from(archiveOf(db, { takenAt: at, without }));
    await pipeline(bytes, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return { bytes: (await stat(file)).size };
}

/** Where backups go, and what one is called that is taken at a moment. */
export function backupFile(dataFolder: string, at: Date): string {
  return path.join(dataFolder, 'backups', `milkrun-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.zip`);
}

/**
 * The backup of a night, once a day: after two in the morning where the operator is, or as soon as the server runs again. The
 * embedded database answers nobody else for the seconds that it takes.
 */
export async function backUpNightly({ db, env, clock }: Deps): Promise<void> {
  const folder = path.join(env.dataFolder, 'backups');
  const at = clock.now();
  const { timeZone } = await getOperator(db);
  const day = dayIn(timeZone, at);
  const file = path.join(folder, `nightly-${day}.zip`);
  if (at < instantIn(timeZone, day, quietMinute) || existsSync(file)) return;
  await writeArchive(db, { file, at });
  const old = (await readdir(folder)).filter((name) => nightly.test(name)).sort();
  for (const name of old.slice(0, -keptNights)) await rm(path.join(folder, name), { force: true });
}
