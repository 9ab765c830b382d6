import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../db/database.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildItem, buildMarket } from '../../testing/factories.ts';
import { oneOfEachRole, passSecond } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

onEachDatabase('Market items', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;
  let marketId: number;
  let otherMarketId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
    marketId = (await buildMarket(t.deps.db, { name: 'Acme', routeDesignation: '101' })).id;
    otherMarketId = (await buildMarket(t.deps.db, { routeDesignation: '202' })).id;
  });
  afterAll(() => t.close());

  const create = async (fields: object = {}) => {
    const reply = await manager.call('POST', '/api/inventory', { body: { marketId, productName: 'Cola', ...fields } });
    passSecond(t);
    return reply.json();
  };

  it('a created item has the defaults, begins its ledger and shares its product by name', async () => {
    const first = await create({ productName: 'Iced Tea', currentQuantity: 12 });
    expect(first).toMatchObject({ currentQuantity: 12, minimumQuantity: 10, version: 1 });
    const second = await create({ productName: 'iced tea' });
    expect(second).toMatchObject({ currentQuantity: 0, productId: first.productId });
    const movements = await rows(
      t.deps.db,
      sql`select kind, quantity from stock_movements where item_type = 'market_item' and item_id = ${first.id}`,
    );
    expect(movements).toEqual([{ kind: 'count', quantity: 12 }]);
  });

  it.each([
    [{ marketId: undefined }, 'marketId', 'Choose a market'],
    [{ marketId: 999_999 }, 'marketId', 'Choose a market'],
    [{ currentQuantity: -1 }, 'currentQuantity', 'Current quantity must be 0 or greater'],
    [{ minimumQuantity: 0 }, 'minimumQuantity', 'Minimum quantity must be at least 1'],
    [{ parQuantity: 0 }, 'parQuantity', 'The level to fill up to must be at least 1'],
    [{ productName: '  ' }, 'productName', 'Product name is required'],
  ])('an item with %j is refused with a sentence', async (wrong, field, sentence) => {
    const body = { marketId, productName: 'Cola', ...wrong };
    const reply = await manager.call('POST', '/api/inventory', { body });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ detail: sentence, fields: { [field]: sentence } });
  });

  it('lists hold the items in scope; the id of a list is the market', async () => {
    const foreign = await buildItem(t.deps.db, otherMarketId, { productName: 'Foreign' });
    const mine = await create();
    const ids = (list: { id: number }[]) => list.map((row) => row.id);
    expect(ids((await manager.call('GET', '/api/inventory')).json())).toEqual(
      expect.arrayContaining([mine.id, foreign.id]),
    );
    expect(ids((await worker.call('GET', '/api/inventory')).json())).not.toContain(foreign.id);
    expect(ids((await worker.call('GET', `/api/inventory/${marketId}`)).json())).toContain(mine.id);
    expect((await worker.call('GET', `/api/inventory/${otherMarketId}`)).statusCode).toBe(404);
  });

  it('low stock is exactly what is at or below its minimum, the most short first', async () => {
    const market = await buildMarket(t.deps.db, { name: 'Short', routeDesignation: '303' });
    await buildItem(t.deps.db, market.id, { productName: 'At', currentQuantity: 10 });
    await buildItem(t.deps.db, market.id, { productName: 'Below', currentQuantity: 2 });
    await buildItem(t.deps.db, market.id, { productName: 'Above', currentQuantity: 11 });
    const low = (await manager.call('GET', '/api/inventory/low-stock')).json();
    const here = low.filter((row: { marketId: number }) => row.marketId === market.id);
    expect(here.map((row: { productName: string }) => row.productName)).toEqual(['Below', 'At']);
    expect(here[0]).toMatchObject({ marketName: 'Short', currentQuantity: 2, minimumQuantity: 10 });
    expect((await worker.call('GET', '/api/inventory/low-stock')).body).not.toContain('Short');
  });

  it('a count by another client, with quantity and time alone, shows everywhere', async () => {
    const item = await create({ currentQuantity: 3 });
    t.setNow(new Date('2026-03-12T15:30:00Z'));
    const body = { currentQuantity: 40, lastRestocked: '2026-03-12T15:20:00Z' };
    const reply = await worker.call('PUT', `/api/inventory/${item.id}`, { body });
    expect(reply.json()).toMatchObject({
      currentQuantity: 40,
      lastRestocked: '2026-03-12T15:20:00.000Z',
      version: 2,
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((await manager.call('GET', '/api/inventory')).json()).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: item.id, currentQuantity: 40 })]),
    );
  });

  it('a stated time counts with whatever offset it is written', async () => {
    const item = await create();
    t.setNow(new Date('2026-03-12T17:00:00Z'));
    const body = { currentQuantity: 7, lastRestocked: '2026-03-13T10:30:00+18:00' };
    const reply = await worker.call('PUT', `/api/inventory/${item.id}`, { body });
    expect(reply.json()).toMatchObject({ currentQuantity: 7, lastRestocked: '2026-03-12T16:30:00.000Z' });
    const visits = `/api/visits?type=market&id=${item.marketId}&before=${encodeURIComponent(body.lastRestocked)}`;
    expect((await worker.call('GET', visits)).statusCode).toBe(200);
  });

  it('sent back whole, an item keeps what was sold since it was filled; a changed quantity is a count of now', async () => {
    const { id } = await create({ currentQuantity: 10 });
    const move = async (kind: string, quantity: number) => {
      passSecond(t);
      const at = t.deps.clock.now().toISOString();
      const item = { itemType: 'market_item', itemId: id, kind, quantity, reason: 'other', shown: null };
      const event = { ...item, eventId: randomUUID(), schemaVersion: 1, occurredAtClient: at, deviceSeq: 1 };
      const events = [{ ...event, lastServerTime: null }];
      await worker.call('POST', '/api/sync/events', { body: { deviceId: randomUUID(), sentAtClient: at, events } });
    };
    await move('restock', 5);
    await move('removal', -3);
    passSecond(t);
    const read = async () => (await manager.call('GET', `/api/inventory/items/${id}`)).json();
    const whole = await read();
    expect(whole.currentQuantity).toBe(12);
    const { marketId: market, productName, currentQuantity, lastRestocked } = whole;
    const asEntity = { id, marketId: market, productName, currentQuantity, minimumQuantity: 6, lastRestocked };
    for (const body of [{ ...whole, minimumQuantity: 5 }, asEntity]) {
      const { minimumQuantity } = body;
      const reply = await manager.call('PUT', `/api/inventory/${id}`, { body });
      expect(reply.json()).toMatchObject({ currentQuantity: 12, minimumQuantity, lastRestocked, eventId: null });
    }
    const counted = await manager.call('PUT', `/api/inventory/${id}`, { body: { ...asEntity, currentQuantity: 11 } });
    expect(counted.json()).toMatchObject({ currentQuantity: 11, lastRestocked: t.deps.clock.now().toISOString() });
  });

  it('a stated time in the future or more than 7 days ago is not believed', async () => {
    const item = await create();
    const url = `/api/inventory/${item.id}`;
    t.setNow(new Date('2026-03-12T19:00:00Z'));
    const future = { currentQuantity: 1, lastRestocked: '2027-01-01T00:00:00Z' };
    expect((await worker.call('PUT', url, { body: future })).json().lastRestocked).toBe('2026-03-12T19:00:00.000Z');
    t.setNow(new Date('2026-03-12T20:00:00Z'));
    const old = { currentQuantity: 2, lastRestocked: '2026-03-01T00:00:00Z' };
    expect((await worker.call('PUT', url, { body: old })).json().lastRestocked).toBe('2026-03-12T20:00:00.000Z');
  });

  it.each([
    ['a note', { note: 'Shelf broken' }],
    ['a reason', { reason: 'manual_count' }],
    ['a time', { occurredAt: '2026-03-12T15:00:00Z' }],
    ['the time of a restock', { lastRestocked: '2026-03-12T14:00:00Z' }],
  ])('%s without a count is refused, not taken and lost', async (_what, told) => {
    const item = await create();
    const url = `/api/inventory/${item.id}`;
    const [name = ''] = Object.keys(told);
    const alone = await manager.call('PUT', url, { body: told });
    const edit = await manager.call('PUT', url, { body: { ...told, minimumQuantity: 3 } });
    for (const reply of [alone, edit]) {
      expect(reply.json()).toMatchObject({ status: 400, fields: { [name]: expect.stringContaining('with a count') } });
    }
    const counted = await manager.call('PUT', url, { body: { ...told, currentQuantity: 3 } });
    expect(counted.statusCode).toBe(200);
  });

  it('one Idempotency-Key counts once; with another body it is refused', async () => {
    const item = await create();
    const url = `/api/inventory/${item.id}`;
    const headers = { 'idempotency-key': randomUUID(), 'if-match': String(item.version) };
    const first = await worker.call('PUT', url, { body: { currentQuantity: 5 }, headers });
    const again = await worker.call('PUT', url, { body: { currentQuantity: 5 }, headers });
    expect(again.json()).toEqual(first.json());
    expect(first.json().eventId).toBe(headers['idempotency-key']);
    // Its beginning, and one ledger row for both calls.
    const ledger = await rows(
      t.deps.db,
      sql`select 1 from stock_movements where item_type = 'market_item' and item_id = ${item.id}`,
    );
    expect(ledger).toHaveLength(2);
    expect((await worker.call('PUT', url, { body: { currentQuantity: 6 }, headers })).statusCode).toBe(409);
    const bad = await worker.call('PUT', url, { body: { currentQuantity: 6 }, headers: { 'idempotency-key': 'mine' } });
    expect(bad.json()).toMatchObject({ status: 400, detail: 'The Idempotency-Key must be a UUID.' });
  });

  it('an edit on an older version is refused and changes nothing', async () => {
    const item = await create();
    const url = `/api/inventory/${item.id}`;
    const headers = { 'if-match': `"${item.version}"` };
    const first = await manager.call('PUT', url, { body: { minimumQuantity: 4 }, headers });
    expect(first.json()).toMatchObject({ minimumQuantity: 4, eventId: null });
    const second = await manager.call('PUT', url, { body: { currentQuantity: 9, minimumQuantity: 6 }, headers });
    expect(second.statusCode).toBe(409);
    expect(second.json().detail).toContain('changed by Mary Manager');
    const [now] = (await manager.call('GET', `/api/inventory/${marketId}`))
      .json()
      .filter((row: { id: number }) => row.id === item.id);
    expect(now).toMatchObject({ minimumQuantity: 4, currentQuantity: 0 });
  });

  it('every change of an item leaves its line in the audit log', async () => {
    const item = await create();
    const url = `/api/inventory/${item.id}`;
    await manager.call('PUT', url, { body: { currentQuantity: 4, minimumQuantity: 4 } });
    await admin.call('DELETE', url);
    const lines = await rows<{ action: string }>(
      t.deps.db,
      sql`select action from audit_log where object_id = ${String(item.id)} and object_type in ('inventory_item', 'market_item')
          order by id`,
    );
    const actions = lines.map((line) => line.action);
    expect(actions).toEqual(['item.create', 'stock.count', 'item.update', 'item.remove']);
  });

  it('an item that moves to another market takes its stock along in both sums', async () => {
    const from = await buildMarket(t.deps.db);
    const to = await buildMarket(t.deps.db);
    const item = await create({ marketId: from.id, currentQuantity: 20 });
    const body = { marketId: to.id, productName: 'Moved' };
    const reply = await manager.call('PUT', `/api/inventory/${item.id}`, { body });
    expect(reply.json()).toMatchObject({ marketId: to.id, productName: 'Moved', currentQuantity: 20 });
    const list = (await manager.call('GET', '/api/markets/with-inventory')).json();
    const items = (id: number) => list.find((row: { id: number }) => row.id === id).inventoryItems;
    expect([items(from.id), items(to.id)]).toEqual([0, 1]);
  });

  it('moves, counts and renames at the same time all succeed and add up', async () => {
    const from = await buildMarket(t.deps.db);
    const to = await buildMarket(t.deps.db);
    const put = (id: number, body: object) => manager.call('PUT', `/api/inventory/${id}`, { body });
    const calls = [];
    for (let n = 0; n < 4; n++) {
      const leaving = await buildItem(t.deps.db, from.id);
      const coming = await buildItem(t.deps.db, to.id);
      calls.push(put(leaving.id, { marketId: to.id, currentQuantity: 3 }), put(coming.id, { marketId: from.id }));
      calls.push(put(leaving.id, { productName: 'One name' }), put(coming.id, { currentQuantity: 5 }));
      calls.push(create({ marketId: from.id, productName: 'One name' }).then(() => ({ statusCode: 200 })));
    }
    expect(new Set((await Promise.all(calls)).map((reply) => reply.statusCode))).toEqual(new Set([200]));
    const list = (await manager.call('GET', '/api/markets/with-inventory')).json();
    const items = (id: number) => list.find((row: { id: number }) => row.id === id).inventoryItems;
    expect([items(from.id), items(to.id)]).toEqual([8, 4]);
    const named = (await manager.call('GET', '/api/products?search=One%20name')).json();
    expect(named).toHaveLength(1);
  });

  it('an edit with a wrong value is refused with the same sentences', async () => {
    const item = await create();
    const reply = await manager.call('PUT', `/api/inventory/${item.id}`, { body: { minimumQuantity: 0 } });
    expect(reply.json()).toMatchObject({ status: 400, detail: 'Minimum quantity must be at least 1' });
    const negative = await worker.call('PUT', `/api/inventory/${item.id}`, { body: { currentQuantity: -1 } });
    expect(negative.json().detail).toBe('Current quantity must be 0 or greater');
    for (const nowhere of [999_999, 0]) {
      const reply = await manager.call('PUT', `/api/inventory/${item.id}`, { body: { marketId: nowhere } });
      expect(reply.json().fields).toEqual({ marketId: 'Choose a market' });
    }
  });

  it('a worker counts but changes nothing else, and nothing of another route', async () => {
    const item = await create();
    const foreign = await buildItem(t.deps.db, otherMarketId, { currentQuantity: 7 });
    const body = { currentQuantity: 1, minimumQuantity: 2 };
    expect((await worker.call('PUT', `/api/inventory/${item.id}`, { body })).statusCode).toBe(403);
    const out = await worker.call('PUT', `/api/inventory/${foreign.id}`, { body: { currentQuantity: 1 } });
    expect(out.statusCode).toBe(404);
    const stock = (await manager.call('GET', `/api/inventory/${otherMarketId}`)).json();
    expect(stock.find((row: { id: number }) => row.id === foreign.id).currentQuantity).toBe(7);
    expect((await worker.call('POST', '/api/inventory', { body: { marketId, productName: 'X' } })).statusCode).toBe(
      403,
    );
  });

  it('only an administrator takes an item off; a count of it is then 404', async () => {
    const item = await create();
    const url = `/api/inventory/${item.id}`;
    expect((await manager.call('DELETE', url)).statusCode).toBe(403);
    expect((await worker.call('DELETE', url)).statusCode).toBe(403);
    expect((await admin.call('DELETE', url)).json()).toEqual({ id: item.id });
    expect((await admin.call('DELETE', url)).statusCode).toBe(404);
    expect((await manager.call('PUT', url, { body: { currentQuantity: 1 } })).statusCode).toBe(404);
    expect((await manager.call('GET', `/api/inventory/${marketId}`)).body).not.toContain(`"id":${item.id},`);
  });
});
