import { boolean, index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

/** What keeps calls away from a partner that does not answer; see `server/vendor-sync/breaker.ts`. */
export type StoredBreaker = {
  failures?: number;
  recent?: string;
  openings?: number;
  openUntil?: string;
  /** The partner itself asked not to be called before. */
  restUntil?: string;
};

/** A configured link to a partner system. Secrets and tokens are sealed for their row; they leave only as hints. */
export const integrationConfigs = pgTable(
  'integration_configs',
  {
    id: identity(),
    system: varchar({ length: 20 }).notNull(),
    name: varchar({ length: 255 }).notNull(),
    /** By field name, without secrets. */
    settings: jsonb().$type<Record<string, string | boolean | null>>().notNull().default({}),
    /** Sealed JSON of the secret fields by name. */
    secrets: text(),
    secretHints: jsonb().$type<Record<string, string>>().notNull().default({}),
    previousSecrets: text(),
    previousSecretsUntil: instant(),
    /** Sealed JSON of access and refresh token. */
    tokens: text(),
    tokensExpireAt: instant(),
    /** Somebody is getting new tokens until then. */
    renewingUntil: instant(),
    /** 128 random bits in hex: the address of webhooks. */
    publicId: varchar({ length: 32 }).notNull().unique('integration_configs_public_id_key'),
    isActive: boolean().notNull().default(true),
    syncEnabled: boolean().notNull().default(true),
    status: varchar({ length: 20 }).notNull().default('active'),
    /** What is wrong now, as a sentence; null while nothing is. */
    problem: text(),
    problemKind: varchar({ length: 20 }),
    problemAt: instant(),
    lastSyncAt: instant(),
    breaker: jsonb().$type<StoredBreaker>().notNull().default({}),
    rejectedDeliveries: integer().notNull().default(0),
    lastRejectedAt: instant(),
    lastRejectedReason: text(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    removedAt: instant(),
  },
  (t) => [index('integration_configs_system').on(t.system)],
);
