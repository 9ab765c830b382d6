import { parentPort, workerData } from 'node:worker_threads';
import { openEmbedded } from '../db/embedded/embedded.ts';
import { stepBack } from '../step-back.ts';
import { type ArchiveWish, writeArchive } from './file.ts';

export type ArchiveTask = ArchiveWish & { folder: string };

/** Writes the archive of a copy of the embedded database: reading and packing it keeps nobody waiting here. */
stepBack();
const { folder, ...wish } = workerData as ArchiveTask;
const copy = await openEmbedded(folder);
try {
  parentPort?.postMessage(await writeArchive(copy.db, wish));
} finally {
  await copy.close();
}
