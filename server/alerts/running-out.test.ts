import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { recordFirstCount } from '../inventory/service.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { raiseByRules, raiseUnhurried } from './service.ts';

const dayMs = 86_400_000;
const start = new Date('2026-03-16T16:00:00Z');
const days = Array.from({ length: 20 }, (_, n) => n + 1);

onEachDatabase('machines that run out before their next visit', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
    test.setNow(start);
  });
  afterAll(() => test.close());

  /** Sells six units a day and holds one. */
  async function emptyingMachine(): Promise<number> {
    const { db } = test.database;
    const at = new Date(start.getTime() - 21 * dayMs);
    const { id } = await buildMachine(db);
    const slot = await buildSlot(db, id, { productName: 'Cola', price: '2.00', maxQuantity: 20, createdAt: at });
    const count = { itemType: 'machine_slot' as const, itemId: slot.id, quantity: 121, actorId: null, at };
    const sales = days.map(
      (back): Sale => ({
        ...{ source: 'test', transactionId: `${id}-${back}`, line: null, machineId: id, marketId: null },
        ...{ slotNumber: slot.slotNumber, productName: null, productCode: null, category: null, quantity: 6 },
        ...{ price: '2.00', totalAmount: '12.00', currency: 'USD', paymentMethod: 'cash', successful: true },
        ...{ refunded: false, flags: null, soldAt: new Date(start.getTime() - back * dayMs) },
      }),
    );
    await db.transaction((tx) => recordFirstCount(tx, count));
    await db.transaction((tx) => recordSales(tx, sales, start));
    return id;
  }

  const raised = async (): Promise<number[]> => {
    const found = await rows<{ id: number }>(
      test.database.db,
      sql`select machine_id as id from vending_machine_alerts where alert_type = 'runs_out' and resolved_at is null order by 1`,
    );
    return found.map(({ id }) => id);
  };

  it('are told in turn where there are many, and all of them at once when the rules were changed', async () => {
    const machines = [await emptyingMachine(), await emptyingMachine()];
    const seen: number[][] = [];
    for (let turn = 0; turn < 2; turn++) {
      await raiseUnhurried(test.deps, 1);
      seen.push(await raised());
    }
    expect(seen[0]).toHaveLength(1);
    // The alert of the one whose turn it was before stays.
    expect(seen[1]).toEqual(machines);
    await test.database.db.execute(sql`update vending_machine_inventory set price = 0.01`);
    await raiseUnhurried(test.deps, 1);
    expect(await raised()).toEqual(machines.filter((id) => !seen[0]?.includes(id)));
    await raiseByRules(test.deps);
    expect(await raised()).toEqual([]);
  });
});
