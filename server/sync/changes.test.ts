import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Changes } from '../../contract/sync.ts';
import { addDays } from '../../domain/time.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildRoute, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const day = '2026-03-12';
const dayMs = 24 * 3_600_000;

onEachDatabase('changes', (open) => {
  let test: TestApp;
  let marketId: number;
  beforeAll(async () => {
    test = await testApp(open);
    marketId = (await buildMarket(test.deps.db, { routeDesignation: '101' })).id;
  });
  afterAll(() => test.close());

  const driver = async () => {
    const { id } = await buildUser(test.deps.db, { routeDesignation: '101' });
    return { id };
  };
  /** All pages since a cursor, as one. */
  const download = async (who: { id: number }, cursor?: string): Promise<Changes> =>
    // A session of its own: days may lie between two downloads.
    pages(await test.as(who.id), cursor);
  const pages = async (who: Person, cursor?: string): Promise<Changes> => {
    const reply = await who.call('GET', `/api/sync/changes${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`);
    const page: Changes = reply.json();
    if (!page.more) return page;
    const rest = await pages(who, page.cursor);
    return { ...rest, reset: page.reset, items: [...page.items, ...rest.items] };
  };
  const routeOn = (date: string, fields = {}) => buildRoute(test.deps.db, { date, routeDesignation: '101', ...fields });
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

  it('a route planned for later arrives when its day comes near, and goes when it is past', async () => {
    const who = await driver();
    const later = await routeOn(addDays(day, 4));
    const first = await download(who);
    expect(idsOf(first.routes)).not.toContain(later.id);
    test.setNow(new Date(Date.parse('2026-03-12T15:00:00Z') + 3 * dayMs));
    const second = await download(who, first.cursor);
    expect(second.reset).toBe(false);
    expect(idsOf(second.routes)).toContain(later.id);
    test.setNow(new Date(Date.parse('2026-03-12T15:00:00Z') + 6 * dayMs));
    const third = await download(who, second.cursor);
    expect(third.removed).toContainEqual({ kind: 'route', id: later.id });
    test.setNow(new Date('2026-03-12T15:00:00Z'));
  });

  it('a route given to somebody else is removed from the phone', async () => {
    const who = await driver();
    const mine = await routeOn(day, { routeDesignation: '909', driverId: who.id });
    const first = await download(who);
    expect(idsOf(first.routes)).toContain(mine.id);
    const other = await buildUser(test.deps.db, { routeDesignation: '505' });
    await test.deps.db.execute(sql`update routes set driver_id = ${other.id} where id = ${mine.id}`);
    const second = await download(who, first.cursor);
    expect(second.reset || second.removed.some(({ kind, id }) => kind === 'route' && id === mine.id)).toBe(true);
    expect(idsOf(second.routes)).not.toContain(mine.id);
  });

  it('nothing comes twice once everything has ended', async () => {
    const who = await driver();
    const item = await buildItem(test.deps.db, marketId);
    const first = await download(who);
    expect(idsOf(first.items)).toContain(item.id);
    // Until the transactions of everybody on this server have ended, rows written meanwhile are told again.
    let { cursor } = first;
    const again = async () => {
      const next = await download(who, cursor);
      cursor = next.cursor;
      return [next.reset, next.items, next.markets, next.routes];
    };
    await expect.poll(again, { timeout: 30_000 }).toEqual([false, [], [], []]);
  });

  it('more late rows than fit on a page all come', async () => {
    const who = await driver();
    const first = await download(who);
    await test.deps.db.execute(
      sql`insert into inventory_items (market_id, product_name) select ${marketId}, 'Late ' || n from generate_series(1, 1500) n`,
    );
    // As if they had been written before the last number was read, by a transaction still under way then.
    await test.deps.db.transaction(async (tx) => {
      await tx.execute(sql`alter table inventory_items disable trigger inventory_items_change`);
      await tx.execute(sql`update inventory_items set change_seq = 1 where product_name like 'Late %'`);
      await tx.execute(sql`alter table inventory_items enable trigger inventory_items_change`);
    });
    const second = await download(who, first.cursor);
    expect(second.items.filter(({ productName }) => productName.startsWith('Late '))).toHaveLength(1500);
  });
});
