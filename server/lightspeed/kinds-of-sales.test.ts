import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LightspeedSale } from '../../contract/lightspeed.ts';
import { type FleetSale, salesOf } from '../../sandbox/fleet.ts';
import { linesOf, piecesOf, tellingsOf } from '../../sandbox/lightspeed/tickets.ts';
import { lightspeed } from '../../sandbox/lightspeed/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { runSync } from '../vendor-sync/service.ts';

const from = new Date('2026-03-10T05:00:00Z');
const start = new Date('2026-03-12T15:00:00Z');
const settings = { clientId: 'milkrun-sandbox', clientSecret: 'sandbox-client-secret' };

onEachDatabase('Sales that are no plain ones', (open) => {
  let t: TestApp;
  let sandbox: Sandbox;
  let manager: Person;
  let sold: FleetSale[];
  let configId: number;

  const setNow = (at: Date): void => {
    t.setNow(at);
    sandbox.sphere.clock.set(at, true);
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ vendors: [lightspeed], tickMs: null, from });
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin, PUBLIC_URL: 'https://milkrun.example' });
    ({ manager } = await oneOfEachRole(t, '101'));
    const fleet = sandbox.sphere.fleet();
    sold = fleet.markets.flatMap((place) => salesOf(fleet, place, from, start));
    const parked = sold.find((sale) => tellingsOf(sale)[0]?.what === 'parked');
    setNow(new Date((parked?.at ?? start).getTime() + 60_000));
    const begun = await manager.call('POST', '/api/lightspeed/connect', { body: { name: 'Main store', settings } });
    const allowed = begun.json().url.replace('/connect?', '/connect/allow?');
    const { pathname, search } = new URL((await fetch(allowed, { redirect: 'manual' })).headers.get('location') ?? '');
    await manager.call('GET', pathname + search);
    [{ id: configId }] = (await manager.call('GET', '/api/integrations/configs?system=lightspeed')).json();
    await runSync(t.deps, configId);
    const outlets = (await manager.call('GET', `/api/lightspeed/outlets?configId=${configId}`)).json().rows;
    for (const [nth, { id }] of outlets.entries()) {
      const body = { latitude: `40.${nth + 1}`, longitude: '-75.1' };
      await manager.call('POST', `/api/integrations/review/devices/${id}/add`, { body });
    }
  }, 180_000);
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });

  const told = async (receipt: string): Promise<LightspeedSale> => {
    const found = await manager.call('GET', `/api/lightspeed/sales?configId=${configId}&search=${receipt}`);
    return found.json().rows.find(({ receiptNumber }: LightspeedSale) => receiptNumber === receipt);
  };
  const booked = (id: string) =>
    rows<{ product: string; quantity: number }>(
      t.database.db,
      sql`select product_name as product, quantity from sales where transaction_id = ${id} order by id`,
    );
  const one = (is: (sale: FleetSale) => boolean): FleetSale => {
    const found = sold.find((sale) => !sale.failed && is(sale));
    if (!found) throw new Error('nothing of this kind was sold in these days');
    return found;
  };
  const backOf = (sale: FleetSale) => {
    const back = tellingsOf(sale).find(({ what, atMs }) => what === 'returned' && atMs < start.getTime());
    return back ? linesOf(sale, back) : [];
  };

  it('a parked sale brings nothing before it is paid, and then once', async () => {
    const receipt = String(one((sale) => tellingsOf(sale)[0]?.what === 'parked').number);
    const parked = await told(receipt);
    expect(parked.status).toBe('pending');
    expect(await booked(parked.lightspeedId)).toEqual([]);
    setNow(start);
    await runSync(t.deps, configId);
    expect(await told(receipt)).toMatchObject({ status: 'completed', lightspeedId: parked.lightspeedId });
    const lines = await booked(parked.lightspeedId);
    expect(lines.length).toBeGreaterThan(0);
    await runSync(t.deps, configId);
    expect(await booked(parked.lightspeedId)).toEqual(lines);
  });

  it('of several things in one sale each is booked, and the list has the sale once', async () => {
    const several = one((sale) => piecesOf(sale).length > 1);
    const shown = await told(String(several.number));
    expect(shown).toMatchObject({ status: 'completed', itemCount: several.quantity });
    const wanted = piecesOf(several).map(({ line, quantity }) => ({ product: line.product.name, quantity }));
    const lines = await booked(shown.lightspeedId);
    expect(lines).toHaveLength(wanted.length);
    expect(lines).toEqual(expect.arrayContaining(wanted));
  });

  it('what is brought back is a refund, and nothing is sold by it', async () => {
    const shown = await told(`${one((sale) => backOf(sale).length === 1).number}R`);
    expect(shown).toMatchObject({ status: 'refunded', itemCount: 0 });
    expect(Number(shown.total)).toBeLessThan(0);
    expect(await booked(shown.lightspeedId)).toEqual([]);
  });

  it('an exchange that was paid for is a sale, of what was taken instead', async () => {
    const isPaidFor = (sale: FleetSale): boolean =>
      backOf(sale).length === 2 &&
      backOf(sale).reduce((sum, { piece, isBack }) => sum + (isBack ? -piece.amount : piece.amount), 0) > 0.02;
    const exchange = one(isPaidFor);
    const shown = await told(`${exchange.number}R`);
    expect(shown).toMatchObject({ status: 'completed', itemCount: 1 });
    expect(Number(shown.total)).toBeGreaterThan(0);
    const taken = backOf(exchange).filter(({ isBack }) => !isBack);
    expect(await booked(shown.lightspeedId)).toEqual(
      taken.map(({ piece: { line, quantity } }) => ({ product: line.product.name, quantity })),
    );
  });
});
