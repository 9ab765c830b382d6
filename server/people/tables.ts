import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

export const users = pgTable(
  'users',
  {
    id: identity(),
    email: varchar({ length: 255 }).notNull(),
    phoneNumber: varchar({ length: 20 }),
    /** When the person proved that the number is theirs; no code is sent there before. */
    phoneConfirmedAt: instant(),
    firstName: varchar({ length: 100 }).notNull().default(''),
    lastName: varchar({ length: 100 }).notNull().default(''),
    profileImageUrl: text(),
    role: varchar({ length: 20 }).notNull().default('field_worker'),
    routeDesignation: varchar({ length: 20 }),
    isActive: boolean().notNull().default(true),
    lastActiveAt: instant(),
    createdAt: instant().notNull().default(now),
  },
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email})`), uniqueIndex('users_phone_key').on(t.phoneNumber)],
);

/**
 * Who could change what, when: kept by triggers on users, routes, markets and machines, so that an event made while
 * entitled stays accepted after a reassignment. `kind` user | route | market | vending_machine; `value` is the route
 * designation, or the driver's id for kind route.
 */
export const entitlementHistory = pgTable(
  'entitlement_history',
  {
    id: identity(),
    kind: varchar({ length: 20 }).notNull(),
    subjectId: integer().notNull(),
    value: varchar({ length: 20 }).notNull(),
    validFrom: instant().notNull(),
    validTo: instant(),
  },
  (t) => [index('entitlement_subject').on(t.kind, t.subjectId), index('entitlement_value').on(t.kind, t.value)],
);
