import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorSale } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { buildBothSystems, deviceTold, saleTold } from '../../testing/vendor.ts';
import { storeBatch } from '../service.ts';

onEachDatabase('A sale that is told again with another status', (open) => {
  let t: TestApp;
  let systems: { id: number; system: string }[];

  beforeAll(async () => {
    t = await testApp(open);
    systems = await buildBothSystems(t.deps.db);
    const machine = await buildMachine(t.deps.db, { machineId: 'ONCE-1' });
    await buildSlot(t.deps.db, machine.id, { slotNumber: 'A1', productName: 'Cola', price: '1.50' });
    for (const { system } of systems) await take(system, { devices: [deviceTold({ machineNumber: 'ONCE-1' })] });
  }, 60_000);
  afterAll(() => t.close());

  const take = (system: string, batch: Parameters<typeof storeBatch>[2]) => {
    const config = systems.find((one) => one.system === system);
    if (!config) throw new Error(`no ${system}`);
    return t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now() }, batch));
  };
  const tell = (id: string, status: VendorSale['status'], system = 'nayax') =>
    take(system, {
      sales: [
        saleTold({
          vendorId: id,
          ledger: { source: 'nayax', transactionId: id, line: null },
          status,
          slotNumber: 'A1',
        }),
      ],
    });

  /** Units sold and money taken, as the ledger, its daily sums and the partners' payments have them. */
  const counted = async () => {
    const [found] = await rows<{ units: number; ledger: number; sums: number; payments: number }>(
      t.deps.db,
      sql`select (select coalesce(sum(quantity), 0)::int from sales where successful and not refunded) as units,
            (select coalesce(sum(total_amount), 0)::float from sales where successful and not refunded) as ledger,
            (select coalesce(sum(amount), 0)::float from sales_daily) as sums,
            (select coalesce(sum(revenue), 0)::float from payments) as payments`,
    );
    return found;
  };
  const more = (before: Awaited<ReturnType<typeof counted>>, sold: number) => ({
    units: (before?.units ?? 0) + sold,
    ledger: (before?.ledger ?? 0) + sold * 1.5,
    sums: (before?.sums ?? 0) + sold * 1.5,
    payments: (before?.payments ?? 0) + sold * 1.5,
  });

  it('declared void after it was booked, it brings no money anywhere', async () => {
    const before = await counted();
    await tell('void', 'completed');
    expect(await counted()).toEqual(more(before, 1));
    for (let time = 0; time < 2; time += 1) await tell('void', 'failed');
    expect(await counted()).toEqual(before);
  });

  it.each([
    ['at once', ['failed', 'completed']],
    ['by way of waiting', ['failed', 'pending', 'completed']],
  ] as const)('failed first and paid after all, %s, it is booked once', async (way, statuses) => {
    const before = await counted();
    for (const status of statuses) await tell(`alive ${way}`, status);
    await tell(`alive ${way}`, 'completed');
    expect(await counted()).toEqual(more(before, 1));
  });

  it('stays booked when another system than the one it was booked from says that it failed', async () => {
    const before = await counted();
    await tell('disputed', 'completed');
    await tell('disputed', 'failed', 'moma');
    expect(await counted()).toMatchObject({ units: (before?.units ?? 0) + 1 });
  });
});
