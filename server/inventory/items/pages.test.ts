import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InventoryRow } from '../../../contract/inventory.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildItem, buildMarket } from '../../testing/factories.ts';
import { oneOfEachRole, passSecond } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

type Page = { rows: InventoryRow[]; total: number; from: number; next: string | null; previous: string | null };

onEachDatabase('Pages of inventory', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;
  let cafe: number;
  let depot: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
    const { db } = t.deps;
    cafe = (await buildMarket(db, { name: 'Café Nord', routeDesignation: '101' })).id;
    depot = (await buildMarket(db, { name: "Joe's Depot", routeDesignation: '202' })).id;
    await buildMarket(db, { name: 'Empty Hall', routeDesignation: '101' });
    for (const [n, name] of ['Coca-Cola 12 oz', 'Iced Tea', 'Chips', 'Water', 'Gum', 'Nuts'].entries()) {
      const stock = { currentQuantity: [9, 10, 14, 15, 0, 20][n] ?? 0, minimumQuantity: 10 };
      await buildItem(db, cafe, { productName: name, ...stock });
    }
    await buildItem(db, depot, { productName: 'Chips', currentQuantity: 3, minimumQuantity: 4 });
    await buildItem(db, depot, { productName: 'Gone', deletedAt: new Date() });
  });
  afterAll(() => t.close());

  const page = async (query: string, who = manager): Promise<Page> =>
    (await who.call('GET', `/api/inventory/page?${query}`)).json();
  const names = ({ rows }: Page) => rows.map((row) => row.productName);

  it('without a wish the least covered items come first, with the names of their markets', async () => {
    const first = await page('');
    expect(names(first)).toEqual(['Gum', 'Chips', 'Coca-Cola 12 oz', 'Iced Tea', 'Chips', 'Water', 'Nuts']);
    expect(first).toMatchObject({ total: 7, from: 1, next: null, previous: null });
    expect(first.rows[1]).toMatchObject({ marketName: "Joe's Depot", marketId: depot, currentQuantity: 3 });
  });

  it('low stock comes in pages, empty items first, then the smallest part of the minimum', async () => {
    const low = async (query: string, who = manager): Promise<Page> =>
      (await who.call('GET', `/api/inventory/low-stock/page?${query}`)).json();
    const first = await low('limit=2');
    expect(first).toMatchObject({ total: 4, from: 1, previous: null });
    expect(first.rows).toEqual([
      expect.objectContaining({ productName: 'Gum', marketName: 'Café Nord', currentQuantity: 0, minimumQuantity: 10 }),
      expect.objectContaining({ productName: 'Chips', marketId: depot }),
    ]);
    const second = await low(`limit=2&page=${first.next}`);
    expect(names(second)).toEqual(['Coca-Cola 12 oz', 'Iced Tea']);
    expect(second.next).toBeNull();
    const own = await low('', worker);
    expect(names(own)).toEqual(['Gum', 'Coca-Cola 12 oz', 'Iced Tea']);
    expect(own.total).toBe(3);
  });

  it.each([
    'cover',
    '-cover',
    'product',
    '-product',
    'market',
    '-market',
    'stock',
    '-minimum',
    'restocked',
    '-restocked',
  ])('sorted by %s, pages forth and back hold every row once, in the order of the whole', async (sort) => {
    const whole = await page(`sort=${sort}`);
    const ids = (one: Page) => one.rows.map((row) => row.id);
    const forth: Page[] = [await page(`sort=${sort}&limit=3`)];
    for (let next = forth[0]?.next; next; next = forth.at(-1)?.next) {
      forth.push(await page(`sort=${sort}&limit=3&page=${next}`));
    }
    expect(forth.flatMap(ids)).toEqual(ids(whole));
    expect(forth.map((one) => one.from)).toEqual([1, 4, 7]);
    const back = await page(`sort=${sort}&limit=3&page=${forth.at(-1)?.previous}`);
    expect(ids(back)).toEqual(ids(whole).slice(3, 6));
    const first = await page(`sort=${sort}&limit=3&page=${back.previous}`);
    expect(ids(first)).toEqual(ids(whole).slice(0, 3));
    expect(first).toMatchObject({ from: 1, previous: null, total: 7 });
  });

  it.each([
    ['coca cola', ['Coca-Cola 12 oz']],
    ['COLA 12', ['Coca-Cola 12 oz']],
    ['cafe chips', ['Chips']],
    ['chips nord', ['Chips']],
    ['joes', ['Chips']],
    ['chips', ['Chips', 'Chips']],
    ['coca - cola', ['Coca-Cola 12 oz']],
    ['%', []],
    ['--- ()', []],
    ['gone', []],
  ])('a search for %j finds words of product and market in any order and spelling', async (text, found) => {
    const result = await page(`search=${encodeURIComponent(text)}`);
    expect(names(result)).toEqual(found);
    expect(result.total).toBe(found.length);
  });

  it('low is below the minimum, everything else is in stock, and one market can be chosen', async () => {
    expect(names(await page('stock=low'))).toEqual(['Gum', 'Chips', 'Coca-Cola 12 oz']);
    const rest = await page('stock=in-stock');
    expect(names(rest)).toEqual(['Iced Tea', 'Chips', 'Water', 'Nuts']);
    expect(rest.total).toBe(4);
    expect(await page(`market=${depot}`)).toMatchObject({ total: 1, rows: [{ productName: 'Chips' }] });
    expect((await page(`market=${depot}&stock=in-stock`)).total).toBe(0);
  });

  it('the plain list stays complete', async () => {
    expect((await manager.call('GET', '/api/inventory')).json()).toHaveLength(7);
  });

  it('a worker sees the own route only, in pages, figures and single items', async () => {
    const own = await page('', worker);
    expect(own.total).toBe(6);
    expect(own.rows.every((row) => row.marketId === cafe)).toBe(true);
    expect((await worker.call('GET', '/api/inventory/summary')).json()).toMatchObject({
      totalItems: 6,
      lowStockItems: 2,
      totalMarkets: 2,
    });
    const [foreign] = (await page(`market=${depot}`)).rows;
    expect((await worker.call('GET', `/api/inventory/items/${foreign?.id}`)).statusCode).toBe(404);
    expect((await manager.call('GET', `/api/inventory/items/${foreign?.id}`)).json()).toEqual(foreign);
  });

  it.each(['page=made-up', 'sort=colour', 'stock=some', 'limit=0', 'limit=5000', 'market=none'])(
    'a page of %s is refused with a sentence',
    async (query) => {
      const reply = await manager.call('GET', `/api/inventory/page?${query}`);
      expect(reply.statusCode).toBe(400);
      expect(reply.json().detail).toMatch(/\.$/);
    },
  );

  it('a cursor belongs to its sort', async () => {
    const { next } = await page('limit=2&sort=product');
    const reply = await manager.call('GET', `/api/inventory/page?sort=stock&page=${next}`);
    expect(reply.json()).toMatchObject({ status: 400, detail: 'This page is not known. Begin at the first page.' });
  });

  it('the value is quantity times cost, price where no cost is known, and says what has neither', async () => {
    const market = await buildMarket(t.deps.db, { name: 'Valued', routeDesignation: '909' });
    const before = (await manager.call('GET', '/api/inventory/summary')).json();
    const products = [
      { name: 'With cost', unitCost: '1.25', unitPrice: '3.00' },
      { name: 'With price', unitPrice: '2.50' },
      { name: 'With neither' },
      { name: 'Sold out' },
    ];
    for (const [n, body] of products.entries()) {
      await manager.call('POST', '/api/products', { body });
      await manager.call('POST', '/api/inventory', {
        body: { marketId: market.id, productName: body.name, currentQuantity: [4, 2, 7, 0][n] },
      });
    }
    const after = (await manager.call('GET', '/api/inventory/summary')).json();
    expect(Number(after.totalValue) - Number(before.totalValue)).toBeCloseTo(4 * 1.25 + 2 * 2.5, 6);
    expect(after.itemsAtPrice - before.itemsAtPrice).toBe(1);
    expect(after.itemsWithoutValue - before.itemsWithoutValue).toBe(1);
    expect(after.marketsCovered - before.marketsCovered).toBe(1);
    const [costly] = (await page(`market=${market.id}&search=with%20cost`)).rows;
    passSecond(t);
    await manager.call('PUT', `/api/inventory/${costly?.id}`, { body: { currentQuantity: 10 } });
    const counted = (await manager.call('GET', '/api/inventory/summary')).json();
    expect(Number(counted.totalValue) - Number(after.totalValue)).toBeCloseTo(6 * 1.25, 6);
    await t.deps.db.execute(sql`update inventory_items set deleted_at = now() where market_id = ${market.id}`);
  });

  it('only an administrator brings back an item that was taken off; it has its quantity and its place', async () => {
    const [gum] = (await page('search=gum')).rows;
    const url = `/api/inventory/items/${gum?.id}/restore`;
    expect((await admin.call('POST', url)).statusCode).toBe(404);
    await admin.call('DELETE', `/api/inventory/${gum?.id}`);
    expect((await page('search=gum')).total).toBe(0);
    expect((await manager.call('POST', url)).statusCode).toBe(403);
    expect((await worker.call('POST', url)).statusCode).toBe(403);
    expect((await admin.call('POST', url)).json()).toMatchObject({ productName: 'Gum', marketName: 'Café Nord' });
    expect((await page('search=gum')).rows).toMatchObject([{ id: gum?.id, currentQuantity: gum?.currentQuantity }]);
    const list = (await manager.call('GET', '/api/markets/with-inventory')).json();
    expect(list.find((row: { id: number }) => row.id === cafe).inventoryItems).toBe(6);
  });

  it('an item of a market that was deleted too does not come back', async () => {
    const market = await buildMarket(t.deps.db);
    const item = await buildItem(t.deps.db, market.id);
    await admin.call('DELETE', `/api/inventory/${item.id}`);
    await admin.call('DELETE', `/api/markets/${market.id}`);
    const reply = await admin.call('POST', `/api/inventory/items/${item.id}/restore`);
    expect(reply.json()).toMatchObject({ status: 409, detail: expect.stringContaining('Its market was deleted') });
  });

  it('a word that stands in very many markets narrows down as any other', async () => {
    await t.deps.db.execute(
      sql`insert into markets (name, address, latitude, longitude) select 'Kiosk ' || g, 'Road', 40, -74 from generate_series(1, 600) g`,
    );
    const kiosk = await buildMarket(t.deps.db, { name: 'Kiosk Ünder the Bridge' });
    await buildItem(t.deps.db, kiosk.id, { productName: 'Chips' });
    expect(await page('search=kiosk%20chips')).toMatchObject({ total: 1, rows: [{ marketId: kiosk.id }] });
    expect(await page('search=KIOSK')).toMatchObject({ total: 1, rows: [{ marketId: kiosk.id }] });
    expect((await page('search=kiosk%20water')).total).toBe(0);
  });

  it('sums over very many items are five seconds old at most, whatever is counted, and new once an office edits what they are of', async () => {
    const { db } = t.deps;
    const stock = await buildMarket(db, { name: 'Sum Hall' });
    const { id } = await buildItem(db, stock.id, { productName: 'Sum Tea', currentQuantity: 2, minimumQuantity: 1 });
    const many = await buildMarket(db, { name: 'Huge Hall' });
    const product = { name: 'Sum Tea', unitCost: '1.00' };
    const made = (await admin.call('POST', '/api/products', { body: product })).json();
    await db.execute(sql`update inventory_items set product_id = ${made.id} where id = ${id}`);
    await db.execute(sql`update markets set item_count = 10000 where id = ${many.id}`);
    const worth = async () => Number((await manager.call('GET', '/api/inventory/summary')).json().totalValue);
    const before = await worth();
    await db.execute(sql`update inventory_items set current_quantity = 5 where id = ${id}`);
    expect(await worth()).toBe(before);
    t.setNow(new Date(t.deps.clock.now().getTime() + 5_000));
    expect(await worth()).toBe(before + 3);
    const edited = await admin.call('PUT', `/api/products/${made.id}`, { body: { ...product, unitCost: '2.00' } });
    expect(edited.statusCode).toBe(200);
    expect(await worth()).toBe(before + 8);
    const counted = async () => [(await page('')).total, (await page(`market=${many.id}`)).total];
    const [all = 0] = await counted();
    expect(all).toBeGreaterThan(10_000);
    await db.execute(sql`update markets set item_count = 20000 where id = ${many.id}`);
    expect(await counted()).toEqual([all, 0]);
    expect((await page('', worker)).total).toBeLessThan(10_000);
    t.setNow(new Date(t.deps.clock.now().getTime() + 5_000));
    expect(await counted()).toEqual([all + 10_000, 0]);
    await db.execute(sql`update markets set deleted_at = now() where id in (${many.id}, ${stock.id})`);
  });
});
