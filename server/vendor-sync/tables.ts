import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import type { SyncCounts, SyncProgress } from '../../contract/integration-runs.ts';
import { identity, instant, now } from '../db/statements/columns.ts';

/** Where reading stands, moved in the transaction that stores the page; and how fresh a resource is. */
export const syncCursors = pgTable(
  'sync_cursors',
  {
    configId: integer().notNull(),
    resource: varchar({ length: 20 }).notNull(),
    cursor: jsonb().$type<unknown>(),
    /** When the partner last had no more to tell. */
    lastGoodAt: instant(),
    lastTriedAt: instant(),
    nextDueAt: instant(),
    /** The day of the last nightly reread. */
    rereadOn: date(),
  },
  (t) => [primaryKey({ columns: [t.configId, t.resource] })],
);

/** One run of reading a configuration; only the newest of them is at work. */
export const syncRuns = pgTable(
  'sync_runs',
  {
    id: identity(),
    configId: integer().notNull(),
    system: varchar({ length: 20 }).notNull(),
    jobType: varchar({ length: 30 }).notNull(),
    /** manual, timetable, nightly, backfill, webhook, push. */
    cause: varchar({ length: 20 }).notNull(),
    resources: text().array().notNull(),
    since: instant(),
    /** pending, running, succeeded, failed, cancelled, abandoned. */
    status: varchar({ length: 20 }).notNull().default('pending'),
    requestedBy: integer(),
    cancelRequested: boolean().notNull().default(false),
    leaseUntil: instant(),
    progress: jsonb().$type<Partial<SyncProgress> & { counts?: SyncCounts; pageAt?: string }>().notNull().default({}),
    /** Where a run that rereads stands, by resource. */
    walk: jsonb().$type<Record<string, { cursor: unknown; done: boolean }>>().notNull().default({}),
    recordsProcessed: integer().notNull().default(0),
    errorCount: integer().notNull().default(0),
    errorDetails: jsonb().$type<string[]>(),
    message: text(),
    lastSyncAt: instant(),
    nextSyncAt: instant(),
    createdAt: instant().notNull().default(now),
    startedAt: instant(),
    completedAt: instant(),
  },
  (t) => [index('sync_runs_newest').on(t.configId, t.id.desc()), index('sync_runs_age').on(t.createdAt)],
);
