import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorSale } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { products } from '../../products/tables.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { buildBothSystems, deviceTold, saleTold } from '../../testing/vendor.ts';
import { storeBatch } from '../service.ts';

const feeds = process.env.MILKRUN_LONG === '1' ? 1_000 : 12;
const price = 1.5;
const minuteMs = 60_000;

/** What goes wrong with one record on its way. */
const wrongs: Record<string, (told: VendorSale, n: number, now: Date) => VendorSale> = {
  cents: (told) => ({ ...told, unitPrice: '150.00', amount: (150 * told.quantity).toFixed(2) }),
  point: (told) => ({ ...told, unitPrice: '0.015', amount: (0.015 * told.quantity).toFixed(2) }),
  jump: (told, n) => ({ ...told, quantity: 60 + n, amount: (price * (60 + n)).toFixed(2) }),
  reset: (told, n) => ({ ...told, quantity: -1 - n }),
  ahead: (told, n, now) => ({ ...told, soldAt: new Date(now.getTime() + (11 + n) * minuteMs) }),
  lost: (told) => ({ ...told, soldAt: new Date('2000-01-01T00:00:00Z') }),
  negative: (told) => ({ ...told, unitPrice: '-1.50', amount: `-${told.amount}` }),
  map: (told) => ({ ...told, slotNumber: 'A2' }),
  slot: (told) => ({ ...told, slotNumber: 'Z9' }),
};

const record = fc.record({
  quantity: fc.integer({ min: 1, max: 3 }),
  ageMin: fc.nat({ max: 20_000 }),
  wrong: fc.option(fc.constantFrom(...Object.keys(wrongs)), { freq: 3 }),
  n: fc.nat({ max: 400 }),
  /** In which of the tellings it stands: page, message, reread, the other system. */
  told: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }),
  /** Told the last time with another amount. */
  changes: fc.boolean(),
});
const feed = fc.record({ records: fc.array(record, { minLength: 15, maxLength: 30 }) });

onEachDatabase('Corrupted feeds', (open) => {
  let t: TestApp;
  let systems: { id: number; system: string }[];
  let run = 0;

  beforeAll(async () => {
    t = await testApp(open);
    systems = await buildBothSystems(t.deps.db);
    const machine = await buildMachine(t.deps.db, { machineId: 'FEED-1' });
    const [cola, water] = await t.deps.db
      .insert(products)
      .values([{ name: 'Cola' }, { name: 'Water' }])
      .returning({ id: products.id });
    await buildSlot(t.deps.db, machine.id, {
      slotNumber: 'A1',
      productName: 'Cola',
      productId: cola?.id,
      price: '1.50',
      maxQuantity: 10,
    });
    await buildSlot(t.deps.db, machine.id, {
      slotNumber: 'A2',
      productName: 'Water',
      productId: water?.id,
      price: '1.50',
      maxQuantity: 10,
    });
    for (const config of systems) await take(config, { devices: [deviceTold({ machineNumber: 'FEED-1' })] });
  });
  afterAll(() => t.close());

  const take = (config: { id: number; system: string }, batch: Parameters<typeof storeBatch>[2], heardAt?: Date) =>
    t.deps.db.transaction((tx) => storeBatch(tx, { config, at: t.deps.clock.now(), heardAt }, batch));

  it('a failed sale that both systems tell is one failed payment', async () => {
    const sale = (id: string) =>
      saleTold({
        ...{ vendorId: id, ledger: { source: 'nayax', transactionId: id, line: null }, status: 'failed' as const },
        ...{ slotNumber: 'A1', productName: 'Cola', amount: '1.50', soldAt: t.deps.clock.now() },
      });
    for (const config of [...systems, ...systems]) await take(config, { sales: [sale('declined'), sale('jammed')] });
    const found = await rows(
      t.deps.db,
      sql`select system, payment_id as id, status, revenue::text from payments where status = 'failed' order by id`,
    );
    expect(found).toEqual([
      { system: 'nayax', id: 'declined', status: 'failed', revenue: '0' },
      { system: 'nayax', id: 'jammed', status: 'failed', revenue: '0' },
    ]);
  });

  it('no sale is counted twice, 95 in 100 wrong records are held, and less than one good one in 200', async () => {
    const sum = { good: 0, goodBooked: 0, wrong: 0, wrongHeld: 0, doubled: 0, overwritten: 0 };
    await fc.assert(
      fc.asyncProperty(feed, async ({ records }) => {
        run += 1;
        const now = t.deps.clock.now();
        const sales = records.map((one, n) => {
          const told = saleTold({
            ...{ vendorId: `${run}-${n}`, ledger: { source: 'nayax', transactionId: `${run}-${n}`, line: null } },
            ...{ slotNumber: 'A1', productName: 'Cola', quantity: one.quantity, unitPrice: '1.50' },
            ...{ amount: (price * one.quantity).toFixed(2), soldAt: new Date(now.getTime() - one.ageMin * minuteMs) },
          });
          return one.wrong === null ? told : (wrongs[one.wrong]?.(told, one.n, now) ?? told);
        });
        for (const telling of [0, 1, 2, 3]) {
          const part = sales.filter((_, n) => records[n]?.told.includes(telling));
          const config = systems[telling === 3 ? 1 : 0];
          if (!config) continue;
          // Each telling comes twice, the second time backwards.
          for (const list of [part, part.toReversed()])
            await take(config, { sales: list }, telling === 1 ? now : undefined);
        }
        const changed = sales.filter((_, n) => records[n]?.changes && records[n]?.wrong === null);
        const other = changed.map((sale) => ({ ...sale, amount: (Number(sale.amount) + 0.25).toFixed(2) }));
        if (systems[0]) await take(systems[0], { sales: other });
        const booked = await rows<{ id: string; n: number; amount: string }>(
          t.deps.db,
          sql`select transaction_id as id, count(*)::int as n, sum(total_amount)::text as amount from sales
              where source = 'nayax' and transaction_id like ${`${run}-%`} group by 1`,
        );
        const byId = new Map(booked.map((one) => [one.id, one]));
        for (const [n, one] of records.entries()) {
          const found = byId.get(`${run}-${n}`);
          if ((found?.n ?? 0) > 1) sum.doubled += 1;
          if (one.wrong !== null) {
            sum.wrong += 1;
            if (!found) sum.wrongHeld += 1;
            continue;
          }
          sum.good += 1;
          if (found) sum.goodBooked += 1;
          const told = [sales[n]?.amount, ...(one.changes ? [(Number(sales[n]?.amount) + 0.25).toFixed(2)] : [])];
          if (found && !told.includes(found.amount)) sum.overwritten += 1;
        }
      }),
      { numRuns: feeds, endOnFailure: true },
    );
    expect(sum).toMatchObject({ doubled: 0, overwritten: 0 });
    expect(sum.wrong).toBeGreaterThan(20);
    expect(sum.wrongHeld / sum.wrong).toBeGreaterThanOrEqual(0.95);
    expect(sum.goodBooked / sum.good).toBeGreaterThan(0.995);
  }, 3_600_000);
});
