import { existsSync, statSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { EnvError } from '../env.ts';

/** The road engine's package, installed beside its files and not with the program: 280 MB that only some need. */
export const enginePackage = { name: '@valhallajs/valhallajs', version: '3.6.1' };

const manifest = z.object({
  /** Changes with every build. */
  version: z.string(),
  builtAt: z.string(),
  /** Name of the extract. */
  extract: z.string(),
  /** Folder of the engine's tiles; null when its package could not be had. */
  engine: z.string().nullable(),
  /** Whether street maps were made, and what they cover: west, south, east, north. */
  map: z.object({ file: z.string(), bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]) }).nullable(),
});
export type Manifest = z.output<typeof manifest>;

const manifestFile = (folder: string): string => path.join(folder, 'roads.json');

/** What was last built into the folder; null when nothing was. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    const { data } = manifest.safeParse(JSON.parse(await readFile(manifestFile(folder), 'utf8')));
    return data ?? null;
  } catch {
    // Nothing was built yet, or the file is of another program: both mean that there is no engine here.
    return null;
  }
}

/** Written last and in one step: a build that was cut short changes nothing. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const next = `${manifestFile(folder)}.next`;
  await writeFile(next, JSON.stringify(content, null, 2));
  await rename(next, manifestFile(folder));
}

/** Where the engine's package is, beside the folder's files; null when it is not installed. */
export function findEnginePackage(folder: string): string | null {
  try {
    const main = createRequire(path.join(folder, 'package.json')).resolve(enginePackage.name);
    return existsSync(main) ? main : null;
  } catch {
    // Not installed.
    return null;
  }
}

/** Refuses a file in the place of the folder; the folder itself may be made later. */
export function requireRoadsFolder(folder: string): void {
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true)) {
    throw new EnvError(`Wrong setting. ROADS_DIR: ${folder} is a file. Accepted: a folder.`);
  }
}
