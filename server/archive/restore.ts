import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import type { Database, Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { newestKnown } from '../db/pending.ts';
import { restoredMarker, setMarker } from '../settings/service.ts';
import { quoted, type Table, tablesOf } from './catalog.ts';
import { type Cell, readCsv } from './csv.ts';
import type { Manifest, TableEntry } from './manifest.ts';
import { newerArchive, tableIn, verifyArchive } from './read.ts';

/** Rows written at a time, and the characters that end a page sooner. */
const pageRows = 500;
const pageChars = 4_000_000;

type Wish = { file: string; at: Date; say: (line: string) => void };

/**
 * Fills a database from an archive: the tables of the archive's time, its rows, then every migration since. What was there
 * before is gone; ask `isEmpty` first. Nothing is touched when the archive is damaged or newer than this program.
 */
export async function restoreArchive(database: Database, { file, at, say }: Wish): Promise<Manifest> {
  const said = await verifyArchive(file);
  if (said.schema > newestKnown()) throw newerArchive(file);
  await database.script(
    'drop schema public cascade; drop schema if exists drizzle cascade; drop schema if exists pgboss cascade; create schema public;',
  );
  try {
    await database.migrate(say, said.schema);
    await fillAll(database.db, said, { file, at, say });
    await database.migrate(say);
  } catch (error) {
    throw brokenOff(error);
  }
  return said;
}

/** All rows, or none. */
function fillAll(db: Db, said: Manifest, { file, at, say }: Wish): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local timezone to 'UTC'`);
    await tx.execute(sql`set local statement_timeout to 0`);
    // Unpacking may take longer than a transaction may otherwise stand still.
    await tx.execute(sql`set local idle_in_transaction_session_timeout to 0`);
    const tables = await tablesOf(tx);
    for (const table of tables) await silence(tx, table, true);
    for (const entry of said.tables) {
      const table = tables.find((one) => one.name === entry.name);
      if (!table) throw new AppError('invalid-input', `${file} holds ${entry.name}, which this version does not know.`);
      await fill(tx, { file, table, entry });
      say(`${entry.name}: ${entry.rows} rows`);
    }
    for (const table of tables) await silence(tx, table, false);
    await continueSequences(tx);
    await setMarker(tx, restoredMarker, at.toISOString());
  });
}

/** What a person must know who has half a database now: why, and what to do. */
function brokenOff(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  // Of a lost connection only the failed end of the transaction is heard.
  const source = error.cause instanceof Error ? error.cause : error;
  const isLost = /terminat|Client has encountered|ECONNRESET|EPIPE/.test(source.message);
  const [line = ''] = source.message.split('\n');
  const why = isLost ? 'the connection to the database was lost' : line.replace(/\.$/, '');
  return new AppError('internal', `The restore broke off: ${why}. ${again}`, { cause: error });
}

const again =
  'Nothing can work with this database as it is: restore the file again, with --replace if it is said to be in use.';

/** Whether nobody and nothing of an operator is there yet. */
export async function isUnused(db: Db): Promise<boolean> {
  const made = await firstRow<{ there: boolean }>(db, sql`select to_regclass('public.users') is not null as there`);
  if (!made?.there) return true;
  const found = await firstRow<{ used: boolean }>(
    db,
    sql`select exists (select from users) or exists (select from markets) or exists (select from vending_machines)
          or exists (select from products) or exists (select from event_keys) as used`,
  );
  return found?.used !== true;
}

/** What triggers keep is in the archive as well: they must not do it twice. */
async function silence(tx: Db, table: Table, silent: boolean): Promise<void> {
  const how = silent ? 'disable' : 'enable';
  await tx.execute(sql.raw(`alter table ${quoted(table.name)} ${how} trigger user`));
}

type Filling = { file: string; table: Table; entry: TableEntry };

async function fill(tx: Db, { file, table, entry }: Filling): Promise<void> {
  // A migration may have put rows there, which the archive has as well.
  await tx.execute(sql.raw(`delete from ${quoted(table.name)}`));
  const types = entry.columns.map((name) => typeOf(table, name));
  const names = entry.columns.map(quoted).join(', ');
  const values = types.map((type, n) => `(r->>${n})::${type}`).join(', ');
  const into = `insert into ${quoted(table.name)} (${names}) overriding system value select ${values}`;
  const month = entry.columns.indexOf(table.monthColumn ?? '');
  let written = 0;
  for await (const page of pagesIn(file, table.name)) {
    if (table.monthColumn)
      await ensureMonths(
        tx,
        table.name,
        page.map((row) => row[month] ?? null),
      );
    await tx.execute(sql`${sql.raw(into)} from jsonb_array_elements(${JSON.stringify(page)}::jsonb) r`);
    written += page.length;
  }
  if (written !== entry.rows) {
    throw new AppError('invalid-input', `${table.name} has ${written} rows, ${entry.rows} were written.`);
  }
}

function typeOf(table: Table, name: string): string {
  const column = table.columns.find((one) => one.name === name);
  if (!column) throw new AppError('invalid-input', `This version has no ${name} in ${table.name}.`);
  return column.type;
}

async function* pagesIn(file: string, table: string): AsyncGenerator<Cell[][]> {
  let page: Cell[][] = [];
  let chars = 0;
  let isHeader = true;
  for await (const record of readCsv(tableIn(file, table))) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    page.push(record);
    chars += record.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    if (page.length < pageRows && chars < pageChars) continue;
    yield page;
    page = [];
    chars = 0;
  }
  if (page.length > 0) yield page;
}

async function ensureMonths(tx: Db, table: string, instants: readonly Cell[]): Promise<void> {
  const months = new Set(instants.map((at) => at?.slice(0, 7)));
  for (const month of months) {
    await tx.execute(sql`select ensure_month_partition(${table}, ${`${month}-01T00:00:00Z`}::timestamptz)`);
  }
}

/** Numbers go on after the highest that is in use. */
async function continueSequences(tx: Db): Promise<void> {
  await tx.execute(sql`do $$
    declare one record;
    begin
      for one in
        select c.oid::regclass as tab, a.attname as col, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as seq
        from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attidentity <> ''
        where c.relkind in ('r', 'p') and not c.relispartition
      loop
        execute format('select setval(%L, coalesce((select max(%I) from %s), 0) + 1, false)', one.seq, one.col, one.tab);
      end loop;
      for one in
        select a.attrelid::regclass as tab from pg_attribute a join pg_class c on c.oid = a.attrelid
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        where a.attname = 'change_seq' and c.relkind = 'r'
      loop
        execute format('select setval(''change_seq'', greatest((select last_value from change_seq), (select max(change_seq) from %s)))', one.tab);
      end loop;
    end $$`);
}
