import { readdirSync } from 'node:fs';
import path from 'node:path';
import { is, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import type { Db } from './database.ts';
import { rows } from './database.ts';

const server = path.join(import.meta.dirname, '..');

async function declaredTables() {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) => path.basename(file) === 'tables.ts',
  );
  const modules = await Promise.all(files.map((file): Promise<object> => import(path.join(server, file))));
  return modules
    .flatMap((one): unknown[] => Object.values(one))
    .filter((one) => is(one, PgTable))
    .map(getTableConfig);
}

/** A column as PostgreSQL itself writes it. */
function columnText(table: string, column: PgColumn): string {
  const name = column.keyAsName ? toSnakeCase(column.name) : column.name;
  const type = column
    .getSQLType()
    .replace(/^bigserial$/, 'bigint')
    .replace(/^serial$/, 'integer')
    .replace(/^varchar/, 'character varying')
    .replace(/^char\b/, 'character')
    .replace(/, /, ',');
  return `${table}.${name} ${type}${column.notNull ? ' not null' : ''}`;
}

/** Columns and indexes there are. */
async function found(db: Db): Promise<string[]> {
  const all = await rows<{ text: string }>(
    db,
    sql`select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull then ' not null' else '' end as text
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        union all select tablename || ': ' || indexname from pg_indexes where schemaname = 'public'`,
  );
  return all.map(({ text }) => text);
}

// Statements that only a trigger or a plan needs are in the migrations alone: the database may have more.
it('every column and index that is declared is one that the migrations make', async () => {
  const database = await openTestEmbedded();
  const there = new Set(await found(database.db));
  await database.close();
  const declared = (await declaredTables()).flatMap(({ name, columns, indexes }) => [
    ...columns.map((column) => columnText(name, column)),
    ...indexes.map((index) => `${name}: ${index.config.name}`),
  ]);
  expect(declared.length).toBeGreaterThan(900);
  expect(declared.filter((text) => !there.has(text))).toEqual([]);
});
