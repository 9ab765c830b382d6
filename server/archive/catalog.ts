import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

/** A table as the database describes it: nothing here is a list that somebody must remember to lengthen. */
export type Table = {
  name: string;
  columns: { name: string; type: string }[];
  /** Columns that order the rows the same way on every database; text by bytes, because collations differ. */
  orderBy: string[];
  /** The instant by whose month rows are kept apart. */
  monthColumn: string | null;
};

/** Kept by the database that writes it: a transaction number means nothing in another one. */
const ownOfTheDatabase = 'xid8';

type Column = { table: string; name: string; type: string; keyPosition: number | null; isText: boolean };

/** Every table of the product, each after those it refers to. */
export async function tablesOf(db: Db): Promise<Table[]> {
  const columns = await rows<Column>(
    db,
    sql`select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
               array_position(i.indkey::int2[], a.attnum) as "keyPosition", t.typcategory = 'S' as "isText"
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        join pg_type t on t.oid = a.atttypid and t.typname <> ${ownOfTheDatabase}
        left join pg_index i on i.indrelid = c.oid and i.indisprimary
        where c.relkind in ('r', 'p') and not c.relispartition
        order by c.relname, a.attnum`,
  );
  const months = await rows<{ table: string; key: string }>(
    db,
    sql`select p.partrelid::regclass::text as "table", a.attname as key from pg_partitioned_table p
        join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]`,
  );
  const names = [...new Set(columns.map((column) => column.table))];
  const found = names.map((name) => describe(name, columns, months));
  return inOrder(found, await references(db));
}

function describe(name: string, all: readonly Column[], months: readonly { table: string; key: string }[]): Table {
  const own = all.filter((column) => column.table === name);
  const key = own.filter((column) => column.keyPosition !== null);
  key.sort((a, b) => Number(a.keyPosition) - Number(b.keyPosition));
  return {
    name,
    columns: own.map((column) => ({ name: column.name, type: column.type })),
    orderBy: key.map((column) => quoted(column.name) + (column.isText ? ' collate "C"' : '')),
    monthColumn: months.find((month) => month.table === name)?.key ?? null,
  };
}

type Reference = { from: string; to: string };

function references(db: Db): Promise<Reference[]> {
  return rows<Reference>(
    db,
    sql`select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
        where contype = 'f' and conrelid <> confrelid and conparentid = 0`,
  );
}

function inOrder(tables: readonly Table[], all: readonly Reference[]): Table[] {
  const done: Table[] = [];
  const visit = (table: Table): void => {
    if (done.includes(table)) return;
    const needed = all.filter((one) => one.from === table.name).map((one) => one.to);
    for (const other of tables) if (needed.includes(other.name)) visit(other);
    done.push(table);
  };
  for (const table of tables) visit(table);
  return done;
}

/** A name for use in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
