import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll } from 'vitest';
import { firstRow } from '../../db/database.ts';
import type { OpenTestDatabase } from '../../testing/databases/databases.ts';
import { buildMarket, buildUser } from '../../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

export type Fields = Record<string, unknown>;

/** A count of an item as a phone sends it. */
export function stockEvent(itemId: number, fields: Fields = {}): Fields {
  return {
    eventId: randomUUID(),
    schemaVersion: 1,
    itemType: 'market_item',
    itemId,
    kind: 'count',
    quantity: 5,
    reason: 'manual_count',
    shown: null,
    occurredAtClient: '2026-03-12T14:59:00Z',
    deviceSeq: 1,
    lastServerTime: null,
    ...fields,
  };
}

/** A driver of a route with a market, and what the phone of that driver sends. */
export function driverOf(open: OpenTestDatabase) {
  let test: TestApp;
  let driver: Person;
  let driverId: number;
  let marketId: number;
  const deviceId = randomUUID();
  beforeAll(async () => {
    test = await testApp(open);
    driverId = (await buildUser(test.deps.db, { routeDesignation: '101' })).id;
    marketId = (await buildMarket(test.deps.db, { routeDesignation: '101' })).id;
    driver = await test.as(driverId);
  });
  afterAll(() => test.close());

  const push = async (who: Person, events: Fields[], sentAtClient = '2026-03-12T15:00:00Z') => {
    const reply = await who.call('POST', '/api/sync/events', { body: { deviceId, sentAtClient, events } });
    return { status: reply.statusCode, results: reply.json().results ?? [], body: reply.json() };
  };
  const shown = async (itemId: number) =>
    (
      await firstRow<{ q: number }>(
        test.deps.db,
        sql`select current_quantity as q from inventory_items where id = ${itemId}`,
      )
    )?.q;
  return {
    get test() {
      return test;
    },
    get driver() {
      return driver;
    },
    get driverId() {
      return driverId;
    },
    get marketId() {
      return marketId;
    },
    deviceId,
    push,
    shown,
  };
}
