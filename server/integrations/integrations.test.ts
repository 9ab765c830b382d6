import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Integrations', (open) => {
  let t: TestApp;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ worker } = await oneOfEachRole(t, '101'));
  }, 60_000);
  afterAll(() => t.close());

  it('five systems are told of; without a configuration each is not connected', async () => {
    const list = (await worker.call('GET', '/api/integrations')).json();
    const none = { configurations: 0, connected: false, state: 'not-connected', problem: null, lastSyncAt: null };
    expect(list).toEqual(
      ['lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi'].map((system) => ({ system, ...none })),
    );
  });

  it('nobody is told without a session', async () => {
    expect((await nobody(t.app).call('GET', '/api/integrations')).statusCode).toBe(401);
  });
});
