import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { firstRow } from '../db/database.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { diagnose, repair } from './service.ts';

onEachDatabase('the doctor, where amounts are no numbers', (open) => {
  let t: TestApp;

  beforeEach(async () => {
    t = await testApp(open);
    const machineId = (await buildMachine(t.deps.db, { routeDesignation: '101' })).id;
    await buildSlot(t.deps.db, machineId, { slotNumber: 'A1', productName: 'Cola', maxQuantity: 20 });
    const sale = (id: string, quantity: number): Sale => ({
      ...{ source: 'import', transactionId: id, line: null, machineId, marketId: null, slotNumber: 'A1' },
      ...{ productName: 'Cola', productCode: null, category: null, quantity, price: '1.50' },
      ...{ totalAmount: (quantity * 1.5).toFixed(2), currency: 'USD', paymentMethod: 'cash', successful: true },
      ...{ soldAt: new Date('2026-03-02T17:00:00Z'), refunded: false, flags: null },
    });
    await t.deps.db.transaction((tx) =>
      recordSales(tx, [sale('good', 1), sale('priced', 2), sale('none', 1)], t.deps.clock.now()),
    );
    await t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, quantity, unit_price,
        amount, fee, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome, raw)
      select 1, 'nayax', g.id, 'nayax', g.id, 1, g.price, g.amount, g.fee, 'USD', 'credit', 'completed', '2026-03-02T17:00:00Z', true, 'x',
        'booked', '{"told": "odd"}' from (values ('good', 2.00, 2.00, 0.10), ('odd', 'NaN', 'NaN', 'NaN'), ('endless', 3.00, 'Infinity', null))
        as g(id, price, amount, fee)`);
  });
  afterEach(() => t.close());

  const patient = () => ({ database: t.database, env: t.deps.env, now: t.deps.clock.now() });
  const named = (found: Awaited<ReturnType<typeof diagnose>>) => found.find(({ name }) => name === 'Amounts');
  const sums = () =>
    firstRow(
      t.deps.db,
      sql`select (select sum(amount) from item_days)::float as days, (select sum(amount) from sales_daily)::float as daily,
            (select sum(amount) from sales_by_route)::float as route, (select sum(amount) from place_days where day > '-infinity')::float as place,
            (select sum(revenue) from payment_days)::float as payments, (select sum(revenue) from payment_hours)::float as hours`,
    );

  it('names them, keeps each record with what is known of it, and makes the sums anew', async () => {
    await t.deps.db.execute(sql`update sales set total_amount = 'NaN' where transaction_id = 'priced'`);
    await t.deps.db.execute(sql`update sales set total_amount = 'NaN', price = 'NaN' where transaction_id = 'none'`);
    await t.deps.db.execute(sql`update item_days set amount = 'NaN'`);
    await t.deps.db.execute(sql`update sales_daily set amount = 'NaN'`);
    const found = await diagnose(patient());
    expect(named(found)).toMatchObject({ state: 'broken' });
    expect(named(found)?.message).toContain('sales.price (1), sales.total_amount (2)');
    expect(named(found)?.message).toContain(
      'vendor_sales.amount (2), vendor_sales.fee (1), vendor_sales.unit_price (1)',
    );
    const done = await repair(patient(), found);
    expect(done[0]).toBe(
      '2 sales and 2 payments with an amount that was no number were kept with one, and the sums were made anew.',
    );
    expect(await sums()).toEqual({ days: 4.5, daily: 4.5, route: 4.5, place: 4.5, payments: 9.5, hours: 9.5 });
    const kept = sql`select (select json_agg(s.flags order by s.transaction_id) from sales s) as flags, details ->> 'flag' as flag,
        raw ->> 'told' as raw, fee from vendor_sales where vendor_id = 'odd'`;
    const said = 'its amount was no number';
    expect(await firstRow(t.deps.db, kept)).toEqual({ flags: [null, said, null], flag: said, raw: 'odd', fee: null });
    const after = await diagnose(patient());
    expect(after.filter(({ state }) => state === 'broken')).toEqual([]);
    expect(named(after)?.message).toBe('All amounts are numbers.');
  });

  it('says which amounts are left for a person', async () => {
    await t.deps.db.execute(sql`update vending_machine_inventory set price = 'NaN'`);
    const found = await diagnose(patient());
    expect(named(found)?.message).toContain('vending_machine_inventory.price (1)');
    expect((await repair(patient(), found))[0]).toContain('Not mended: vending_machine_inventory.price (1).');
  });
});
