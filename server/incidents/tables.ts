import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, index, integer, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, latitude, longitude, now } from '../db/statements/columns.ts';

/** Circles in which traffic is slow or does not pass. */
export const trafficIncidents = pgTable(
  'traffic_incidents',
  {
    id: identity(),
    title: varchar({ length: 255 }).notNull(),
    description: text(),
    latitude: latitude().notNull(),
    longitude: longitude().notNull(),
    severity: varchar({ length: 20 }).notNull(),
    type: varchar({ length: 20 }).notNull(),
    status: varchar({ length: 20 }).notNull().default('active'),
    /** Kilometres. */
    radius: doublePrecision().notNull().default(0.5),
    /** Minutes; null: until resolved. */
    estimatedDuration: integer(),
    roadClosed: boolean().notNull().default(false),
    reportedAt: instant().notNull().default(now),
    resolvedAt: instant(),
    source: varchar({ length: 50 }).notNull().default('manual'),
    createdBy: integer(),
    updatedAt: instant().notNull().default(now),
  },
  (t) => [
    index('traffic_incidents_active').on(t.reportedAt).where(sql`status = 'active'`),
    index('traffic_incidents_reported').on(t.reportedAt),
    check('traffic_incidents_radius', sql`radius > 0`),
  ],
);
