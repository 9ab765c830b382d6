import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MarketWithInventory } from '../../contract/markets.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

type Page = { rows: MarketWithInventory[]; total: number; next: string | null; previous: string | null };

onEachDatabase('Pages of markets', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;
  let low: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
    const { db } = t.deps;
    const full = await buildMarket(db, { name: 'Full House', address: '1 Elm Street', routeDesignation: '101' });
    const lowOne = await buildMarket(db, { name: 'low ground', city: 'Trenton', status: 'maintenance' });
    await buildMarket(db, { name: 'Nothing Here', status: 'seasonal' });
    low = lowOne.id;
    await buildItem(db, full.id, { currentQuantity: 20, minimumQuantity: 10 });
    await buildItem(db, low, { currentQuantity: 4, minimumQuantity: 10 });
  });
  afterAll(() => t.close());

  const url = '/api/markets/with-inventory/page';
  const page = async (query: string, who = manager): Promise<Page> => (await who.call('GET', `${url}?${query}`)).json();
  const names = ({ rows }: Page) => rows.map((row) => row.name);

  it('the lowest stock comes first; a row is what the plain list says of the market', async () => {
    const first = await page('');
    expect(names(first)).toEqual(['Nothing Here', 'low ground', 'Full House']);
    const plain = (await manager.call('GET', '/api/markets/with-inventory')).json();
    expect(first.rows.find((row) => row.id === low)).toEqual(plain.find((row: { id: number }) => row.id === low));
    expect(plain).toHaveLength(3);
  });

  it.each(['stock', '-stock', 'name', 'location', 'status', 'items', '-low', 'updated', '-updated'])(
    'sorted by %s, pages of one row hold every market once',
    async (sort) => {
      const whole = names(await page(`sort=${sort}`));
      const seen: string[] = [];
      for (let one = await page(`sort=${sort}&limit=1`); ; one = await page(`sort=${sort}&limit=1&page=${one.next}`)) {
        seen.push(...names(one));
        if (!one.next) break;
      }
      expect(seen).toEqual(whole);
      expect(new Set(seen).size).toBe(3);
    },
  );

  it.each([
    ['ELM', ['Full House']],
    ['trenton low', ['low ground']],
    ['no such', []],
    ['full & house', ['Full House']],
    ['---', []],
    ['%%', []],
  ])('a search for %j finds words of name, address and town', async (text, found) => {
    expect(names(await page(`search=${encodeURIComponent(text)}`))).toEqual(found);
  });

  it('a market is found by its number, and by its status', async () => {
    expect(names(await page(`search=MKT-${String(low).padStart(3, '0')}`))).toEqual(['low ground']);
    expect(await page('status=maintenance')).toMatchObject({ total: 1, rows: [{ id: low }] });
  });

  it('the figures count by status and take the mean of the levels', async () => {
    const figures = (await manager.call('GET', '/api/markets/with-inventory/summary')).json();
    expect(figures).toEqual({
      totalMarkets: 3,
      active: 1,
      maintenance: 1,
      otherStatus: 1,
      avgStockLevel: 40,
      lowMarkets: 1,
    });
  });

  it('a worker gets the own route only; a wrong wish is refused', async () => {
    expect(names(await page('', worker))).toEqual(['Full House']);
    expect((await worker.call('GET', '/api/markets/with-inventory/summary')).json().totalMarkets).toBe(1);
    expect((await manager.call('GET', `${url}?sort=size`)).statusCode).toBe(400);
    expect((await manager.call('GET', `${url}?page=x`)).json().detail).toBe(
      'This page is not known. Begin at the first page.',
    );
  });

  it('an edit on an older version is refused with the name of who was quicker, and changes nothing', async () => {
    const market = await buildMarket(t.deps.db, { name: 'Twice Edited' });
    const path = `/api/markets/${market.id}`;
    const { version } = (await manager.call('GET', path)).json();
    const headers = { 'if-match': `"${version}"` };
    const first = await manager.call('PUT', path, { body: { address: '2 New Street' }, headers });
    expect(first.json()).toMatchObject({ address: '2 New Street', version: version + 1 });
    const second = await admin.call('PUT', path, { body: { address: '3 Other Street' }, headers });
    expect(second.statusCode).toBe(409);
    expect(second.json()).toMatchObject({
      detail: expect.stringContaining('changed by Mary Manager'),
      fields: { version: expect.any(String) },
    });
    expect((await manager.call('GET', path)).json().address).toBe('2 New Street');
    const onTop = { 'if-match': String(version + 1) };
    const third = await admin.call('PUT', path, { body: { address: '3 Other Street' }, headers: onTop });
    expect(third.statusCode).toBe(200);
    await admin.call('DELETE', path);
  });

  it('a count is no edit of its market: the version stays', async () => {
    const before = (await manager.call('GET', `/api/markets/${low}`)).json().version;
    await manager.call('POST', '/api/inventory', { body: { marketId: low, productName: 'Cola', currentQuantity: 3 } });
    expect((await manager.call('GET', `/api/markets/${low}`)).json().version).toBe(before);
  });
});
