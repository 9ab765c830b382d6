import { type SQL, sql } from 'drizzle-orm';

/** A row that an import wrote: its fields as they were, null where the import made it. */
export type WrittenRow = { id: number; before: Record<string, unknown> | null };

export const madeIds = (written: readonly WrittenRow[]): SQL =>
  sql`(select value::int from jsonb_array_elements_text(${JSON.stringify(
    written.filter(({ before }) => before === null).map(({ id }) => id),
  )}::jsonb))`;

/** Changed rows of a table as they were: every other field as it is now. */
export function rowsBefore(written: readonly WrittenRow[], table: SQL): SQL {
  const changed = written.filter(({ before }) => before !== null);
  return sql`(select n.* from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as g(id int, before jsonb)
    join ${table} o on o.id = g.id cross join lateral jsonb_populate_record(o, g.before) n)`;
}
