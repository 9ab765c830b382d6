import { sql } from 'drizzle-orm';
import { boolean, date, index, integer, jsonb, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { identity, instant, now } from '../db/statements/columns.ts';

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
    /** Who ended it by hand. Until its cause went, the same cause raises no other. */
    resolvedBy: varchar({ length: 255 }),
    causeEndedAt: instant(),
    createdAt: instant().notNull().default(now),
    /** What a search reads, in the form of `plain_text`. */
    searchText: text().notNull().generatedAlwaysAs(sql`plain_text(message)`),
  },
  (t) => [
    index('machine_alerts_open').on(t.createdAt.desc(), t.id.desc()).where(sql`resolved_at is null`),
    index('machine_alerts_severe')
      .on(t.severity, t.createdAt)
      .where(
        sql`resolved_at is null and not acknowledged and severity in ('critical', 'high') and alert_type <> 'silent'`,
      ),
    index('machine_alerts_machine').on(t.machineId),
    index('machine_alerts_newest').on(t.createdAt.desc(), t.id.desc()),
    index('machine_alerts_resolved').on(t.createdAt.desc(), t.id.desc()).where(sql`resolved_at is not null`),
    index('machine_alerts_gravest')
      .on(
        sql`array_position(array['low', 'medium', 'high', 'critical'], severity::text) desc`,
        t.createdAt.desc(),
        t.id.desc(),
      )
      .where(sql`resolved_at is null`),
    index('machine_alerts_put_off')
      .on(t.machineId, t.alertType)
      .where(sql`resolved_by is not null and cause_ended_at is null`),
    uniqueIndex('machine_alerts_one_open')
      .on(t.machineId, t.alertType, sql`coalesce(slot_id, 0)`)
      .where(sql`resolved_at is null`),
  ],
);

/** What raises alerts and who is written to: one row, made when somebody changes what holds without it. */
export const alertSettingsTable = pgTable('alert_settings', {
  id: integer().primaryKey().default(1),
  rules: jsonb().notNull(),
  digest: jsonb().notNull(),
  digestSentOn: date(),
  version: integer().notNull().default(0),
});
