import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DayPlan } from '../../contract/day-plans.ts';
import type { Stop } from '../../contract/routes.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../testing/factories.ts';
import { type RoadServer, valhallaServer } from '../testing/road-servers.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const date = '2026-03-13';

onEachDatabase('A closed road on the day of a plan', (open) => {
  let test: TestApp;
  let server: RoadServer;
  let manager: Person;
  let markets: number[];
  beforeAll(async () => {
    server = await valhallaServer();
    test = await testApp(open, { VALHALLA_URL: server.url });
    ({ manager } = await oneOfEachRole(test, '101'));
    await buildDepot(test.deps.db, { latitude: '40.70', longitude: '-74.00' });
    markets = [];
    for (const longitude of ['-74.09', '-74.18'])
      markets.push((await buildMarket(test.deps.db, { latitude: '40.70', longitude })).id);
  });
  afterAll(async () => {
    await test.close();
    await server.close();
  });

  beforeEach(() => test.deps.db.execute(sql`delete from traffic_incidents`));

  const plan = async (): Promise<DayPlan> => {
    const body = { date, marketIds: markets, crews: [{}], timeLimitMs: 100 };
    const { id } = (await manager.call('POST', '/api/day-plans', { body })).json();
    return (await manager.call('POST', `/api/day-plans/${id}/stop`)).json();
  };
  const legsOf = ({ routes }: DayPlan) => routes[0]?.stops.map((stop) => [stop.legDurationMin, stop.incidents]);

  it('is driven around by the engine, in the plan and in the route that is saved from it', async () => {
    const before = await plan();
    expect(before.distanceSource).toBe('valhalla');
    const incident = { title: 'Works', severity: 'critical', type: 'closure', radius: 0.5 };
    const where = { latitude: '40.70', longitude: '-74.05', reportedAt: `${date}T04:00:00Z`, estimatedDuration: 1_400 };
    const made = await manager.call('POST', '/api/traffic-incidents', { body: { ...incident, ...where } });
    expect(made.statusCode, made.body).toBe(201);
    const during = await plan();
    // The engine of this test takes twice the time around whatever is closed, and that is all the incident costs.
    const doubled = legsOf(before)?.map(([minutes]) => [Number(minutes) * 2, [made.json().id]]);
    expect(legsOf(during)).toEqual(doubled);
    expect(during.routes[0]?.delayMin).toBe(before.routes[0]?.drivingMin);
    const { routeIds } = (await manager.call('POST', `/api/day-plans/${during.id}/save`)).json();
    const { stops } = (await manager.call('GET', `/api/routes/${routeIds[0]}`)).json();
    expect(stops.map((stop: Stop) => [stop.legDurationMin, stop.incidents])).toEqual(doubled);
    await manager.call('POST', `/api/traffic-incidents/${made.json().id}/resolve`);
    expect(legsOf(await plan())).toEqual(legsOf(before));
  });

  it('leaves a stop in the block beside it in the plan, which says how it is reached', async () => {
    const incident = { title: 'Works', severity: 'critical', type: 'closure', radius: 0.5 };
    const where = {
      latitude: '40.70',
      longitude: '-74.0835',
      reportedAt: `${date}T04:00:00Z`,
      estimatedDuration: 1_400,
    };
    const made = await manager.call('POST', '/api/traffic-incidents', { body: { ...incident, ...where } });
    const { routes, unassigned, warnings } = await plan();
    expect(unassigned).toEqual([]);
    expect(routes[0]?.stops.map((stop) => stop.incidents)).toEqual([[made.json().id], [made.json().id]]);
    expect(warnings).toEqual([expect.stringMatching(/^4 of 6 distances and times lead through closed roads/)]);
  });

  it('is avoided by the way that is drawn, and only while it is closed', async () => {
    const incident = { title: 'Works', severity: 'critical', type: 'closure', radius: 0.5 };
    const where = { latitude: '40.70', longitude: '-74.05', reportedAt: `${date}T04:00:00Z`, estimatedDuration: 60 };
    await manager.call('POST', '/api/traffic-incidents', { body: { ...incident, ...where } });
    const asked = async (from: string) => {
      const points = '40.7,-74;40.7,-74.1';
      const reply = await manager.call('GET', `/api/directions?points=${points}&from=${from}`);
      expect(reply.statusCode, reply.body).toBe(200);
      return server.bodies.at(-1)?.includes('exclude_polygons');
    };
    expect(await asked(`${date}T04:30:00Z`)).toBe(true);
    expect(await asked(`${date}T06:00:00Z`)).toBe(false);
    expect((await manager.call('GET', '/api/directions?points=1,1;2,2&from=soon')).statusCode).toBe(400);
  });
});
