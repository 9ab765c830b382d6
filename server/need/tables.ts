import { sql } from 'drizzle-orm';
import {
  date,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  unique,
  varchar,
} from 'drizzle-orm/pg-core';
import { instant } from '../db/statements/columns.ts';

/**
 * What the ledger says about one slot or item on one calendar day of the operator. A day without a movement has no row:
 * nothing was sold and what was there at the end of the last row's day was there all along. Kept by triggers.
 */
export const itemDays = pgTable(
  'item_days',
  {
    itemType: varchar({ length: 12 }).notNull(),
    itemId: integer().notNull(),
    day: date().notNull(),
    /** Units of sales that were not paid back, in any currency. */
    units: integer().notNull().default(0),
    /** Units of sales that were paid back: out of the stock as far as anybody knows, but not sold. */
    refunded: integer().notNull().default(0),
    /** Money of successful, not refunded sales in the operator's currency. */
    amount: numeric({ precision: 14, scale: 2 }).notNull().default('0'),
    /** Seconds of the day at a believed quantity of exactly zero. Below zero the books lack a delivery: not sold out. */
    soldOutSeconds: integer().notNull().default(0),
    /** Believed quantity at the end of the day; null before the first count. */
    closing: integer(),
    /** Units thrown away. */
    spoiled: integer().notNull().default(0),
    /** Units that counts found less than was believed; a count that finds more makes up for nothing. */
    missing: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.itemType, t.itemId, t.day] }), index('item_days_day').on(t.day)],
);

/**
 * What a place sold in no slot or item of today: an item of the type 'slotless', which has days and nothing else. Kept by triggers.
 */
export const slotlessGoods = pgTable(
  'slotless_goods',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    locationType: varchar({ length: 20 }).notNull(),
    locationId: integer().notNull(),
    /** 0: not in the catalogue. */
    productId: integer().notNull(),
    /** Empty where the catalogue knows it. */
    productName: varchar({ length: 255 }).notNull(),
    /** What the sale says, or empty. */
    category: varchar({ length: 100 }).notNull(),
  },
  (t) => [
    unique().on(t.locationType, t.locationId, t.productId, t.productName, t.category),
    index('slotless_goods_product').on(t.productId).where(sql`product_id <> 0`),
  ],
);

/**
 * Units paid in another currency than the operator's, of slots and items; of sales that went into files before they were told by
 * their places, as 'none' with the designation of the sale. Kept by triggers.
 */
export const foreignDays = pgTable(
  'foreign_days',
  {
    day: date().notNull(),
    itemType: varchar({ length: 12 }).notNull(),
    itemId: integer().notNull(),
    routeDesignation: varchar({ length: 20 }).notNull(),
    units: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.itemType, t.itemId, t.day, t.routeDesignation] }),
    index('foreign_days_day').on(t.day),
  ],
);

/** How far forecasts of a location's stock were from what later counts found; one row a location. */
export const needErrors = pgTable(
  'need_errors',
  {
    locationType: varchar({ length: 20 }).notNull(),
    locationId: integer().notNull(),
    counts: integer().notNull(),
    /** Sums over these counts in units: absolute error, signed error (above zero: more was expected than was found). */
    absoluteError: doublePrecision().notNull(),
    signedError: doublePrecision().notNull(),
    /** The absolute error that a plain mean of all days would have had. */
    naiveError: doublePrecision().notNull(),
    measuredAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.locationType, t.locationId] })],
);

/** Mean units a day of one item, by product and kind of item; product 0 is all of the kind. */
export const needMeans = pgTable(
  'need_means',
  {
    itemType: varchar({ length: 12 }).notNull(),
    productId: integer().notNull(),
    perDay: doublePrecision().notNull(),
  },
  (t) => [primaryKey({ columns: [t.itemType, t.productId] })],
);
