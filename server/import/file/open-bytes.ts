import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../../domain/errors.ts';

/** Enough to tell a file's kind, its encoding and the delimiter of its first line. */
const headBytes = 16_384;

export type OpenedFile = {
  name: string;
  head: Buffer;
  chunks: AsyncGenerator<Buffer>;
  /** Lets go of the file before its end. */
  close: () => Promise<void>;
};

/** A whole file that cannot be taken: one sentence for the person who chose it. */
export function unreadable(sentence: string): AppError {
  return new AppError('invalid-input', sentence);
}

/** Opens a file, unpacked where it is gzip. `chunks` yields everything, the head included. */
export async function openBytes(file: string): Promise<OpenedFile> {
  const name = path.basename(file);
  const source = guarded((await startsLikeGzip(file, name)) ? unpacked(file) : createReadStream(file), name);
  const first: Buffer[] = [];
  let read = 0;
  while (read < headBytes) {
    const next = await source.next();
    if (next.done) break;
    first.push(next.value);
    read += next.value.length;
  }
  if (read === 0) throw unreadable(`${name} is empty.`);
  const close = async (): Promise<void> => {
    await source.return(undefined);
  };
  return { name, head: Buffer.concat(first).subarray(0, headBytes), chunks: joined(first, source), close };
}

async function startsLikeGzip(file: string, name: string): Promise<boolean> {
  try {
    const handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } catch (error) {
    throw refusalOf(error, name);
  }
}

function unpacked(file: string): AsyncIterable<Buffer> {
  // An error of either stream ends the other and reaches whoever reads.
  return pipeline(createReadStream(file), createGunzip(), () => {});
}

async function* guarded(source: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    throw refusalOf(error, name);
  }
}

async function* joined(first: readonly Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* first;
  yield* rest;
}

function refusalOf(error: unknown, name: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return unreadable(`There is no file ${name}.`);
  if (code === 'EISDIR') return unreadable(`${name} is a folder, not a file.`);
  if (code === 'EACCES') return unreadable(`${name} may not be read: check its permissions.`);
  if (code.startsWith('Z_')) return unreadable(`${name} is a damaged or half-written gzip file.`);
  return error;
}
