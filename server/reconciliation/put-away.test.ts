import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReconciliationReport } from '../../contract/reconciliation.ts';
import { rollUpOldMonths } from '../retention/service.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('reconciliation of months whose sales are in files', (open) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-put-away-'));
  let t: TestApp;
  let manager: Person;
  let machineId = 0;

  beforeAll(async () => {
    t = await testApp(open, { MILKRUN_DATA: folder, LEDGER_MONTHS: '25' });
    ({ manager } = await oneOfEachRole(t, '101'));
    const { db } = t.deps;
    machineId = (await buildMachine(db, { name: 'Lobby', routeDesignation: '101' })).id;
    await db.execute(sql`insert into integration_configs (id, system, name, public_id, created_at)
      values (1, 'cantaloupe', 'Seed', ${'1'.padStart(32, '0')}, '2023-01-01T00:00:00Z')`);
    await db.execute(sql`insert into vendor_devices (config_id, system, vendor_id, location_type, name, status, content_hash, link, machine_id)
      values (1, 'cantaloupe', 'VK1', 'vending_machine', 'VK1', 'active', 'x', 'linked', ${machineId})`);
    await paid('january', '2024-01-20T17:00:00Z');
    // The sale is told a little before the border of the months, its payment, without a reference, a little after it.
    await sell({ source: 'import', transactionId: 'edge', soldAt: new Date('2024-01-31T23:57:00Z') });
    await tell('edge-payment', '2024-02-01T00:01:00Z');
    await paid('february', '2024-02-10T17:00:00Z');
    await tell('more', '2024-02-11T17:00:00Z');
    await sell({ transactionId: 'c1', paymentMethod: 'cash', soldAt: new Date('2024-01-20T17:00:00Z') });
    await sell({ transactionId: 'c2', paymentMethod: 'cash', soldAt: new Date('2024-02-20T17:00:00Z') });
    for (const day of ['2024-01-10', '2024-02-05', '2024-02-25']) await bag(day);
    const content =
      'Payout,Reference,Amount,Date\nP1,january,1.50,2024-01-25\nP2,edge-payment,1.50,2024-02-12\nP2,february,1.40,2024-02-12\n';
    const body = { system: 'cantaloupe', name: 'p.csv', content };
    expect((await manager.call('POST', '/api/reconciliation/payouts', { body })).statusCode).toBe(201);
  }, 180_000);
  afterAll(async () => {
    await t.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function sell(fields: Partial<Sale>): Promise<void> {
    const sale: Sale = {
      ...{ source: 'cantaloupe', transactionId: 'x', line: null, machineId, marketId: null, slotNumber: null },
      ...{ productName: 'Cola', productCode: null, category: null, quantity: 1, price: '1.50', totalAmount: '1.50' },
      ...{ currency: 'USD', paymentMethod: 'credit', soldAt: new Date(0), successful: true, refunded: false },
      ...{ flags: null, ...fields },
    };
    await t.deps.db.transaction((tx) => recordSales(tx, [sale], t.deps.clock.now()));
  }
  const tell = (id: string, at: string) =>
    t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id,
        quantity, unit_price, amount, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome)
      values (1, 'cantaloupe', ${id}, 'cantaloupe', ${id}, 'VK1', 1, 1.5, 1.5, 'USD', 'credit', 'completed', ${at}, true, 'x', 'booked')`);
  async function paid(id: string, at: string): Promise<void> {
    await sell({ transactionId: id, soldAt: new Date(at) });
    await tell(id, at);
  }
  const bag = (day: string) =>
    t.deps.db.execute(sql`insert into visits (id, vending_machine_id, device_seq, opened_at, closed_at, bag_number)
      values (${randomUUID()}, ${machineId}, 1, ${`${day}T15:00:00Z`}, ${`${day}T15:00:00Z`}, ${day})`);

  async function reportOf(from: string, to: string): Promise<ReconciliationReport> {
    const reply = await manager.call('GET', `/api/reconciliation?from=${from}&to=${to}`);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as ReconciliationReport;
  }
  const toldOf = ({ differences }: ReconciliationReport) =>
    differences.map(({ kind, reference, amount }) => [kind, reference, amount]);

  it('tells the differences of before and no false ones, and from which day on sales are compared', async () => {
    const before = await reportOf('2024-01-15', '2024-02-28');
    expect(before.salesFrom).toBeNull();
    expect(toldOf(before)).toEqual([
      ['payout-differs', 'february', '-0.10'],
      ['payment-without-sale', 'more', '1.50'],
    ]);
    await rollUpOldMonths(t.deps);
    const after = await reportOf('2024-01-15', '2024-02-28');
    expect(toldOf(after)).toEqual(toldOf(before));
    expect(after).toMatchObject({ salesFrom: '2024-02-01', sales: 1, payments: 2, pairs: 1, payouts: 3 });
    expect((await reportOf('2024-02-05', '2024-02-28')).salesFrom).toBeNull();
  });

  it('expects nothing of a bag that was filled in days of which the sales are not here', async () => {
    await rollUpOldMonths(t.deps);
    const { bags } = await reportOf('2024-01-01', '2024-02-28');
    expect(bags.map(({ bagNumber, since, expected }) => [bagNumber, since !== null, expected])).toEqual([
      ['2024-02-25', true, '1.50'],
      ['2024-02-05', true, null],
      ['2024-01-10', false, null],
    ]);
  });
});
