import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { AppError } from '../../domain/errors.ts';
import type { Env } from '../env.ts';

/** A scanner that takes longer is as good as away. */
const timeoutMs = 30_000;
const chunkBytes = 64_000;

const infected = (): AppError =>
  new AppError('invalid-input', 'The virus scanner found something in this file. It was not kept.');
const away = (cause: unknown): AppError =>
  new AppError('unavailable', 'The virus scanner cannot be reached, so the file was not kept. Try again in a moment.', {
    cause,
  });

/**
 * Has clamd look at a file before anything is done with it; without CLAMAV_ADDRESS nothing happens. Fails closed: a file that
 * could not be looked at is refused as one that is to be sent again.
 */
export async function scanFile({ scanner }: Pick<Env, 'scanner'>, content: Buffer | Readable): Promise<void> {
  if (!scanner) return;
  const found = await ask(scanner, content).catch((error: unknown) => {
    throw away(error);
  });
  if (/ FOUND$/.test(found)) throw infected();
  if (!/ OK$/.test(found)) throw away(new Error(found.slice(0, 100)));
}

type Address = { host: string; port: number };

/** clamd's INSTREAM: blocks with their length in four bytes before each, an empty one at the end, one line back. */
function ask(address: Address, content: Buffer | Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    let reply = '';
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timed out')));
    socket.on('error', reject);
    socket.on('data', (part: Buffer) => {
      reply += part.toString('latin1');
    });
    socket.on('close', () => resolve(reply.replaceAll('\0', '').trim()));
    Readable.from(blocksOf(content)).on('error', reject).pipe(socket, { end: false });
  });
}

async function* blocksOf(content: Buffer | Readable): AsyncGenerator<Buffer> {
  yield Buffer.from('zINSTREAM\0');
  const parts: AsyncIterable<Buffer> = Buffer.isBuffer(content) ? piecesOf(content) : content;
  for await (const part of parts) {
    if (part.length > 0) yield Buffer.concat([lengthOf(part.length), part]);
  }
  yield lengthOf(0);
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += chunkBytes) yield content.subarray(at, at + chunkBytes);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
