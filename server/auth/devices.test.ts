import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLog } from '../audit/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { browser, byEmail, cookiesOf } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { deactivatePerson } from './service.ts';
import { deviceHolders, fieldDevices } from './tables.ts';

const start = new Date('2026-03-12T15:00:00Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

onEachDatabase('device credentials', (open) => {
  let test: TestApp;
  let marketId: number;
  beforeAll(async () => {
    test = await testApp(open);
    marketId = (await buildMarket(test.deps.db, { routeDesignation: '101' })).id;
  });
  afterAll(() => test.close());

  const driver = () => buildUser(test.deps.db, { routeDesignation: '101', email: `${randomUUID()}@example.test` });
  const signIn = async (email: string, deviceId?: string) => {
    const cookies = cookiesOf(await browser(test).signIn(byEmail(email), deviceId ? { deviceId } : {}));
    return {
      credential: `milkrun_device=${cookies.milkrun_device}`,
      session: `milkrun_session=${cookies.milkrun_session}`,
    };
  };
  const push = async (cookie: string, deviceId: string, at = start) => {
    const { id } = await buildItem(test.deps.db, marketId);
    const event = {
      eventId: randomUUID(),
      schemaVersion: 1,
      itemType: 'market_item',
      itemId: id,
      kind: 'count',
      quantity: 5,
      reason: 'manual_count',
      shown: null,
      occurredAtClient: at.toISOString(),
      deviceSeq: Math.floor(at.getTime() / 1000),
      lastServerTime: null,
    };
    const payload = { deviceId, sentAtClient: test.deps.clock.now().toISOString(), events: [event] };
    return test.app.inject({ method: 'POST', url: '/api/sync/events', payload, headers: { cookie } });
  };
  const holders = (deviceId: string) =>
    test.deps.db.select().from(deviceHolders).where(eq(deviceHolders.deviceId, deviceId)).orderBy(deviceHolders.id);

  it('append stock events without a session and open nothing else', async () => {
    const [{ email, id }, deviceId] = [await driver(), randomUUID()];
    const { credential } = await signIn(email, deviceId);
    expect((await push(credential, deviceId)).json().results).toMatchObject([{ status: 'applied', quantity: 5 }]);
    const [noted] = await test.deps.db.select().from(auditLog).where(eq(auditLog.objectId, deviceId));
    expect(noted).toMatchObject({ action: 'stock.sync', actorId: id });
    for (const url of ['/api/auth/session', '/api/sync/changes', '/api/markets', '/api/events']) {
      expect((await test.app.inject({ url, headers: { cookie: credential } })).statusCode).toBe(401);
    }
  });

  it('are secret: knowing the device id or the stored hash opens nothing', async () => {
    const [{ email }, deviceId] = [await driver(), randomUUID()];
    await signIn(email, deviceId);
    const [row] = await test.deps.db.select().from(fieldDevices).where(eq(fieldDevices.deviceId, deviceId));
    for (const value of ['', deviceId, row?.tokenHash ?? '']) {
      expect((await push(`milkrun_device=${value}`, deviceId)).statusCode).toBe(401);
    }
  });

  it('speak for their own device only', async () => {
    const [{ email }, deviceId] = [await driver(), randomUUID()];
    const { credential } = await signIn(email, deviceId);
    const refused = await push(credential, randomUUID());
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'not-signed-in']);
  });

  it('are made for a browser that names no device', async () => {
    const { email, id } = await driver();
    await signIn(email);
    const held = await test.deps.db.select().from(deviceHolders).where(eq(deviceHolders.userId, id));
    expect(held).toMatchObject([{ validFrom: start, validTo: null }]);
  });

  it('are renewed when the same device signs in again; the one before ends', async () => {
    const [{ email, id }, deviceId] = [await driver(), randomUUID()];
    const first = await signIn(email, deviceId);
    const second = await signIn(email, deviceId);
    expect((await push(first.credential, deviceId)).statusCode).toBe(401);
    expect((await push(second.credential, deviceId)).statusCode).toBe(200);
    expect(await test.deps.db.select().from(fieldDevices).where(eq(fieldDevices.deviceId, deviceId))).toHaveLength(1);
    expect(await holders(deviceId)).toMatchObject([{ userId: id, validTo: null }]);
  });

  it('pass to the next holder, while what the last one did stays theirs', async () => {
    const [ann, ben, deviceId] = [await driver(), await driver(), randomUUID()];
    await signIn(ann.email, deviceId);
    test.setNow(after(600));
    const { credential } = await signIn(ben.email, deviceId);
    expect(await holders(deviceId)).toMatchObject([
      { userId: ann.id, validFrom: start, validTo: after(600) },
      { userId: ben.id, validFrom: after(600), validTo: null },
    ]);
    await push(credential, deviceId, after(300));
    await push(credential, deviceId, after(600));
    test.setNow(start);
    const { rows } = (await test.deps.db.execute(
      `select actor_id as "actorId" from stock_movements where device_id = '${deviceId}' order by effective_at`,
    )) as unknown as { rows: unknown[] };
    expect(rows).toEqual([{ actorId: ann.id }, { actorId: ben.id }]);
  });

  it('end after ninety days without a sign-in, and when the device is switched off', async () => {
    const [{ email }, deviceId] = [await driver(), randomUUID()];
    const { credential } = await signIn(email, deviceId);
    test.setNow(after(90 * 86_400 - 1));
    expect((await push(credential, deviceId)).statusCode).toBe(200);
    test.setNow(after(90 * 86_400));
    expect((await push(credential, deviceId)).statusCode).toBe(401);
    test.setNow(start);
    await test.deps.db.update(fieldDevices).set({ isActive: false }).where(eq(fieldDevices.deviceId, deviceId));
    expect((await push(credential, deviceId)).statusCode).toBe(401);
  });

  it('bring what a deactivated person still had on the phone to the review', async () => {
    const [{ email, id }, deviceId] = [await driver(), randomUUID()];
    const { credential, session } = await signIn(email, deviceId);
    await deactivatePerson(test.deps, null, id);
    const sent = await push(`${session}; ${credential}`, deviceId);
    expect(sent.json().results).toMatchObject([{ status: 'needs_review', quantity: null }]);
  });

  it('tell of a session call which device it came from', async () => {
    const [{ email }, holder, deviceId] = [await driver(), await driver(), randomUUID()];
    const mine = await signIn(email, randomUUID());
    const other = await signIn(holder.email, deviceId);
    await push(`${mine.session}; ${other.credential}`, deviceId);
    const open = and(eq(deviceHolders.deviceId, deviceId), isNull(deviceHolders.validTo));
    expect(await test.deps.db.select().from(deviceHolders).where(open)).toMatchObject([{ userId: holder.id }]);
    const { rows } = (await test.deps.db.execute(
      `select actor_id as "actorId" from stock_movements where device_id = '${deviceId}'`,
    )) as unknown as { rows: unknown[] };
    expect(rows).toEqual([{ actorId: holder.id }]);
  });
});
