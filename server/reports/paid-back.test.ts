import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProductCard } from '../../contract/products.ts';
import type { SalesReport } from '../../contract/reports.ts';
import { products } from '../products/tables.ts';
import { recordSales, refundSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('sales that were paid back', (open) => {
  let test: TestApp;
  let manager: Person;
  let productId = 0;

  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    const [cola] = await db.insert(products).values({ name: 'Cola', unitCost: '0.50', unitPrice: '2.00' }).returning();
    productId = cola?.id ?? 0;
    const market = await buildMarket(db, { name: 'Plaza', routeDesignation: '101' });
    await buildItem(db, market.id, { productId, productName: 'Cola' });
    const machine = await buildMachine(db, { name: 'Lobby', routeDesignation: '202' });
    await buildSlot(db, machine.id, { slotNumber: 'A1', productId, productName: 'Cola' });
    const atMarket = { marketId: market.id, productName: 'Cola' };
    const atMachine = { machineId: machine.id, slotNumber: 'A1', productName: 'Cola' };
    const paidBack = sale({ ...atMarket, quantity: 3 });
    await db.transaction(async (tx) => {
      const sold = [sale({ ...atMarket, quantity: 4 }), sale({ ...atMachine, quantity: 5 }), paidBack];
      await recordSales(tx, [...sold, sale({ ...atMachine, quantity: 2, refunded: true })], test.deps.clock.now());
    });
    await db.transaction((tx) => refundSales(tx, [paidBack]));
    // Another sale of the same day has the day written anew.
    await db.transaction((tx) => recordSales(tx, [sale({ ...atMarket, quantity: 1 })], test.deps.clock.now()));
  });
  afterAll(() => test.close());

  const sale = ({ quantity = 1, ...fields }: Partial<Sale>): Sale => ({
    ...{ source: 'test', transactionId: randomUUID(), line: null, machineId: null, marketId: null, slotNumber: null },
    ...{ productName: null, productCode: null, category: null, quantity, price: '2.00', currency: 'USD' },
    ...{ totalAmount: (2 * quantity).toFixed(2), paymentMethod: 'cash', soldAt: new Date('2026-03-11T16:00:00Z') },
    ...{ successful: true, refunded: false, flags: null },
    ...fields,
  });

  async function get<T>(path: string): Promise<T> {
    const reply = await manager.call('GET', path);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as T;
  }

  it.each(['product', 'category', 'route', 'location', 'machine'])(
    'sales by %s add up to the total, without a line for units in no slot',
    async (by) => {
      const report = await get<SalesReport>(`/api/reports/sales?range=week&by=${by}`);
      expect(report).toMatchObject({ units: 10, amount: '20.00', margin: '15.00' });
      expect(report.groups.rows.reduce((sum, row) => sum + row.units, 0)).toBe(10);
      expect(report.groups.rows.map((row) => row.key)).not.toContain('unplaced');
    },
  );

  it('count nowhere: product page and dashboard say the same', async () => {
    const { sold } = await get<ProductCard>(`/api/products/${productId}`);
    expect(sold).toMatchObject({ units: 10, amount: '20.00', margin: '15.00' });
    expect(await get('/api/dashboard/top-products')).toMatchObject([{ productName: 'Cola', units: 10 }]);
  });
});
