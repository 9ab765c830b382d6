import { EventEmitter, once } from 'node:events';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { credentials as momaAccount, momaStandIn } from '../../sandbox/moma/vendor.ts';
import { credentials as nayaxAccount, nayaxStandIn } from '../../sandbox/nayax/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { untilQuiet } from '../vendor-sync/service.ts';
import { syncAll } from './sync.ts';

const now = new Date('2026-03-12T15:00:00Z');
const few = [nayaxStandIn(({ site }) => site.id <= 5), momaStandIn(({ site }) => site.id <= 5)];

onEachDatabase('Nayax Core and MoMa 2.0', (open) => {
  let sandbox: Sandbox;
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;
  let nayaxId: number;
  let momaId: number;

  beforeAll(async () => {
    sandbox = await startSandbox({ vendors: few, tickMs: null, from: new Date(now.getTime() - 2 * 86_400_000) });
    sandbox.sphere.clock.set(now, true);
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin });
    t.setNow(now);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });

  const post = async (path: string, body?: unknown) => (await manager.call('POST', path, { body })).json();
  const get = async (path: string) => (await manager.call('GET', path)).json();
  const marks = () =>
    rows(
      t.deps.db,
      sql`select 'device' as kind, id, xmin::text from vendor_devices union all select 'sale', id, xmin::text from vendor_sales
          union all select 'stock', id, xmin::text from vendor_stock union all select 'alert', id, xmin::text from vendor_alerts
          union all select 'machine', id, xmin::text from vending_machines union all select 'ledger', id, xmin::text from sales order by 1, 2`,
    );

  it('a configuration is created with its defaults; its hash code never comes back', async () => {
    const made = await manager.call('POST', '/api/nayax/configs', {
      body: { name: 'Ours', ...nayaxAccount, apiEndpoint: '' },
    });
    expect(made.statusCode).toBe(201);
    expect(made.json()).toMatchObject({ environment: 'sandbox', isActive: true, apiEndpoint: null, lastSync: null });
    nayaxId = made.json().id;
    momaId = (await post('/api/moma/configs', { name: 'Phone', ...momaAccount, apiSecret: '', syncEnabled: false })).id;
    const [config] = await get('/api/moma/configs');
    expect(config).toMatchObject({ environment: 'sandbox', syncEnabled: false, apiSecret: { configured: false } });
    // What was never read is told too: it is due before everything else.
    const { fresh } = await get(`/api/integrations/configs/${momaId}`);
    expect(fresh).toContainEqual({ resource: 'sales', lastGoodAt: null, nextDueAt: null });
    expect(made.json().nextSync).toEqual({ when: 'now', at: null });
    expect(config.nextSync).toEqual({ when: 'by-hand', at: null });
    const all = JSON.stringify([await get('/api/nayax/configs'), await get('/api/moma/configs')]);
    const ending = nayaxAccount.hashCode.slice(-2);
    expect(all).toContain(`"hashCode":{"configured":true,"ending":"${ending}"}`);
    for (const secret of [nayaxAccount.hashCode, momaAccount.apiKey]) expect(all).not.toContain(secret);
  });

  it.each([
    ['/api/nayax/configs', { merchantId: '1', hashCode: 'x' }, 'name', 'Name is required'],
    ['/api/nayax/configs', { name: 'A', hashCode: 'x' }, 'merchantId', 'Merchant ID is required'],
    ['/api/nayax/configs', { name: 'A', merchantId: '1', hashCode: ' ' }, 'hashCode', 'Hash code is required'],
    [
      '/api/nayax/configs',
      { name: 'A', merchantId: '1', hashCode: 'x', apiEndpoint: 'ftp://x' },
      'apiEndpoint',
      'Enter an address that starts with https://',
    ],
    [
      '/api/nayax/configs',
      { name: 'A', merchantId: '1', hashCode: 'x', environment: 'test' },
      'environment',
      'Environment must be sandbox or production',
    ],
    [
      '/api/moma/configs',
      { name: 'A', apiKey: 'x', apiSecret: 'x'.repeat(501) },
      'apiSecret',
      'API secret is too long: at most 500 characters',
    ],
    ['/api/moma/configs', { apiKey: 'x' }, 'name', 'Name is required'],
    ['/api/moma/configs', { name: 'A' }, 'apiKey', 'API key is required'],
    [
      '/api/moma/configs',
      { name: 'A', apiKey: 'x', baseUrl: 'nowhere' },
      'baseUrl',
      'Enter an address that starts with https://',
    ],
    [
      '/api/moma/configs',
      { name: 'A', apiKey: 'x', baseUrl: 'https://127.0.0.1%2f:9471/' },
      'baseUrl',
      'Enter an address that starts with https://',
    ],
  ])('%s refuses %j by its field', async (path, body, field, sentence) => {
    const reply = await manager.call('POST', path, { body });
    expect([reply.statusCode, reply.json().fields]).toEqual([400, { [field]: sentence }]);
  });

  it('a field worker may neither read nor write', async () => {
    expect((await worker.call('GET', '/api/nayax/configs')).statusCode).toBe(403);
    expect((await worker.call('POST', '/api/nayax-moma/sync-all')).statusCode).toBe(403);
  });

  it('a sync stores devices and transactions and reports their number, and a second one writes nothing', async () => {
    expect(await post(`/api/nayax/configs/${nayaxId}/sync-devices`)).toMatchObject({ synced: 5, finished: true });
    const devices = await get(`/api/nayax/devices?configId=${nayaxId}`);
    expect(devices.rows).toHaveLength(5);
    expect(devices.rows[0]).toMatchObject({
      firmware: expect.stringMatching(/^4\.0/),
      batteryLevel: null,
      connectivity: 'connected',
    });
    const { total, rows: shown } = await get('/api/nayax/transactions?limit=5');
    expect([total > 5, shown.length]).toEqual([true, 5]);
    expect(shown[0]).toMatchObject({
      currency: 'USD',
      quantity: expect.any(Number),
      metadata: { MachineID: expect.anything() },
    });
    const before = await marks();
    expect(await post(`/api/nayax/configs/${nayaxId}/sync-devices`)).toMatchObject({ synced: 5, added: 0, booked: 0 });
    expect(await marks()).toEqual(before);
  });

  it('both systems name a machine and a sale alike: one machine, and every sale in the ledger once', async () => {
    const machines = () => rows(t.deps.db, sql`select id from vending_machines order by id`);
    const ledger = () =>
      firstRow<{ n: number; sum: string }>(
        t.deps.db,
        sql`select count(*)::int as n, sum(total_amount)::text as sum from sales`,
      );
    const [machinesBefore, ledgerBefore] = [await machines(), await ledger()];
    expect(ledgerBefore?.n).toBeGreaterThan(0);
    const done = await post('/api/nayax-moma/sync-all');
    expect(done).toMatchObject([
      { configId: nayaxId, system: 'nayax', name: 'Ours', synced: 5, error: null },
      { configId: momaId, system: 'moma', name: 'Phone', synced: 5, error: null },
    ]);
    expect(await machines()).toEqual(machinesBefore);
    expect(await ledger()).toEqual(ledgerBefore);
    // The machines were made from Nayax's devices and had no slot: they have those of MoMa's planogram now.
    const [planned] = await rows<{ machines: number; slots: number }>(
      t.deps.db,
      sql`select count(distinct machine_id)::int as machines, count(*)::int as slots from vending_machine_inventory`,
    );
    expect(planned?.machines).toBe(5);
    expect(planned?.slots).toBe((await get('/api/moma/inventory')).total);
    for (const list of ['machines', 'inventory', 'sales'])
      expect((await get(`/api/moma/${list}`)).total).toBeGreaterThan(0);
    expect((await get('/api/moma/alerts')).rows).toBeInstanceOf(Array);
    const [stock] = (await get('/api/moma/inventory?search=A1')).rows;
    expect(stock).toMatchObject({
      slotNumber: expect.stringMatching(/A1/i),
      maxCapacity: expect.any(Number),
      price: expect.any(String),
    });
    expect((await get('/api/moma/configs'))[0].lastSync).not.toBeNull();
    const [machine] = (await get('/api/moma/machines')).rows;
    const reported = await get(`/api/nayax-moma/machines/${machine.vendingMachineId}/stock`);
    expect(reported.rows.length).toBeGreaterThan(0);
    expect((await manager.call('GET', '/api/nayax-moma/machines/2147483600/stock')).statusCode).toBe(404);
    expect(reported.rows[0]).toMatchObject({
      system: 'moma',
      slotNumber: expect.any(String),
      theirs: expect.any(Number),
    });
  });

  it.each([
    ['/api/nayax/devices', ['name', 'status', 'seen']],
    ['/api/nayax/transactions', ['date']],
    ['/api/moma/machines', ['name', 'status', 'service']],
    ['/api/moma/inventory', ['machine', 'product', 'quantity']],
    ['/api/moma/sales', ['date']],
    ['/api/moma/alerts', ['date']],
  ])('%s is sorted by %j, both ways, over all its pages', async (path, sorts) => {
    const { total } = await get(path);
    const limit = total > 60 ? 40 : 2;
    const walk = async (sort: string): Promise<number[]> => {
      const ids: number[] = [];
      let page: string | null = '';
      while (page !== null) {
        const got: { rows: { id: number }[]; next: string | null } = await get(
          `${path}?sort=${sort}&limit=${limit}${page ? `&page=${encodeURIComponent(page)}` : ''}`,
        );
        ids.push(...got.rows.map(({ id }) => id));
        page = got.next;
      }
      return ids;
    };
    for (const sort of sorts) {
      const up = await walk(sort);
      expect([sort, up.length, new Set(up).size]).toEqual([sort, total, total]);
      expect(await walk(`-${sort}`)).toEqual(up.toReversed());
    }
    expect((await manager.call('GET', `${path}?sort=bogus`)).statusCode).toBe(400);
  });

  it('stock is sorted by how much there is, and not as text', async () => {
    const { rows: shown } = await get('/api/moma/inventory?sort=-quantity&limit=1000');
    const told = shown.map((row: { currentQuantity: number }) => row.currentQuantity);
    expect(told).toEqual(told.toSorted((a: number, b: number) => b - a));
  });

  it('a run that is under way already is no failure of Sync All, and is left alone', async () => {
    const until = new Date(now.getTime() + 60_000).toISOString();
    const [run] = await rows<{ id: number }>(
      t.deps.db,
      sql`insert into sync_runs (config_id, system, job_type, cause, resources, status, lease_until, created_at, started_at)
          values (${nayaxId}, 'nayax', 'all', 'timetable', array['devices'], 'running', ${until}::timestamptz, now(), now()) returning id`,
    );
    expect(await post('/api/nayax-moma/sync-all')).toMatchObject([
      { name: 'Ours', state: 'busy', finished: false, error: null },
      { name: 'Phone', state: 'done', finished: true, error: null },
    ]);
    const one = await manager.call('POST', `/api/nayax/configs/${nayaxId}/sync-devices`);
    expect([one.statusCode, one.json().detail]).toEqual([409, expect.stringContaining('at this moment')]);
    await rows(t.deps.db, sql`update sync_runs set status = 'succeeded', lease_until = null where id = ${run?.id}`);
    expect((await post('/api/nayax-moma/sync-all'))[0]).toMatchObject({ name: 'Ours', state: 'done' });
  });

  it('one of all that a person stops is told as stopped, with what it had stored by then', async () => {
    const real = t.deps.connectors;
    sandbox.sphere.clock.set(new Date(now.getTime() + 6 * 3_600_000), true);
    t.setNow(new Date(now.getTime() + 6 * 3_600_000));
    const stopping = (connector: Connector): Connector => ({
      ...connector,
      pull: async (resource, request, context) => {
        if (connector.manifest.system === 'moma' && resource === 'sales') {
          const [open] = (await get(`/api/integrations/runs?configId=${momaId}&status=open`)).rows;
          await post(`/api/integrations/runs/${open.id}/cancel`);
        }
        return connector.pull(resource, request, context);
      },
    });
    t.deps.connectors = real.map(stopping);
    await post(`/api/nayax/configs/${nayaxId}/sync-devices`);
    const [, stopped] = await post('/api/nayax-moma/sync-all');
    expect(stopped).toMatchObject({ name: 'Phone', state: 'stopped', finished: true, error: null });
    expect(stopped.sales).toBeGreaterThan(0);
    t.deps.connectors = real;
    t.setNow(now);
  });

  it('the split by payment method equals the stored transactions, and a shared one counts once', async () => {
    const stored = await rows(
      t.deps.db,
      sql`select payment_method as method, count(*)::int as transactions, sum(amount)::numeric(16, 2)::text as amount
          from nayax_transactions where status = 'completed' group by 1 order by sum(amount) desc, 1`,
    );
    expect((await get('/api/nayax-moma/analytics?system=nayax')).methods).toEqual(stored);
    expect((await get('/api/nayax-moma/analytics?system=all')).methods).toEqual(stored);
    expect(stored.length).toBeGreaterThan(2);
    const openOf = async (system: string) => (await get(`/api/nayax-moma/analytics?system=${system}`)).open;
    const told = [await openOf('nayax'), await openOf('moma')];
    expect(told[0].failed + told[0].pending).toBeGreaterThan(0);
    expect(told[1]).toEqual(told[0]);
    expect(await openOf('all')).toEqual(told[0]);
  });

  it('what is held or left out is no revenue: not of the day, not of a machine', async () => {
    const count = await firstRow<{ id: string; amount: string }>(
      t.deps.db,
      sql`select vendor_id as id, amount::numeric(16, 2)::text as amount from vendor_sales
          where system = 'moma' and status = 'completed' and outcome in ('booked', 'same') order by id limit 1`,
    );
    await t.deps.db.execute(
      sql`update vendor_sales set sold_at = ${now.toISOString()}::timestamptz where vendor_id = ${count?.id}`,
    );
    const figures = async () => {
      const { today, perDay, methods, open: waiting } = await get('/api/nayax-moma/analytics?system=moma');
      const cents = (text: string) => Math.round(Number(text) * 100);
      const sum = methods.reduce((all: number, { amount }: { amount: string }) => all + cents(amount), 0);
      return [cents(today.revenue), cents(perDay.at(-1).amount), sum, waiting.pending, waiting.failed];
    };
    // The view goes by the clock of the database: within a transaction it stands still.
    const ofMachines = (outcome: string) =>
      t.deps.db.transaction(async (tx) => {
        await tx.execute(
          sql`update vendor_sales set sold_at = now(), outcome = ${outcome} where vendor_id = ${count?.id} and system = 'moma'`,
        );
        const found = await firstRow<{ cents: number }>(
          tx,
          sql`select (sum(revenue) * 100)::int as cents from moma_machines`,
        );
        await tx.execute(
          sql`update vendor_sales set sold_at = ${now.toISOString()}::timestamptz where vendor_id = ${count?.id} and system = 'moma'`,
        );
        return found?.cents ?? 0;
      });
    const cents = Math.round(Number(count?.amount) * 100);
    expect(cents).toBeGreaterThan(0);
    const [machines, [day = 0, last = 0, all = 0, pending = 0, failed = 0]] = [
      await ofMachines('booked'),
      await figures(),
    ];
    for (const [outcome, more, worse] of [
      ['held', 1, 0],
      ['refused', 0, 1],
    ] as const) {
      expect(machines - (await ofMachines(outcome))).toBe(cents);
      expect(await figures()).toEqual([day - cents, last - cents, all - cents, pending + more, failed + worse]);
    }
    await ofMachines('booked');
  });

  it.each([
    ['hangs from the start', 'devices', 0, 'nothing'],
    ['has just told its machines', 'stock', 1_000, 'records'],
    ['told its machines and hangs since', 'stock', 16_000, 'nothing'],
  ])('a partner that %s is told by what was heard of it lately', async (_title, hangsAt, laterMs, heard) => {
    const real = t.deps.connectors;
    const later = new Date(now.getTime() + 24 * 3_600_000);
    const [hanging, release] = [new EventEmitter(), new EventEmitter()];
    const [hangs, released] = [once(hanging, 'now'), once(release, 'now')];
    t.setNow(later);
    const slow = (connector: Connector): Connector => ({
      ...connector,
      pull: async (resource, request, context) => {
        const isAsked = connector.manifest.system === 'moma';
        // Asked for only when what comes before it is stored.
        if (isAsked && resource !== hangsAt) return connector.pull(resource, request, context);
        if (isAsked) t.setNow(new Date(later.getTime() + laterMs));
        if (isAsked) hanging.emit('now');
        await released;
        return { batch: {}, cursor: request.cursor, more: false };
      },
    });
    t.deps.connectors = real.map(slow);
    const { id: userId } = await buildUser(t.deps.db, { role: 'manager' });
    try {
      const all = await syncAll(t.deps, { userId }, () => hangs);
      expect(all.find(({ system }) => system === 'moma')).toMatchObject({ state: 'going-on', finished: false, heard });
    } finally {
      release.emit('now');
      await untilQuiet(t.deps);
      t.deps.connectors = real;
      t.setNow(now);
    }
  });

  it('breaking one configuration shows in the health and leaves the other at work', async () => {
    await manager.call('PUT', `/api/moma/configs/${momaId}`, { body: { apiKey: 'revoked' } });
    const failed = await manager.call('POST', `/api/moma/configs/${momaId}/sync-machines`);
    expect([failed.statusCode, failed.json().detail]).toEqual([
      409,
      expect.stringContaining('MoMa 2.0 refused the API key'),
    ]);
    const all = await post('/api/nayax-moma/sync-all');
    expect(all.map(({ error }: { error: string | null }) => error?.slice(0, 30) ?? null)).toEqual([
      null,
      'MoMa 2.0 refused the API key. ',
    ]);
    const { health } = await get('/api/nayax-moma/analytics');
    expect(health).toMatchObject([
      { configId: nayaxId, state: 'working', problem: null },
      { configId: momaId, state: 'failing', problem: expect.stringContaining('Make a new user token') },
    ]);
  });

  it('a configuration is changed, switched off and deleted; of the other system it is not found', async () => {
    const path = `/api/nayax/configs/${nayaxId}`;
    const changed = (
      await manager.call('PUT', path, { body: { name: 'Renamed', hashCode: '', isActive: false } })
    ).json();
    expect(changed).toMatchObject({
      name: 'Renamed',
      isActive: false,
      status: 'inactive',
      hashCode: { configured: true },
    });
    expect((await manager.call('POST', `${path}/sync-devices`)).json().detail).toContain('inactive');
    expect((await manager.call('DELETE', path)).statusCode).toBe(403);
    expect((await admin.call('DELETE', `/api/moma/configs/${nayaxId}`)).statusCode).toBe(404);
    expect((await admin.call('DELETE', path)).json()).toEqual({ id: nayaxId });
    expect(await get('/api/nayax/configs')).toEqual([]);
  });

  it('an address that no browser could read is refused by its field, and is no fault of ours', async () => {
    const odd = { name: 'Odd', apiKey: 'x', apiSecret: 'y', baseUrl: 'https://partner.example:99999/' };
    const reply = await admin.call('POST', '/api/moma/configs', { body: odd });
    expect(reply.statusCode).toBe(400);
    expect(Object.keys(reply.json().fields)).toEqual(['baseUrl']);
  });
});
