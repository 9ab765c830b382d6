import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/columns.ts';

export const machineAlerts = pgTable(
  'vending_machine_alerts',
  {
    id: identity(),
    machineId: integer().notNull(),
    slotId: integer(),
    alertType: varchar({ length: 50 }).notNull(),
    message: text().notNull(),
    severity: varchar({ length: 20 }).notNull().default('medium'),
    acknowledged: boolean().notNull().default(false),
    acknowledgedBy: varchar({ length: 255 }),
    acknowledgedAt: instant(),
    resolvedAt: instant(),
    createdAt: instant().notNull().default(now),
  },
  (t) => [
    index('machine_alerts_open').on(t.createdAt).where(sql`resolved_at is null`),
    index('machine_alerts_machine').on(t.machineId),
    uniqueIndex('machine_alerts_one_open')
      .on(t.machineId, t.alertType, sql`coalesce(slot_id, 0)`)
      .where(sql`resolved_at is null`),
  ],
);
