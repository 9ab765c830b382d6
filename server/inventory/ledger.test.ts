import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fold, type Movement, type MovementKind } from '../../domain/inventory.ts';
import type { Database } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket } from '../testing/factories.ts';
import { bookEvents, type LedgerEvent } from './ledger.ts';
import { toUs } from './ledger-queries.ts';
import { payloadHash } from './payload-hash.ts';

const numRuns = 200;
const base = Date.UTC(2026, 2, 12) * 1000;

function ledgerEvent(
  itemId: number,
  fields: { kind: MovementKind; quantity: number; at: number; eventId?: string },
): LedgerEvent {
  const content = { itemType: 'market_item' as const, itemId, kind: fields.kind, quantity: fields.quantity };
  return {
    ...content,
    eventId: fields.eventId ?? randomUUID(),
    reason: null,
    shown: null,
    note: null,
    photoIds: [],
    effectiveAtUs: base + fields.at,
    receivedAt: new Date(base / 1000).toISOString(),
    occurredAtClient: null,
    actorId: null,
    deviceId: null,
    deviceSeq: null,
    source: 'test',
    latitude: null,
    longitude: null,
    payloadHash: payloadHash(content),
  };
}

const change = fc.record({
  item: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom<MovementKind>('count', 'restock', 'sale', 'removal'),
  quantity: fc.integer({ min: -20, max: 40 }),
  at: fc.integer({ min: 0, max: 30 }),
});
/** Batches as they might arrive: split anywhere, repeated, out of order. */
const arrivals = fc.array(change, { minLength: 1, maxLength: 14 }).chain((changes) => {
  const indexes = changes.map((_, i) => i);
  const batches = fc.array(fc.subarray(indexes, { minLength: 1 }), { minLength: 1, maxLength: 4 });
  return fc.record({
    changes: fc.constant(changes),
    batches,
    order: fc.shuffledSubarray(indexes, { minLength: indexes.length }),
  });
});

onEachDatabase('the ledger on a database', (open) => {
  let database: Database;
  let marketId: number;
  beforeAll(async () => {
    database = await open();
    marketId = (await buildMarket(database.db)).id;
  });
  afterAll(() => database.close());

  const balanceOf = (itemId: number) =>
    firstRow<{ quantity: number; anchor: string | null; anchorUs: number | null; shown: number }>(
      database.db,
      sql`select b.quantity, b.anchor_event_id as anchor, ${toUs(sql`b.anchor_at`)} as "anchorUs", i.current_quantity as shown
          from item_balances b join inventory_items i on i.id = b.item_id
          where b.item_type = 'market_item' and b.item_id = ${itemId}`,
    );

  it('equals the fold for any split, repetition and order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ changes, batches, order }) => {
        const items = [
          await buildItem(database.db, marketId),
          await buildItem(database.db, marketId),
          await buildItem(database.db, marketId),
        ];
        const events = changes.map((c) => ledgerEvent(items[c.item]?.id ?? 0, c));
        const pick = (indexes: readonly number[]) => indexes.flatMap((i) => events[i] ?? []);
        for (const batch of [...batches, order]) await database.db.transaction((tx) => bookEvents(tx, pick(batch)));
        for (const item of items) {
          const own = events.filter((event) => event.itemId === item.id);
          if (own.length === 0) continue;
          const expected = fold(own.map((e): Movement => ({ ...e, effectiveAt: e.effectiveAtUs })));
          const stored = await balanceOf(item.id);
          expect(stored?.quantity).toBe(expected.quantity);
          expect(stored?.shown).toBe(Math.max(0, expected.quantity));
          expect(stored?.anchor ?? null).toBe(expected.anchor?.eventId ?? null);
          if (expected.anchor) expect(Number(stored?.anchorUs)).toBe(expected.anchor.effectiveAt);
        }
      }),
      { numRuns },
    );
  });

  it('books an event once, however often it is sent, and says so', async () => {
    const item = await buildItem(database.db, marketId);
    const event = ledgerEvent(item.id, { kind: 'restock', quantity: 5, at: 1 });
    const statuses = [];
    for (let n = 0; n < 3; n++) {
      const { results } = await database.db.transaction((tx) => bookEvents(tx, [event]));
      statuses.push(results[0]?.status);
    }
    expect(statuses).toEqual(['applied', 'duplicate', 'duplicate']);
    expect((await balanceOf(item.id))?.quantity).toBe(5);
  });

  it('refuses a known id with another payload and changes nothing', async () => {
    const item = await buildItem(database.db, marketId);
    const event = ledgerEvent(item.id, { kind: 'count', quantity: 5, at: 1 });
    await database.db.transaction((tx) => bookEvents(tx, [event]));
    const other = ledgerEvent(item.id, { kind: 'count', quantity: 9, at: 2, eventId: event.eventId });
    const { results } = await database.db.transaction((tx) => bookEvents(tx, [other]));
    expect(results[0]?.status).toBe('reused-id');
    expect((await balanceOf(item.id))?.quantity).toBe(5);
  });

  it('books the first of two counts with one id in a batch, by what moved at its own item', async () => {
    const [item, other] = [await buildItem(database.db, marketId), await buildItem(database.db, marketId)];
    const moved = ledgerEvent(other.id, { kind: 'restock', quantity: 50, at: 9 });
    await database.db.transaction((tx) => bookEvents(tx, [moved]));
    const count = ledgerEvent(item.id, { kind: 'count', quantity: 5, at: 1 });
    const again = ledgerEvent(other.id, { kind: 'count', quantity: 9, at: 2, eventId: count.eventId });
    const { results } = await database.db.transaction((tx) => bookEvents(tx, [count, again]));
    expect(results.map(({ status }) => status)).toEqual(['applied', 'reused-id']);
    expect((await balanceOf(item.id))?.quantity).toBe(5);
    expect((await balanceOf(other.id))?.quantity).toBe(50);
  });

  it('calls an older count superseded and keeps it as history', async () => {
    const item = await buildItem(database.db, marketId);
    await database.db.transaction((tx) =>
      bookEvents(tx, [ledgerEvent(item.id, { kind: 'count', quantity: 7, at: 20 })]),
    );
    const { results } = await database.db.transaction((tx) =>
      bookEvents(tx, [ledgerEvent(item.id, { kind: 'count', quantity: 2, at: 10 })]),
    );
    expect(results[0]).toMatchObject({ status: 'superseded', quantity: 7 });
    const kept = await rows(
      database.db,
      sql`select 1 from stock_movements where item_type = 'market_item' and item_id = ${item.id}`,
    );
    expect(kept).toHaveLength(2);
  });

  it('takes concurrent batches on the same items without losing or doubling a unit', async () => {
    const items = [await buildItem(database.db, marketId), await buildItem(database.db, marketId)];
    const events = Array.from({ length: 40 }, (_, n) =>
      ledgerEvent(items[n % 2]?.id ?? 0, { kind: 'restock', quantity: 1, at: n }),
    );
    const halves = [events, [...events].reverse(), events.slice(10, 30)];
    await Promise.all(halves.map((half) => database.db.transaction((tx) => bookEvents(tx, half))));
    for (const item of items) expect((await balanceOf(item.id))?.quantity).toBe(20);
  });
});
