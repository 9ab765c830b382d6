import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport } from '../../../connectors/cantaloupe/map.ts';
import { readSale } from '../../../connectors/lynx/sale.ts';
import type { VendorSale } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { migrationsFolder } from '../../db/migrations.ts';
import { integrationConfigs } from '../../integrations/tables.ts';
import { countWrongPaymentSums } from '../../payments/service.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { buildBothSystems, deviceTold } from '../../testing/vendor.ts';
import { storeBatch } from '../service.ts';

onEachDatabase('A transaction that ends with fewer lines than it began with', (open) => {
  let t: TestApp;
  let systems: { id: number; system: string }[];

  beforeAll(async () => {
    t = await testApp(open);
    const [seed] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'cantaloupe', name: 'Seed', publicId: 'c'.repeat(32) })
      .returning({ id: integrationConfigs.id, system: integrationConfigs.system });
    systems = [...(await buildBothSystems(t.deps.db)), ...(seed ? [seed] : [])];
    const { id } = await buildMachine(t.deps.db, { machineId: 'LINES-1' });
    for (const [slotNumber, price] of Object.entries({ A1: '1.00', A2: '1.50', A3: '2.00' })) {
      await buildSlot(t.deps.db, id, { slotNumber, productName: `Product ${slotNumber}`, price, maxQuantity: 99 });
    }
    for (const { system } of systems) {
      await take(system, { devices: [deviceTold({ vendorId: 'VK1', machineNumber: 'LINES-1' })] });
    }
  });
  afterAll(() => t.close());

  const take = (system: string, batch: Parameters<typeof storeBatch>[2]) => {
    const config = systems.find((one) => one.system === system);
    if (!config) throw new Error(`no ${system}`);
    return t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now() }, batch));
  };

  const lynx = (id: number, names: readonly string[], settled: number | null): readonly VendorSale[] => {
    const read = readSale(
      {
        ...{
          TransactionID: id,
          MachineID: 'VK1',
          AuthorizationValue: 4.5,
          SettlementValue: settled,
          CurrencyCode: 'USD',
        },
        ...{ PaymentMethod: 'Credit Card', ProductName: names.join('\n') },
        AuthorizationDateTimeGMT: '2026-03-12T13:00:00.00',
        SettlementDateTimeGMT: settled === null ? null : '2026-03-12T13:05:00.00',
      },
      'VK1',
    );
    return 'sales' in read ? read.sales : [];
  };
  const [one, two, three] = ['Product A1(A1 = 1.00)', 'Product A2(A2 = 1.50)', 'Product A3(A3 = 2.00)'] as const;
  const seed = (id: string, state: string, amount: string, details: string): readonly VendorSale[] => {
    const header = 'Reference #,Trans Type,Settle State,Device,Location,Asset #,Date,Card Type,Amount,Details';
    const row = `${id},Credit,${state},VK1,Lobby,LINES-1,03/12/2026 09:00:00 AM,Visa,${amount},"${details}"`;
    const about = { timeZone: 'America/New_York', receivedAt: t.deps.clock.now() };
    return readReport(`${header}\n${row}\n`, about)?.batch.sales ?? [];
  };

  /** What counts of it: lines and money by status, in the list of payments. */
  const counted = async (id: number | string) => {
    const found = await rows<{ status: string; lines: number; amount: string }>(
      t.deps.db,
      sql`select status, count(*)::int as lines, sum(amount)::numeric(9, 2)::text as amount from payments
          where payment_id in (select vendor_id from vendor_sales where ledger_id = ${String(id)}) or payment_id = ${String(id)}
          group by 1 order by 1`,
    );
    return found.map(({ status, lines, amount }) => [status, lines, amount]);
  };

  it('leaves no line pending, and is told again with all of them each is booked once', async () => {
    await take('nayax', { sales: lynx(71, [one, two, three], null) });
    expect(await counted(71)).toEqual([['pending', 3, '4.50']]);
    await take('nayax', { sales: lynx(71, [one, two], 2.5) });
    expect(await counted(71)).toEqual([['completed', 2, '2.50']]);
    expect(await countWrongPaymentSums(t.deps.db)).toBe(0);
    await take('nayax', { sales: lynx(71, [one, two, three], 4.5) });
    expect(await counted(71)).toEqual([['completed', 3, '4.50']]);
  });

  it('leaves none at a second connection that told it as well', async () => {
    for (const system of ['nayax', 'moma']) await take(system, { sales: lynx(72, [one, two, three], null) });
    for (const system of ['nayax', 'moma']) await take(system, { sales: lynx(72, [one], 1) });
    expect(await counted(72)).toEqual([['completed', 1, '1.00']]);
    expect(
      await rows(t.deps.db, sql`select 1 from vendor_sales where ledger_id = '72' and status = 'pending'`),
    ).toEqual([]);
  });

  it('has each line failed where nothing of it settled', async () => {
    await take('nayax', { sales: lynx(73, [one, two, three], null) });
    await take('nayax', { sales: lynx(73, [one, two, three], 0) });
    expect(await counted(73)).toEqual([['failed', 3, '0.00']]);
  });

  it.each([
    { id: '81', before: '0A01($1.00), 0A02($1.50)', after: '0A01($1.00)', expected: ['completed', 1, '1.00'] },
    { id: '82', before: '0A01($1.00)', after: '0A01($1.00), 0A02($1.50)', expected: ['completed', 2, '2.50'] },
  ])(
    'leaves none of Seed Live that begins with $before and ends with $after',
    async ({ id, before, after, expected }) => {
      const amountOf = (details: string): string => (details.includes(',') ? '$2.50' : '$1.00');
      await take('cantaloupe', { sales: seed(id, 'Unsettled', amountOf(before), before) });
      await take('cantaloupe', { sales: seed(id, 'Settled', amountOf(after), after) });
      expect(await counted(id)).toEqual([expected]);
    },
  );

  it('stays pending while only a refund of it is told', async () => {
    await take('cantaloupe', { sales: seed('83', 'Unsettled', '$1.00', '0A01($1.00)') });
    await take('cantaloupe', { sales: seed('83', 'Settled', '-$1.00', '0A01($1.00)') });
    expect(await counted('83')).toEqual([
      ['pending', 1, '1.00'],
      ['refunded', 1, '-1.00'],
    ]);
  });

  it('is put right where it was left so by an older version, and nothing else is', async () => {
    const [left, alone] = [lynx(74, [one, two, three], null), lynx(75, [one, two], null)];
    await take('nayax', { sales: [...left, ...alone] });
    const migration = readFileSync(path.join(migrationsFolder(), '0830_lines_left_pending.sql'), 'utf8');
    await t.deps.db.execute(
      sql`update vendor_sales set status = 'completed', outcome = 'booked' where vendor_id = '74'`,
    );
    await t.deps.db.execute(sql.raw(migration));
    expect([await counted(74), await counted(75)]).toEqual([[['completed', 1, '1.00']], [['pending', 2, '4.50']]]);
    expect(await countWrongPaymentSums(t.deps.db)).toBe(0);
  });
});
