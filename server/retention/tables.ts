import { bigint, date, integer, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { instant, now } from '../db/statements/columns.ts';

/** Months whose rows are in files: what was written, and where. */
export const rolledUpMonths = pgTable(
  'rolled_up_months',
  {
    parent: varchar({ length: 30 }).notNull(),
    /** First day of the month, UTC. */
    month: date().notNull(),
    /** A month that was rolled up gets another part when something older came in late. */
    part: integer().notNull(),
    rowCount: bigint({ mode: 'number' }).notNull(),
    /** Name in the folder `months` of the data folder. */
    file: varchar({ length: 100 }).notNull(),
    sha256: varchar({ length: 64 }).notNull(),
    rolledUpAt: instant().notNull().default(now),
  },
  (t) => [primaryKey({ columns: [t.parent, t.month, t.part] })],
);
