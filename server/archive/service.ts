import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { dayIn, instantIn } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import { stopSignal } from '../vendor-sync/service.ts';
import { writeArchiveBeside } from './beside.ts';
import { unfinishedEnd } from './file.ts';

export { writeArchive } from './file.ts';
export { isUnused, restoreArchive } from './restore.ts';

/** How many nightly backups are kept. */
const keptNights = 14;
/** Minutes after midnight when drivers have not begun and yesterday's sales are in. */
const quietMinute = 120;
const nightly = /^nightly-\d{4}-\d{2}-\d{2}\.zip$/;

/** Where backups go, and what one is called that is taken at a moment. */
export function backupFile(dataFolder: string, at: Date): string {
  return path.join(dataFolder, 'backups', `milkrun-${at.toISOString().slice(0, 19).replaceAll(':', '-')}.zip`);
}

/**
 * The backup of a night, once a day: after two in the morning where the operator is, or as soon as the server runs again. One
 * that the process stops over fails, and is taken by whoever comes next.
 */
export async function backUpNightly(deps: Deps): Promise<void> {
  const { database, db, env, clock } = deps;
  const folder = path.join(env.dataFolder, 'backups');
  const at = clock.now();
  const { timeZone } = await getOperator(db);
  const day = dayIn(timeZone, at);
  const file = path.join(folder, `nightly-${day}.zip`);
  if (at < instantIn(timeZone, day, quietMinute) || existsSync(file)) return;
  await writeArchiveBeside(database, { file, at, signal: stopSignal(deps) });
  const names = await readdir(folder);
  const old = names.filter((name) => nightly.test(name)).sort();
  const brokenOff = names.filter((name) => isNightlyBrokenOff(name) && !name.startsWith(path.basename(file)));
  for (const name of [...old.slice(0, -keptNights), ...brokenOff]) await rm(path.join(folder, name), { force: true });
}

/** Half a backup of a process that died; those of this night may still be under way. */
const isNightlyBrokenOff = (name: string): boolean => name.startsWith('nightly-') && name.endsWith(unfinishedEnd);
