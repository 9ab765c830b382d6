import { boolean, index, integer, jsonb, pgTable, smallint, text, uuid, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

/** `sid` is the SHA-256 of the cookie's value: a copy of this table opens no session. */
export const sessions = pgTable(
  'sessions',
  {
    sid: varchar({ length: 64 }).primaryKey(),
    sess: jsonb().notNull(),
    userId: integer().notNull(),
    createdAt: instant().notNull().default(now),
    lastSeenAt: instant().notNull().default(now),
    /** The nearer of idle and absolute expiry. */
    expire: instant().notNull(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expire').on(t.expire)],
);

export const loginCodes = pgTable(
  'login_codes',
  {
    id: identity(),
    /** SHA-256 of the challenge in the browser's cookie: the code is bound to the request that asked for it. */
    challenge: varchar({ length: 64 }).notNull().unique(),
    contact: varchar({ length: 255 }).notNull(),
    channel: varchar({ length: 5 }).notNull(),
    userId: integer(),
    salt: varchar({ length: 32 }).notNull(),
    /** HMAC of salt and code with the installation's key. */
    codeHash: varchar({ length: 64 }).notNull(),
    tries: smallint().notNull().default(0),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    createdAt: instant().notNull().default(now),
  },
  (t) => [index('login_codes_contact').on(t.contact, t.createdAt)],
);

/** Counters of the limits, per key and window; they survive a restart. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar({ length: 300 }).primaryKey(),
  count: integer().notNull(),
  windowEndsAt: instant().notNull(),
});

/** A worker's phone or tablet. Its credential may do one thing: append stock events. */
export const fieldDevices = pgTable('field_devices', {
  deviceId: uuid().primaryKey(),
  tokenHash: varchar({ length: 64 }).notNull().unique(),
  /** Of what a sign-in shows of the device it comes from; opens nothing by itself. */
  knownHash: varchar({ length: 64 }).unique('field_devices_known_hash'),
  isActive: boolean().notNull().default(true),
  userAgent: text(),
  createdAt: instant().notNull().default(now),
  lastSeenAt: instant().notNull().default(now),
  expiresAt: instant().notNull(),
});

/** Who held a device when: attribution comes from here, never from the phone's claim. */
export const deviceHolders = pgTable(
  'device_holders',
  {
    id: identity(),
    deviceId: uuid().notNull(),
    userId: integer().notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
  },
  (t) => [index('device_holders_device').on(t.deviceId, t.validFrom)],
);

/** Messages of the demo, shown on the sign-in screen; written in demo mode only. */
export const demoOutbox = pgTable('demo_outbox', {
  id: identity(),
  recipient: varchar({ length: 255 }).notNull(),
  channel: varchar({ length: 5 }).notNull(),
  subject: varchar({ length: 255 }),
  text: text().notNull(),
  code: varchar({ length: 6 }),
  at: instant().notNull().default(now),
});
