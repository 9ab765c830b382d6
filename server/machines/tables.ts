import { sql } from 'drizzle-orm';
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import {
  changeColumns,
  identity,
  instant,
  integrationColumns,
  latitude,
  longitude,
  now,
} from '../db/statements/columns.ts';

export const vendingMachines = pgTable(
  'vending_machines',
  {
    id: identity(),
    name: varchar({ length: 255 }).notNull(),
    machineId: varchar({ length: 100 }).notNull().unique('vending_machines_machine_id_key'),
    location: varchar({ length: 255 }).notNull(),
    address: varchar({ length: 500 }).notNull(),
    city: varchar({ length: 100 }),
    state: varchar({ length: 50 }),
    latitude: latitude().notNull(),
    longitude: longitude().notNull(),
    status: varchar({ length: 50 }).notNull().default('active'),
    routeDesignation: varchar({ length: 20 }),
    capacity: integer().notNull().default(100),
    /** Sums over the machine's slots, kept by a trigger in the transaction that moves the stock. */
    currentStock: integer().notNull().default(0),
    lowSlots: integer().notNull().default(0),
    emptySlots: integer().notNull().default(0),
    slotCount: integer().notNull().default(0),
    /** Sold out, or under the operator's percentage. */
    slotsUnderPercent: integer().notNull().default(0),
    lastRestocked: instant(),
    lastMaintenance: instant(),
    installDate: date(),
    model: varchar({ length: 100 }),
    serialNumber: varchar({ length: 100 }),
    vendorId: varchar({ length: 100 }),
    contactPhone: varchar({ length: 50 }),
    notes: varchar({ length: 500 }),
    accessHours: varchar({ length: 255 }),
    accessNotes: varchar({ length: 500 }),
    ...integrationColumns('vending_machines_integration_id_key'),
    integrationData: jsonb(),
    lastSeen: instant(),
    /** What a search reads, in the form of `plain_text`. */
    searchText: text()
      .notNull()
      .generatedAlwaysAs(sql`plain_text(name || ' ' || machine_id || ' ' || location || ' ' || address)`),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    deletedAt: instant(),
    ...changeColumns(),
  },
  (t) => [
    index('vending_machines_change').on(t.changeSeq),
    index('vending_machines_name').on(sql`lower(${t.name})`, t.id).where(sql`deleted_at is null`),
    index('vending_machines_stock')
      .on(sql`(current_stock::float8 / greatest(1, capacity))`, t.id)
      .where(sql`deleted_at is null`),
    index('vending_machines_sold_out').on(t.emptySlots.desc(), t.id).where(sql`deleted_at is null and empty_slots > 0`),
    index('vending_machines_low')
      .on(t.lowSlots, sql`(id::bigint * 2 + 1)`)
      .where(sql`deleted_at is null and low_slots > 0`),
    index('vending_machines_seen').on(t.lastSeen).where(sql`deleted_at is null`),
    index('vending_machines_gone').on(t.routeDesignation).where(sql`deleted_at is not null`),
  ],
);

/** What searches read of machines, side by side; kept by triggers. */
export const machineTexts = pgTable(
  'machine_texts',
  {
    machineId: integer().primaryKey(),
    /** Not deleted. */
    living: boolean().notNull(),
    name: varchar({ length: 255 }).notNull(),
    /** As `vendingMachines.searchText`. */
    plain: text().notNull(),
  },
  (t) => [
    index('machine_texts_words')
      .using('gin', sql`string_to_array(plain, ' ')`)
      .where(sql`living`)
      .with({ fastupdate: false }),
    index('machine_texts_name').on(t.name, t.machineId).where(sql`living`),
    index('machine_texts_beginning').on(sql`lower(name) text_pattern_ops`).where(sql`living`),
  ],
);

/** How many living machines there are by designation, '' for none, and status; kept by triggers. */
export const machineCounts = pgTable(
  'machine_counts',
  {
    routeDesignation: varchar({ length: 20 }).notNull(),
    status: varchar({ length: 50 }).notNull(),
    machines: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.routeDesignation, t.status] })],
);

/** Every word of `machineTexts.plain`, and some that no machine has any more; kept by triggers. */
export const machineWords = pgTable('machine_words', { word: text().primaryKey() }, (t) => [
  index('machine_words_letters').on(t.word).where(sql`word ~ '[^0-9]'`),
  index('machine_words_length').on(sql`length(${t.word})`),
]);
