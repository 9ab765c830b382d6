import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { type Parent, timeOf } from './queries.ts';

/** Rows read at a time. */
const pageRows = 2_000;

type Month = { parent: Parent; month: string };
/** `unfinished`: where the rows are until the month is dropped. */
type MonthFile = { rowCount: number; sha256: string; unfinished: string };

const unfinishedEnd = '.unfinished';

/**
 * Writes the rows of a month into a file, one JSON object a line, packed. It is whole and on the disk when this returns, under
 * a name of its own: of two who write one month at once, the one who is late must not touch the other's file. Nothing is
 * locked meanwhile: whoever drops the month counts again.
 */
export async function writeMonth(
  db: Db,
  { parent, month }: Month,
  wish: { file: string; id: string },
): Promise<MonthFile> {
  await mkdir(path.dirname(wish.file), { recursive: true, mode: 0o700 });
  const unfinished = `${wish.file}.${wish.id}${unfinishedEnd}`;
  const hash = createHash('sha256');
  let rowCount = 0;
  const count = (n: number): void => {
    rowCount += n;
  };
  const hashed = new Transform({
    transform: (chunk, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const lines = Readable.from(linesOf(db, { parent, month }, count));
    await pipeline(lines, createGzip(), hashed, createWriteStream(unfinished, { mode: 0o600, flush: true }));
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return { rowCount, sha256: hash.digest('hex'), unfinished };
}

/** Gives what was written its name; what an attempt that failed later had left there is replaced. */
export async function nameMonth(unfinished: string, file: string): Promise<void> {
  await rename(unfinished, file);
  await keepName(path.dirname(file));
}

const dayMs = 24 * 3_600_000;

/** Removes what processes that died had begun; what is younger than a day may still be under way. */
export async function removeBrokenOff(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names.filter((each) => each.endsWith(unfinishedEnd))) {
    const file = path.join(folder, name);
    // Real time, as the file system has it.
    if (Date.now() - (await stat(file)).mtimeMs > dayMs) await rm(file, { force: true });
  }
}

/** A name is on the disk only with its folder: the rows leave the database next. */
async function keepName(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

type Line = { line: string; id: string; at: string };

/** Page by page along the primary key, out of the parent: partitions answer the application's role nothing. */
async function* linesOf(db: Db, { parent, month }: Month, count: (n: number) => void): AsyncGenerator<string> {
  const at = sql.identifier(timeOf[parent]);
  const starts = sql`${`${month}T00:00:00Z`}::timestamptz`;
  const ends = sql`${`${monthAfter(month)}T00:00:00Z`}::timestamptz`;
  const next = (last: Line | undefined) =>
    rows<Line>(
      db,
      sql`select to_jsonb(t)::text as line, event_id::text as id, ${at}::text as at from ${sql.identifier(parent)} t
          where ${at} >= ${starts} and ${at} < ${ends}
            ${last ? sql`and (event_id, ${at}) > (${last.id}::uuid, ${last.at}::timestamptz)` : sql``}
          order by event_id, ${at} limit ${pageRows}`,
    );
  for (let page = await next(undefined); page.length > 0; page = await next(page.at(-1))) {
    count(page.length);
    yield page.map(({ line }) => `${line}\n`).join('');
  }
}

function monthAfter(month: string): string {
  const first = new Date(`${month}T00:00:00Z`);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
}

/** SHA-256 of a file in hex; null where it is not there. */
export async function hashOf(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}
