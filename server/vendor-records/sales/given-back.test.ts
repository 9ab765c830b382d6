import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReconciliationReport } from '../../../contract/reconciliation.ts';
import type { VendorSale } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { integrationConfigs } from '../../integrations/tables.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot, buildUser } from '../../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { deviceTold, saleTold } from '../../testing/vendor.ts';
import { storeBatch } from '../service.ts';

onEachDatabase('A refund that is told beside its sale', (open) => {
  let t: TestApp;
  let manager: Person;
  let config = { id: 0, system: 'cantaloupe' };

  beforeAll(async () => {
    t = await testApp(open);
    const [made] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'cantaloupe', name: 'Seed', publicId: 'c'.repeat(32) })
      .returning({ id: integrationConfigs.id, system: integrationConfigs.system });
    config = made ?? config;
    const { id } = await buildMachine(t.deps.db, { machineId: 'BACK-1' });
    for (const slotNumber of ['A1', 'A2'])
      await buildSlot(t.deps.db, id, { slotNumber, price: '1.50', maxQuantity: 99 });
    manager = await t.as((await buildUser(t.deps.db, { role: 'route_manager' })).id);
    await take({ devices: [deviceTold({ vendorId: 'VK1', machineNumber: 'BACK-1' })] });
  });
  afterAll(() => t.close());

  const take = (batch: Parameters<typeof storeBatch>[2]) =>
    t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now() }, batch));
  const sold = (id: string, line: string): VendorSale =>
    saleTold({
      ...{ vendorId: `${id}:${line}`, ledger: { source: 'cantaloupe', transactionId: id, line }, deviceId: 'VK1' },
      ...{ slotNumber: `A${line}`, productName: null },
    });
  const refund = (id: string, amount: string, line = 'refund-1'): VendorSale =>
    saleTold({
      ...{ vendorId: `${id}:${line}`, ledger: { source: 'cantaloupe', transactionId: id, line }, deviceId: 'VK1' },
      ...{ productName: null, unitPrice: amount, amount, status: 'refunded', movesStock: false },
    });

  /** Money and units of a transaction in the ledger, and of all in the sums of days. */
  const ledgerOf = async (id: string) => {
    const [found] = await rows<{ money: number; units: number; moved: number }>(
      t.deps.db,
      sql`select coalesce(sum(total_amount) filter (where not refunded), 0)::float as money,
            count(*) filter (where not refunded)::int as units,
            (select -coalesce(sum(m.quantity), 0)::int from stock_movements m join sales x on x.event_id = m.event_id
              where x.transaction_id = ${id}) as moved
          from sales where transaction_id = ${id}`,
    );
    return found;
  };

  it.each([
    [
      'after it',
      async (id: string) => {
        await take({ sales: [sold(id, '1'), sold(id, '2')] });
        await take({ sales: [refund(id, '-3.00')] });
      },
    ],
    [
      'before it',
      async (id: string) => {
        await take({ sales: [refund(id, '-3.00')] });
        await take({ sales: [sold(id, '1'), sold(id, '2')] });
      },
    ],
    [
      'with it',
      async (id: string) => {
        await take({ sales: [refund(id, '-3.00'), sold(id, '1'), sold(id, '2')] });
      },
    ],
    [
      'in two parts',
      async (id: string) => {
        await take({ sales: [sold(id, '1'), sold(id, '2'), refund(id, '-1.00')] });
        await take({ sales: [refund(id, '-2.00', 'refund-2')] });
      },
    ],
  ])('that comes %s takes the money of the whole sale back and leaves its units out', async (how, tell) => {
    for (let time = 0; time < 2; time += 1) await tell(`whole ${how}`);
    expect(await ledgerOf(`whole ${how}`)).toEqual({ money: 0, units: 0, moved: 2 });
    const [sums] = await rows<{ sums: number; ledger: number }>(
      t.deps.db,
      sql`select (select coalesce(sum(amount), 0)::float from sales_daily) as sums,
            (select coalesce(sum(total_amount), 0)::float from sales where not refunded) as ledger`,
    );
    expect(sums?.sums).toBe(sums?.ledger);
    const report: ReconciliationReport = (await manager.call('GET', '/api/reconciliation?range=month')).json();
    expect(report.differences).toEqual([]);
  });

  it.each([
    ['of a part', 'part', 'part'],
    ['under a number of its own', 'own', 'own9'],
  ])('%s leaves the sale as it is', async (_which, id, refundId) => {
    await take({ sales: [sold(id, '1'), sold(id, '2')] });
    await take({ sales: [refund(refundId, '-1.00')] });
    expect(await ledgerOf(id)).toEqual({ money: 3, units: 2, moved: 2 });
  });
});
