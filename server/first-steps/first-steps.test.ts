import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildItem, buildMarket } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('First steps', (open) => {
  let t: TestApp;
  let people: Record<'worker' | 'manager' | 'admin', Person>;
  beforeAll(async () => {
    t = await testApp(open);
    people = await oneOfEachRole(t, '101');
  });
  afterAll(() => t.close());

  const steps = async () => (await people.manager.call('GET', '/api/first-steps')).json().steps;

  it('a step is done when there is something of it', async () => {
    const { db } = t.deps;
    await buildDepot(db);
    await buildItem(db, (await buildMarket(db)).id);
    const done = (await steps()).filter(({ count }: { count: number }) => count > 0);
    expect(done.map(({ step }: { step: string }) => step)).toEqual(['depot', 'locations', 'stock', 'people']);
  });

  it('an administrator puts the list away for everybody; a worker is not told of it', async () => {
    expect((await people.worker.call('GET', '/api/first-steps')).statusCode).toBe(403);
    expect((await people.manager.call('POST', '/api/first-steps/hide')).statusCode).toBe(403);
    expect((await people.admin.call('POST', '/api/first-steps/hide')).statusCode).toBe(200);
    expect(await steps()).toBeNull();
  });
});
