import { bigint, index, integer, numeric, pgTable, text, uuid, varchar } from 'drizzle-orm/pg-core';
import { bytes, instant, money, now } from '../db/statements/columns.ts';

/** A driver at a location: what was noted beside the counts. The movements of the visit name it. */
export const visits = pgTable(
  'visits',
  {
    id: uuid().primaryKey(),
    marketId: integer(),
    vendingMachineId: integer(),
    routeId: integer(),
    stopId: integer(),
    actorId: integer(),
    deviceId: uuid(),
    /** The phone's number of the event that says this: a later one replaces it. */
    deviceSeq: bigint({ mode: 'number' }).notNull(),
    openedAt: instant().notNull(),
    closedAt: instant(),
    note: varchar({ length: 500 }),
    bagNumber: varchar({ length: 50 }),
    refunds: money(),
    photoIds: text().array().notNull().default([]),
    /** About 100 m: enough to say 'was there', too little for a track. */
    latitude: numeric({ precision: 6, scale: 3 }),
    longitude: numeric({ precision: 7, scale: 3 }),
    savedAt: instant().notNull().default(now),
  },
  (t) => [
    index('visits_market').on(t.marketId, t.openedAt),
    index('visits_machine').on(t.vendingMachineId, t.openedAt),
    index('visits_route').on(t.routeId),
  ],
);

/** Photos of visits by the SHA-256 of what the phone sent; kept as the server drew them anew. */
export const photos = pgTable(
  'photos',
  {
    hash: varchar({ length: 64 }).primaryKey(),
    width: integer().notNull(),
    height: integer().notNull(),
    content: bytes().notNull(),
    uploadedBy: integer(),
    uploadedAt: instant().notNull().default(now),
  },
  (t) => [index('photos_uploaded').on(t.uploadedAt)],
);
