import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OptimizeResult } from '../../../contract/routes.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildDepot, buildMarket } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';

onEachDatabase('A stop that is farther than a day of driving', (open) => {
  let t: TestApp;
  let manager: Person;
  let near: number;
  let far: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager } = await oneOfEachRole(t, '101'));
    await buildDepot(t.deps.db, { latitude: '40.70', longitude: '-74.00' });
    near = (await buildMarket(t.deps.db, { latitude: '40.71', longitude: '-74.01' })).id;
    far = (await buildMarket(t.deps.db, { latitude: '37.77', longitude: '-122.42' })).id;
  });
  afterAll(() => t.close());

  const optimize = async (body: object): Promise<OptimizeResult> =>
    (
      await manager.call('POST', '/api/routes/optimize', { body: { options: { seed: 1, timeLimitMs: 100 }, ...body } })
    ).json();

  it('is unassigned with the time that its way takes', async () => {
    const { optimizedOrder, unassigned, totalDistance } = await optimize({ marketIds: [far, near] });
    expect(optimizedOrder.map(({ id }) => id)).toEqual([near]);
    expect(unassigned.map(({ id }) => id)).toEqual([far]);
    expect(unassigned[0]?.reason).toMatch(/^The way there and back alone takes \d+h \d+m: more than a day\.$/);
    expect(totalDistance).toBeLessThan(10);
  });

  it('is planned when every stop is, for then the start is wrong', async () => {
    const { optimizedOrder, unassigned } = await optimize({ marketIds: [far] });
    expect([optimizedOrder.length, unassigned.length]).toEqual([1, 0]);
  });

  it('stays part of a route that was saved with it', async () => {
    const stops = [near, far].map((id) => ({ type: 'market', id }));
    const route = await manager.call('POST', '/api/routes', { body: { name: 'Far', date: '2026-03-13', stops } });
    const { optimizedOrder, unassigned } = await optimize({ routeId: route.json().id });
    expect([optimizedOrder.length, unassigned.length]).toEqual([2, 0]);
  });
});
