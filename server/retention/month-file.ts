import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

/** Rows read at a time. */
const pageRows = 2_000;

type MonthFile = { rowCount: number; sha256: string };

/**
 * Writes the rows of a partition into a file, one JSON object a line, packed. It is whole and on the disk when this
 * returns; what an attempt that failed later had left under its name is replaced.
 */
export async function writeMonth(tx: Db, partition: string, file: string): Promise<MonthFile> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.unfinished`;
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
    const lines = Readable.from(linesOf(tx, partition, count));
    await pipeline(lines, createGzip(), hashed, createWriteStream(unfinished, { mode: 0o600, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return { rowCount, sha256: hash.digest('hex') };
}

async function* linesOf(tx: Db, partition: string, count: (n: number) => void): AsyncGenerator<string> {
  await tx.execute(
    sql`declare month_rows no scroll cursor for select to_jsonb(t)::text as line from ${sql.identifier(partition)} t`,
  );
  const next = () => rows<{ line: string }>(tx, sql.raw(`fetch ${pageRows} from month_rows`));
  for (let page = await next(); page.length > 0; page = await next()) {
    count(page.length);
    yield page.map(({ line }) => `${line}\n`).join('');
  }
  await tx.execute(sql`close month_rows`);
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
