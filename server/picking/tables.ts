import { index, integer, pgTable, varchar } from 'drizzle-orm/pg-core';
import { identity, instant } from '../db/statements/columns.ts';

/** A route's list once picking has begun: from then on later sales do not change it under the picker's hands. */
export const pickSheets = pgTable('pick_sheets', {
  routeId: integer().primaryKey(),
  /** Stops that the list was made for; one added to the route later is told apart by it. */
  stopIds: integer().array().notNull().default([]),
  madeAt: instant().notNull(),
  madeBy: integer(),
  finishedAt: instant(),
  finishedBy: integer(),
  checkedAt: instant(),
  checkedBy: integer(),
});

/** Units of one product for one slot or item at one stop: asked for, picked, and what went in its place. */
export const pickLines = pgTable(
  'pick_lines',
  {
    id: identity(),
    routeId: integer().notNull(),
    stopId: integer().notNull(),
    itemType: varchar({ length: 12 }).notNull(),
    itemId: integer().notNull(),
    productId: integer(),
    productName: varchar({ length: 255 }).notNull(),
    slotNumber: varchar({ length: 20 }),
    handling: varchar({ length: 10 }).notNull(),
    caseSize: integer(),
    planned: integer().notNull(),
    /** Null: not picked yet. */
    picked: integer(),
    reason: varchar({ length: 20 }),
    insteadId: integer(),
    insteadUnits: integer(),
    pickedAt: instant(),
    pickedBy: integer(),
  },
  (t) => [index('pick_lines_route').on(t.routeId, t.stopId), index('pick_lines_stop').on(t.stopId)],
);
