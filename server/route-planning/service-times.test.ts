import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceMinutes } from '../../domain/service-time.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildMarket, buildRoute, buildStop } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { visits } from '../visits/tables.ts';

const usualMarket = serviceMinutes('market', 0);
const dayMs = 86_400_000;

onEachDatabase('The minutes of a stop', (open) => {
  let t: TestApp;
  let manager: Person;
  /** Visited often, once, and never; the last one was only driven to. */
  let often: number;
  let once: number;
  let never: number;
  let driven: number;

  beforeAll(async () => {
    t = await testApp(open);
    const { db, clock } = t.deps;
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(db, {});
    often = (await buildMarket(db, { longitude: '-74.01' })).id;
    once = (await buildMarket(db, { longitude: '-74.02' })).id;
    never = (await buildMarket(db, { longitude: '-74.03' })).id;
    driven = (await buildMachine(db, { longitude: '-74.04' })).id;
    const visit = (marketId: number, daysAgo: number, minutes: number, stopId: number | null = null) => {
      const openedAt = new Date(clock.now().getTime() - daysAgo * dayMs);
      const closedAt = new Date(openedAt.getTime() + minutes * 60_000);
      return db.insert(visits).values({ id: randomUUID(), marketId, deviceSeq: 1, openedAt, closedAt, stopId });
    };
    for (const [daysAgo, minutes] of [13, 14, 14, 15, 200].entries()) await visit(often, daysAgo + 1, minutes);
    await visit(once, 1, 40);
    const route = await buildRoute(db, { status: 'completed' });
    const done = { routeId: route.id, completed: true, locationType: 'vending_machine' };
    for (let n = 0; n < 6; n += 1) {
      const actualArrival = new Date(clock.now().getTime() - (n + 1) * dayMs);
      const completedAt = new Date(actualArrival.getTime() + 25 * 60_000);
      await buildStop(db, route.id, {
        ...done,
        stopOrder: n + 1,
        vendingMachineId: driven,
        actualArrival,
        completedAt,
      });
    }
    // The same visit of a market, told by its stop and by the driver's notes, counts once.
    const actualArrival = new Date(clock.now().getTime() - 9 * dayMs);
    const completedAt = new Date(actualArrival.getTime() + 240 * 60_000);
    const stop = await buildStop(db, route.id, { stopOrder: 9, marketId: often, actualArrival, completedAt });
    await visit(often, 9, 14, stop.id);
  });
  afterAll(() => t.close());

  const minutesOf = (stops: { type: string; id: number; serviceMin: number; serviceVisits: number }[]) =>
    new Map(stops.map(({ type, id, serviceMin, serviceVisits }) => [`${type} ${id}`, [serviceMin, serviceVisits]]));

  it('are learned from visits, and the plan says from how many', async () => {
    const body = { marketIds: [often, once, never], vendingMachineIds: [driven] };
    const { optimizedOrder } = (await manager.call('POST', '/api/routes/optimize', { body })).json();
    const minutes = minutesOf(optimizedOrder);
    expect(minutes.get(`market ${often}`)).toEqual([14, 6]);
    expect(minutes.get(`market ${once}`)).toEqual([Math.round(0.2 * 40 + 0.8 * usualMarket), 1]);
    expect(minutes.get(`market ${never}`)).toEqual([usualMarket, 0]);
    expect(minutes.get(`vending_machine ${driven}`)).toEqual([25, 6]);
  });

  it('are the same in a day plan and on a saved route', async () => {
    const body = { date: '2026-03-13', marketIds: [often], crews: [{}], timeLimitMs: 100 };
    const { id } = (await manager.call('POST', '/api/day-plans', { body })).json();
    const plan = (await manager.call('POST', `/api/day-plans/${id}/stop`)).json();
    const [planned] = plan.routes[0].stops;
    expect(planned).toMatchObject({ serviceMin: 14, serviceVisits: 6 });
    const stops = [{ type: 'market', id: often }];
    const saved = (
      await manager.call('POST', '/api/routes', { body: { name: 'One', date: '2026-03-13', stops } })
    ).json();
    expect(saved.stops[0]).toMatchObject({ serviceMin: 14, serviceVisits: 6 });
    await manager.call('POST', '/api/routes/optimize', { body: { routeId: saved.id } });
    const again = (await manager.call('GET', `/api/routes/${saved.id}`)).json();
    expect(again.stops[0]).toMatchObject({ serviceMin: 14, serviceVisits: 6 });
  });
});
