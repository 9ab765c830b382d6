import { bigint, customType, index, integer, jsonb, pgTable, text, unique, varchar } from 'drizzle-orm/pg-core';
import { instant, now } from '../db/statements/columns.ts';

const bytea = customType<{ data: Buffer; driverData: Uint8Array | Buffer }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value),
});

/** Genuine messages of partners as they came, stored before they are answered. Bytes and headers go after 30 days. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    configId: integer().notNull(),
    system: varchar({ length: 20 }).notNull(),
    /** The partner's id of the event, else the hash of the body. */
    dedupeKey: varchar({ length: 300 }).notNull(),
    eventId: varchar({ length: 255 }),
    eventType: varchar({ length: 100 }).notNull(),
    signature: text(),
    method: varchar({ length: 10 }).notNull(),
    path: varchar({ length: 500 }).notNull().default(''),
    query: jsonb().$type<[string, string][]>().notNull().default([]),
    headers: jsonb().$type<Record<string, string>>(),
    body: bytea(),
    bodyBytes: integer().notNull(),
    repeats: integer().notNull().default(0),
    receivedAt: instant().notNull().default(now),
    /** pending, done, dead, left_out. */
    status: varchar({ length: 20 }).notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /** While a worker has it, the end of its lease. */
    nextAttemptAt: instant(),
    processedAt: instant(),
    error: text(),
    leftOutAt: instant(),
    leftOutBy: integer(),
    leftOutReason: varchar({ length: 500 }),
  },
  (t) => [
    unique('webhook_deliveries_once').on(t.configId, t.dedupeKey),
    index('webhook_deliveries_newest').on(t.configId, t.id.desc()),
  ],
);
