import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { rolledUpMonths } from './tables.ts';

export const parents = ['stock_movements', 'sales'] as const;
export type Parent = (typeof parents)[number];

/** The column that says which month a row belongs to. */
export const timeOf: Record<Parent, string> = { stock_movements: 'effective_at', sales: 'sale_date' };

/** Months of a table that end before the border, oldest first, as their first days. */
export async function monthsBefore(db: Db, parent: Parent, border: string): Promise<string[]> {
  const found = await rows<{ month: string }>(
    db,
    sql`select to_char(to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM'), 'YYYY-MM-DD') as month
        from pg_inherits where inhparent = ${parent}::regclass order by 1`,
  );
  return found.map(({ month }) => month).filter((month) => month < border);
}

export const partitionOf = (parent: Parent, month: string): string =>
  `${parent}_${month.slice(0, 7).replace('-', '_')}`;

export async function nextPart(db: Db, parent: Parent, month: string): Promise<number> {
  const found = await firstRow<{ part: number }>(
    db,
    sql`select coalesce(max(part), 0)::int + 1 as part from rolled_up_months where parent = ${parent} and month = ${month}`,
  );
  return found?.part ?? 1;
}

type Written = typeof rolledUpMonths.$inferInsert;

/** Notes what was written and takes the month out of the table; refused when a row came in meanwhile. */
export async function dropMonth(tx: Db, written: Written): Promise<void> {
  await tx.insert(rolledUpMonths).values(written);
  await tx.execute(sql`select drop_rolled_up_month(${written.parent}, ${written.month}::date, ${written.part}::int)`);
}

type RolledUp = { parent: Parent; month: string; file: string; sha256: string };

export function listRolledUp(db: Db): Promise<RolledUp[]> {
  return rows<RolledUp>(
    db,
    sql`select parent, month::text as month, file, sha256 from rolled_up_months order by parent, month, part`,
  );
}
