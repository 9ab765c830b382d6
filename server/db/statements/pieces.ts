import { type Column, type SQL, sql } from 'drizzle-orm';
import { type Db, rows } from '../database.ts';

/** Of a key: how many rows it brings, about; 1 where it is left out. */
export type Key = { id: number; rows?: number };

/** Rows of a piece, about: some milliseconds of the database and of this process. */
const PIECE = 1000;

/**
 * A long list piece by piece: its keys say what it holds and in which order, each piece is read when the one before was taken. So no list has
 * to fit into memory, nothing is held in the database between two pieces, and no row is left out or told twice.
 */
export async function* inPieces<R>(
  keys: readonly Key[],
  read: (ids: number[]) => Promise<R[]>,
  size = PIECE,
): AsyncGenerator<R[]> {
  let ids: number[] = [];
  let expected = 0;
  for (const { id, rows: brings = 1 } of keys) {
    const more = Math.max(1, brings);
    if (ids.length > 0 && expected + more > size) {
      yield await read(ids);
      ids = [];
      expected = 0;
    }
    ids.push(id);
    expected += more;
  }
  if (ids.length > 0) yield await read(ids);
}

type Long<R> = {
  /** The first rows of the list, at most so many. */
  upTo: (limit: number) => Promise<R[]>;
  keys: () => Promise<Key[]>;
  read: (ids: number[]) => Promise<R[]>;
};

/** As `inPieces`, for a list that mostly is short: one statement answers it, and only a longer one is asked for its keys. */
export async function* atOnceOrInPieces<R>({ upTo, keys, read }: Long<R>, size = PIECE): AsyncGenerator<R[]> {
  const first = await upTo(size + 1);
  if (first.length > size) yield* inPieces(await keys(), read, size);
  else yield first;
}

/** Keys of a statement: `id`, and `rows` where it says so. */
export const findKeys = (db: Db, statement: SQL): Promise<Key[]> => rows<Key>(db, statement);

/** True where a column is one of the ids, of which there may be many. */
export const isOneOf = (column: Column | SQL, ids: readonly number[]): SQL =>
  sql`${column} = any(array(select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`;
