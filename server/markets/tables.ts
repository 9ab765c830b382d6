import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core';
import {
  changeColumns,
  identity,
  instant,
  integrationColumns,
  latitude,
  longitude,
  now,
} from '../db/statements/columns.ts';

export const markets = pgTable(
  'markets',
  {
    id: identity(),
    name: varchar({ length: 255 }).notNull(),
    address: varchar({ length: 500 }).notNull(),
    city: varchar({ length: 100 }),
    state: varchar({ length: 50 }),
    latitude: latitude().notNull(),
    longitude: longitude().notNull(),
    status: varchar({ length: 50 }).notNull().default('active'),
    routeDesignation: varchar({ length: 20 }),
    accessHours: varchar({ length: 255 }),
    accessNotes: varchar({ length: 500 }),
    contactPhone: varchar({ length: 50 }),
    notes: varchar({ length: 500 }),
    /** Sums over the market's items, kept by a trigger: a list of markets never reads all items. */
    itemCount: integer().notNull().default(0),
    lowStockCount: integer().notNull().default(0),
    stockedUnits: integer().notNull().default(0),
    targetUnits: integer().notNull().default(0),
    ...integrationColumns('markets_integration_id_key'),
    integrationData: jsonb(),
    /** Rises with every edit, by a trigger; not with the stock. */
    version: integer().notNull().default(1),
    /** What a search reads, in the form of `plain_text`. */
    searchText: text()
      .notNull()
      .generatedAlwaysAs(
        sql`plain_text(name || ' ' || address || ' ' || coalesce(city, '') || ' ' || coalesce(state, '') || ' MKT ' || case when id < 1000 then lpad(id::text, 3, '0') else id::text end)`,
      ),
    lastUpdated: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    createdAt: instant().notNull().default(now),
    deletedAt: instant(),
    ...changeColumns(),
  },
  (t) => [
    index('markets_name').on(sql`lower(name)`, t.id).where(sql`deleted_at is null`),
    index('markets_level')
      .on(
        sql`(case when target_units <= 0 then 0 else greatest(0, least(100, round(100.0 * stocked_units / target_units))) end)::int`,
        t.id,
      )
      .where(sql`deleted_at is null`),
    index('markets_updated').on(t.lastUpdated, t.id).where(sql`deleted_at is null`),
    index('markets_route').on(t.routeDesignation).where(sql`deleted_at is null`),
    index('markets_change').on(t.changeSeq),
  ],
);
