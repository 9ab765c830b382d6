import { type SQL, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgColumn } from 'drizzle-orm/pg-core';

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

const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** An instant in ISO 8601, to the millisecond, from the text of a `timestamptz`; without making a date of it where it is in UTC. */
export function isoInstant(text: string): string {
  const parts = inUtc.exec(text);
  if (!parts) return new Date(text).toISOString();
  const [, day, time, fraction = ''] = parts;
  return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

export const isoOrNull = (text: string | null): string | null => (text === null ? null : isoInstant(text));
