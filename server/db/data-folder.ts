import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { EnvError } from '../env.ts';

/** What is said where nobody can make folders; of full disks, files in the way and missing rights the command tells itself. */
const withoutFolders: ReadonlySet<string> = new Set(['ENOENT', 'EPERM']);

/**
 * Makes the data folder, or refuses the setting by name. Step by step: asked for all of a path at once, Node never comes back
 * where a file system has no folders to make, as below /proc.
 */
export function requireDataFolder(folder: string): void {
  try {
    const missing: string[] = [];
    for (let at = path.resolve(folder); !existsSync(at); at = path.dirname(at)) missing.unshift(at);
    // Of two processes that start at once either may make it.
    for (const one of missing) if (!existsSync(one)) mkdirSync(one);
    // It may be there and be none.
    if (missing.length === 0) mkdirSync(folder, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!withoutFolders.has(code)) throw error;
    throw new EnvError(
      `Wrong setting. MILKRUN_DATA: the folder ${folder} cannot be made (${code}). Name one that the user of this process may write.`,
    );
  }
}
