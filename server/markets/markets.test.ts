import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MarketUpdate } from '../../domain/market.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildRoute, buildStop } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const valid = {
  ...{ name: 'Acme HQ', address: '1 Main Street', status: 'active' },
  ...{ latitude: '40.7128', longitude: '-74.0060' },
};

onEachDatabase('Markets', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;
  let workerId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker, workerId } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  it('a created market comes back with its digits, defaults and an audit line', async () => {
    const reply = await manager.call('POST', '/api/markets', { body: { ...valid, routeDesignation: '101' } });
    expect(reply.statusCode).toBe(201);
    const created = reply.json();
    expect(created).toMatchObject({ latitude: '40.71280000', longitude: '-74.00600000', status: 'active' });
    expect((await worker.call('GET', `/api/markets/${created.id}`)).json()).toEqual(created);
    const audit = await rows<{ action: string }>(
      t.deps.db,
      sql`select action from audit_log where object_type = 'market' and object_id = ${String(created.id)}`,
    );
    expect(audit).toEqual([{ action: 'market.create' }]);
  });

  it('whichever field a person changes, it comes back and counts as an edit', async () => {
    const { id, ...created } = (await manager.call('POST', '/api/markets', { body: valid })).json();
    const edits = {
      name: 'Another Name',
      address: '9 Other Street',
      city: 'Camden',
      state: 'NJ',
      latitude: '39.90000000',
      longitude: '-75.10000000',
      status: 'maintenance',
      routeDesignation: '202',
      accessHours: 'Mo-Fr 08:00-17:00',
      accessNotes: 'Side door',
      contactPhone: '+1 215 555 0101',
      notes: 'Ask for Ann',
      integrationId: 'import:another',
    } satisfies Record<keyof MarketUpdate, string>;
    let { version } = created;
    for (const [field, value] of Object.entries(edits)) {
      const edited = (await manager.call('PUT', `/api/markets/${id}`, { body: { [field]: value } })).json();
      // One that the trigger `markets_edit` does not name is written over by whoever read the market before it.
      expect(edited, field).toMatchObject({ [field]: value, version: version + 1 });
      ({ version } = edited);
    }
  });

  it('whom to call and what to remember come back, count as an edit, and stay out of the audit line', async () => {
    const about = { contactPhone: '+1 215 555 0100', notes: 'Badge from Ann' };
    const created = (await manager.call('POST', '/api/markets', { body: { ...valid, ...about } })).json();
    const url = `/api/markets/${created.id}`;
    expect((await manager.call('GET', url)).json()).toMatchObject(about);
    const listed: { id: number }[] = (await manager.call('GET', '/api/markets/with-inventory/page?limit=1000')).json()
      .rows;
    expect(listed.find(({ id }) => id === created.id)).toMatchObject(about);
    const edited = (await manager.call('PUT', url, { body: { notes: 'Code 4711' } })).json();
    expect(edited).toMatchObject({ notes: 'Code 4711', version: created.version + 1 });
    const [line] = await rows<{ detail: unknown }>(
      t.deps.db,
      sql`select detail from audit_log where action = 'market.update' and object_id = ${String(created.id)}`,
    );
    expect(JSON.stringify(line)).not.toContain('4711');
  });

  it.each([
    [{ contactPhone: '1'.repeat(51) }, 'contactPhone', 'Contact phone is too long: at most 50 characters'],
    [{ notes: 'x'.repeat(501) }, 'notes', 'Notes is too long: at most 500 characters'],
    [{ name: ' ' }, 'name', 'Name is required'],
    [{ address: '' }, 'address', 'Address is required'],
    [{ latitude: 'abc' }, 'latitude', 'Latitude must be a valid number'],
    [{ longitude: 'abc' }, 'longitude', 'Longitude must be a valid number'],
    [{ latitude: '90.1' }, 'latitude', 'Latitude must lie between -90 and 90'],
    [{ longitude: '-181' }, 'longitude', 'Longitude must lie between -180 and 180'],
  ])('a market with %j is refused with a sentence', async (wrong, field, sentence) => {
    const reply = await manager.call('POST', '/api/markets', { body: { ...valid, ...wrong } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ detail: sentence, fields: { [field]: sentence } });
  });

  it('what a partner told of a market comes with the one record for the office, and in no list', async () => {
    const integrationData = { outlet: { code: 'X-7' } };
    const { id } = await buildMarket(t.deps.db, { routeDesignation: '101', integrationData });
    const url = `/api/markets/${id}`;
    expect((await manager.call('GET', url)).json()).toMatchObject({ id, integrationData });
    expect((await worker.call('GET', url)).json()).not.toHaveProperty('integrationData');
    expect((await manager.call('GET', '/api/markets')).body).not.toContain('X-7');
    const { id: bare } = await buildMarket(t.deps.db);
    expect((await manager.call('GET', `/api/markets/${bare}`)).json().integrationData).toBeNull();
  });

  it('an unknown status is refused', async () => {
    const reply = await manager.call('POST', '/api/markets', { body: { ...valid, status: 'gone' } });
    const { status: _, ...without } = valid;
    const none = await manager.call('POST', '/api/markets', { body: without });
    expect(none.json()).toMatchObject({ status: 400, fields: { status: 'Status is required' } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields).toEqual({ status: 'Status must be active, maintenance or inactive' });
  });

  it.each(['', null])('a status of %j is asked for in an edit as it is for a new market', async (status) => {
    const market = await buildMarket(t.deps.db);
    const reply = await manager.call('PUT', `/api/markets/${market.id}`, { body: { status } });
    expect(reply.json()).toMatchObject({ status: 400, fields: { status: 'Status is required' } });
  });

  it('an Integration ID is unique; left empty it never clashes', async () => {
    const codes = [];
    for (const integrationId of ['LS-1', 'LS-1', '', '']) {
      codes.push((await manager.call('POST', '/api/markets', { body: { ...valid, integrationId } })).statusCode);
    }
    expect(codes).toEqual([201, 409, 201, 201]);
  });

  it('an edit changes the named fields only and moves lastUpdated', async () => {
    const market = await buildMarket(t.deps.db, { routeDesignation: '101' });
    t.setNow(new Date('2026-03-12T16:00:00Z'));
    const reply = await manager.call('PUT', `/api/markets/${market.id}`, { body: { name: 'Renamed' } });
    expect(reply.json()).toMatchObject({
      name: 'Renamed',
      address: market.address,
      routeDesignation: '101',
      lastUpdated: '2026-03-12T16:00:00.000Z',
      updatedAt: '2026-03-12T16:00:00.000Z',
    });
    expect((await manager.call('PUT', '/api/markets/999999', { body: { name: 'X' } })).statusCode).toBe(404);
    expect((await manager.call('PUT', `/api/markets/${market.id}`, { body: { status: '' } })).statusCode).toBe(400);
  });

  it('a status from elsewhere may be sent back as it stands, and to no other market', async () => {
    const { id } = await buildMarket(t.deps.db, { status: 'closed for summer' });
    const put = (status: string) => manager.call('PUT', `/api/markets/${id}`, { body: { name: 'Kept', status } });
    expect((await put('closed for summer')).json()).toMatchObject({ name: 'Kept', status: 'closed for summer' });
    expect((await put('closed')).json()).toMatchObject({
      status: 400,
      fields: { status: 'Status must be active, maintenance or inactive' },
    });
    expect((await put('inactive')).json().status).toBe('inactive');
    expect((await put('closed for summer')).statusCode).toBe(400);
  });

  it('a deleted market leaves every list with its items, and a second delete is 404', async () => {
    const market = await buildMarket(t.deps.db, { integrationId: 'LS-again', routeDesignation: '101' });
    await buildItem(t.deps.db, market.id, { productName: 'Orphan' });
    expect((await admin.call('DELETE', `/api/markets/${market.id}`)).json()).toEqual({ id: market.id });
    const ids = (await admin.call('GET', '/api/markets')).json().map((row: { id: number }) => row.id);
    expect(ids).not.toContain(market.id);
    expect((await admin.call('GET', '/api/inventory')).body).not.toContain('Orphan');
    expect((await admin.call('DELETE', `/api/markets/${market.id}`)).statusCode).toBe(404);
    const again = await manager.call('POST', '/api/markets', { body: { ...valid, integrationId: 'LS-again' } });
    expect(again.statusCode).toBe(201);
  });

  it('the stock level is what is there, at most up to target, over the targets', async () => {
    const market = await buildMarket(t.deps.db);
    await buildItem(t.deps.db, market.id, { currentQuantity: 50, minimumQuantity: 5 });
    await buildItem(t.deps.db, market.id, { currentQuantity: 5, minimumQuantity: 5, parQuantity: 30 });
    await buildItem(t.deps.db, market.id, { currentQuantity: 9, deletedAt: new Date() });
    const list = (await manager.call('GET', '/api/markets/with-inventory')).json();
    const found = list.find((row: { id: number }) => row.id === market.id);
    // 10 of a target of 10, and 5 of a target of 30.
    expect(found).toMatchObject({ stockLevel: 38, inventoryItems: 2, lowStockCount: 1 });
  });

  it('the list narrows to a designation; an unknown one is empty', async () => {
    await buildMarket(t.deps.db, { routeDesignation: '777' });
    expect((await manager.call('GET', '/api/markets?route=777')).json()).toHaveLength(1);
    expect((await manager.call('GET', '/api/markets?route=nowhere')).json()).toEqual([]);
    expect((await manager.call('GET', `/api/markets?route=${'9'.repeat(30)}`)).json()).toEqual([]);
  });

  it('a worker sees the own designation and the stops of assigned routes, nothing else', async () => {
    const other = await buildMarket(t.deps.db, { routeDesignation: '202' });
    expect((await worker.call('GET', `/api/markets/${other.id}`)).statusCode).toBe(404);
    const seen = (await worker.call('GET', '/api/markets')).json();
    expect(new Set(seen.map((row: { routeDesignation: string }) => row.routeDesignation))).toEqual(new Set(['101']));
    const route = await buildRoute(t.deps.db, { driverId: workerId, date: '2026-03-12' });
    await buildStop(t.deps.db, route.id, { marketId: other.id });
    expect((await worker.call('GET', `/api/markets/${other.id}`)).statusCode).toBe(200);
    await t.deps.db.execute(sql`delete from routes where id = ${route.id}`);
  });

  it('designations are distinct strings without empty ones, of the own scope for a worker', async () => {
    await buildMachine(t.deps.db, { routeDesignation: '303' });
    await buildMachine(t.deps.db, { routeDesignation: '101' });
    const all = (await manager.call('GET', '/api/route-designations')).json();
    expect(all).toEqual([...new Set(all)]);
    expect(all).toEqual(expect.arrayContaining(['101', '303']));
    expect((await worker.call('GET', '/api/route-designations')).json()).toEqual(['101']);
  });

  it('a worker may not create, change or delete a market; a manager may not delete one', async () => {
    const market = await buildMarket(t.deps.db, { routeDesignation: '101' });
    const url = `/api/markets/${market.id}`;
    expect((await worker.call('POST', '/api/markets', { body: valid })).statusCode).toBe(403);
    expect((await worker.call('PUT', url, { body: { name: 'X' } })).statusCode).toBe(403);
    expect((await worker.call('DELETE', url)).statusCode).toBe(403);
    expect((await manager.call('DELETE', url)).statusCode).toBe(403);
    expect((await manager.call('GET', url)).json().name).toBe(market.name);
  });
});
