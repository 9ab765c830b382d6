import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { EnvError } from '../env.ts';

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
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new EnvError(
      `Wrong setting. MILKRUN_DATA: the folder ${folder} cannot be made or written (${code}). Name one that the user of this process may write.`,
    );
  }
}
