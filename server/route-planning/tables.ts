import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  varchar,
} from 'drizzle-orm/pg-core';
import { changeColumns, identity, instant, latitude, longitude, now } from '../db/statements/columns.ts';

export const depots = pgTable('depots', {
  id: identity(),
  name: varchar({ length: 255 }).notNull(),
  address: varchar({ length: 500 }).notNull(),
  latitude: latitude().notNull(),
  longitude: longitude().notNull(),
  isDefault: boolean().notNull().default(false),
});

export const vehicles = pgTable('vehicles', {
  id: identity(),
  name: varchar({ length: 255 }).notNull(),
  licensePlate: varchar({ length: 20 }),
  depotId: integer().references(() => depots.id),
  capacityTotes: integer(),
});

/** One dated run of a driver. Distances in kilometres, times in minutes. */
export const routes = pgTable(
  'routes',
  {
    id: identity(),
    name: varchar({ length: 255 }).notNull(),
    date: date().notNull(),
    routeDesignation: varchar({ length: 20 }),
    optimized: boolean().notNull().default(false),
    totalDistance: doublePrecision().notNull().default(0),
    estimatedTime: integer().notNull().default(0),
    drivingMin: integer(),
    serviceMin: integer(),
    distanceSource: varchar({ length: 20 }),
    status: varchar({ length: 20 }).notNull().default('planned'),
    driverId: integer(),
    vehicleId: integer(),
    depotId: integer(),
    plannedStartAt: instant(),
    /** From when the driver can leave: the planned start may be later, so that nobody waits at the first door. */
    earliestStartAt: instant(),
    startedAt: instant(),
    completedAt: instant(),
    /** Seconds that incidents add to the driving, the way home included. */
    delay: integer().notNull().default(0),
    /** Of the way home without incidents; null: told from the minutes until it is timed anew. */
    homeSeconds: integer(),
    /** Ids of the incidents on the way home. */
    homeIncidents: jsonb().$type<number[]>().notNull().default([]),
    /** Metres of the distance by which ways around closed roads are longer, the way home included. */
    detourM: integer().notNull().default(0),
    /** When a new or ended incident last changed the times. */
    retimedAt: instant(),
    createdBy: integer(),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    ...changeColumns(),
  },
  (t) => [
    index('routes_date').on(t.date),
    index('routes_driver').on(t.driverId, t.date),
    index('routes_designation').on(t.routeDesignation, t.date),
    index('routes_completed').on(t.completedAt).where(sql`status = 'completed'`),
    index('routes_change').on(t.changeSeq),
  ],
);

/** A stop names exactly one market or machine. `locationName` is what it was called when planned; screens say what it is called by now. */
export const routeStops = pgTable(
  'route_stops',
  {
    id: identity(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: 'cascade' }),
    marketId: integer(),
    vendingMachineId: integer(),
    stopOrder: integer().notNull(),
    estimatedArrival: instant(),
    actualArrival: instant(),
    /** When it is expected as the day goes; the plan stays in `estimatedArrival`. */
    expectedArrival: instant(),
    /** Of the opening that the plan reckons with: work cannot begin before, and should not after. Null: at any time. */
    opensAt: instant(),
    closesAt: instant(),
    completedAt: instant(),
    completed: boolean().notNull().default(false),
    completedBy: integer(),
    skippedReason: text(),
    locationName: varchar({ length: 255 }).notNull(),
    locationType: varchar({ length: 20 }).notNull(),
    serviceMin: integer().notNull().default(0),
    /** Visits that the minutes were learned from; 0: estimated. */
    serviceVisits: integer().notNull().default(0),
    legDistanceKm: doublePrecision(),
    legDurationMin: doublePrecision(),
    /** Ids of the incidents on the leg to the stop, and the seconds they add to it. */
    incidents: jsonb().$type<number[]>().notNull().default([]),
    delay: integer().notNull().default(0),
    /** Metres of the leg by which a way around closed roads is longer. */
    detourM: integer().notNull().default(0),
  },
  (t) => [
    index('route_stops_route').on(t.routeId, t.stopOrder),
    index('route_stops_market').on(t.marketId, t.routeId),
    index('route_stops_machine').on(t.vendingMachineId, t.routeId),
    check('route_stops_one_location', sql`(market_id is null) <> (vending_machine_id is null)`),
  ],
);
