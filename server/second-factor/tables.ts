import { bigint, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

/** What a person proves at sign-in beside the code: an authenticator app's secret or a passkey's public key. */
export const secondFactors = pgTable(
  'second_factors',
  {
    id: identity(),
    userId: integer().notNull(),
    kind: varchar({ length: 10 }).$type<'totp' | 'passkey'>().notNull(),
    name: varchar({ length: 100 }).notNull(),
    /** Sealed. */
    secret: text(),
    /** The last 30 s step whose code was used: the same code does not work twice. */
    lastStep: bigint({ mode: 'number' }),
    credentialId: text().unique(),
    publicKey: text(),
    counter: bigint({ mode: 'number' }).notNull().default(0),
    transports: jsonb().$type<string[]>(),
    createdAt: instant().notNull().default(now),
    /** Null until the first right code: an app that was never set up locks nobody out. */
    confirmedAt: instant(),
    lastUsedAt: instant(),
  },
  (t) => [index('second_factors_user').on(t.userId)],
);

/** For whoever lost phone or key; each works once. SHA-256 of 120 random bits. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: integer().notNull(),
    codeHash: varchar({ length: 64 }).notNull(),
    usedAt: instant(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Sign-ins between the code and the second factor; the key is the SHA-256 of the browser's cookie. */
export const signInSteps = pgTable('sign_in_steps', {
  challenge: varchar({ length: 64 }).primaryKey(),
  userId: integer().notNull(),
  deviceId: uuid().notNull(),
  tries: smallint().notNull().default(0),
  expiresAt: instant().notNull(),
});

/** What a passkey is asked to sign, by the sign-in step or the session that asked. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  askedBy: varchar({ length: 64 }).primaryKey(),
  challenge: text().notNull(),
  expiresAt: instant().notNull(),
});
