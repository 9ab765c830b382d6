import { date, integer, numeric, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';

/**
 * Daily sums of successful, not refunded sales, moved in the transaction that stores the sale: reports and top
 * products read these rows only. The empty text stands for 'none' in the key columns.
 */
export const salesDaily = pgTable(
  'sales_daily',
  {
    day: date().notNull(),
    routeDesignation: varchar({ length: 20 }).notNull(),
    productName: varchar({ length: 255 }).notNull(),
    paymentMethod: varchar({ length: 50 }).notNull(),
    units: integer().notNull(),
    amount: numeric({ precision: 14, scale: 2 }).notNull(),
    lines: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.routeDesignation, t.productName, t.paymentMethod] })],
);
