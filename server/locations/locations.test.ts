import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationSales } from '../../contract/locations.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('A location over time', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const sell = (machineId: number, sale: { at: string; amount: string; product?: string; more?: object }) => {
    const { successful = true, refunded = false, currency = 'USD' } = { ...sale.more } as Record<string, never>;
    return t.deps.db.execute(
      sql`insert into sales (event_id, source, transaction_id, machine_id, product_name, price, total_amount, sale_date,
            successful, refunded, currency)
          values (gen_random_uuid(), 'test', gen_random_uuid()::text, ${machineId}, ${sale.product ?? 'Cola'}, ${sale.amount},
            ${sale.amount}, ${sale.at}::timestamptz, ${successful}, ${refunded}, ${currency})`,
    );
  };

  it('sales by day, hour and product are the stored ones, where the operator is', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    // 03:30 UTC on the 12th is half past eleven in the evening of the 11th in New York.
    await sell(id, { at: '2026-03-12T03:30:00Z', amount: '1.50' });
    await sell(id, { at: '2026-03-12T14:10:00Z', amount: '2.25', product: 'Water' });
    await sell(id, { at: '2026-03-12T14:20:00Z', amount: '2.25', product: 'Water' });
    await sell(id, { at: '2026-03-04T14:20:00Z', amount: '9.00' });
    await sell(id, { at: '2026-03-12T14:30:00Z', amount: '5.00', more: { successful: false } });
    await sell(id, { at: '2026-03-12T14:31:00Z', amount: '5.00', more: { refunded: true } });
    await sell(id, { at: '2026-03-12T14:32:00Z', amount: '5.00', more: { currency: 'EUR' } });
    const sales: LocationSales = (
      await worker.call('GET', `/api/location-sales?type=vending_machine&id=${id}&days=7`)
    ).json();
    expect(sales).toMatchObject({
      from: '2026-03-06',
      until: '2026-03-12',
      total: { units: 3, amount: '6.00', sales: 3 },
      before: '9.00',
      byProduct: [
        { productName: 'Water', units: 2, amount: '4.50' },
        { productName: 'Cola', units: 1, amount: '1.50' },
      ],
    });
    expect(sales.byDay).toHaveLength(7);
    expect(sales.byDay.slice(-2)).toEqual([
      { day: '2026-03-11', units: 1, amount: '1.50' },
      { day: '2026-03-12', units: 2, amount: '4.50' },
    ]);
    expect(sales.byHour.filter((one) => one.units > 0).map((one) => one.hour)).toEqual([10, 23]);
  });

  it('stock over time begins with the first count and goes on between movements', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    t.setNow(new Date('2026-03-10T15:00:00Z'));
    const url = `/api/vending-machines/${id}/inventory`;
    const slot = { productName: 'Cola', slotNumber: 'A1', price: '1.00', currentQuantity: 5, parQuantity: 8 };
    const { id: slotId } = (await manager.call('POST', url, { body: slot })).json();
    t.setNow(new Date('2026-03-12T15:00:00Z'));
    await manager.call('PUT', `/api/vending-machine-inventory/${slotId}`, { body: { currentQuantity: 0 } });
    const stock = await worker.call('GET', `/api/location-stock?type=vending_machine&id=${id}&days=7`);
    expect(stock.json()).toEqual({
      target: 8,
      days: [
        { day: '2026-03-10', units: 5, empty: 0 },
        { day: '2026-03-11', units: 5, empty: 0 },
        { day: '2026-03-12', units: 0, empty: 1 },
      ],
    });
  });

  it('what is taken away in the evening is no part of that day’s stock, where the operator is', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    t.setNow(new Date('2026-03-10T15:00:00Z'));
    const add = async (slotNumber: string, currentQuantity: number): Promise<number> => {
      const slot = { productName: 'Cola', slotNumber, price: '1.00', currentQuantity };
      return (await manager.call('POST', `/api/vending-machines/${id}/inventory`, { body: slot })).json().id;
    };
    await add('A1', 5);
    const taken = await add('A2', 3);
    // 01:00 UTC on the 12th is nine in the evening of the 11th in New York.
    await t.deps.db.execute(
      sql`update vending_machine_inventory set deleted_at = '2026-03-12T01:00:00Z' where id = ${taken}`,
    );
    const days = async (now: string) => {
      t.setNow(new Date(now));
      return (await worker.call('GET', `/api/location-stock?type=vending_machine&id=${id}&days=7`)).json().days;
    };
    const before = [
      { day: '2026-03-10', units: 8, empty: 0 },
      { day: '2026-03-11', units: 5, empty: 0 },
    ];
    expect(await days('2026-03-12T02:00:00Z')).toEqual(before);
    expect(await days('2026-03-12T15:00:00Z')).toEqual([...before, { day: '2026-03-12', units: 5, empty: 0 }]);
  });

  it.each(['location-sales', 'location-stock'])('%s of a wrong span or another route is refused', async (path) => {
    const { id } = await buildMarket(t.deps.db, { routeDesignation: '202' });
    const url = `/api/${path}?type=market&id=${id}`;
    expect((await manager.call('GET', url)).statusCode).toBe(200);
    expect((await worker.call('GET', url)).statusCode).toBe(404);
    expect((await manager.call('GET', `${url}&days=0`)).statusCode).toBe(400);
    expect((await manager.call('GET', `/api/${path}?type=shop&id=${id}`)).statusCode).toBe(400);
  });
});
