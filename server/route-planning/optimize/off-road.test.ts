import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../../testing/factories.ts';
import { type RoadServer, valhallaServer } from '../../testing/road-servers.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

onEachDatabase('A stop that no road is near', (open) => {
  let t: TestApp;
  let roads: RoadServer;
  let manager: Person;
  let onTheStreet: number;
  let inTheWater: number;

  beforeAll(async () => {
    roads = await valhallaServer();
    t = await testApp(open, { VALHALLA_URL: roads.url });
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(t.deps.db, { latitude: '21.30', longitude: '-159.90' });
    onTheStreet = (await buildMarket(t.deps.db, { latitude: '21.31', longitude: '-159.95' })).id;
    inTheWater = (await buildMarket(t.deps.db, { name: 'Pier', latitude: '21.29', longitude: '-160.01' })).id;
  });
  afterAll(async () => {
    await t.close();
    await roads.close();
  });

  const sentence =
    'Pier is 2.2 km (1.4 mi) from the nearest road, and the way there ends at that road. Check its position.';
  const plan = async () => {
    const body = { marketIds: [onTheStreet, inTheWater], options: { seed: 1, timeLimitMs: 50 } };
    return (await manager.call('POST', '/api/routes/optimize', { body })).json();
  };

  it('is named in the plan, which takes it to the nearest one', async () => {
    const { warnings, optimizedOrder } = await plan();
    expect([warnings, optimizedOrder.length]).toEqual([[sentence], 2]);
  });

  it('is named as the start of a plan as well', async () => {
    const startLocation = { lat: 21.29, lng: -160.01 };
    const body = { marketIds: [onTheStreet], startLocation, options: { seed: 1, timeLimitMs: 50 } };
    const { warnings } = (await manager.call('POST', '/api/routes/optimize', { body })).json();
    expect(warnings).toEqual([
      'The start is 2.2 km (1.4 mi) from the nearest road, and ways from and to it begin at that road. Check its position, or start from elsewhere.',
    ]);
  });

  it('is looked up once', async () => {
    const asked = roads.asked.length;
    expect((await plan()).warnings).toEqual([sentence]);
    expect(roads.asked.slice(asked)).not.toContain('/locate');
  });

  it('is named in the plan of a day', async () => {
    const body = {
      date: '2026-03-13',
      marketIds: [onTheStreet, inTheWater],
      vendingMachineIds: [],
      crews: [{ driverId: null, vehicleId: null, startMin: 360, endMin: 900 }],
      timeLimitMs: 1000,
    };
    const made = await manager.call('POST', '/api/day-plans', { body });
    expect(made.json().warnings).toContain(sentence);
  });
});
