import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';
import { AppError } from '../../domain/errors.ts';
import { fileOf, isNewerForm, type Manifest, manifest, manifestName } from './manifest.ts';

const refuse = (sentence: string) => new AppError('invalid-input', sentence);

export const newerArchive = (file: string) =>
  refuse(`${file} was made by a newer Milkrun. Install that version and try again.`);

/** Reads a whole archive once and compares it with what it says of itself. Nothing is taken from one that is damaged. */
export async function verifyArchive(file: string): Promise<Manifest> {
  const found = new Map<string, Hash>();
  const said: Uint8Array[] = [];
  for await (const { name, bytes } of filesOf(file)) {
    if (name === manifestName) said.push(bytes);
    found.set(name, (found.get(name) ?? createHash('sha256')).update(bytes));
  }
  const told = parsed(Buffer.concat(said).toString());
  if (isNewerForm(told)) throw newerArchive(file);
  const read = manifest.safeParse(told);
  if (!read.success) {
    throw refuse(
      `${file} is not an archive of Milkrun, or its end is missing: ${manifestName} cannot be read. Use another backup.`,
    );
  }
  for (const table of read.data.tables) {
    if (found.get(fileOf(table.name))?.digest('hex') !== table.sha256) {
      throw refuse(`${fileOf(table.name)} in ${file} is damaged: it is not what was written. Use another backup.`);
    }
  }
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Piece = { name: string; bytes: Uint8Array };

/** The bytes of one table's file. */
export async function* tableIn(file: string, table: string): AsyncGenerator<Uint8Array> {
  for await (const piece of filesOf(file)) if (piece.name === fileOf(table)) yield piece.bytes;
}

/** Every file of a ZIP in pieces, in its order; at most one piece of the archive is held at a time. */
async function* filesOf(file: string): AsyncGenerator<Piece> {
  let pieces: Piece[] = [];
  const unzip = new Unzip((entry) => {
    entry.ondata = (error, bytes) => {
      if (error) throw error;
      pieces.push({ name: entry.name, bytes });
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  const take = (): Piece[] => {
    const taken = pieces;
    pieces = [];
    return taken;
  };
  for await (const chunk of createReadStream(file)) {
    attempt(() => unzip.push(chunk), file);
    yield* take();
  }
  attempt(() => unzip.push(new Uint8Array(0), true), file);
  yield* take();
}

function attempt(work: () => void, file: string): void {
  try {
    work();
  } catch {
    throw refuse(`${file} cannot be unpacked: it is not a ZIP file, or it is damaged. Use another backup.`);
  }
}
