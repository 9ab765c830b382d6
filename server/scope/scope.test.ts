import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildRoute, buildStop, buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('what a field worker may see', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  const idsOf = async (userId: number, url: string): Promise<number[]> => {
    const reply = await (await test.as(userId)).call('GET', url);
    return reply.json().map((one: { id: number }) => one.id);
  };
  const assigned = async (driverId: number, date: string) => {
    const { id: routeId } = await buildRoute(test.deps.db, { date, driverId, routeDesignation: 'other' });
    const market = await buildMarket(test.deps.db, { routeDesignation: 'other' });
    const machine = await buildMachine(test.deps.db, { routeDesignation: 'other' });
    await buildStop(test.deps.db, routeId, { marketId: market.id });
    await buildStop(test.deps.db, routeId, { vendingMachineId: machine.id, stopOrder: 2 });
    return { marketId: market.id, machineId: machine.id };
  };

  it('is the own designation and the stops of assigned routes from yesterday to tomorrow', async () => {
    const { id } = await buildUser(test.deps.db, { routeDesignation: 'mine' });
    const own = await buildMarket(test.deps.db, { routeDesignation: 'mine' });
    const days = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13', '2026-03-14'];
    const places = [];
    for (const day of days) places.push(await assigned(id, day));
    const near = places.slice(1, 4);
    expect(await idsOf(id, '/api/markets')).toEqual(expect.arrayContaining([own.id]));
    expect((await idsOf(id, '/api/markets')).sort()).toEqual([own.id, ...near.map((one) => one.marketId)].sort());
    expect((await idsOf(id, '/api/vending-machines')).sort()).toEqual(near.map((one) => one.machineId).sort());
  });

  it('is also the stops of the designation’s routes, whoever drives them: they may take them over', async () => {
    const colleague = await buildUser(test.deps.db, { routeDesignation: 'ours' });
    const { id } = await buildUser(test.deps.db, { routeDesignation: 'ours' });
    const market = await buildMarket(test.deps.db, { routeDesignation: 'other' });
    for (const driverId of [null, colleague.id]) {
      const { id: routeId } = await buildRoute(test.deps.db, {
        date: '2026-03-13',
        driverId,
        routeDesignation: 'ours',
      });
      const machine = await buildMachine(test.deps.db, { routeDesignation: 'other' });
      await buildStop(test.deps.db, routeId, { marketId: market.id });
      await buildStop(test.deps.db, routeId, { vendingMachineId: machine.id, stopOrder: 2 });
    }
    await buildMarket(test.deps.db, { routeDesignation: 'other' });
    expect(await idsOf(id, '/api/markets')).toEqual([market.id]);
    expect(await idsOf(id, '/api/vending-machines')).toHaveLength(2);
  });

  it('moves with the operator’s calendar, not with the server’s', async () => {
    const { id } = await buildUser(test.deps.db);
    const { marketId } = await assigned(id, '2026-03-10');
    // 03:00 UTC on the 12th is still the 11th in New York.
    test.setNow(new Date('2026-03-12T03:00:00Z'));
    const seen = await idsOf(id, '/api/markets');
    test.setNow(new Date('2026-03-12T15:00:00Z'));
    expect(seen).toEqual([marketId]);
    expect(await idsOf(id, '/api/markets')).toEqual([]);
  });

  it('is nothing without designation and routes, and never what was deleted', async () => {
    const { id } = await buildUser(test.deps.db);
    expect(await idsOf(id, '/api/markets')).toEqual([]);
    const { marketId } = await assigned(id, '2026-03-12');
    expect(await idsOf(id, '/api/markets')).toEqual([marketId]);
    const admin = await buildUser(test.deps.db, { role: 'admin' });
    expect((await (await test.as(admin.id)).call('DELETE', `/api/markets/${marketId}`)).statusCode).toBe(200);
    expect(await idsOf(id, '/api/markets')).toEqual([]);
  });
});
