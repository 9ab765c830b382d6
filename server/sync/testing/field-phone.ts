import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect } from 'vitest';
import { dayIn } from '../../../domain/time.ts';
import { firstRow } from '../../db/database.ts';
import type { OpenTestDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildUser } from '../../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

export type Fields = Record<string, unknown>;

/** A driver whose phone tells of a day, and the manager who reads of it. */
export function fieldPhone(open: OpenTestDatabase) {
  let test: TestApp;
  let driver: Person;
  let driverId: number;
  let manager: Person;
  let machineId: number;
  const deviceId = randomUUID();
  let seq = 0;
  beforeAll(async () => {
    test = await testApp(open);
    test.setNow(new Date(Date.now() + 60_000));
    const { db } = test.deps;
    driverId = (await buildUser(db, { routeDesignation: '101' })).id;
    machineId = (await buildMachine(db, { routeDesignation: '101' })).id;
    driver = await test.as(driverId);
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
  });
  afterAll(() => test.close());

  const ago = (minutes: number): string => new Date(test.deps.clock.now().getTime() - minutes * 60_000).toISOString();
  /** The day of a movement in the books: around midnight it is not always that of the phone's clock. */
  const dayOf = async (moved: Fields | undefined): Promise<string> => {
    const found = await firstRow<{ at: string }>(
      test.deps.db,
      sql`select effective_at as at from stock_movements where event_id = ${String(moved?.eventId)}::uuid`,
    );
    return dayIn('America/New_York', new Date(found?.at ?? 0));
  };
  const event = (fields: Fields): Fields => ({
    eventId: randomUUID(),
    schemaVersion: 1,
    occurredAtClient: ago(1),
    deviceSeq: ++seq,
    lastServerTime: null,
    ...fields,
  });
  const push = async (who: Person, events: Fields[], device = deviceId) => {
    const body = { deviceId: device, sentAtClient: test.deps.clock.now().toISOString(), events };
    const reply = await who.call('POST', '/api/sync/events', { body });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json().results as { status: string; reason: string | null }[];
  };
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
    get manager() {
      return manager;
    },
    get machineId() {
      return machineId;
    },
    ago,
    dayOf,
    event,
    push,
  };
}
