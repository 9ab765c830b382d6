import { sql } from 'drizzle-orm';
import { index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { changeColumns, identity, instant, money, now } from '../db/columns.ts';

export const products = pgTable(
  'products',
  {
    id: identity(),
    name: varchar({ length: 255 }).notNull(),
    brand: varchar({ length: 100 }),
    category: varchar({ length: 100 }),
    unitPrice: money(),
    unitCost: money(),
    caseSize: integer(),
    packageSize: varchar({ length: 100 }),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    ...changeColumns(),
  },
  (t) => [index('products_name').on(sql`lower(${t.name})`), index('products_change').on(t.changeSeq)],
);

/** A barcode belongs to one product; `normalCode` is the comparable form (GTIN-14, zero-padded). */
export const productBarcodes = pgTable(
  'product_barcodes',
  {
    normalCode: varchar({ length: 50 }).primaryKey(),
    code: varchar({ length: 50 }).notNull(),
    productId: integer()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
  },
  (t) => [index('product_barcodes_product').on(t.productId), uniqueIndex('product_barcodes_code').on(t.code)],
);
