import { pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { instant, now } from '../db/statements/columns.ts';

/** Key pairs that phones seal for. The newest whose private half opens is in use; older ones open what was sealed before. */
export const phoneSealKeys = pgTable('phone_seal_keys', {
  id: varchar({ length: 12 }).primaryKey(),
  /** Point of P-256, uncompressed, base64url. */
  publicKey: text().notNull(),
  /** Sealed. */
  privateKey: text().notNull(),
  createdAt: instant().notNull().default(now),
});
