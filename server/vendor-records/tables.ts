import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, numeric, pgTable, text, unique, varchar } from 'drizzle-orm/pg-core';
import type { ClockSample } from '../../domain/machine-clock.ts';
import { identity, instant, latitude, longitude, now } from '../db/statements/columns.ts';

type Details = Readonly<Record<string, unknown>>;

/** Columns of every record that a partner told us of; a record told again unchanged is not written again. */
const mirrored = () => ({
  configId: integer().notNull(),
  system: varchar({ length: 20 }).notNull(),
  /** The partner's own id, unique within a configuration. */
  vendorId: varchar({ length: 200 }).notNull(),
  raw: jsonb().$type<unknown>(),
  contentHash: varchar({ length: 64 }).notNull(),
  createdAt: instant().notNull().default(now),
  updatedAt: instant().notNull().default(now),
});

const place = () => ({ deviceId: varchar({ length: 200 }), integrationId: varchar({ length: 300 }) });

export const vendorDevices = pgTable(
  'vendor_devices',
  {
    id: identity(),
    ...mirrored(),
    locationType: varchar({ length: 20 }).notNull(),
    integrationId: varchar({ length: 300 }),
    machineNumber: varchar({ length: 100 }),
    name: varchar({ length: 255 }).notNull(),
    serialNumber: varchar({ length: 100 }),
    model: varchar({ length: 100 }),
    firmware: varchar({ length: 100 }),
    address: varchar({ length: 500 }),
    city: varchar({ length: 100 }),
    state: varchar({ length: 50 }),
    zipCode: varchar({ length: 20 }),
    latitude: latitude(),
    longitude: longitude(),
    status: varchar({ length: 20 }).notNull(),
    lastSeenAt: instant(),
    removed: boolean().notNull().default(false),
    details: jsonb().$type<Details>().notNull().default({}),
    /** linked: to the location named; unsure: waits for a person; ignored: a person said it is none of ours. */
    link: varchar({ length: 20 }).notNull().default('unsure'),
    linkReason: text(),
    marketId: integer(),
    machineId: integer(),
    /** By how much its clock is ahead of ours; null while it is right or not known for certain. */
    clockSkewSeconds: integer(),
    clockSamples: jsonb().$type<ClockSample[]>().notNull().default([]),
  },
  (t) => [
    unique('vendor_devices_once').on(t.configId, t.vendorId),
    index('vendor_devices_place').on(t.integrationId),
    index('vendor_devices_machine').on(t.machineId),
    index('vendor_devices_market').on(t.marketId),
  ],
);

export type DeviceRow = typeof vendorDevices.$inferSelect;

export const vendorProducts = pgTable(
  'vendor_products',
  {
    id: identity(),
    ...mirrored(),
    name: varchar({ length: 255 }).notNull(),
    sku: varchar({ length: 100 }),
    barcodes: text().array().notNull().default([]),
    description: text(),
    category: varchar({ length: 100 }),
    supplier: varchar({ length: 255 }),
    price: numeric(),
    cost: numeric(),
    removed: boolean().notNull().default(false),
    version: numeric(),
  },
  (t) => [unique('vendor_products_once').on(t.configId, t.vendorId)],
);

/** What a partner believes stands in a slot or at a market: beside ours, never over it. */
export const vendorStock = pgTable(
  'vendor_stock',
  {
    id: identity(),
    ...mirrored(),
    ...place(),
    slotNumber: varchar({ length: 20 }),
    productCode: varchar({ length: 100 }),
    productName: varchar({ length: 255 }).notNull(),
    /** As told: may be below 0. */
    quantity: integer().notNull(),
    capacity: integer(),
    minimum: integer(),
    price: numeric(),
    lastFilledAt: instant(),
    removed: boolean().notNull().default(false),
    version: numeric(),
    details: jsonb().$type<Details>().notNull().default({}),
  },
  (t) => [
    unique('vendor_stock_once').on(t.configId, t.vendorId),
    index('vendor_stock_device').on(t.configId, t.deviceId),
  ],
);

export const vendorSales = pgTable(
  'vendor_sales',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    ...mirrored(),
    /** Name the sale for good: two systems that saw one sale have the same three. */
    ledgerSource: varchar({ length: 50 }).notNull(),
    ledgerId: varchar({ length: 100 }).notNull(),
    ledgerLine: varchar({ length: 100 }),
    ...place(),
    orderId: varchar({ length: 200 }),
    slotNumber: varchar({ length: 20 }),
    productName: varchar({ length: 255 }),
    productCode: varchar({ length: 100 }),
    category: varchar({ length: 100 }),
    quantity: integer().notNull(),
    unitPrice: numeric().notNull(),
    amount: numeric().notNull(),
    tax: numeric(),
    fee: numeric(),
    currency: varchar({ length: 3 }).notNull(),
    paymentMethod: varchar({ length: 50 }),
    cardType: varchar({ length: 50 }),
    /** Emptied after 120 days. */
    lastFour: varchar({ length: 4 }),
    /** completed, pending, failed, refunded. */
    status: varchar({ length: 20 }).notNull(),
    soldAt: instant().notNull(),
    soldAtText: text(),
    processedAt: instant(),
    version: numeric(),
    movesStock: boolean().notNull(),
    details: jsonb().$type<Details>().notNull().default({}),
    /**
     * waiting: not final yet; booked; same: booked by another link; held; refused: left out by a person; none: nothing to book.
     * waiting_same and held_same: so here, and counted at another link.
     */
    outcome: varchar({ length: 20 }).notNull().default('waiting'),
    /** What stood in the slot when it was booked, where the partner names no product. */
    bookedProduct: varchar({ length: 255 }),
  },
  (t) => [
    unique('vendor_sales_once').on(t.configId, t.vendorId),
    index('vendor_sales_newest').on(t.configId, t.soldAt.desc()),
    index('vendor_sales_day').on(t.system, t.soldAt),
    index('vendor_sales_device').on(t.configId, t.deviceId, t.soldAt.desc()),
    index('vendor_sales_ledger').on(t.ledgerSource, t.ledgerId),
    index('vendor_sales_refunds').on(t.soldAt).where(sql`status = 'refunded' and not moves_stock`),
  ],
);

export type SaleRow = typeof vendorSales.$inferSelect;

export const vendorAlerts = pgTable(
  'vendor_alerts',
  {
    id: identity(),
    ...mirrored(),
    ...place(),
    alertType: varchar({ length: 100 }).notNull(),
    code: varchar({ length: 100 }),
    message: text().notNull(),
    severity: varchar({ length: 20 }).notNull(),
    raisedAt: instant().notNull(),
    resolvedAt: instant(),
    resolvedBy: varchar({ length: 255 }),
  },
  (t) => [
    unique('vendor_alerts_once').on(t.configId, t.vendorId),
    index('vendor_alerts_newest').on(t.configId, t.raisedAt.desc()),
  ],
);

/** What is not believed or cannot be placed, kept for a person with the reason. */
export const heldRecords = pgTable(
  'held_records',
  {
    id: identity(),
    configId: integer().notNull(),
    system: varchar({ length: 20 }).notNull(),
    /** sale, dex, unreadable. */
    kind: varchar({ length: 20 }).notNull(),
    recordKey: varchar({ length: 300 }).notNull(),
    vendorId: varchar({ length: 200 }),
    deviceId: varchar({ length: 200 }),
    reason: varchar({ length: 40 }).notNull(),
    explanation: text().notNull(),
    repair: jsonb().$type<Record<string, unknown>>(),
    record: jsonb().$type<unknown>(),
    raw: jsonb().$type<unknown>(),
    /** held, replayed, dismissed. */
    status: varchar({ length: 20 }).notNull().default('held'),
    heldAt: instant().notNull().default(now),
    resolvedAt: instant(),
    resolvedBy: integer(),
  },
  (t) => [unique('held_records_once').on(t.configId, t.kind, t.recordKey)],
);

/** What a person said a partner's slot or product is of ours. */
export const vendorMappings = pgTable(
  'vendor_mappings',
  {
    id: identity(),
    configId: integer().notNull(),
    /** slot or product. */
    kind: varchar({ length: 10 }).notNull(),
    deviceId: varchar({ length: 200 }).notNull().default(''),
    vendorKey: varchar({ length: 255 }).notNull(),
    slotNumber: varchar({ length: 20 }),
    productId: integer(),
    createdAt: instant().notNull().default(now),
    createdBy: integer(),
  },
  (t) => [unique('vendor_mappings_once').on(t.configId, t.kind, t.deviceId, t.vendorKey)],
);
