import { bigint, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

/** Who did what, when, from where. Append only: a trigger refuses UPDATE and DELETE. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: identity(),
    at: instant().notNull().default(now),
    actorId: integer(),
    action: varchar({ length: 100 }).notNull(),
    objectType: varchar({ length: 50 }),
    objectId: varchar({ length: 50 }),
    /** Changed fields, before and after; never secrets, codes or notes. */
    detail: jsonb(),
    address: text(),
  },
  (t) => [
    index('audit_log_at').on(t.at),
    index('audit_log_object').on(t.objectType, t.objectId),
    index('audit_log_actor').on(t.actorId, t.id),
    index('audit_log_action').on(t.action, t.id),
  ],
);

/** A hash over each line and the hash before, in the order of commits; written by a trigger, append only as well. */
export const auditChain = pgTable('audit_chain', {
  seq: bigint({ mode: 'number' }).primaryKey(),
  auditId: integer().notNull().unique('audit_chain_audit_id_key'),
  hash: varchar({ length: 64 }).notNull(),
});

/** Where the chain begins since lines past their time were removed; the newest counts. Written by the purge alone. */
export const auditCheckpoints = pgTable('audit_checkpoints', {
  seq: bigint({ mode: 'number' }).primaryKey(),
  hash: varchar({ length: 64 }).notNull(),
  /** Time of the newest line that was removed. */
  until: instant().notNull(),
});
