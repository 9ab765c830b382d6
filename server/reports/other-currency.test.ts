import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProductCard } from '../../contract/products.ts';
import type { MarketReport, SalesReport } from '../../contract/reports.ts';
import { rows } from '../db/database.ts';
import { migrationsFolder } from '../db/migrations.ts';
import { countWrongDaySums, countWrongForeignDays, countWrongRefunds } from '../need/service.ts';
import { products } from '../products/tables.ts';
import { correctSale, recordSales, refundSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot, buildUser } from '../testing/factories.ts';
import { reportOf } from '../testing/imports.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('sales in another currency than the operator’s', (open) => {
  let test: TestApp;
  let manager: Person;
  let productId = 0;
  let marketId = 0;

  const sale = ({ quantity = 1, ...fields }: Partial<Sale>): Sale => ({
    ...{ source: 'test', transactionId: randomUUID(), line: null, machineId: null, marketId: null, slotNumber: null },
    ...{ productName: 'Cola', productCode: null, category: null, quantity, price: '2.00', currency: 'USD' },
    ...{ totalAmount: (2 * quantity).toFixed(2), paymentMethod: 'cash', soldAt: new Date('2026-03-11T16:00:00Z') },
    ...{ successful: true, refunded: false, flags: null },
    ...fields,
  });
  const record = (...sold: Sale[]) => test.deps.db.transaction((tx) => recordSales(tx, sold, test.deps.clock.now()));

  beforeAll(async () => {
    test = await testApp(open);
    const { db, clock } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    const [cola] = await db.insert(products).values({ name: 'Cola', unitCost: '0.50', unitPrice: '2.00' }).returning();
    productId = cola?.id ?? 0;
    const market = await buildMarket(db, { name: 'Plaza', routeDesignation: '101' });
    marketId = market.id;
    await buildItem(db, market.id, { productId, productName: 'Cola' });
    const machine = await buildMachine(db, { name: 'Lobby', machineId: 'L1', routeDesignation: '202' });
    await buildSlot(db, machine.id, { slotNumber: 'A1', productId, productName: 'Cola' });
    const gone = await buildMachine(db, { name: 'Border', routeDesignation: '303' });
    await buildSlot(db, gone.id, { slotNumber: 'A1', productName: 'Tea' });
    const atMarket = { marketId: market.id };
    const atMachine = { machineId: machine.id, slotNumber: 'A1' };
    const foreign = { currency: 'EUR' };
    const paidBack = sale({ ...atMachine, ...foreign, quantity: 3 });
    const corrected = sale({ ...atMarket, ...foreign, quantity: 2 });
    await record(
      sale({ ...atMarket, quantity: 4 }),
      sale({ ...atMachine, ...foreign, quantity: 5 }),
      sale({ ...atMachine, ...foreign, quantity: 2, refunded: true }),
      sale({ machineId: machine.id, slotNumber: 'Z9', productName: 'Gum', quantity: 10 }),
      sale({ machineId: gone.id, slotNumber: 'A1', productName: 'Tea', ...foreign, quantity: 8 }),
      ...[paidBack, corrected],
    );
    await db.transaction((tx) => refundSales(tx, [paidBack]));
    const to = { quantity: 3, price: '2.00', totalAmount: '6.00' };
    await db.transaction((tx) => correctSale(tx, corrected, { to, decision: 'recount', at: clock.now() }));
    // Told days after it happened: the day is written anew.
    await record(sale({ ...atMachine, ...foreign, quantity: 1, soldAt: new Date('2026-03-09T16:00:00Z') }));
    await db.execute(sql`update vending_machines set deleted_at = now() where id = ${gone.id}`);
  });
  afterAll(() => test.close());

  async function get<T>(path: string): Promise<T> {
    const reply = await manager.call('GET', path);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as T;
  }

  /** As told above: 13 of Cola, 8 of Tea by a machine that has gone, and 10 of Gum in no slot; 14 of them for dollars. */
  const whole = { units: 31, amount: '28.00' };
  const report = (by: string) => get<SalesReport>(`/api/reports/sales?range=week&by=${by}`);
  const unitsBy = async (by: string) =>
    Object.fromEntries((await report(by)).groups.rows.map(({ label, units, amount }) => [label, [units, amount]]));

  it.each([
    ['product', { Cola: [13, '8.00'], Tea: [8, '0.00'], Gum: [10, '20.00'] }],
    ['route', { 101: [7, '8.00'], 202: [16, '20.00'], 303: [8, '0.00'] }],
    ['location', { Plaza: [7, '8.00'], Lobby: [16, '20.00'], Border: [8, '0.00'] }],
    ['machine', { 'All micro markets': [7, '8.00'], Lobby: [16, '20.00'], Border: [8, '0.00'] }],
  ])('units by %s count once and add up to the cards, their amounts do not', async (by, told) => {
    expect(await report(by)).toMatchObject(whole);
    expect(await unitsBy(by)).toEqual(told);
  });

  // Four of Cola were paid in dollars, at a cost of half a dollar each; nine and all of Tea were not.
  const priced = { margin: '6.00', costedAmount: '8.00', foreignUnits: 17 };
  const marginsBy = async (by: string, rest = '') =>
    Object.fromEntries((await report(`${by}${rest}`)).groups.rows.map(({ label, margin }) => [label, margin]));
  it.each([
    ['product', { Cola: '6.00', Tea: '0.00', Gum: '0.00' }],
    ['category', { '': '6.00' }],
    ['route', { 101: '6.00', 202: '0.00', 303: '0.00' }],
    ['location', { Plaza: '6.00', Lobby: '0.00', Border: '0.00' }],
    ['machine', { 'All micro markets': '6.00', Lobby: '0.00', Border: '0.00' }],
  ])('have no part in the margin by %s, and the cards say how many they are', async (by, told) => {
    expect(await report(by)).toMatchObject(priced);
    expect(await marginsBy(by)).toEqual(told);
    expect(await marginsBy(by, '&sort=-margin')).toEqual(told);
  });

  it('have no part in the margin of one route, of markets and of a product', async () => {
    expect(await report('product&route=202')).toMatchObject({ margin: '0.00', foreignUnits: 6 });
    expect(await marginsBy('product', '&route=202')).toEqual({ Cola: '0.00', Gum: '0.00' });
    expect(await marginsBy('location', '&route=101')).toEqual({ Plaza: '6.00' });
    const markets = await get<MarketReport>('/api/reports/market?range=week');
    expect(markets).toMatchObject({ foreignUnits: 3, markets: { rows: [{ name: 'Plaza', margin: '6.00' }] } });
    expect((await get<ProductCard>(`/api/products/${productId}`)).sold).toMatchObject({
      margin: '6.00',
      foreignUnits: 9,
    });
  });

  it('sold in no slot are left out, too, and come back when the operator’s currency is theirs', async () => {
    const { db } = test.deps;
    const sold = sale({ marketId, productName: 'Gum', currency: 'EUR', quantity: 7 });
    await record(sold);
    expect(await report('product')).toMatchObject({ ...priced, foreignUnits: 24 });
    await db.execute(sql`update operator set currency = 'EUR'`);
    expect(await countWrongForeignDays(db)).toBe(0);
    // Nine of Cola for 18 euros at a cost of 4.50, and nothing for the rest, whose cost nobody knows.
    expect(await report('product')).toMatchObject({ margin: '13.50', foreignUnits: 14 });
    await db.execute(sql`update operator set currency = 'USD'`);
    await db.transaction((tx) => refundSales(tx, [sold]));
    expect(await report('product')).toMatchObject(priced);
    await db.execute(sql`delete from sales where transaction_id = ${sold.transactionId}`);
  });

  it('count the same on the product’s page and on the dashboard', async () => {
    expect((await get<ProductCard>(`/api/products/${productId}`)).sold).toMatchObject({ units: 13, amount: '8.00' });
    const sold = await get<{ productName: string; units: number }[]>('/api/dashboard/top-products');
    expect(sold.map(({ productName, units }) => [productName, units])).toEqual([
      ['Cola', 13],
      ['Gum', 10],
      ['Tea', 8],
    ]);
  });

  it('that an import brought are taken back with it', async () => {
    const lines =
      'date,price,machine id,slot,product\n2026-03-11 10:00,1.50,L1,A1,Cola\n2026-03-11 11:00,1.50,L1,A1,Mints\n';
    const before = await daily();
    expect(await reportOf(test.deps.db, ['sales', 'sales.csv'], lines, ['--currency', 'EUR'])).toMatchObject({
      created: 2,
    });
    expect(await report('product')).toMatchObject({ ...whole, units: 33 });
    const [newest] = (await get<{ imports: { id: number }[] }>('/api/past-imports')).imports;
    expect((await manager.call('POST', `/api/past-imports/${newest?.id}/undo`)).statusCode).toBe(200);
    expect(await daily()).toEqual(before);
    expect(await report('product')).toMatchObject(priced);
  });

  const daily = () =>
    rows<{ lines: number }>(
      test.deps.db,
      sql`select * from sales_daily order by day, route_designation, product_name, payment_method`,
    );

  it('are kept as the sales say: sums made anew are the same, and the checks find nothing', async () => {
    const { db } = test.deps;
    const before = await daily();
    expect([await countWrongDaySums(db), await countWrongRefunds(db), await countWrongForeignDays(db)]).toEqual([
      0, 0, 0,
    ]);
    await db.execute(sql`select rebuild_sales_daily()`);
    await db.execute(sql`select rebuild_item_days()`);
    expect((await daily()).filter(({ lines }) => lines !== 0)).toEqual(before.filter(({ lines }) => lines !== 0));
    expect(await unitsBy('route')).toEqual({ 101: [7, '8.00'], 202: [16, '20.00'], 303: [8, '0.00'] });
  });

  it('of the time when they were left out are added by the upgrade', async () => {
    const { db } = test.deps;
    const before = await daily();
    await db.execute(sql`delete from sales_daily where amount = 0`);
    await db.execute(sql`update sales_daily set units = 4, lines = 1 where product_name = 'Cola' and amount = 8`);
    expect(await report('product')).toMatchObject({ units: 14 });
    const upgrade = readFileSync(path.join(migrationsFolder(), '0570_units_of_any_currency.sql'), 'utf8');
    await db.execute(sql.raw(upgrade.split('--> statement-breakpoint').at(-1) ?? ''));
    expect(await daily()).toEqual(before);
    expect(await report('product')).toMatchObject(whole);
  });
});
