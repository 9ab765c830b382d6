import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorBatch } from '../../domain/integration.ts';
import { rows } from '../db/database.ts';
import { integrationConfigs } from '../integrations/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { deviceTold, saleTold } from '../testing/vendor.ts';
import { storeBatch } from './service.ts';

onEachDatabase('records of partners that cannot be kept', (open) => {
  let t: TestApp;
  let manager: Person;
  let config: { id: number; system: string };

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager } = await oneOfEachRole(t, '101'));
    const [made] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'nayax', name: 'Ours', publicId: 'f'.repeat(32) })
      .returning();
    config = { id: made?.id ?? 0, system: 'nayax' };
    const { id } = await buildMachine(t.deps.db, { name: 'Lobby machine' });
    await buildSlot(t.deps.db, id, { slotNumber: 'A1', productName: 'Cola', price: '1.50' });
    await take({ devices: [deviceTold()] });
    await t.deps.db.execute(sql`update vendor_devices set link = 'linked', machine_id = ${id}`);
  });
  afterAll(() => t.close());

  const take = (batch: VendorBatch) =>
    t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now() }, batch));
  const told = (vendorId: string, fields = {}) =>
    saleTold({
      vendorId,
      ledger: { source: 'nayax', transactionId: vendorId, line: null },
      slotNumber: 'A1',
      ...fields,
    });
  const sums = () =>
    rows(
      t.deps.db,
      sql`select (select sum(total_amount)::text from sales) as sales, (select sum(amount)::text from sales_daily) as daily,
            (select sum(revenue)::text from payments) as payments, (select sum(amount)::text from payment_hours) as hours`,
    );

  const heldOnes = async () => (await manager.call('GET', '/api/integrations/held')).json().rows;
  const bookAsTold = (id: number) =>
    manager.call('POST', `/api/integrations/held/${id}/repair`, { body: { how: 'as-told' } });
  const right = { sales: '1.50', daily: '1.50', payments: '1.50', hours: '1.50' };

  it.each([
    ['a sale', {}],
    ['a payment that moves no stock', { movesStock: false, slotNumber: null }],
    ['a failed payment', { status: 'failed' }],
  ])('%s whose amount is none waits for a person, and every sum stays a sum', async (name, fields) => {
    await take({ sales: [told('right')] });
    const amount = '9'.repeat(13);
    const odd = told(name, { ...fields, unitPrice: amount, amount, raw: { name } });
    expect(await take({ sales: [odd] })).toMatchObject({ booked: 0, held: 1 });
    expect(await take({ sales: [odd] })).toMatchObject({ booked: 0, held: 0 });
    const [found] = await heldOnes();
    expect([found.kind, found.explanation]).toEqual([
      'unreadable',
      `The sale ${name} has an amount that cannot be read: ${amount}. Nothing of it was taken.`,
    ]);
    expect((await bookAsTold(found.id)).statusCode).toBe(409);
    expect(await sums()).toEqual([right]);
  });

  it('one that was kept before with an amount that is none is not booked as told', async () => {
    await take({ sales: [told('kept', { unitPrice: '150.00', amount: '150.00' })] });
    await t.deps.db.execute(
      sql`update vendor_sales set amount = 'NaN', unit_price = 'NaN', outcome = 'held' where vendor_id = 'kept'`,
    );
    const [found] = await heldOnes();
    expect((await bookAsTold(found.id)).json()).toEqual({ booked: 0, held: 1, dismissed: 0 });
    expect(await sums()).toMatchObject([{ sales: '1.50', daily: '1.50', payments: '1.50' }]);
  });
});
