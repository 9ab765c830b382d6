import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDex } from '../../connectors/dex/sample.ts';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { buildBothSystems, saleTold } from '../testing/vendor.ts';
import { takeBatch } from './service.ts';

onEachDatabase('DEX files and sales of one delivery', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(open);
  });
  afterAll(() => t.close());

  it('while it waits for another that tells of the same sales, it holds up nobody else', async () => {
    const { db, database, clock } = t.deps;
    const [config] = await buildBothSystems(db);
    if (!config) throw new Error('no configuration');
    const machine = await buildMachine(db, { serialNumber: 'SN-1' });
    await db.execute(sql`insert into dex_machines (machine_id) values (${machine.id})`);
    const bytes = Buffer.from(buildDex(['ID1*SN-1*M1', 'ID4*2*840*USD', 'PA1*10*150*COLA', 'PA2*4*600']), 'latin1');
    const sale = saleTold({ ledger: { source: 'nayax', transactionId: 'P1', line: null }, status: 'pending' });
    const batch = { dexReads: [{ deviceId: null, serialNumber: 'SN-1', bytes, readAt: null }], sales: [sale] };
    const take = () => db.transaction((tx) => takeBatch(tx, { config, at: clock.now() }, batch));
    const isWaiting = async () =>
      (await firstRow(db, sql`select from pg_locks where locktype = 'advisory' and not granted limit 1`)) !== undefined;
    // The embedded database does one after the other.
    if (database.kind === 'embedded') await take();
    else {
      const taken = await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtext('told-sale'), hashtext('nayax'))`);
        const started = take();
        await expect.poll(isWaiting).toBe(true);
        const free = await rows(
          tx,
          sql`select from dex_machines where machine_id = ${machine.id} for update skip locked`,
        );
        expect(free).toHaveLength(1);
        return { started };
      });
      await taken.started;
    }
    expect(await rows(db, sql`select outcome from dex_reads where machine_id = ${machine.id}`)).toEqual([
      { outcome: 'baseline' },
    ]);
    expect(await rows(db, sql`select outcome from vendor_sales where vendor_id = 'S1'`)).toEqual([
      { outcome: 'waiting' },
    ]);
  });
});
