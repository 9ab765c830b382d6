import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

/** What part of the product a person was given, until when. Without a row for an application the role decides. */
export const applicationAccess = pgTable(
  'application_access',
  {
    id: identity(),
    userId: integer().notNull(),
    applicationName: varchar({ length: 50 }).notNull(),
    routeDesignation: varchar({ length: 20 }),
    permissions: jsonb().$type<string[]>().notNull().default([]),
    isActive: boolean().notNull().default(true),
    expiresAt: instant(),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
  },
  (t) => [
    uniqueIndex('application_access_once').on(t.userId, t.applicationName, sql`coalesce(${t.routeDesignation}, '')`),
  ],
);
