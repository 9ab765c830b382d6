import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { maxUploadBytes } from '../../contract/imports.ts';
import { AppError } from '../../domain/errors.ts';
import type { Env } from '../env.ts';
import type { Upload } from './queries.ts';

type About = Pick<Upload, 'id' | 'name'>;

const rootOf = (env: Env): string => path.join(env.dataFolder, 'uploads');
const folderOf = (env: Env, id: number): string => path.join(rootOf(env), String(id));

/** A name that is no path, on any system. */
export function safeName(name: string): string {
  const bare = path.basename(name.replaceAll('\\', '/')).replaceAll(/[^\p{L}\p{N}_. -]/gu, '_');
  return bare.replace(/^\.+/, '').slice(-120).trim() || 'file.csv';
}

export const fileOf = (env: Env, { id, name }: About): string => path.join(folderOf(env, id), name);
/** Behind a dot, with which no name of a person's file begins. */
export const refusalsOf = (env: Env, id: number): string => path.join(folderOf(env, id), '.refused', 'refused.csv');

export const tooLarge = (): AppError =>
  new AppError(
    'too-large',
    `The file is too large: at most ${maxUploadBytes / 1_000_000} MB. Divide it, or import it on the server with milkrun import.`,
  );

/** Writes what arrives to the data folder; cut off or too large, nothing of it stays. */
export async function keepFile(env: Env, about: About, content: Readable): Promise<void> {
  let bytes = 0;
  const counted = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      done(bytes > maxUploadBytes ? tooLarge() : null, chunk);
    },
  });
  try {
    // An id given out again, after a restored backup, must not meet an old file.
    await removeFiles(env, about.id);
    await mkdir(folderOf(env, about.id), { recursive: true, mode: 0o700 });
    await pipeline(content, counted, createWriteStream(fileOf(env, about), { mode: 0o600 }));
  } catch (error) {
    await removeFiles(env, about.id);
    throw error;
  }
}

export async function keepRefusals(env: Env, id: number, csv: Iterable<string>): Promise<void> {
  const file = refusalsOf(env, id);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, Readable.from(csv), { mode: 0o600 });
}

export async function removeFiles(env: Env, id: number): Promise<void> {
  await rm(folderOf(env, id), { recursive: true, force: true });
}
