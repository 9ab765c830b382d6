import { customType, integer, jsonb, pgTable, text, unique, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Documents that came by VDI, as they came: the same transaction id again must be the same bytes. */
export const vdiDocuments = pgTable(
  'vdi_documents',
  {
    id: identity(),
    configId: integer().notNull(),
    transactionId: varchar({ length: 200 }).notNull(),
    documentType: varchar({ length: 50 }).notNull(),
    contentHash: varchar({ length: 64 }).notNull(),
    /** Emptied after 30 days; the hash stays. */
    body: bytea(),
    receivedAt: instant().notNull().default(now),
    repeats: integer().notNull().default(0),
    records: integer().notNull().default(0),
    rejected: jsonb().$type<{ id: string; reason: string }[]>().notNull().default([]),
  },
  (t) => [unique('vdi_documents_once').on(t.configId, t.transactionId)],
);

/** Documents sent by VDI, as they were sent: a re-send is the same to the byte. */
export const vdiSent = pgTable(
  'vdi_sent',
  {
    id: identity(),
    configId: integer().notNull(),
    transactionId: varchar({ length: 64 }).notNull(),
    documentType: varchar({ length: 50 }).notNull(),
    /** Which part of the operator's records it tells of. */
    part: varchar({ length: 50 }).notNull(),
    contentHash: varchar({ length: 64 }).notNull(),
    body: text().notNull(),
    status: varchar({ length: 20 }).$type<'waiting' | 'acknowledged' | 'refused'>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    answer: text(),
    createdAt: instant().notNull().default(now),
    answeredAt: instant(),
  },
  (t) => [unique('vdi_sent_once').on(t.configId, t.transactionId)],
);
