import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Database } from '../db/database.ts';
import { copiesOf } from '../db/embedded/embedded.ts';
import { copyFolder } from '../db/embedded/folder-copy.ts';
import type { ArchiveTask } from './archive-worker.ts';
import { type ArchiveWish, writeArchive } from './file.ts';

/**
 * Writes an archive while people work. PostgreSQL reads one moment in a transaction beside the others; the embedded database
 * has one connection, so its folder is copied and the copy read in a thread of its own.
 */
export async function writeArchiveBeside(
  { db, embedded }: Database,
  { signal, ...wish }: ArchiveWish,
  workerUrl = new URL('./archive-worker.js', import.meta.url),
): Promise<{ bytes: number }> {
  if (!embedded?.dataDir) return writeArchive(db, signal ? { ...wish, signal } : wish);
  const copies = copiesOf(path.dirname(embedded.dataDir));
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(path.join(copies, 'archive-'));
  try {
    const to = path.join(folder, path.basename(embedded.dataDir));
    await copyFolder(embedded, { from: embedded.dataDir, to, signal });
    const task = { without: new Set<string>(), ...wish, file: path.resolve(wish.file), folder };
    return await inThread(workerUrl, task, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inThread(workerUrl: URL, task: ArchiveTask, signal?: AbortSignal): Promise<{ bytes: number }> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(workerUrl, { workerData: task });
    const end = (): void => void worker.terminate();
    signal?.addEventListener('abort', end, { once: true });
    let written: { bytes: number } | null = null;
    worker.once('message', (message: { bytes: number }) => {
      written = message;
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      signal?.removeEventListener('abort', end);
      if (written) resolve(written);
      else reject(signal?.aborted ? signal.reason : new Error('the thread of the archive ended'));
    });
  });
}
