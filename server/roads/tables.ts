import { customType, doublePrecision, index, integer, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import { instant, now } from '../db/statements/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Travel from one spot, as an engine answered: cells of 16 bytes, four whole numbers of 4 bytes each, big-endian: latitude and
 * longitude of the target in 1e-5 degrees, seconds, metres; -1 where there is no way. New cells are appended; of two for one
 * target the later counts. A thousand places are a thousand rows of 16 kB.
 */
export const travelRows = pgTable(
  'travel_rows',
  {
    profile: varchar({ length: 30 }).notNull(),
    version: text().notNull(),
    fromLat: integer().notNull(),
    fromLng: integer().notNull(),
    cells: bytes().notNull(),
    usedAt: instant().notNull().default(now),
  },
  (t) => [
    primaryKey({ columns: [t.profile, t.version, t.fromLat, t.fromLng] }),
    index('travel_rows_used').on(t.usedAt),
  ],
);

/**
 * The course of the road from one spot to another, as an engine answered: an encoded polyline of 5 decimals with the box it
 * lies in, in 1e-5 degrees.
 */
export const travelLines = pgTable(
  'travel_lines',
  {
    profile: varchar({ length: 30 }).notNull(),
    version: text().notNull(),
    fromLat: integer().notNull(),
    fromLng: integer().notNull(),
    toLat: integer().notNull(),
    toLng: integer().notNull(),
    seconds: integer().notNull(),
    metres: integer().notNull(),
    line: text().notNull(),
    south: integer().notNull(),
    west: integer().notNull(),
    north: integer().notNull(),
    east: integer().notNull(),
    usedAt: instant().notNull().default(now),
  },
  (t) => [
    primaryKey({ columns: [t.profile, t.version, t.fromLat, t.fromLng, t.toLat, t.toLng] }),
    index('travel_lines_used').on(t.usedAt),
  ],
);

/** What completed routes taught about driving: at most one row, id 1. Kilometres per hour, minutes. */
export const travelEstimates = pgTable('travel_estimates', {
  id: integer().primaryKey().default(1),
  detourFactor: doublePrecision().notNull(),
  townKmh: doublePrecision().notNull(),
  aroundKmh: doublePrecision().notNull(),
  beyondKmh: doublePrecision().notNull(),
  legs: integer().notNull(),
  measuredLegs: integer().notNull(),
  errorBeforeMin: doublePrecision().notNull(),
  errorAfterMin: doublePrecision().notNull(),
  fittedAt: instant().notNull(),
});
