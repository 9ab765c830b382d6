import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { bytes, changeColumns, identity, instant, money, now } from '../db/statements/columns.ts';

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
    /** Days that it keeps after a slot was filled with it. */
    shelfLifeDays: integer(),
    /** Begin of its picture's hash; null: it has none. */
    picture: varchar({ length: 16 }),
    /** The product that this one is another name of. */
    mergedInto: integer(),
    /** What a search reads, in the form of `plain_text`. */
    searchText: text().notNull().generatedAlwaysAs(sql`plain_text(name || ' ' || coalesce(brand, ''))`),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    ...changeColumns(),
  },
  (t) => [
    // With the id: the oldest of a name is its first entry, whatever the database believes of how many share it.
    index('products_named').on(sql`lower(${t.name})`, t.id),
    index('products_change').on(t.changeSeq),
    index('products_merged').on(t.mergedInto).where(sql`merged_into is not null`),
  ],
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

/** Pictures of products, as the server drew them anew. */
export const productPictures = pgTable('product_pictures', {
  productId: integer()
    .primaryKey()
    .references(() => products.id, { onDelete: 'cascade' }),
  content: bytes().notNull(),
  uploadedBy: integer(),
  uploadedAt: instant().notNull(),
});

/** What a merge moved, so that it can be undone. */
export const productMerges = pgTable(
  'product_merges',
  {
    id: identity(),
    keptId: integer().notNull(),
    mergedId: integer().notNull(),
    itemIds: integer().array().notNull(),
    slotIds: integer().array().notNull(),
    barcodes: text().array().notNull(),
    mergedAt: instant().notNull().default(now),
    mergedBy: integer(),
    undoneAt: instant(),
  },
  (t) => [index('product_merges_kept').on(t.keptId).where(sql`undone_at is null`)],
);
