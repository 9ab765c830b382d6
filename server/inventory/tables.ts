import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import type { PlannedProduct, TemplateSlot } from '../../domain/planogram.ts';
import { changeColumns, identity, instant, money, now } from '../db/statements/columns.ts';

/** A product at a market. `currentQuantity` is max(0, balance), kept in the transaction that moves the stock. */
export const inventoryItems = pgTable(
  'inventory_items',
  {
    id: identity(),
    marketId: integer().notNull(),
    productId: integer(),
    productName: varchar({ length: 255 }).notNull(),
    currentQuantity: integer().notNull().default(0),
    minimumQuantity: integer().notNull().default(10),
    parQuantity: integer(),
    lastRestocked: instant(),
    /** Stored, so that counting low stock reads the small partial index only. */
    isLow: boolean().notNull().generatedAlwaysAs(sql`current_quantity <= minimum_quantity`),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    deletedAt: instant(),
    ...changeColumns(),
  },
  (t) => [
    // Also of items taken out: what a market held on a day counts them.
    index('inventory_items_changed').on(t.marketId, t.changeSeq, t.changedXid),
    index('inventory_items_low').on(t.marketId).where(sql`is_low and deleted_at is null`),
    index('inventory_items_product').on(t.productId, t.currentQuantity),
    index('inventory_items_gone').on(t.productId, t.currentQuantity).where(sql`deleted_at is not null`),
    index('inventory_items_cover')
      .on(sql`(current_quantity::bigint * 1000 / greatest(minimum_quantity, 1))`, t.id)
      .where(sql`deleted_at is null`),
    index('inventory_items_worst')
      .on(
        sql`(greatest(current_quantity, 0)::bigint * 1000 / greatest(minimum_quantity, 1) * 1000000 - least(minimum_quantity, 999999))`,
        t.id,
      )
      .where(sql`is_low and deleted_at is null`),
    index('inventory_items_minimum').on(t.minimumQuantity, t.id).where(sql`deleted_at is null`),
    index('inventory_items_restocked')
      .on(sql`coalesce(last_restocked, '-infinity'::timestamptz)`, t.id)
      .where(sql`deleted_at is null`),
    index('inventory_items_change').on(t.changeSeq),
  ],
);

/** A slot of a machine: one sellable position with its product. */
export const machineSlots = pgTable(
  'vending_machine_inventory',
  {
    id: identity(),
    machineId: integer().notNull(),
    productId: integer(),
    productName: varchar({ length: 255 }).notNull(),
    productCode: varchar({ length: 50 }),
    slotNumber: varchar({ length: 20 }).notNull(),
    currentQuantity: integer().notNull().default(0),
    maxQuantity: integer().notNull().default(10),
    parQuantity: integer(),
    minimumQuantity: integer().notNull().default(0),
    price: money().notNull(),
    cost: money(),
    category: varchar({ length: 100 }),
    brand: varchar({ length: 100 }),
    expirationDate: date(),
    /** Another product, put in when the slot is next filled. */
    planned: jsonb().$type<PlannedProduct>(),
    plannedAt: instant(),
    lastRestocked: instant(),
    isLow: boolean().notNull().generatedAlwaysAs(sql`current_quantity <= minimum_quantity`),
    createdAt: instant().notNull().default(now),
    updatedAt: instant().notNull().default(now),
    deletedAt: instant(),
    ...changeColumns(),
  },
  (t) => [
    uniqueIndex('machine_slots_position').on(t.machineId, t.slotNumber).where(sql`deleted_at is null`),
    // Also of slots taken out: what a machine held on a day counts them.
    index('machine_slots_changed').on(t.machineId, t.changeSeq, t.changedXid),
    index('machine_slots_low').on(t.machineId).where(sql`is_low and deleted_at is null`),
    index('machine_slots_product').on(t.productId, t.machineId),
    index('machine_slots_change').on(t.changeSeq),
  ],
);

/** What is believed to be there: equal to the fold of the item's movements at every quiet point. */
export const itemBalances = pgTable(
  'item_balances',
  {
    itemType: varchar({ length: 12 }).notNull(),
    itemId: integer().notNull(),
    quantity: integer().notNull().default(0),
    anchorEventId: uuid(),
    /** Microseconds since the epoch live in the timestamp's fraction. */
    anchorAt: instant(),
    version: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.itemType, t.itemId] })],
);

/**
 * Every event id ever accepted, written in the transaction of its movement: deduplication is for ever, across the
 * ledger's monthly partitions. Sales of items we do not know have a key and no movement.
 */
export const eventKeys = pgTable('event_keys', {
  eventId: uuid().primaryKey(),
  itemType: varchar({ length: 12 }),
  itemId: integer(),
  payloadHash: varchar({ length: 64 }).notNull(),
  /** What the first acceptance answered, repeated for a replay. */
  outcome: varchar({ length: 12 }).notNull(),
  effectiveAt: instant().notNull(),
});

/** The last effective time given to each device's events, so that they rise strictly, and the highest number among them. */
export const deviceClocks = pgTable('device_clocks', {
  deviceId: uuid().primaryKey(),
  lastEffectiveAt: instant().notNull(),
  lastSeq: bigint({ mode: 'number' }),
  lastContactAt: instant().notNull(),
});

/** Events that were not booked: refused or waiting for a person. Never dropped. */
export const heldEvents = pgTable(
  'held_events',
  {
    eventId: uuid().primaryKey(),
    status: varchar({ length: 12 }).notNull(),
    reason: text().notNull(),
    event: jsonb().notNull(),
    payloadHash: varchar({ length: 64 }).notNull(),
    deviceId: uuid(),
    actorId: integer(),
    receivedAt: instant().notNull().default(now),
    /** When it would have counted. */
    effectiveAt: instant(),
    resolvedAt: instant(),
    /** What a person made of it: `accepted` or `dismissed`. */
    resolution: varchar({ length: 12 }),
    resolvedBy: integer(),
  },
  (t) => [index('held_events_open').on(t.receivedAt).where(sql`resolved_at is null`)],
);

/** Two people counted one item within half an hour, one right after the other, and what moved between does not explain it. */
export const countConflicts = pgTable(
  'count_conflicts',
  {
    id: identity(),
    itemType: varchar({ length: 12 }).notNull(),
    itemId: integer().notNull(),
    firstEventId: uuid().notNull(),
    firstQuantity: integer().notNull(),
    firstActorId: integer(),
    firstAt: instant(),
    secondEventId: uuid().notNull(),
    secondQuantity: integer().notNull(),
    secondActorId: integer(),
    secondAt: instant(),
    createdAt: instant().notNull().default(now),
    resolvedAt: instant(),
    /** `first` or `second` count holds, or `recounted`. */
    resolution: varchar({ length: 12 }),
    resolvedBy: integer(),
  },
  (t) => [
    uniqueIndex('count_conflicts_pair').on(t.firstEventId, t.secondEventId),
    index('count_conflicts_open').on(t.createdAt).where(sql`resolved_at is null`),
  ],
);

/** How often the planogram of a machine was saved; a machine never saved has no row. */
export const planograms = pgTable('planograms', {
  machineId: integer().primaryKey(),
  version: integer().notNull().default(0),
});

/** The planogram that machines of a model begin with. */
export const planogramTemplates = pgTable(
  'planogram_templates',
  {
    id: identity(),
    model: varchar({ length: 100 }).notNull(),
    slots: jsonb().$type<TemplateSlot[]>().notNull(),
    /** The machine it was saved from. */
    machineId: integer().notNull(),
    savedBy: varchar({ length: 255 }).notNull(),
    savedAt: instant().notNull(),
  },
  (t) => [uniqueIndex('planogram_templates_model').on(sql`lower(${t.model})`)],
);
