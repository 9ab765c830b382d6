import { date, index, integer, numeric, pgTable, unique, uuid, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

const amount = () => numeric({ precision: 12, scale: 2 });

/** What processors say they paid out, line by line, as their files tell it. */
export const payoutLines = pgTable(
  'payout_lines',
  {
    id: identity(),
    system: varchar({ length: 20 }).notNull(),
    payout: varchar({ length: 100 }).notNull(),
    reference: varchar({ length: 100 }).notNull(),
    line: integer().notNull(),
    amount: amount().notNull(),
    fee: amount().notNull(),
    paidOn: date().notNull(),
    importedAt: instant().notNull().default(now),
    importedBy: integer(),
  },
  (t) => [
    unique('payout_lines_once').on(t.system, t.payout, t.reference, t.line),
    index('payout_lines_day').on(t.paidOn),
  ],
);

/** The money of a bag as it was counted, against the visit that brought it. */
export const cashCounts = pgTable('cash_counts', {
  visitId: uuid().primaryKey(),
  counted: amount().notNull(),
  countedBy: integer(),
  countedAt: instant().notNull().default(now),
});

/** Differences that a person accepted; deleting the row opens the difference again. */
export const settledDifferences = pgTable('settled_differences', {
  key: varchar({ length: 700 }).primaryKey(),
  kind: varchar({ length: 40 }).notNull(),
  note: varchar({ length: 500 }),
  settledBy: integer(),
  settledAt: instant().notNull().default(now),
});
