import { Readable } from 'node:stream';

/** Rows of a list that may be too long to be held at once. */
export type Pieces<R> = AsyncIterable<readonly R[]>;

export function arePieces(answer: unknown): answer is Pieces<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

type Serialise = (rows: readonly unknown[]) => string;

/**
 * A list as text. One piece is text at once; of more, two are read before anything is written, so that what is wrong from the start is
 * answered as for any call. What goes wrong later breaks the reply off: nobody takes a part for the whole.
 */
export async function textOfList(pieces: Pieces<unknown>, serialise: Serialise): Promise<string | Readable> {
  const reading = pieces[Symbol.asyncIterator]();
  const first = await reading.next();
  if (first.done) return serialise([]);
  const second = await reading.next();
  if (second.done) return serialise(first.value);
  return Readable.from(written([first.value, second.value], reading, serialise));
}

async function* written(
  begun: readonly (readonly unknown[])[],
  reading: AsyncIterator<readonly unknown[]>,
  serialise: Serialise,
): AsyncGenerator<string> {
  try {
    let before = '[';
    for await (const rows of joined(begun, reading)) {
      if (rows.length === 0) continue;
      yield before + serialise(rows).slice(1, -1);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } finally {
    // Who hung up wants no more rows.
    await reading.return?.();
  }
}

async function* joined<R>(begun: readonly R[], reading: AsyncIterator<R>): AsyncGenerator<R> {
  yield* begun;
  for (let piece = await reading.next(); !piece.done; piece = await reading.next()) yield piece.value;
}
