import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atOnceOrInPieces, inPieces, type Key } from './pieces.ts';

const keys = fc.uniqueArray(fc.record({ id: fc.nat(), rows: fc.option(fc.nat(30), { nil: undefined }) }), {
  selector: ({ id }) => id,
});

async function piecesOf(wanted: readonly Key[], size: number): Promise<number[][]> {
  const pieces: number[][] = [];
  for await (const piece of inPieces(wanted, async (ids) => ids, size)) pieces.push(piece);
  return pieces;
}

it('brings each key once and in its order, and no piece larger than asked unless one key alone is', async () => {
  await fc.assert(
    fc.asyncProperty(keys, fc.integer({ min: 1, max: 40 }), async (some, size) => {
      const wanted = some.map(({ id, rows }) => (rows === undefined ? { id } : { id, rows }));
      const pieces = await piecesOf(wanted, size);
      expect(pieces.flat()).toEqual(wanted.map(({ id }) => id));
      const brings = new Map(wanted.map((key) => [key.id, Math.max(1, key.rows ?? 1)]));
      for (const piece of pieces) {
        const sum = piece.reduce((total, id) => total + (brings.get(id) ?? 0), 0);
        expect(piece.length === 1 || sum <= size).toBe(true);
      }
    }),
  );
});

it('reads a piece when the one before was taken', async () => {
  const read: number[][] = [];
  const pieces = inPieces(
    [{ id: 1 }, { id: 2 }, { id: 3 }],
    async (ids) => {
      read.push(ids);
      return ids;
    },
    1,
  );
  await pieces.next();
  expect(read).toEqual([[1]]);
  await pieces.return(undefined);
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
  expect(read).toEqual([[1]]);
});

it.each([
  [0, 0],
  [3, 0],
  [4, 1],
  [9, 1],
])('answers %i rows in pieces of three, asking %i times for keys', async (count, timesAsked) => {
  const ids = Array.from({ length: count }, (_, id) => id);
  let asked = 0;
  const list = atOnceOrInPieces(
    {
      upTo: async (limit) => ids.slice(0, limit),
      keys: async () => {
        asked++;
        return ids.map((id) => ({ id }));
      },
      read: async (some) => some,
    },
    3,
  );
  const pieces: number[][] = [];
  for await (const piece of list) pieces.push(piece);
  expect(pieces.flat()).toEqual(ids);
  expect(pieces.every((piece) => piece.length <= 3)).toBe(true);
  expect(asked).toBe(timesAsked);
});
