import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { integrationSystem } from '../../domain/integration.ts';
import { addressCheck } from '../http/outbound/outbound.ts';
import type { Resolve } from '../http/outbound/public-address.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { integrationConfigs } from './tables.ts';

onEachDatabase('Integrations', (open) => {
  let t: TestApp;
  let worker: Person;
  let manager: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ worker, manager } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  it('every system is told of; without a configuration each is not connected', async () => {
    const list = (await worker.call('GET', '/api/integrations')).json();
    const none = {
      configurations: 0,
      connected: false,
      state: 'not-connected',
      problem: null,
      waitsUntil: null,
      lastSyncAt: null,
    };
    expect(list).toEqual(integrationSystem.options.map((system) => ({ system, ...none })));
    expect(integrationSystem.options.slice(0, 5)).toEqual(['lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi']);
  });

  it('what was put into maintenance fails nobody, and is told as such once nothing of its system is in use', async () => {
    const { db } = t.deps;
    const stateNow = async () => {
      const list = (await worker.call('GET', '/api/integrations')).json();
      const { state, problem } = list.find(({ system }: { system: string }) => system === 'nayax');
      return [state, problem];
    };
    const add = (name: string) =>
      db.insert(integrationConfigs).values({
        ...{ system: 'nayax', name, publicId: randomUUID().replaceAll('-', ''), settings: { merchantId: '2000' } },
        ...{ problem: `${name} was refused.`, problemKind: 'auth', problemAt: new Date() },
      });
    await db.delete(integrationConfigs);
    await add('East');
    expect(await stateNow()).toEqual(['failing', 'East was refused.']);
    await db.update(integrationConfigs).set({ status: 'maintenance' });
    expect(await stateNow()).toEqual(['maintenance', null]);
    await add('West');
    expect(await stateNow()).toEqual(['failing', 'West: West was refused.']);
    await db.delete(integrationConfigs);
  });

  it('an address that leads to a private network is refused when it is entered, and when it is tried', async () => {
    const before = t.deps.mayCall;
    // What the name server of the test answers.
    const names = new Map([
      ['inside.example.com', ['10.1.2.3']],
      ['outside.example.com', ['93.184.216.34']],
    ]);
    const resolve = ((name: string, _options: unknown, callback: (...all: unknown[]) => void) =>
      callback(
        null,
        (names.get(name) ?? []).map((address) => ({ address, family: 4 })),
      )) as unknown as Resolve;
    t.deps.mayCall = addressCheck({ sandboxUrl: null, resolve });
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
    names.set('outside.example.com', ['93.184.216.34', '169.254.169.254']);
    const tried = await manager.call('POST', `/api/integrations/configs/${id}/test`);
    expect([tried.statusCode, tried.json()]).toEqual([400, expect.objectContaining(refused)]);
    t.deps.mayCall = before;
    await manager.call('DELETE', `/api/integrations/configs/${id}`);
  });

  it('what is not written as an address is refused with the same sentence in a new configuration and in an edit', async () => {
    const body = (baseUrl: string) => ({ name: 'Ours', apiKey: 'a-token', baseUrl });
    const { id } = (await manager.call('POST', '/api/moma/configs', { body: body('') })).json();
    const sentence = 'Enter an address that starts with https://';
    for (const reply of [
      await manager.call('POST', '/api/moma/configs', { body: body('nowhere') }),
      await manager.call('PUT', `/api/moma/configs/${id}`, { body: { baseUrl: 'nowhere' } }),
    ]) {
      expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { baseUrl: sentence } });
    }
  });

  it('an edit with no setting in it is refused and makes no new version', async () => {
    const body = { system: 'moma', name: 'Same', settings: { apiKey: 'a-token' } };
    const { id } = (await manager.call('POST', '/api/integrations/configs', { body })).json();
    const address = `/api/integrations/configs/${id}`;
    const before = (await manager.call('GET', address)).json();
    for (const edit of [{ settings: {} }, { settings: {}, version: 1 }, { acceptPreviousHours: 3 }]) {
      const { status, detail } = (await manager.call('PUT', address, { body: edit })).json();
      expect([edit, status, detail]).toEqual([edit, 400, 'Nothing to change: send at least one field.']);
    }
    expect((await manager.call('GET', address)).json()).toEqual(before);
    const renamed = await manager.call('PUT', address, { body: { settings: {}, name: 'Other' } });
    expect(renamed.json()).toMatchObject({ name: 'Other', version: before.version + 1 });
  });

  it('nobody is told without a session', async () => {
    expect((await nobody(t.app).call('GET', '/api/integrations')).statusCode).toBe(401);
  });
});
