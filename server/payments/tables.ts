import { date, index, integer, numeric, pgTable, primaryKey, smallint, varchar } from 'drizzle-orm/pg-core';

/**
 * Sums of payments by the operator's day, moved by triggers in the transaction that stores the payment: reports read these
 * rows only, whatever stands behind them. The empty text stands for 'none' in the key columns.
 */
export const paymentDays = pgTable(
  'payment_days',
  {
    day: date().notNull(),
    system: varchar({ length: 50 }).notNull(),
    paymentMethod: varchar({ length: 50 }).notNull(),
    cardType: varchar({ length: 50 }).notNull(),
    status: varchar({ length: 20 }).notNull(),
    currency: varchar({ length: 3 }).notNull(),
    lines: integer().notNull(),
    units: integer().notNull(),
    amount: numeric({ precision: 16, scale: 2 }).notNull(),
    revenue: numeric({ precision: 16, scale: 2 }).notNull(),
    fee: numeric({ precision: 16, scale: 4 }).notNull(),
    feeLines: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.currency, t.system, t.paymentMethod, t.cardType, t.status] }),
    index('payment_days_system').on(t.system),
  ],
);

/** Sums of payments by the operator's hour, moved like those by day. */
export const paymentHours = pgTable(
  'payment_hours',
  {
    day: date().notNull(),
    hour: smallint().notNull(),
    system: varchar({ length: 50 }).notNull(),
    currency: varchar({ length: 3 }).notNull(),
    lines: integer().notNull(),
    amount: numeric({ precision: 16, scale: 2 }).notNull(),
    revenue: numeric({ precision: 16, scale: 2 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.currency, t.hour, t.system] })],
);

/** The weeks of `paymentPlaces` four by four, kept by triggers. */
export const paymentBlocks = pgTable(
  'payment_blocks',
  {
    firstDay: date().notNull(),
    place: varchar({ length: 300 }).notNull(),
    system: varchar({ length: 50 }).notNull(),
    currency: varchar({ length: 3 }).notNull(),
    lines: integer().notNull(),
    failed: integer().notNull(),
    revenue: numeric({ precision: 16, scale: 2 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.firstDay, t.currency, t.place, t.system] })],
);

/** Sums of payments by place, by day and by week from its Monday. */
export const paymentPlaces = pgTable(
  'payment_places',
  {
    grain: varchar({ length: 4 }).notNull(),
    firstDay: date().notNull(),
    place: varchar({ length: 300 }).notNull(),
    system: varchar({ length: 50 }).notNull(),
    currency: varchar({ length: 3 }).notNull(),
    lines: integer().notNull(),
    failed: integer().notNull(),
    revenue: numeric({ precision: 16, scale: 2 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.grain, t.firstDay, t.currency, t.place, t.system] })],
);
