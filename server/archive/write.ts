import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Zip, ZipDeflate } from 'fflate';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { newestMigration } from '../db/pending.ts';
import { quoted, type Table, tablesOf } from './catalog.ts';
import { type Cell, csvLine } from './csv.ts';
import { fileOf, format, type Manifest, manifestName, type TableEntry } from './manifest.ts';

/** Rows read at a time. A photo is a row too: more would be too much at once. */
const pageRows = 500;

type Wish = { takenAt: Date; without?: ReadonlySet<string> };

/**
 * The bytes of an archive of every table, as the database is at one moment: a ZIP of CSV files and a manifest. Times are
 * in UTC. Tables of `without` are left out.
 */
export async function* archiveOf(db: Db, wish: Wish): AsyncGenerator<Uint8Array> {
  const zip = new ZipStream();
  const made = zip.chunks();
  const work = db.transaction((tx) => fill(tx, zip, wish), { isolationLevel: 'repeatable read' });
  work.then(
    () => zip.end(null),
    (error: unknown) => zip.end(error),
  );
  yield* made;
}

async function fill(tx: Db, zip: ZipStream, { takenAt, without = new Set() }: Wish): Promise<void> {
  await tx.execute(sql`set local timezone to 'UTC'`);
  await tx.execute(sql`set local datestyle to 'ISO, YMD'`);
  await tx.execute(sql`set local statement_timeout to 0`);
  await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`);
  const tables: TableEntry[] = [];
  for (const table of await tablesOf(tx)) {
    if (!without.has(table.name)) tables.push(await writeTable(tx, zip, table));
  }
  const said: Manifest = {
    ...{ format, version: 1, takenAt: takenAt.toISOString() },
    ...{ schema: await newestMigration(tx), tables },
  };
  const file = zip.file(manifestName);
  await file.write(Buffer.from(`${JSON.stringify(said, null, 2)}\n`));
  await file.end();
}

async function writeTable(tx: Db, zip: ZipStream, table: Table): Promise<TableEntry> {
  const names = table.columns.map((column) => column.name);
  const hash = createHash('sha256');
  const file = zip.file(fileOf(table.name));
  const write = async (lines: string): Promise<void> => {
    const bytes = Buffer.from(lines);
    hash.update(bytes);
    await file.write(bytes);
  };
  await write(csvLine(names));
  let count = 0;
  for await (const page of pagesOf(tx, table)) {
    count += page.length;
    await write(page.map(csvLine).join(''));
  }
  await file.end();
  return { name: table.name, columns: names, rows: count, sha256: hash.digest('hex') };
}

async function* pagesOf(tx: Db, table: Table): AsyncGenerator<Cell[][]> {
  const cells = table.columns.map((column, n) => `${quoted(column.name)}::text as c${n}`);
  const order = table.orderBy.length ? ` order by ${table.orderBy.join(', ')}` : '';
  await tx.execute(
    sql.raw(`declare archived no scroll cursor for select ${cells.join(', ')} from ${quoted(table.name)}${order}`),
  );
  const next = () => rows<Record<string, Cell>>(tx, sql.raw(`fetch ${pageRows} from archived`));
  for (let page = await next(); page.length > 0; page = await next()) {
    yield page.map((row) => table.columns.map((_, n) => row[`c${n}`] ?? null));
  }
  await tx.execute(sql.raw('close archived'));
}

/** A ZIP that is read while it is written: whoever writes waits for whoever reads. */
class ZipStream {
  readonly #zip: Zip;
  #waiting: Uint8Array[] = [];
  #ended: { error: unknown } | null = null;
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  constructor() {
    this.#zip = new Zip((error, chunk) => {
      if (error) return this.end(error);
      this.#waiting.push(chunk);
      this.#wakeReader();
    });
  }

  file(name: string) {
    const file = new ZipDeflate(name, { level: 6 });
    this.#zip.add(file);
    return {
      write: (bytes: Uint8Array) => this.#push(file, bytes, false),
      end: () => this.#push(file, new Uint8Array(0), true),
    };
  }

  async #push(file: ZipDeflate, bytes: Uint8Array, last: boolean): Promise<void> {
    if (this.#ended) throw this.#ended.error;
    file.push(bytes, last);
    while (this.#waiting.length > 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  /** No more comes: the directory of a whole archive is written, or what broke it is passed on. */
  end(error: unknown): void {
    if (this.#ended) return;
    if (error === null) this.#zip.end();
    this.#ended = { error };
    this.#wakeReader();
    this.#wakeWriter();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunks = this.#waiting;
        this.#waiting = [];
        this.#wakeWriter();
        // One by one: newer versions of Node hand what breaks the reading on to a list, and report that it takes none.
        for (const chunk of chunks) yield chunk;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) break;
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
      if (this.#ended.error !== null) throw this.#ended.error;
    } finally {
      this.end(new Error('Nobody reads the archive any more.'));
    }
  }
}
