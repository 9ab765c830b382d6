import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DayPlan } from '../../contract/day-plans.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../testing/factories.ts';
import { type RoadServer, valhallaServer } from '../testing/road-servers.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const date = '2026-03-13';

onEachDatabase('Incidents on the roads of a day', (open) => {
  let t: TestApp;
  let roads: RoadServer;
  let manager: Person;
  let market: number;

  beforeAll(async () => {
    roads = await valhallaServer();
    t = await testApp(open, { VALHALLA_URL: roads.url });
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    market = (await buildMarket(t.deps.db, { latitude: '40.76', longitude: '-73.94', routeDesignation: '101' })).id;
  });
  afterAll(async () => {
    await t.close();
    await roads.close();
  });

  const report = async (latitude: string, longitude: string) => {
    const incident = { title: 'Jam', severity: 'critical', type: 'congestion', radius: 1, latitude, longitude };
    const times = { reportedAt: `${date}T04:00:00Z`, estimatedDuration: 1_400 };
    await manager.call('POST', '/api/traffic-incidents', { body: { ...incident, ...times } });
  };
  const plan = async (): Promise<DayPlan> => {
    const crews = [{ driverId: null, vehicleId: null, startMin: 360, endMin: 900 }];
    const body = { date, marketIds: [market], vendingMachineIds: [], crews, timeLimitMs: 1000 };
    const { id } = (await manager.call('POST', '/api/day-plans', { body })).json();
    return (await manager.call('POST', `/api/day-plans/${id}/stop`)).json();
  };

  it('cost the plan what they cost the routes that are saved from it', async () => {
    // The road leads there along the south and up the east: this lies beside it.
    await report('40.73', '-73.97');
    const beside = await plan();
    expect(beside.routes[0]?.delayMin).toBe(0);
    await report('40.70', '-73.94');
    const { id, routes } = await plan();
    expect(routes[0]?.stops[0]?.delayMin).toBeGreaterThan(1);
    const { routeIds } = (await manager.call('POST', `/api/day-plans/${id}/save`)).json();
    const saved = (await manager.call('GET', `/api/routes/${routeIds[0]}`)).json();
    expect([saved.drivingMin, Math.round(saved.delay / 60)]).toEqual([routes[0]?.drivingMin, routes[0]?.delayMin]);
  });
});
