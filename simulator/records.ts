import type { PaymentMethod } from './demand.ts';
import type { Category } from './operator/catalogue.ts';

/** Instants are milliseconds since the epoch; money is decimal text. */

export type ItemType = 'market_item' | 'machine_slot';

export type Sale = {
  eventId: string;
  itemType: ItemType;
  itemId: number;
  atMs: number;
  quantity: number;
  payment: PaymentMethod;
  /** A failed sale moved no stock; a refunded one did. */
  state: 'sold' | 'failed' | 'refunded';
};

/** A movement that is no sale. */
export type Movement = {
  eventId: string;
  itemType: ItemType;
  itemId: number;
  kind: 'count' | 'restock' | 'spoilage';
  quantity: number;
  reason: string | null;
  shown: number | null;
  atMs: number;
  actorId: number | null;
  visitId: string | null;
};

export type Alert = {
  machineId: number;
  slotId: number | null;
  alertType: string;
  message: string;
  severity: 'critical' | 'high' | 'medium' | 'low';
  atMs: number;
  resolvedMs: number | null;
};

/** An item of a market or a slot of a machine, with what is there at the end. */
export type Stock = {
  itemType: ItemType;
  id: number;
  locationId: number;
  productId: number;
  productName: string;
  slotNumber: string | null;
  category: Category | null;
  capacity: number;
  par: number;
  minimum: number;
  price: string;
  /** What the ledger says; `actual` is what really stands there. */
  believed: number;
  actual: number;
  /** The latest count, and how many movements there were in all. */
  anchor: { eventId: string; atMs: number } | null;
  movements: number;
  restockedMs: number | null;
  /** Since when it has been sold out. */
  soldOutMs: number | null;
  pull: number;
};
