import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { turningText } from '../../domain/plain-text.ts';
import { lightspeed } from '../../sandbox/lightspeed/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { rows } from '../db/database.ts';
import { findConfig, updateConfigFields } from '../integrations/queries.ts';
import { getConfig, renewTokens, saveTokens, storedTokens } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { runSync } from '../vendor-sync/service.ts';

const now = new Date('2026-03-12T15:00:00Z');
const settings = { clientId: 'milkrun-sandbox', clientSecret: 'sandbox-client-secret' };

onEachDatabase('Lightspeed', (open) => {
  let t: TestApp;
  let sandbox: Sandbox;
  let manager: Person;
  let admin: Person;
  let worker: Person;

  beforeAll(async () => {
    const from = new Date('2026-03-12T05:00:00Z');
    sandbox = await startSandbox({ vendors: [lightspeed], tickMs: null, from });
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin, PUBLIC_URL: 'https://milkrun.example' });
    ({ manager, admin, worker } = await oneOfEachRole(t, '101'));
  }, 180_000);
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });
  beforeEach(() => {
    t.setNow(now);
    sandbox.sphere.clock.set(now, true);
  });

  const begin = async (who: Person, body: object = { name: 'Main store', settings }): Promise<string> =>
    (await who.call('POST', '/api/lightspeed/connect', { body })).json().url;

  /** What the person's browser comes back with. */
  const decide = async (url: string, what: 'allow' | 'deny'): Promise<string> => {
    const decided = await fetch(url.replace('/connect?', `/connect/${what}?`), { redirect: 'manual' });
    const { pathname, search } = new URL(decided.headers.get('location') ?? '');
    return pathname + search;
  };
  const arrival = async (who: Person, path: string): Promise<URLSearchParams> =>
    new URL((await who.call('GET', path)).headers.location ?? '', 'http://x').searchParams;
  const configs = async () => (await manager.call('GET', '/api/integrations/configs?system=lightspeed')).json();

  it('a refusal, an unknown, foreign, late or repeated answer says so and leaves nothing behind', async () => {
    expect((await arrival(manager, await decide(await begin(manager), 'deny'))).get('problem')).toContain(
      'not allowed',
    );
    const path = await decide(await begin(manager), 'allow');
    expect((await arrival(admin, path)).get('problem')).toContain('another sign-in');
    expect((await arrival(nobody(t.app), path)).get('problem')).toContain('signed out');
    expect((await arrival(manager, `${path}x`.replace('state=', 'state=y'))).get('problem')).toContain('not expected');
    t.setNow(new Date(now.getTime() + 11 * 60_000));
    expect((await arrival(manager, path)).get('problem')).toContain('too late');
    t.setNow(now);
    expect(
      (await arrival(manager, path.replace(/domain_prefix=[^&]+/, 'domain_prefix=evil.example%2F'))).get('problem'),
    ).toContain('no store');
    expect((await arrival(manager, path)).get('problem')).toContain('used before');
    expect(await configs()).toEqual([]);
  });

  it('a store that nobody signed in to is not connected on any screen', async () => {
    const made = await manager.call('POST', '/api/integrations/configs', {
      body: { system: 'lightspeed', name: 'Not signed in', settings },
    });
    expect(made.json()).toMatchObject({ status: 'active', connected: false });
    const [told] = (await manager.call('GET', '/api/integrations')).json();
    expect(told).toMatchObject({ system: 'lightspeed', configurations: 1, connected: false, state: 'not-connected' });
    const { connectedSystems } = (await manager.call('GET', '/api/integration/sync/status')).json();
    expect(connectedSystems).not.toContain('lightspeed');
    expect((await admin.call('DELETE', `/api/integrations/configs/${made.json().id}`)).statusCode).toBe(200);
  });

  it('connects, keeps secrets and tokens sealed, and asks for webhooks', async () => {
    const url = await begin(manager);
    expect(new URL(url).searchParams.get('redirect_uri')).toBe('https://milkrun.example/api/lightspeed/callback');
    const connected = (await arrival(manager, await decide(url, 'allow'))).get('connected');
    const [config] = await configs();
    expect(config).toMatchObject({ id: Number(connected), name: 'Main store', status: 'active' });
    expect(config.settings.domainPrefix).toBe('milkrun-demo');
    const told = JSON.stringify(config);
    const stored = JSON.stringify(await rows(t.database.db, sql`select * from integration_configs`));
    const waiting = JSON.stringify(await rows(t.database.db, sql`select * from lightspeed_sign_ins`));
    for (const text of [told, stored, waiting]) expect(text).not.toMatch(/sandbox-client-secret|refresh\.|access\./);
    const hooks = sandbox.sphere.journal.list().filter(({ path }) => path.endsWith('/api/webhook'));
    expect(hooks.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(decodeURIComponent(hooks[0]?.body ?? '')).toContain(
      `https://milkrun.example${config.webhookPath}/sale.update`,
    );
  });

  it('a sync fills outlets, products and sales, and a second one writes nothing new', async () => {
    const [{ id }] = await configs();
    const first = await runSync(t.deps, id);
    expect(first).toMatchObject({ devices: 2, added: 0 });
    const list = async (what: string) =>
      (await manager.call('GET', `/api/lightspeed/${what}?configId=${id}&limit=5`)).json();
    // Outlets have no position here: a person says where each is.
    for (const [nth, { id: outlet, market }] of (await list('outlets')).rows.entries()) {
      expect(market).toBeNull();
      const body = { latitude: `40.${nth + 1}`, longitude: '-75.1' };
      const added = await manager.call('POST', `/api/integrations/review/devices/${outlet}/add`, { body });
      expect(added.statusCode).toBe(200);
    }
    const [outlets, products, sales] = [await list('outlets'), await list('products'), await list('sales')];
    expect(outlets.rows[0]).toMatchObject({ currency: 'USD', market: { id: expect.any(Number) } });
    expect(products.total).toBe(sandbox.sphere.fleet().markets.flatMap(({ lines }) => lines).length);
    expect(products.rows[0]).toMatchObject({ price: expect.any(String), reorderPoint: expect.any(Number) });
    expect(sales.total).toBeGreaterThan(10);
    const [sale] = sales.rows;
    expect(Number(sale.subtotal) + Number(sale.tax)).toBeCloseTo(Number(sale.total), 2);
    const columns = await rows(
      t.database.db,
      sql`select count(*)::int as n, count(sku)::int as sku, count(cost)::int as cost, count(category)::int as category,
            count(supplier) > 0 as supplied, count(reorder_level)::int as levels
          from lightspeed_products`,
    );
    const { total } = products;
    expect(columns).toEqual([{ n: total, sku: total, cost: total, category: total, supplied: true, levels: total }]);
    const [own] = await rows(t.database.db, sql`select * from lightspeed_configs where id = ${id}`);
    expect(own).toMatchObject({
      ...{ client_secret: 'set', access_token: 'set', refresh_token: 'set', domain_prefix: 'milkrun-demo' },
      redirect_uri: 'https://milkrun.example/api/lightspeed/callback',
    });
    const markets = await rows(
      t.database.db,
      sql`select integration_source as s from markets where integration_id is not null`,
    );
    expect(markets).toEqual([{ s: 'lightspeed' }, { s: 'lightspeed' }]);
    const count = () =>
      rows(
        t.database.db,
        sql`select (select count(*) from stock_movements)::int as m, (select max(updated_at) from vendor_sales) as u`,
      );
    const before = await count();
    const second = await runSync(t.deps, id);
    expect(second).toMatchObject({ booked: 0, added: 0, updated: 0 });
    expect(await count()).toEqual(before);
  });

  it('a revoked connection is told with what to do, and connecting again puts it right', async () => {
    const [{ id }] = await configs();
    await sandbox.push('lightspeed', { kind: 'revoke', variant: 'normal', parameters: {} });
    await expect(runSync(t.deps, id)).rejects.toThrow('Lightspeed says the connection was revoked: reconnect.');
    expect((await configs())[0]).toMatchObject({ status: 'error' });
    await arrival(manager, await decide(await begin(manager, { configId: id }), 'allow'));
    expect(await configs()).toMatchObject([{ id, status: 'active', problem: null }]);
    expect((await runSync(t.deps, id)).processed).toBeGreaterThanOrEqual(0);
  });

  it('a renewal whose answer is cut off is tried again, and only after half an hour a person has to reconnect', async () => {
    const [{ id }] = await configs();
    const later = (ms: number): void => {
      t.setNow(new Date(now.getTime() + ms));
      sandbox.sphere.clock.set(new Date(now.getTime() + ms), true);
    };
    later(90_000_000);
    sandbox.sphere.faults.queue({ system: 'lightspeed', call: 'POST *token', kind: 'cut', times: 1, parameters: {} });
    await expect(runSync(t.deps, id)).rejects.toThrow('tried again by itself for half an hour');
    // The sessions of people have run out with the token.
    expect(await getConfig(t.deps, id)).toMatchObject({ status: 'error', connected: true });
    await expect(runSync(t.deps, id)).rejects.toThrow('lost on its way');
    later(90_000_000 + 31 * 60_000);
    await expect(runSync(t.deps, id)).rejects.toThrow('Syncs go on where they stopped');
    expect(await getConfig(t.deps, id)).toMatchObject({ status: 'error', connected: false });
    later(0);
    await arrival(manager, await decide(await begin(manager, { configId: id }), 'allow'));
    expect((await runSync(t.deps, id)).processed).toBeGreaterThanOrEqual(0);
    expect((await configs())[0]).toMatchObject({ status: 'active', connected: true, problem: null });
  });

  it('a renewal that ends after somebody connected anew does not write over the new tokens', async () => {
    const [{ id }] = await configs();
    const tokens = (accessToken: string) => ({ accessToken, refreshToken: 'r', expiresAt: null });
    const before = await storedTokens(t.deps, id);
    const told = await renewTokens(t.deps, id, async (current, keep) => {
      expect(current).toEqual(before);
      await keep(tokens('asked'));
      expect(await storedTokens(t.deps, id)).toMatchObject({ accessToken: 'asked' });
      await saveTokens(t.deps, t.deps.db, id, tokens('connected anew'));
      return tokens('late');
    });
    expect(told.accessToken).toBe('connected anew');
    expect(await storedTokens(t.deps, id)).toMatchObject({ accessToken: 'connected anew' });
    await saveTokens(t.deps, t.deps.db, id, before);
  });

  it('a renewal that took too long does not end the turn of whoever took over', async () => {
    const [{ id }] = await configs();
    const before = await storedTokens(t.deps, id);
    const others = new Date('2030-01-01T00:00:00Z');
    const takeOver = () => updateConfigFields(t.deps.db, id, { renewingUntil: others });
    const work = () => takeOver().then(() => ({ accessToken: 'late', refreshToken: 'r', expiresAt: null }));
    await renewTokens(t.deps, id, work);
    expect((await findConfig(t.deps.db, id))?.renewingUntil).toEqual(others);
    await updateConfigFields(t.deps.db, id, { renewingUntil: null });
    await saveTokens(t.deps, t.deps.db, id, before);
    await renewTokens(t.deps, id, async () => ({ accessToken: 'in time', refreshToken: 'r', expiresAt: null }));
    expect((await findConfig(t.deps.db, id))?.renewingUntil).toBeNull();
    await saveTokens(t.deps, t.deps.db, id, before);
  });

  it('bad input names the field; who may not is told so', async () => {
    const empty = await manager.call('POST', '/api/lightspeed/connect', {
      body: { name: 'A', settings: { clientId: '' } },
    });
    expect([empty.statusCode, empty.json().fields]).toMatchObject([
      400,
      { 'settings.clientId': 'Client ID is required' },
    ]);
    const half = await manager.call('POST', '/api/lightspeed/connect', { body: { name: 'A' } });
    expect([half.statusCode, half.json().fields]).toEqual([400, { settings: 'is missing, give an object' }]);
    const none = await manager.call('POST', '/api/lightspeed/connect', { body: {} });
    expect(Object.keys(none.json().fields)).toEqual(['name', 'settings']);
    const wrong = await manager.call('POST', '/api/lightspeed/connect', { body: { configId: 'x' } });
    expect(wrong.json().fields).toEqual({ configId: expect.stringContaining('number') });
    const turned = await manager.call('POST', '/api/lightspeed/connect', { body: { name: 'A\u202e', settings } });
    expect([turned.statusCode, turned.json().fields]).toMatchObject([400, { name: turningText }]);
    const denied = await worker.call('POST', '/api/lightspeed/connect', { body: { name: 'A', settings } });
    expect(denied.statusCode).toBe(403);
    expect((await manager.call('GET', '/api/lightspeed/sales?configId=999')).statusCode).toBe(404);
  });

  it('after disconnecting nothing opens the connection, and the system is not connected', async () => {
    const [{ id }] = await configs();
    expect((await admin.call('DELETE', `/api/integrations/configs/${id}`)).statusCode).toBe(200);
    const [state] = (await manager.call('GET', '/api/integrations')).json();
    expect(state).toMatchObject({ system: 'lightspeed', state: 'not-connected' });
    const kept = await rows(t.database.db, sql`select secrets, tokens from integration_configs where id = ${id}`);
    expect(kept).toEqual([{ secrets: null, tokens: null }]);
  });
});
