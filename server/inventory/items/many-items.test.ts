import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../db/database.ts';
import type { LiveNote } from '../../live/hub.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildItem, buildMarket } from '../../testing/factories.ts';
import { oneOfEachRole, passSecond } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

onEachDatabase('Many items at once', (open) => {
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

  const add = async (minimums: readonly number[], at = marketId): Promise<number[]> => {
    const ids: number[] = [];
    for (const minimumQuantity of minimums) {
      const item = { productName: `Cola ${ids.length}`, currentQuantity: 10, minimumQuantity };
      ids.push((await buildItem(t.deps.db, at, item)).id);
    }
    passSecond(t);
    return ids;
  };
  const set = (items: object[], who = manager) => who.call('PUT', '/api/inventory/items', { body: { items } });
  const remove = (ids: readonly number[], who = admin) =>
    who.call('POST', '/api/inventory/items/remove', { body: { ids } });
  const restore = (ids: readonly number[], who = admin) =>
    who.call('POST', '/api/inventory/items/restore', { body: { ids } });
  const held = (ids: readonly number[]) =>
    rows<{ id: number; minimum: number; version: number; gone: boolean }>(
      t.deps.db,
      sql`select i.id, i.minimum_quantity as minimum, coalesce(b.version, 0) as version, i.deleted_at is not null as gone
          from inventory_items i left join item_balances b on b.item_type = 'market_item' and b.item_id = i.id
          where i.id >= ${Math.min(...ids)} and i.id <= ${Math.max(...ids)} order by i.id`,
    );
  const minimums = async (ids: readonly number[]) => (await held(ids)).map(({ minimum }) => minimum);
  const audited = (action: string) =>
    rows<{ objectId: string; actorId: number; detail: object }>(
      t.deps.db,
      sql`select object_id as "objectId", actor_id as "actorId", detail from audit_log where action = ${action} order by id`,
    );
  const market = async (id: number) => {
    const [found] = await rows<{ inventoryItems: number; lowStockCount: number }>(
      t.deps.db,
      sql`select item_count as "inventoryItems", low_stock_count as "lowStockCount" from markets where id = ${id}`,
    );
    return found ?? { inventoryItems: Number.NaN, lowStockCount: Number.NaN };
  };

  it('minimums are set together, each with its audit row, and the figures of their market follow', async () => {
    const ids = await add([5, 7, 12]);
    const wasLow = (await market(marketId)).lowStockCount;
    const reply = await set(ids.map((id) => ({ id, minimumQuantity: 12 })));
    expect(reply.json().items).toEqual([
      { id: ids[0], minimumQuantity: 12, before: 5 },
      { id: ids[1], minimumQuantity: 12, before: 7 },
      { id: ids[2], minimumQuantity: 12, before: 12 },
    ]);
    // The third was at 12 before: nothing of it changed, and nothing is told of it.
    expect((await held(ids)).map(({ minimum, version }) => [minimum, version])).toEqual([
      [12, 1],
      [12, 1],
      [12, 0],
    ]);
    expect((await audited('item.update')).slice(-2)).toMatchObject([
      { objectId: String(ids[0]), detail: { minimumQuantity: [5, 12] } },
      { objectId: String(ids[1]), detail: { minimumQuantity: [7, 12] } },
    ]);
    expect((await market(marketId)).lowStockCount).toBe(wasLow + 2);
  });

  it('an undo gives each its own minimum back, and nothing where somebody set another since', async () => {
    const ids = await add([5, 7]);
    const { items } = (await set(ids.map((id) => ({ id, minimumQuantity: 12 })))).json();
    const back = items.map((one: { id: number; before: number; minimumQuantity: number }) => ({
      ...{ id: one.id, minimumQuantity: one.before, from: one.minimumQuantity },
    }));
    await manager.call('PUT', `/api/inventory/${ids[1]}`, { body: { minimumQuantity: 20 } });
    const refused = await set(back);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      detail: 'Somebody gave 1 of 2 items another minimum meanwhile. Nothing was changed.',
      fields: { 'items.1.from': 'Its minimum is 20 now' },
    });
    expect(await minimums(ids)).toEqual([12, 20]);
    await manager.call('PUT', `/api/inventory/${ids[1]}`, { body: { minimumQuantity: 12 } });
    expect((await set(back)).statusCode).toBe(200);
    expect(await minimums(ids)).toEqual([5, 7]);
  });

  it('where one is not there any more nothing is changed, and it is named by its place', async () => {
    const ids = await add([5, 7]);
    const items = [...ids, 999_999].map((id) => ({ id, minimumQuantity: 12 }));
    const refused = await set(items);
    expect(refused.statusCode).toBe(404);
    expect(refused.json()).toMatchObject({
      detail: '1 of 3 items are not there any more, or not on your route. Nothing was changed.',
      fields: { 'items.2': 'This inventory item does not exist, or is not on your route.' },
    });
    expect(await minimums(ids)).toEqual([5, 7]);
    expect((await remove([...ids, 999_999])).json().fields).toHaveProperty('ids.2');
    expect((await held(ids)).some(({ gone }) => gone)).toBe(false);
    expect((await rows(t.deps.db, sql`select 1 from item_balances where item_id = 999999`)).length).toBe(0);
  });

  it.each([
    [{ items: [] }, 'Choose at least one item'],
    [
      { items: Array.from({ length: 501 }, (_, n) => ({ id: n + 1, minimumQuantity: 1 })) },
      'At most 500 items at once',
    ],
    [{ items: [{ id: 1, minimumQuantity: 0 }] }, 'Minimum quantity must be at least 1'],
    [{ items: [1, 1].map((id) => ({ id, minimumQuantity: 2 })) }, 'An item is named twice'],
  ])('what cannot be meant is refused with a sentence', async (body, sentence) => {
    const reply = await manager.call('PUT', '/api/inventory/items', { body });
    expect([reply.statusCode, reply.json().detail]).toEqual([400, sentence]);
  });

  it('as many as 500 are changed in one call', async () => {
    const many = await rows<{ id: number }>(
      t.deps.db,
      sql`insert into inventory_items (market_id, product_name, minimum_quantity)
          select ${otherMarketId}, 'Row ' || n, 3 from generate_series(1, 500) n returning id`,
    );
    const ids = many.map(({ id }) => id);
    expect((await set(ids.map((id) => ({ id, minimumQuantity: 4 })))).statusCode).toBe(200);
    expect((await remove(ids)).json().ids).toHaveLength(500);
    expect((await market(otherMarketId)).inventoryItems).toBe(0);
  });

  it('items are taken off together and come back together, with their audit rows', async () => {
    const ids = await add([5, 7]);
    const before = (await market(marketId)).inventoryItems;
    expect((await remove(ids)).json()).toEqual({ ids });
    expect((await held(ids)).every(({ gone }) => gone)).toBe(true);
    expect((await market(marketId)).inventoryItems).toBe(before - 2);
    expect((await audited('item.remove')).slice(-2).map(({ objectId }) => objectId)).toEqual(ids.map(String));
    expect((await remove(ids)).statusCode).toBe(404);
    expect((await restore(ids)).json()).toEqual({ ids });
    expect((await held(ids)).some(({ gone }) => gone)).toBe(false);
    expect((await market(marketId)).inventoryItems).toBe(before);
    expect((await audited('item.restore')).slice(-2).map(({ objectId }) => objectId)).toEqual(ids.map(String));
  });

  it('open screens are told once for each route, of all the items', async () => {
    const ids = await add([5, 7]);
    const [far] = await add([5], otherMarketId);
    const told: { ids: number[]; routes: string[] | null }[] = [];
    const sees = ({ topic, ids: of, routes }: LiveNote): boolean => {
      if (topic === 'stock') told.push({ ids: of, routes });
      return false;
    };
    const none = (): void => {};
    const stop = t.deps.live.subscribe({ sees, send: none, gap: none, end: none, sid: 'office' });
    await set([...ids, far].map((id) => ({ id, minimumQuantity: 9 })));
    await expect.poll(() => told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        { ids, routes: ['101'] },
        { ids: [far], routes: ['202'] },
      ]),
    );
    stop();
  });

  it('what a deleted market held does not come back, nor anything beside it', async () => {
    const place = await buildMarket(t.deps.db, { name: 'Closing', routeDesignation: '101' });
    const ids = [...(await add([5])), ...(await add([5], place.id))];
    await remove(ids);
    await admin.call('DELETE', `/api/markets/${place.id}`);
    const refused = await restore(ids);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      'The markets of 1 of 2 items were deleted too. Nothing was brought back.',
    ]);
    expect((await held(ids)).every(({ gone }) => gone)).toBe(true);
  });

  it('only the office changes many, and only who may delete takes off and brings back', async () => {
    const ids = await add([5]);
    expect((await set([{ id: ids[0], minimumQuantity: 2 }], worker)).statusCode).toBe(403);
    expect((await remove(ids, worker)).statusCode).toBe(403);
    expect((await restore(ids, worker)).statusCode).toBe(403);
    expect(await minimums(ids)).toEqual([5]);
  });

  it('a page holds the named items alone, of those that a person may see', async () => {
    const [mine] = await add([5]);
    const [foreign] = await add([5], otherMarketId);
    const page = async (who: Person) => (await who.call('GET', `/api/inventory/page?ids=${mine},${foreign}`)).json();
    expect(await page(manager)).toMatchObject({ total: 2 });
    expect(await page(worker)).toMatchObject({ total: 1, rows: [{ id: mine }] });
    expect((await manager.call('GET', '/api/inventory/page?ids=1,x')).statusCode).toBe(400);
    expect((await manager.call('GET', `/api/inventory/page?ids=${Array(501).fill(1)}`)).statusCode).toBe(400);
  });
});
