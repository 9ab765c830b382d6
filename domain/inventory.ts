import { z } from 'zod';
import { locationRef, position } from './location.ts';

/** Why a quantity changed in the field, word for word as stored. */
export const reason = z.enum([
  'manual_count',
  'barcode_scan',
  'barcode_restock',
  'quick_restock',
  'full_restock',
  'empty_slot',
]);
export type Reason = z.infer<typeof reason>;

/** Beside those: filled up during a visit, and why units were taken out. */
export const fieldReason = z.enum([...reason.options, 'fill', 'expired', 'damaged', 'other']);
export type FieldReason = z.infer<typeof fieldReason>;

/** What moves stock. A count says what is there; every other kind is a signed change. */
export const movementKind = z.enum(['count', 'restock', 'removal', 'spoilage', 'sale', 'return']);
export type MovementKind = z.infer<typeof movementKind>;

export const itemType = z.enum(['market_item', 'machine_slot']);
export type ItemType = z.infer<typeof itemType>;

/** Schema version of the events that phones write today; older ones stay readable for 180 days. */
export const eventSchemaVersion = 1;

/**
 * One change of stock made on a phone, immutable. `quantity` is the absolute number for a count and a signed change
 * otherwise. Times are the phone's own and only ever used as ages: see `effectiveAtUs`.
 */
export const stockEvent = z.strictObject({
  eventId: z.uuid(),
  schemaVersion: z.int().min(1).max(eventSchemaVersion),
  itemType,
  itemId: z.int32().positive(),
  /** The product the phone showed there; absent from older phones. */
  productId: z.int32().positive().nullish(),
  kind: movementKind.exclude(['sale']),
  quantity: z.int().min(-1_000_000).max(1_000_000),
  reason: fieldReason,
  shown: z.int32().nullable(),
  note: z.string().max(500).nullable().default(null),
  photoIds: z.array(z.string().max(64)).max(20).default([]),
  visitId: z.uuid().nullable().default(null),
  location: locationRef.nullable().default(null),
  position: position.nullable().default(null),
  occurredAtClient: z.iso.datetime({ offset: true }),
  deviceSeq: z.int().min(0),
  lastServerTime: z.iso.datetime({ offset: true }).nullable(),
});
export type StockEvent = z.output<typeof stockEvent>;

/** A draft action: `count` says what is there now, `add` puts units in. */
export type DraftAction = { type: 'count'; quantity: number } | { type: 'add'; units: number };

/**
 * The kind of a draft by one rule: once a stepper or a 'set to' action touched it, it is a count; only scans and
 * additions make a restock.
 */
export function draftKind(actions: readonly DraftAction[]): 'count' | 'restock' {
  return actions.some((action) => action.type === 'count') ? 'count' : 'restock';
}

/** A movement as the fold sees it. `effectiveAt` is microseconds since the epoch. */
export type Movement = { eventId: string; kind: MovementKind; quantity: number; effectiveAt: number };

/** What is believed to be there; `anchor` is the latest count, null before the first. */
export type Balance = { quantity: number; anchor: { eventId: string; effectiveAt: number } | null };

export const emptyBalance: Balance = { quantity: 0, anchor: null };

type Position = { eventId: string; effectiveAt: number };

/** Order of movements: effective time, then event id. */
export function isAfter(a: Position, b: Position): boolean {
  if (a.effectiveAt !== b.effectiveAt) return a.effectiveAt > b.effectiveAt;
  return a.eventId > b.eventId;
}

/**
 * The whole conflict policy: the quantity is the value of the latest count by (effective time, event id), plus every
 * delta after it in that order. Without a count it is the sum of the deltas. May be negative: clamping here would make
 * the result depend on the order of arrival; `shownQuantity` clamps for display.
 */
export function fold(movements: Iterable<Movement>): Balance {
  const all = [...movements];
  const anchor = latestCount(all);
  let quantity = anchor?.quantity ?? 0;
  for (const movement of all) {
    if (movement.kind === 'count') continue;
    if (!anchor || isAfter(movement, anchor)) quantity += movement.quantity;
  }
  return { quantity, anchor: anchor && { eventId: anchor.eventId, effectiveAt: anchor.effectiveAt } };
}

function latestCount(movements: readonly Movement[]): Movement | null {
  let latest: Movement | null = null;
  for (const movement of movements) {
    if (movement.kind === 'count' && (!latest || isAfter(movement, latest))) latest = movement;
  }
  return latest;
}

/**
 * One movement onto a balance. `deltaSumAfter(position)` yields the sum of the stored deltas after a position; it is
 * asked only when the movement is a new latest count.
 */
export function applyMovement(
  balance: Balance,
  movement: Movement,
  deltaSumAfter: (position: Position) => number,
): Balance {
  const late = balance.anchor !== null && !isAfter(movement, balance.anchor);
  if (late) return balance;
  if (movement.kind !== 'count') return { ...balance, quantity: balance.quantity + movement.quantity };
  const anchor = { eventId: movement.eventId, effectiveAt: movement.effectiveAt };
  return { quantity: movement.quantity + deltaSumAfter(anchor), anchor };
}

/** What the wire calls `currentQuantity`: never below zero on a screen. */
export function shownQuantity(balance: { quantity: number }): number {
  return Math.max(0, balance.quantity);
}

type Clocks = {
  /** The server's clock when the batch arrived, ms. */
  receivedAt: number;
  /** The phone's clock when it sent, ms. */
  sentAtClient: number;
  /** The phone's clock when it happened, ms. */
  occurredAtClient: number;
  /** The last server time the phone had learned before the event, ms; null before the first contact. */
  lastServerTime: number | null;
  /** The effective time of the same device's event before this one, microseconds; null for the first. */
  previousUs: number | null;
};

/**
 * When an event counts as having happened, in whole microseconds: its age measured on the phone's own clock, subtracted
 * from the time of arrival, clamped to [lastServerTime, receivedAt], and strictly rising per device (by a microsecond
 * where ages tie, so a full batch stays within the millisecond of its arrival). A phone clock that is wrong by years
 * changes nothing; one that jumps is bounded.
 */
export function effectiveAtUs(clocks: Clocks): number {
  const age = clocks.sentAtClient - clocks.occurredAtClient;
  const floor = Math.min(clocks.lastServerTime ?? Number.NEGATIVE_INFINITY, clocks.receivedAt);
  const clampedUs = Math.round(1000 * Math.min(clocks.receivedAt, Math.max(floor, clocks.receivedAt - age)));
  return clocks.previousUs === null ? clampedUs : Math.max(clampedUs, clocks.previousUs + 1);
}
