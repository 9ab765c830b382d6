import { sql } from 'drizzle-orm';
import type { PastImport } from '../../contract/imports.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';

type Row = Omit<PastImport, 'importedAt' | 'undoneAt'> & { importedAt: Date; undoneAt: Date | null };

const fields = sql`i.id, i.kind, i.file, ${personName('who')} as "importedBy", i.imported_at as "importedAt", i.rows, i.created,
  i.updated, i.unchanged, i.repeated, i.refused, i.undone_at as "undoneAt", ${personName('undoer')} as "undoneBy",
  (i.undone_at is null and i.settled_at is null and i.created + i.updated > 0) as "canUndo"`;
const source = sql`imports i left join users who on who.id = i.imported_by left join users undoer on undoer.id = i.undone_by`;

const told = (row: Row): PastImport => ({
  ...row,
  importedAt: new Date(row.importedAt).toISOString(),
  undoneAt: row.undoneAt === null ? null : new Date(row.undoneAt).toISOString(),
});

/** Imports before an id, the newest first. */
export async function findImports(db: Db, { before, limit }: { before: number; limit: number }): Promise<PastImport[]> {
  const found = await rows<Row>(
    db,
    sql`select ${fields} from ${source} where i.id < ${before} order by i.id desc limit ${limit}`,
  );
  return found.map(told);
}

export async function findImport(db: Db, id: number): Promise<PastImport | undefined> {
  const found = await firstRow<Row>(db, sql`select ${fields} from ${source} where i.id = ${id}`);
  return found && told(found);
}

/** Two undos of one import come one after the other. */
export async function lockImport(db: Db, id: number): Promise<void> {
  await db.execute(sql`select from imports where id = ${id} for update`);
}

export async function updateUndone(db: Db, { id, by, at }: { id: number; by: number; at: Date }): Promise<void> {
  await db.execute(
    sql`update imports set undone_at = ${at.toISOString()}::timestamptz, undone_by = ${by} where id = ${id}`,
  );
  await db.execute(sql`delete from import_changes where import_id = ${id}`);
}

/** Forgets what older imports wrote; answers how many rows that were. */
export async function settleBefore(db: Db, before: Date): Promise<number> {
  const old = sql`imported_at < ${before.toISOString()}::timestamptz`;
  await db.execute(sql`update imports set settled_at = now() where settled_at is null and ${old}`);
  const gone = await rows<{ importId: number }>(
    db,
    sql`delete from import_changes where import_id in (select id from imports where settled_at is not null)
        returning import_id as "importId"`,
  );
  return gone.length;
}

/** Rows that an import wrote stay as they are from here to the end of the transaction. */
export async function lockWritten(db: Db, importId: number, table: string): Promise<void> {
  await db.execute(
    sql`select from ${sql.identifier(table)} r where r.id in (
          select row_key::int from import_changes where import_id = ${importId} and table_name = ${table})
        order by r.id for update`,
  );
}

export type Change = { id: number; before: Record<string, unknown> | null };

/** What an import wrote to a table, some rows at a time. */
export async function* changesOf(db: Db, importId: number, table: string): AsyncGenerator<Change[]> {
  const most = 2000;
  let last = 0;
  while (true) {
    const found = await rows<Change>(
      db,
      sql`select row_key::int as id, before from import_changes
          where import_id = ${importId} and table_name = ${table} and row_key::int > ${last}
          order by row_key::int limit ${most}`,
    );
    if (found.length === 0) return;
    yield found;
    last = found.at(-1)?.id ?? last;
  }
}
