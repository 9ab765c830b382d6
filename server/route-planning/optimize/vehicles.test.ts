import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildSlot } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

onEachDatabase('The vehicle of an optimisation', (open) => {
  let t: TestApp;
  let manager: Person;
  let vendingMachineIds: number[];
  let vanId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    vendingMachineIds = [await buildMachine(t.deps.db), await buildMachine(t.deps.db)].map(({ id }) => id);
    // A tote each.
    for (const id of vendingMachineIds) await buildSlot(t.deps.db, id, { maxQuantity: 30, currentQuantity: 0 });
    const van = await manager.call('POST', '/api/vehicles', { body: { name: 'Small van', capacityTotes: 1 } });
    vanId = van.json().id;
  });
  afterAll(() => t.close());

  const planWith = (...vehicles: unknown[]) =>
    manager.call('POST', '/api/routes/optimize', {
      body: { vendingMachineIds, vehicles, options: { seed: 1, timeLimitMs: 100 } },
    });

  it('may be one of the fleet, or any that holds so many totes', async () => {
    const served = async (vehicle: unknown): Promise<number> => (await planWith(vehicle)).json().optimizedOrder.length;
    expect(await served(vanId)).toBe(1);
    expect(await served({ id: vanId })).toBe(1);
    expect(await served({ capacity: 1 })).toBe(1);
    expect(await served({ capacity: 2 })).toBe(2);
    expect(await served({ id: vanId, capacity: 2 })).toBe(2);
    expect((await planWith({ id: 999_999, capacity: 2 })).statusCode).toBe(404);
  });

  it.each([
    [{ capacity: -5 }, 'The capacity of a vehicle is a whole number of totes, at least 1'],
    [{ capacity: 0 }, 'The capacity of a vehicle is a whole number of totes, at least 1'],
    [{ capacity: 2, startMin: -60 }, 'Unknown field: startMin'],
    [{ capacity: 'NaN' }, 'Give a vehicle by its id, or as {id, capacity} with the totes that it holds'],
    [-1, 'Give a vehicle by its id, or as {id, capacity} with the totes that it holds'],
    [{}, 'Give a vehicle by its id, or as {id, capacity} with the totes that it holds'],
  ])('is refused with a sentence when it is %j', async (vehicle, sentence) => {
    const reply = await planWith(vehicle);
    expect([reply.statusCode, reply.json().detail]).toEqual([400, sentence]);
  });

  it('is the first one given, and a second is not passed over without a word', async () => {
    const { optimizedOrder, warnings } = (await planWith({ capacity: 2 }, vanId)).json();
    expect(optimizedOrder).toHaveLength(2);
    expect(warnings).toContainEqual(expect.stringContaining('the first one given is planned with'));
  });

  it('is planned with whatever else is asked for; an option that is not known is named', async () => {
    const optimise = (body: object) => manager.call('POST', '/api/routes/optimize', { body });
    const options = { timeLimitMs: 100, maxStops: 5, balance: true };
    const { optimizedOrder, warnings } = (await optimise({ vendingMachineIds, options })).json();
    expect(optimizedOrder).toHaveLength(vendingMachineIds.length);
    expect(warnings).toContain('Not known and left out: the options maxStops, balance.');
    const mistyped = await optimise({ vendingMachineIds, vendingMachineId: 7 });
    expect([mistyped.statusCode, mistyped.json().detail]).toEqual([400, expect.stringContaining('vendingMachineId')]);
  });

  it('is said to have no effect on a saved route, which has its own', async () => {
    const stops = vendingMachineIds.map((id) => ({ type: 'vending_machine', id }));
    const route = await manager.call('POST', '/api/routes', { body: { name: 'Saved', date: '2026-03-12', stops } });
    const optimised = async (vehicles: unknown[]) =>
      manager.call('POST', '/api/routes/optimize', {
        body: { routeId: route.json().id, vehicles, options: { timeLimitMs: 100 } },
      });
    const sentence = 'A saved route keeps its own vehicle: the vehicles given were not planned with.';
    expect((await optimised([{ capacity: 1 }])).json().warnings).toContain(sentence);
    expect((await optimised([])).json().warnings).not.toContain(sentence);
  });
});
