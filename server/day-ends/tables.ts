import { date, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { DayEndEvent } from '../../domain/field-event.ts';
import { instant } from '../db/statements/columns.ts';

/** A person's finished day as the phone said it last. */
export const dayEnds = pgTable(
  'day_ends',
  {
    userId: integer().notNull(),
    date: date().notNull(),
    eventId: uuid().notNull(),
    endedAt: instant().notNull(),
    routeIds: integer().array().notNull().default([]),
    returns: jsonb().$type<DayEndEvent['returns']>().notNull(),
    bagNumbers: text().array().notNull().default([]),
    unitsFilled: integer().notNull(),
    unsent: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.date] })],
);
