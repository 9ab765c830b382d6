import { date, integer, jsonb, pgTable, text, uuid, varchar } from 'drizzle-orm/pg-core';
import type { Arrangement, DayPlanInput } from '../../domain/day-plan.ts';
import { instant, now } from '../db/statements/columns.ts';

/** A day being planned for several drivers; routes are made of it when it is saved. */
export const dayPlans = pgTable('day_plans', {
  id: uuid().primaryKey(),
  date: date().notNull(),
  status: varchar({ length: 12 }).notNull(),
  message: text(),
  /** The search under way: what an older one still finds is thrown away. */
  searchId: uuid(),
  version: integer().notNull().default(1),
  input: jsonb().$type<DayPlanInput>().notNull(),
  arrangement: jsonb().$type<Arrangement>().notNull(),
  /** Arrangements before, newest first, for undo. */
  earlier: jsonb().$type<Arrangement[]>().notNull().default([]),
  /** Sentence by location key, for stops that the search left out. */
  reasons: jsonb().$type<Record<string, string>>().notNull().default({}),
  progress: jsonb().$type<{ ms: number; cost: number }[]>().notNull().default([]),
  elapsedMs: integer().notNull().default(0),
  timeLimitMs: integer().notNull(),
  routeIds: jsonb().$type<number[]>().notNull().default([]),
  createdBy: integer(),
  createdAt: instant().notNull().default(now),
  /** Also the heartbeat of a search under way. */
  updatedAt: instant().notNull().default(now),
});
export type DayPlanRow = typeof dayPlans.$inferSelect;
