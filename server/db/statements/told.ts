import { type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { type PgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { casing } from '../migrations.ts';

/** A row as it travels: instants are texts, everything else is what the table's own type says. */
export type Told<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] };

/**
 * Columns under the names that the code has for them, written down once: for a list that every screen opens with, building the
 * selection anew costs more than reading its rows. Instants come as the database writes them; see `isoInstant`.
 */
export function named(alias: string, columns: Record<string, PgColumn>): SQL {
  return sql.raw(
    Object.keys(columns)
      .map((key) => `${alias}."${toSnakeCase(key)}" as "${key}"`)
      .join(', '),
  );
}

const dialect = new PgDialect({ casing });

/** A part of a statement without values, written down once in the same way; tables and columns in it may be those of the code. */
export function writtenOnce(part: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(part);
  if (params.length > 0) throw new Error(`A part with values cannot be written once: ${text}`);
  return sql.raw(text);
}

const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** An instant in ISO 8601, to the millisecond, from the text of a `timestamptz`; without making a date of it where it is in UTC. */
export function isoInstant(text: string): string {
  const parts = inUtc.exec(text);
  if (!parts) return new Date(text).toISOString();
  const [, day, time, fraction = ''] = parts;
  return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

export const isoOrNull = (text: string | null): string | null => (text === null ? null : isoInstant(text));
