import { boolean, integer, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import { usualRules } from '../../domain/operator-rules.ts';
import { instant, now } from '../db/statements/columns.ts';

/** The company that runs this installation: exactly one row, id 1. */
export const operator = pgTable('operator', {
  id: integer().primaryKey().default(1),
  name: varchar({ length: 255 }).notNull(),
  timeZone: varchar({ length: 100 }).notNull(),
  currency: varchar({ length: 3 }).notNull().default('USD'),
  distanceUnit: varchar({ length: 2 }).notNull().default('mi'),
  mapStyleUrl: text(),
  /** Set only when an empty database is first filled with the synthetic operator. */
  isDemo: boolean().notNull().default(false),
  demoProfile: varchar({ length: 2 }),
  demoSeed: integer(),
  /** Day up to which the demo has been carried forward. */
  demoUntil: varchar({ length: 10 }),
  lateAfterMin: integer().notNull().default(usualRules.lateAfterMin),
  phoneSilentHours: integer().notNull().default(usualRules.phoneSilentHours),
  lowLevelPercent: integer().notNull().default(usualRules.lowLevelPercent),
  goodLevelPercent: integer().notNull().default(usualRules.goodLevelPercent),
  lowSlotPercent: integer().notNull().default(usualRules.lowSlotPercent),
  workStart: varchar({ length: 5 }).notNull().default(usualRules.workStart),
  workEnd: varchar({ length: 5 }).notNull().default(usualRules.workEnd),
  createdAt: instant().notNull().default(now),
});

/** Route designations that a person named; those that places and people carry exist without a row. */
export const routeDesignations = pgTable('route_designations', {
  name: varchar({ length: 20 }).primaryKey(),
  addedAt: instant().notNull().default(now),
  /** Not offered any more, unless a place or a person carries it. */
  retiredAt: instant(),
});

/** Small durable secrets and markers of this installation, by name. */
export const installation = pgTable('installation', {
  name: varchar({ length: 100 }).primaryKey(),
  value: text().notNull(),
});

/** Keys that wrap the data keys of sealed values, each wrapped by the installation's key, which is not in the database. */
export const sealingKeys = pgTable('sealing_keys', {
  id: varchar({ length: 12 }).primaryKey(),
  wrapped: text().notNull(),
  createdAt: instant().notNull().default(now),
  /** Set when a newer key took its place; kept while a value may still need it. */
  retiredAt: instant(),
});
