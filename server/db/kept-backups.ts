import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** How many backups taken before migrations are kept. */
const kept = 5;
const start = 'before-migration-';

/** Where the next backup goes: names sort by time. */
export function nextBackup(folder: string, ending: string): string {
  return path.join(folder, `${start}${new Date().toISOString().replaceAll(':', '-')}${ending}`);
}

/** Removes all but the newest backups. */
export function dropOldBackups(folder: string, ending: string): void {
  const old = readdirSync(folder).filter((name) => name.startsWith(start) && name.endsWith(ending));
  for (const name of old.sort().slice(0, -kept)) rmSync(path.join(folder, name), { force: true });
}
