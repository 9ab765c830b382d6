import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

/** Clocks of file systems tick: what was written this shortly before the copy began counts as written during it. */
const tickMs = 2_000;

type Copy = { from: string; to: string; signal?: AbortSignal | undefined };

/**
 * Copies the folder of an embedded database as it is at one moment. Nearly all of it is copied while work goes on; then nobody
 * else is let in for as long as it takes to copy again what was written meanwhile. The copy opens as a database does
 * after the machine lost its power. Rejects with the signal's reason between two files; what is copied by then stays.
 */
export async function copyFolder(lite: PGlite, { from, to, signal }: Copy): Promise<void> {
  const begunMs = Date.now() - tickMs;
  await copyWritten(from, to, { sinceMs: 0, signal });
  await lite.transaction(async () => {
    await copyWritten(from, to, { sinceMs: begunMs, signal });
    await dropGone(from, to);
  });
}

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

type Wanted = { sinceMs: number; signal: AbortSignal | undefined };

async function copyWritten(from: string, to: string, { sinceMs, signal }: Wanted): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal?.throwIfAborted();
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    try {
      if (entry.isDirectory()) await copyWritten(source, target, { sinceMs, signal });
      else if (entry.isFile() && (await isDue(source, target, sinceMs))) await copyFile(source, target);
    } catch (error) {
      // The database has dropped it since the list was read.
      if (!isGone(error)) throw error;
    }
  }
}

async function isDue(source: string, target: string, sinceMs: number): Promise<boolean> {
  const written = await stat(source);
  if (sinceMs === 0 || written.mtimeMs >= sinceMs) return true;
  const copied = await stat(target).catch(() => null);
  return copied?.size !== written.size;
}

async function dropGone(from: string, to: string): Promise<void> {
  const there = new Map((await readdir(from, { withFileTypes: true })).map((entry) => [entry.name, entry]));
  for (const entry of await readdir(to, { withFileTypes: true })) {
    const target = path.join(to, entry.name);
    if (!there.has(entry.name)) await rm(target, { recursive: true, force: true });
    else if (entry.isDirectory()) await dropGone(path.join(from, entry.name), target);
  }
}
