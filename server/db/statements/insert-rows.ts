import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * The beginning of an `insert` of many rows of one shape, as a single value: a value for each column of each row costs
 * more to write down, to bind and to read than the rows do. What a row leaves out takes the default of its column only
 * where every row leaves it out.
 */
export function insertRows<T extends PgTable>(table: T, list: readonly T['$inferInsert'][]): SQL {
  const given = new Set(list.flatMap((row) => Object.keys(row)));
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => given.has(key));
  const names = sql.raw(columns.map(([key]) => `"${toSnakeCase(key)}"`).join(', '));
  const keys = sql.raw(columns.map(([key]) => `g."${key}"`).join(', '));
  const shape = sql.raw(columns.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(', '));
  return sql`insert into ${table} (${names}) select ${keys} from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as g(${shape})`;
}

/** `on conflict … do update`: what was told now stands. */
export const overwriting = (once: readonly string[], columns: readonly string[]): SQL =>
  sql.raw(
    `on conflict (${once.join(', ')}) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
  );
