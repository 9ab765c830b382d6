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
    for (const one of missing) makeFolder(one);
    // What is there by now may be none.
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const code = codeOf(error);
    if (!withoutFolders.has(code)) throw error;
    throw new EnvError(
      `Wrong setting. MILKRUN_DATA: the folder ${folder} cannot be made (${code}). Name one that the user of this process may write.`,
    );
  }
}

/** Of two processes that start at once either may make it. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');
