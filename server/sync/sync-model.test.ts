import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fold, type Movement } from '../../domain/inventory.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const numRuns = process.env.MILKRUN_LONG === '1' ? 200 : 12;
/** For a slow machine and the long runs. */
const timeout = 600_000;
const begin = Date.parse('2026-03-12T15:00:00Z');
const tenYearsMs = 10 * 365 * 86_400_000;
const spacingMs = 6_000;

type Kind = 'count' | 'restock' | 'removal';
const made = fc.record({
  phone: fc.integer({ min: 0, max: 1 }),
  item: fc.integer({ min: 0, max: 1 }),
  kind: fc.constantFrom<Kind>('count', 'restock', 'removal'),
  units: fc.integer({ min: 1, max: 40 }),
});
const sending = fc.record({
  phone: fc.integer({ min: 0, max: 1 }),
  /** How many of the waiting events go. */
  size: fc.integer({ min: 1, max: 6 }),
  /** A batch of before is sent again, the answer having been lost. */
  repeats: fc.boolean(),
});
const days = fc.record({
  skews: fc.tuple(fc.integer({ min: -tenYearsMs, max: tenYearsMs }), fc.integer({ min: -tenYearsMs, max: tenYearsMs })),
  events: fc.array(made, { minLength: 2, maxLength: 12 }),
  sendings: fc.array(sending, { maxLength: 8 }),
});
type Day = typeof days extends fc.Arbitrary<infer T> ? T : never;

type Sent = { eventId: string; deviceSeq: number; itemId: number; trueMs: number; body: Record<string, unknown> };
type Stored = { eventId: string; us: number };

onEachDatabase('phones with wrong clocks', (open) => {
  let test: TestApp;
  let manager: Person;
  let marketId: number;
  beforeAll(async () => {
    test = await testApp(open);
    manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    marketId = (await buildMarket(test.deps.db)).id;
  });
  afterAll(() => test.close());

  /** Two phones whose events happened at known times, each with a clock wrong by a constant. */
  class Phones {
    readonly deviceIds = [randomUUID(), randomUUID()];
    readonly all: Sent[] = [];
    readonly waiting: [Sent[], Sent[]] = [[], []];
    readonly batches: [Sent[][], Sent[][]] = [[], []];
    private nowMs: number;
    private readonly skews: readonly [number, number];

    constructor(day: Day, itemIds: readonly number[]) {
      this.skews = day.skews;
      day.events.forEach((event, i) => {
        const trueMs = begin + i * spacingMs;
        const eventId = randomUUID();
        const itemId = itemIds[event.item] ?? 0;
        const quantity = event.kind === 'removal' ? -event.units : event.units;
        const body = {
          ...{ eventId, schemaVersion: 1, itemType: 'market_item', itemId, kind: event.kind, quantity, shown: null },
          ...{ reason: 'manual_count', deviceSeq: i, lastServerTime: new Date(begin - 60_000).toISOString() },
          occurredAtClient: new Date(trueMs + (this.skews[event.phone] ?? 0)).toISOString(),
        };
        const sent = { eventId, deviceSeq: i, itemId, trueMs, body };
        this.all.push(sent);
        this.waiting[event.phone]?.push(sent);
      });
      this.nowMs = begin + day.events.length * spacingMs;
    }

    async push(phone: number, events: readonly Record<string, unknown>[]) {
      this.nowMs += 1_000;
      test.setNow(new Date(this.nowMs));
      const sentAtClient = new Date(this.nowMs + (this.skews[phone] ?? 0)).toISOString();
      const body = { deviceId: this.deviceIds[phone], sentAtClient, events };
      const reply = await manager.call('POST', '/api/sync/events', { body });
      expect(reply.statusCode, reply.body).toBe(200);
      return reply.json().results as { eventId: string; status: string }[];
    }

    async send({ phone, size, repeats }: Day['sendings'][number]): Promise<void> {
      const own = this.batches[phone] ?? [];
      const again = repeats ? own[size % Math.max(1, own.length)] : undefined;
      const batch = again ?? this.waiting[phone]?.splice(0, size) ?? [];
      if (batch.length === 0) return;
      if (!again) own.push(batch);
      const before = await this.times();
      const results = await this.push(
        phone,
        batch.map(({ body }) => body),
      );
      if (again) expect(results.every(({ status }) => status === 'duplicate')).toBe(true);
      // A retry never moves the time an event was given.
      const after = new Map((await this.times()).map((one) => [one.eventId, one.us]));
      for (const one of before) expect(after.get(one.eventId)).toBe(one.us);
      for (const { eventId } of batch) {
        expect(after.get(eventId)).toBeGreaterThanOrEqual((begin - 60_000) * 1000);
        expect(after.get(eventId)).toBeLessThan((this.nowMs + 1) * 1000);
      }
    }

    async times(): Promise<Stored[]> {
      const found = await rows<Stored>(
        test.deps.db,
        sql`select event_id as "eventId", (extract(epoch from effective_at) * 1000000)::bigint as us from stock_movements
            where device_id in (${this.deviceIds[0]}, ${this.deviceIds[1]}) order by effective_at, event_id`,
      );
      return found.map((one) => ({ ...one, us: Number(one.us) }));
    }
  }

  const balances = async (itemIds: readonly number[]) =>
    Promise.all(
      itemIds.map(async (id) => {
        const [found] = await rows<{ quantity: number }>(
          test.deps.db,
          sql`select quantity from item_balances where item_type = 'market_item' and item_id = ${id}`,
        );
        return found?.quantity ?? 0;
      }),
    );

  it('end with the order in which things happened, whatever is split, late and sent again', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(days, async (day) => {
        const itemIds = [(await buildItem(test.deps.db, marketId)).id, (await buildItem(test.deps.db, marketId)).id];
        const phones = new Phones(day, itemIds);
        for (const one of day.sendings) await phones.send(one);
        for (const phone of [0, 1]) await phones.send({ phone, size: 100, repeats: false });
        expect((await phones.times()).map(({ eventId }) => eventId)).toEqual(phones.all.map(({ eventId }) => eventId));
        const movements = phones.all.map(
          ({ eventId, trueMs, body }) => ({ ...body, eventId, effectiveAt: trueMs }) as unknown as Movement & Sent,
        );
        const expected = itemIds.map((id) => fold(movements.filter((one) => one.itemId === id)).quantity);
        expect(await balances(itemIds)).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it('get no second effect out of an id, with the same words or with others', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 1, max: 100 }), async (day, other) => {
        const itemIds = [(await buildItem(test.deps.db, marketId)).id, (await buildItem(test.deps.db, marketId)).id];
        const phones = new Phones(day, itemIds);
        for (const phone of [0, 1]) await phones.send({ phone, size: 100, repeats: false });
        const before = await balances(itemIds);
        for (const { body } of phones.all) {
          const changed = { ...body, quantity: Number(body.quantity) + other };
          const moved = { ...body, itemId: itemIds.find((id) => id !== body.itemId) };
          const results = [...(await phones.push(0, [body, changed])), ...(await phones.push(1, [moved]))];
          expect(results.map(({ status }) => status)).toEqual(['duplicate', 'rejected', 'rejected']);
        }
        expect(await balances(itemIds)).toEqual(before);
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });
});
