import { index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/columns.ts';

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
  (t) => [index('audit_log_at').on(t.at), index('audit_log_object').on(t.objectType, t.objectId)],
);
