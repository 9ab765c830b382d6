import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditLog } from '../audit/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const start = new Date('2026-03-12T15:00:00Z');
const minute = 60_000;

onEachDatabase('application access', (open) => {
  let test: TestApp;
  let admin: Person;
  beforeAll(async () => {
    test = await testApp(open);
    admin = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
  });
  afterAll(() => test.close());
  beforeEach(() => test.setNow(start));

  const somebody = async (who: 'field_worker' | 'route_manager') => {
    const { id } = await buildUser(test.deps.db, {
      role: who,
      routeDesignation: who === 'field_worker' ? '101' : null,
    });
    return { id, ...(await test.as(id)) };
  };
  const give = (userId: number, applicationName: string, more: object = {}) =>
    admin.call('POST', '/api/application-access', {
      body: { userId, applicationName, permissions: ['read', 'write'], ...more },
    });
  const closed = async (person: Person) => (await person.call('GET', '/api/auth/session')).json().access;

  it('closes the application the moment it expires, on the server and for the screens', async () => {
    const manager = await somebody('route_manager');
    const expiresAt = new Date(start.getTime() + minute).toISOString();
    expect((await give(manager.id, 'reports', { expiresAt })).statusCode).toBe(201);
    expect((await manager.call('GET', '/api/reports/inventory')).statusCode).toBe(200);
    expect(await closed(manager)).toEqual({ closedScreens: [], changesAt: expiresAt });
    test.setNow(new Date(start.getTime() + minute));
    const refused = await manager.call('GET', '/api/reports/inventory');
    expect([refused.statusCode, refused.json().detail]).toEqual([
      403,
      expect.stringContaining('access to Reports has ended'),
    ]);
    expect(await closed(manager)).toEqual({ closedScreens: ['/reports'], changesAt: null });
    expect((await manager.call('GET', '/api/markets')).statusCode).toBe(200);
    const [noted] = await test.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.actorId, manager.id))
      .orderBy(desc(auditLog.id));
    expect(noted).toMatchObject({ action: 'access.denied', detail: { call: 'GET /api/reports/inventory' } });
  });

  it('tells in the log which call was denied, with its path and nothing of its query', async () => {
    const worker = await somebody('field_worker');
    expect((await worker.call('PUT', '/api/people/4711?token=tell-nobody', { body: {} })).statusCode).toBe(403);
    const page = await admin.call('GET', `/api/audit-log/page?action=access.denied&actor=${worker.id}`);
    const [line] = page.json().rows;
    expect(line).toMatchObject({ objectType: 'call', object: 'PUT /api/people/4711' });
    expect(JSON.stringify(line)).not.toContain('tell-nobody');
  });

  it('is opened, limited, switched off and given back to the role', async () => {
    const manager = await somebody('route_manager');
    const { id } = (await give(manager.id, 'route_planning', { permissions: ['read'] })).json();
    const plan = () => manager.call('POST', '/api/routes/optimize', { body: { marketIds: [] } });
    const choices = () => manager.call('GET', '/api/route-choices');
    expect((await plan()).json().detail).toContain('does not include this');
    expect((await choices()).statusCode).toBe(200);
    const body = { permissions: ['read', 'write'], isActive: false };
    expect((await admin.call('PUT', `/api/application-access/${id}`, { body })).json()).toMatchObject({
      isActive: false,
    });
    expect((await choices()).statusCode).toBe(403);
    await admin.call('DELETE', `/api/application-access/${id}`);
    expect((await plan()).statusCode).not.toBe(403);
    const log = await test.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, String(manager.id)))
      .orderBy(auditLog.id);
    expect(log.map(({ action }) => action)).toEqual(['access.give', 'access.change', 'access.remove']);
    expect(log[1]?.detail).toMatchObject({
      application: 'route_planning',
      permissions: ['read', 'read, write'],
      isActive: [true, false],
    });
  });

  it('brings counts made after it ended to the review, and books those made before', async () => {
    const driver = await somebody('field_worker');
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    const { id: itemId } = await buildItem(test.deps.db, market.id);
    await give(driver.id, 'mobile_inventory', { expiresAt: new Date(start.getTime() + minute).toISOString() });
    test.setNow(new Date(start.getTime() + 2 * minute));
    const event = (deviceSeq: number, atMs: number) => ({
      ...{
        eventId: randomUUID(),
        schemaVersion: 1,
        itemType: 'market_item',
        itemId,
        kind: 'count',
        quantity: deviceSeq,
      },
      ...{
        reason: 'manual_count',
        shown: null,
        deviceSeq,
        lastServerTime: null,
        occurredAtClient: new Date(atMs).toISOString(),
      },
    });
    const events = [event(1, start.getTime() + 30_000), event(2, start.getTime() + 90_000)];
    const sentAtClient = test.deps.clock.now().toISOString();
    const reply = await driver.call('POST', '/api/sync/events', {
      body: { deviceId: randomUUID(), sentAtClient, events },
    });
    expect(reply.json().results).toMatchObject([{ status: 'applied' }, { status: 'needs_review' }]);
    expect((await driver.call('PUT', `/api/inventory/${itemId}`, { body: { currentQuantity: 9 } })).statusCode).toBe(
      403,
    );
    expect((await driver.call('GET', '/api/sync/changes')).statusCode).toBe(403);
  });

  it('is not given where it could never count, nor twice', async () => {
    const driver = await somebody('field_worker');
    expect((await give(driver.id, 'reports')).json().fields.applicationName).toContain(
      'A Field Operator cannot use Reports',
    );
    expect(
      (await give(driver.id, 'mobile_inventory', { routeDesignation: '202' })).json().fields.routeDesignation,
    ).toContain('works on route 101');
    const told = async () =>
      (await admin.call('GET', `/api/application-access?userId=${driver.id}`))
        .json()
        .filter(({ permissions }: { permissions: string[] }) => permissions.length > 0)
        .map((one: { applicationName: string; permissions: string[] }) => [one.applicationName, one.permissions]);
    expect(await told()).toEqual([
      ['mobile_inventory', ['read', 'write']],
      ['route_planning', ['read']],
    ]);
    expect((await give(driver.id, 'mobile_inventory', { routeDesignation: '101' })).statusCode).toBe(201);
    expect((await give(driver.id, 'mobile_inventory', { routeDesignation: '101' })).statusCode).toBe(409);
    expect((await give(driver.id, 'mobile_inventory', { permissions: [] })).statusCode).toBe(400);
    const list = (await admin.call('GET', `/api/application-access?userId=${driver.id}`)).json();
    expect(list.find((one: { applicationName: string }) => one.applicationName === 'mobile_inventory')).toMatchObject({
      allowedByRole: true,
      permissions: ['read', 'write'],
      access: [{ routeDesignation: '101' }],
    });
  });

  it('is an administrator’s to give', async () => {
    const manager = await somebody('route_manager');
    const body = { userId: manager.id, applicationName: 'reports', permissions: ['read'] };
    expect((await manager.call('POST', '/api/application-access', { body })).statusCode).toBe(403);
  });
});
