import { bigint, doublePrecision, integer, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { instant } from '../db/statements/columns.ts';

/** What one process did in about a minute: sums of that minute, and levels at its end. Kept for eight days. */
export const performanceSamples = pgTable(
  'performance_samples',
  {
    at: instant().notNull(),
    process: varchar({ length: 100 }).notNull(),
    /** That of the process; another word once it is gone. */
    role: varchar({ length: 10 }).notNull(),
    seconds: doublePrecision().notNull(),
    requests: integer().notNull(),
    requestMs: doublePrecision().notNull(),
    failed: integer().notNull(),
    refused: integer().notNull(),
    transactions: integer().notNull(),
    queries: integer().notNull(),
    queryMs: doublePrecision().notNull(),
    rowCount: bigint({ mode: 'number' }).notNull(),
    cpuMs: doublePrecision().notNull(),
    eventLoopDelayMs: doublePrecision().notNull(),
    memoryMb: doublePrecision().notNull(),
    streams: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.at, t.process] })],
);
