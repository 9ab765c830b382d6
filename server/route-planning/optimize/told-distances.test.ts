import { afterAll, beforeAll, expect, it } from 'vitest';
import { kmToMiles } from '../../../domain/units.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

onEachDatabase('The distance of a route', (open) => {
  let t: TestApp;
  let manager: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
  });
  afterAll(() => t.close());

  it('is the same in every reply: it is rounded where it is shown, in the unit of who reads', async () => {
    const stops: { type: string; id: number }[] = [];
    for (const latitude of ['40.7123', '40.7345', '40.7501'])
      stops.push({ type: 'market', id: (await buildMarket(t.deps.db, { latitude, longitude: '-74.01' })).id });
    const body = { name: 'Told', date: '2026-03-14', stops };
    const { id, totalDistance: miles } = (await manager.call('POST', '/api/routes', { body })).json();
    const listed: { id: number; totalDistance: number }[] = (await manager.call('GET', '/api/routes')).json();
    const km = listed.find((route) => route.id === id)?.totalDistance ?? 0;
    const options = { seed: 1, timeLimitMs: 100 };
    const { givenDistance } = (
      await manager.call('POST', '/api/routes/optimize', { body: { routeId: id, options } })
    ).json();
    expect(km).toBeGreaterThan(5);
    expect(kmToMiles(km)).toBeCloseTo(miles, 2);
    expect(givenDistance).toBeCloseTo(km, 2);
  });
});
