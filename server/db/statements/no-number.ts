import { type SQL, sql } from 'drizzle-orm';

/** Whether a numeric column has what is no number: a sum over it is none either. */
export const isNoNumber = (column: string): SQL => sql`${sql.identifier(column)} in ('NaN', 'Infinity', '-Infinity')`;
