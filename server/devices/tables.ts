import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uuid, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

/** A device that was signed in on the device screen. `lastActivity` is kept by triggers on sessions and field_devices. */
export const deviceSessions = pgTable(
  'device_sessions',
  {
    id: identity(),
    deviceId: uuid().notNull().unique('device_sessions_device_id_key'),
    deviceName: varchar({ length: 100 }).notNull(),
    deviceType: varchar({ length: 20 }).notNull(),
    routeDesignation: varchar({ length: 20 }).notNull(),
    userId: integer().notNull(),
    isActive: boolean().notNull().default(true),
    lastActivity: instant().notNull().default(now),
    /** The connection's, never what the device says. */
    ipAddress: text(),
    userAgent: text(),
    location: jsonb().$type<{ latitude: number; longitude: number }>(),
    createdAt: instant().notNull().default(now),
  },
  (t) => [index('device_sessions_user').on(t.userId)],
);

/** Codes that tie a device to a route and a field worker: once, for minutes, kept as keyed hashes only. */
export const pairingCodes = pgTable(
  'pairing_codes',
  {
    id: identity(),
    codeHash: varchar({ length: 64 }).notNull(),
    /** Null: the person has no route yet; the code vouches for the device they sign in on. */
    routeDesignation: varchar({ length: 20 }),
    userId: integer().notNull(),
    issuedBy: integer().notNull(),
    createdAt: instant().notNull().default(now),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    usedBy: uuid(),
  },
  (t) => [
    index('pairing_codes_live').on(t.codeHash).where(sql`used_at is null`),
    index('pairing_codes_user').on(t.userId),
  ],
);
