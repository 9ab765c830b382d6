import { AppError } from '../../domain/errors.ts';
import { applyMovement, type Balance, isAfter } from '../../domain/inventory.ts';
import type { Db } from '../db/database.ts';
import { together } from '../db/together.ts';
import {
  ensurePartitions,
  findKeys,
  type ItemRef,
  insertMovements,
  type KnownKey,
  type LockedBalance,
  lockBalances,
  type MovementRow,
  type NewBalance,
  sumDeltasAfter,
  updateBalances,
} from './ledger-queries.ts';

/** A movement to be booked, its effective time fixed. */
export type LedgerEvent = Omit<MovementRow, 'outcome'>;

export type Booked = {
  eventId: string;
  status: 'applied' | 'superseded' | 'duplicate' | 'reused-id';
  quantity: number;
  version: number;
};

export type Booking = {
  results: Booked[];
  /** Items whose quantity changed, before and after. */
  changed: (ItemRef & { before: number; after: number })[];
  /** When the items were last counted before, in microseconds; null where they never were. */
  countedBefore: (item: ItemRef) => number | null;
};

/** 8-byte integers come as text from one of the drivers. */
const atUs = (us: number | null): number | null => (us === null ? null : Number(us));
const itemKey = (item: ItemRef): string => `${item.itemType}:${item.itemId}`;

/**
 * Books movements: key, movement, balance and shown quantity change in the caller's transaction or not at all. A known
 * event id changes nothing and repeats its first answer; the same id with another payload is told apart. Any order of
 * arrival leads to the fold of domain/inventory.ts.
 */
export async function bookEvents(tx: Db, events: readonly LedgerEvent[]): Promise<Booking> {
  const { booking, written } = await sendEvents(tx, events);
  await written;
  return booking;
}

/** The same, once what is to be written is on its way; nothing is booked unless that ends well. */
export async function sendEvents(
  tx: Db,
  events: readonly LedgerEvent[],
): Promise<{ booking: Booking; written: Promise<unknown> }> {
  if (events.length === 0) {
    return { booking: { results: [], changed: [], countedBefore: () => null }, written: Promise.resolve() };
  }
  const each = eachOnce(events);
  const [locked, keys, sums] = await together([
    lockBalances(tx, uniqueItems(events)),
    findKeys(
      tx,
      events.map((event) => event.eventId),
    ),
    sumDeltasAfter(
      tx,
      each.filter(({ kind }) => kind === 'count'),
    ),
    ensurePartitions(
      tx,
      'stock_movements',
      events.map((event) => event.effectiveAtUs),
    ),
  ]);
  const state = balancesByItem(locked);
  const known = new Map(keys.map((key) => [key.eventId, key]));
  const fresh = each.filter(({ eventId }) => !known.has(eventId));
  const booked = fresh.map((event) => book(state, event, sums));
  const { balances, changed } = outcomeOf(state, booked);
  const stored = new Map(booked.map((row) => [row.eventId, row]));
  const booking = {
    results: events.map((event) => resultOf(event, { state, known, stored })),
    changed,
    countedBefore: (item: ItemRef) => atUs(stateOf(state, item).before.anchorAtUs),
  };
  return { booking, written: together([append(tx, booked), updateBalances(tx, balances)]) };
}

type ItemState = { before: LockedBalance; balance: Balance; version: number };
type State = Map<string, ItemState>;

function uniqueItems(events: readonly LedgerEvent[]): ItemRef[] {
  const items = new Map(events.map(({ itemType, itemId }) => [itemKey({ itemType, itemId }), { itemType, itemId }]));
  return [...items.values()];
}

function balancesByItem(locked: readonly LockedBalance[]): State {
  return new Map(
    locked.map((row) => {
      const anchor =
        row.anchorEventId && row.anchorAtUs !== null
          ? { eventId: row.anchorEventId, effectiveAt: Number(row.anchorAtUs) }
          : null;
      return [itemKey(row), { before: row, balance: { quantity: row.quantity, anchor }, version: row.version }];
    }),
  );
}

/** Each id once, as it was told first, in the order of their effect. */
function eachOnce(events: readonly LedgerEvent[]): LedgerEvent[] {
  const each = new Map<string, LedgerEvent>();
  for (const event of events) if (!each.has(event.eventId)) each.set(event.eventId, event);
  return [...each.values()].sort((a, b) => (isAfter(position(a), position(b)) ? 1 : -1));
}

const position = (event: LedgerEvent) => ({ eventId: event.eventId, effectiveAt: event.effectiveAtUs });

function stateOf(state: State, event: ItemRef): ItemState {
  const found = state.get(itemKey(event));
  if (!found) throw new AppError('internal', 'A balance was not locked.');
  return found;
}

function isNewAnchor(state: State, event: LedgerEvent): boolean {
  const { anchor } = stateOf(state, event).balance;
  return event.kind === 'count' && (!anchor || isAfter(position(event), anchor));
}

function book(state: State, event: LedgerEvent, sums: Map<string, number>): MovementRow {
  const item = stateOf(state, event);
  const superseded = event.kind === 'count' && !isNewAnchor(state, event);
  const movement = { ...position(event), kind: event.kind, quantity: event.quantity };
  item.balance = applyMovement(item.balance, movement, () => sums.get(event.eventId) ?? 0);
  item.version += 1;
  return { ...event, outcome: superseded ? 'superseded' : 'applied' };
}

async function append(tx: Db, booked: readonly MovementRow[]): Promise<void> {
  if (booked.length === 0) return;
  const inserted = await insertMovements(tx, booked);
  // Another transaction took one of these ids for another item in the meantime: nothing of this batch may stand.
  if (inserted.size !== booked.length) throw new AppError('conflict', 'This event id is in use. Try again.');
}

function outcomeOf(state: State, booked: readonly MovementRow[]) {
  const balances: NewBalance[] = [];
  const changed: Booking['changed'] = [];
  for (const [key, movements] of byItem(booked)) {
    const item = state.get(key);
    if (!item) continue;
    const { itemType, itemId, quantity: before } = item.before;
    const after = item.balance.quantity;
    balances.push({
      itemType,
      itemId,
      quantity: after,
      version: item.version,
      anchorEventId: item.balance.anchor?.eventId ?? null,
      anchorAtUs: item.balance.anchor?.effectiveAt ?? null,
      restockedAt: restockedAt(movements),
    });
    changed.push({ itemType, itemId, before, after });
  }
  return { balances, changed };
}

const restocking: ReadonlySet<string> = new Set(['count', 'restock']);

function byItem(booked: readonly MovementRow[]): Map<string, MovementRow[]> {
  const items = new Map<string, MovementRow[]>();
  for (const movement of booked) {
    const key = itemKey(movement);
    const others = items.get(key);
    if (others) others.push(movement);
    else items.set(key, [movement]);
  }
  return items;
}

function restockedAt(movements: readonly MovementRow[]): string | null {
  const times = movements.filter((event) => restocking.has(event.kind)).map((event) => event.effectiveAtUs / 1000);
  return times.length ? new Date(Math.max(...times)).toISOString() : null;
}

type Context = { state: State; known: Map<string, KnownKey>; stored: Map<string, MovementRow> };

function resultOf(event: LedgerEvent, { state, known, stored }: Context): Booked {
  const item = stateOf(state, event);
  const now = { eventId: event.eventId, quantity: item.balance.quantity, version: item.version };
  const before = known.get(event.eventId);
  if (before) return { ...now, status: before.payloadHash === event.payloadHash ? 'duplicate' : 'reused-id' };
  const row = stored.get(event.eventId);
  if (row && row.payloadHash !== event.payloadHash) return { ...now, status: 'reused-id' };
  return { ...now, status: row?.outcome ?? 'applied' };
}
