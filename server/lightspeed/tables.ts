import { index, integer, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { instant, now } from '../db/statements/columns.ts';

/** Somebody was sent to Lightspeed's sign-in page and is expected back: good once, for that session, for ten minutes. */
export const lightspeedSignIns = pgTable(
  'lightspeed_sign_ins',
  {
    /** SHA-256 of the state that goes out and comes back. */
    stateHash: varchar({ length: 64 }).primaryKey(),
    /** Hash of the session that began. */
    sid: varchar({ length: 64 }).notNull(),
    userId: integer().notNull(),
    /** The configuration to connect again; null: a new one is made when it succeeds. */
    configId: integer(),
    name: varchar({ length: 255 }).notNull(),
    /** Sealed JSON: a secret is among them. */
    settings: text(),
    redirectUri: text().notNull(),
    createdAt: instant().notNull().default(now),
    expiresAt: instant().notNull(),
  },
  (t) => [index('lightspeed_sign_ins_age').on(t.expiresAt)],
);
