import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DayPlan } from '../../contract/day-plans.ts';
import type { PickSheet } from '../../contract/picking.ts';
import { products } from '../products/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildSlot, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('the totes of a planned day', (open) => {
  let test: TestApp;
  let manager: Person;
  let vendingMachineIds: number[];
  let date: string;
  beforeAll(async () => {
    test = await testApp(open);
    const { db, clock } = test.deps;
    date = clock.now().toISOString().slice(0, 10);
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    await buildDepot(db, { latitude: '40.70', longitude: '-74.00', isDefault: true });
    const kinds = ['Soda', 'Chips', 'Fresh'].map((category) => ({ name: category, category }));
    const made = await db.insert(products).values(kinds).returning({ id: products.id });
    vendingMachineIds = [await buildMachine(db), await buildMachine(db)].map(({ id }) => id);
    // 24 units of each machine, which one tote would hold if drinks, dry and cold things were not packed apart.
    for (const id of vendingMachineIds) {
      for (const [index, { id: productId }] of made.entries())
        await buildSlot(db, id, { slotNumber: `A${index}`, productId, maxQuantity: 8, currentQuantity: 0 });
    }
  });
  afterAll(() => test.close());

  const planned = async (capacityTotes: number): Promise<DayPlan> => {
    const van = await manager.call('POST', '/api/vehicles', {
      body: { name: `Van of ${capacityTotes}`, capacityTotes },
    });
    const crews = [{ vehicleId: van.json().id, startMin: 360, endMin: 1200 }];
    const made = await manager.call('POST', '/api/day-plans', {
      body: { date, vendingMachineIds, crews, timeLimitMs: 400 },
    });
    const look = async (): Promise<DayPlan> => (await manager.call('GET', `/api/day-plans/${made.json().id}`)).json();
    await expect.poll(async () => (await look()).status, { timeout: 30_000 }).not.toBe('solving');
    return look();
  };

  it('are those that the picker packs', async () => {
    const plan = await planned(6);
    expect(plan.routes[0]).toMatchObject({ totes: 6, capacityTotes: 6 });
    const saved: DayPlan = (await manager.call('POST', `/api/day-plans/${plan.id}/save`)).json();
    const sheet: PickSheet = (await manager.call('GET', `/api/picking/${saved.routeIds[0]}`)).json();
    expect(sheet.stops.map(({ totes }) => totes.at(-1)?.to)).toEqual([3, 3]);
  });

  it('decide what fits on the vehicle, of a day as of a route', async () => {
    const plan = await planned(5);
    expect(plan.routes[0]?.stops).toHaveLength(1);
    expect(plan.unassigned).toMatchObject([{ reason: 'No vehicle has room left for its 3 totes.' }]);
    const body = { vendingMachineIds, vehicles: [{ capacity: 2 }], options: { seed: 1, timeLimitMs: 100 } };
    const route = (await manager.call('POST', '/api/routes/optimize', { body })).json();
    const reason = 'Needs 3 totes: more than any vehicle holds.';
    expect(route).toMatchObject({ optimizedOrder: [], unassigned: [{ reason }, { reason }] });
  });
});
