import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Integrations', (open) => {
  let t: TestApp;
  let worker: Person;
  let manager: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ worker, manager } = await oneOfEachRole(t, '101'));
  }, 60_000);
  afterAll(() => t.close());

  it('five systems are told of; without a configuration each is not connected', async () => {
    const list = (await worker.call('GET', '/api/integrations')).json();
    const none = { configurations: 0, connected: false, state: 'not-connected', problem: null, lastSyncAt: null };
    expect(list).toEqual(
      ['lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi'].map((system) => ({ system, ...none })),
    );
  });

  it('an address that leads to a private network is refused when it is entered, and when it is tried', async () => {
    // What the name server of the test answers.
    t.deps.mayCall = async (address) => !address.includes('inside.');
    const refused = {
      detail: expect.stringContaining('private network'),
      fields: { 'settings.apiEndpoint': expect.stringContaining('private network') },
    };
    const save = (apiEndpoint: string) =>
      manager.call('POST', '/api/integrations/configs', {
        body: {
          system: 'nayax',
          name: 'Ours',
          settings: { merchantId: '2000', hashCode: 'a-token', environment: 'production', apiEndpoint },
        },
      });
    const bad = await save('https://inside.example.com');
    expect([bad.statusCode, bad.json()]).toEqual([400, expect.objectContaining(refused)]);
    const { id } = (await save('https://outside.example.com')).json();
    const change = { settings: { apiEndpoint: 'https://inside.example.com' } };
    const changed = await manager.call('PUT', `/api/integrations/configs/${id}`, { body: change });
    expect([changed.statusCode, changed.json()]).toEqual([400, expect.objectContaining(refused)]);
    // The name leads elsewhere since.
    t.deps.mayCall = async () => false;
    const tried = await manager.call('POST', `/api/integrations/configs/${id}/test`);
    expect([tried.statusCode, tried.json()]).toEqual([400, expect.objectContaining(refused)]);
    t.deps.mayCall = async () => true;
    await manager.call('DELETE', `/api/integrations/configs/${id}`);
  });

  it('nobody is told without a session', async () => {
    expect((await nobody(t.app).call('GET', '/api/integrations')).statusCode).toBe(401);
  });
});
