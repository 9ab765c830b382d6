import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { dayIn, instantIn } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import { stopSignal } from '../vendor-sync/service.ts';
import { writeArchiveBeside } from './beside.ts';
import { unfinishedEnd } from './file.ts';
import { copyBytes, lastArchiveBytes, nightly, requireRoom } from './room.ts';

export { writeArchive } from './file.ts';
export { isUnused, restoreArchive } from './restore.ts';

/** How many nightly backups are kept. */
const keptNights = 14;
/** Minutes after midnight when drivers have not begun and yesterday's sales are in. */
const quietMinute = 120;

/** Where backups go, and what one is called that is taken at a moment. */
export function backupFile(dataFolder: string, at: Date): string {
  return path.join(dataFolder, 'backups', `milkrun-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.zip`);
}

/**
 * The backup of a night, once a day: after two in the morning where the operator is, or as soon as the server runs again. One
 * that the process stops over fails, and is taken by whoever comes next.
 */
export async function backUpNightly(deps: Deps): Promise<void> {
  const { database, db, env, clock, watch } = deps;
  const folder = path.join(env.dataFolder, 'backups');
  const at = clock.now();
  const { timeZone } = await getOperator(db);
  const day = dayIn(timeZone, at);
  const file = path.join(folder, `nightly-${day}.zip`);
  if (at < instantIn(timeZone, day, quietMinute) || existsSync(file)) return;
  const remove = async (names: readonly string[]): Promise<void> => {
    for (const name of names) await rm(path.join(folder, name), { force: true });
  };
  const left = await readdir(folder).catch(() => []);
  await remove(left.filter((name) => isNightlyBrokenOff(name) && !name.startsWith(path.basename(file))));
  await watch.disk.look();
  requireRoom(watch.disk.use(), (await lastArchiveBytes(folder)) + (await copyBytes(database)));
  await writeArchiveBeside(database, { file, at, signal: stopSignal(deps) });
  const taken = (await readdir(folder)).filter((name) => nightly.test(name)).sort();
  await remove(taken.slice(0, -keptNights));
}

/** Half a backup of a process that died; those of this night may still be under way. */
const isNightlyBrokenOff = (name: string): boolean => name.startsWith('nightly-') && name.endsWith(unfinishedEnd);
