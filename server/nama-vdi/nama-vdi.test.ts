import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namaVdi } from '../../sandbox/nama-vdi/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { rows } from '../db/database.ts';
import { atOnce } from '../testing/at-once.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('NAMA VDI', (open) => {
  let sandbox: Sandbox;
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  let id: number;
  const form = {
    name: 'Kiosks',
    vmsSystemId: namaVdi.credentials?.vmsSystemId,
    mmsSystemId: 'MMS365/46',
    apiEndpoint: '',
    apiKey: namaVdi.credentials?.apiKey,
    environment: 'sandbox',
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ vendors: [namaVdi], tickMs: null, from: new Date('2026-03-11T15:00:00Z') });
    form.apiEndpoint = `${sandbox.origin}/nama-vdi`;
    sandbox.sphere.clock.set(new Date('2026-03-12T15:00:00Z'), true);
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin });
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  }, 240_000);
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });
  const list = async (what: string) => (await manager.call('GET', `/api/nama-vdi/${what}?configId=${id}`)).json();
  const run = (what: string, of = id) => manager.call('POST', `/api/nama-vdi/configs/${of}/${what}`);

  it('a configuration is created with its defaults, and its key is not told', async () => {
    const { environment, ...usual } = form;
    const made = await manager.call('POST', '/api/nama-vdi/configs', { body: { ...usual, name: 'Usual' } });
    expect(made.json()).toMatchObject({
      version: '2.0',
      environment: 'production',
      enableDexData: true,
      enableTransactionData: true,
      enableOperationalData: true,
      status: 'active',
      lastSync: null,
      apiKey: { configured: true },
    });
    expect(made.body).not.toContain(form.apiKey);
    for (const field of ['name', 'vmsSystemId', 'apiEndpoint']) {
      const wrong = await manager.call('POST', '/api/nama-vdi/configs', { body: { ...form, [field]: '' } });
      expect(wrong.json()).toMatchObject({ status: 400, fields: { [field]: expect.stringContaining('is required') } });
    }
    const long = await manager.call('POST', '/api/nama-vdi/configs', {
      body: { ...form, mmsSystemId: 'x'.repeat(65) },
    });
    expect(long.json().fields).toEqual({ mmsSystemId: 'MMS System ID is too long: at most 64 characters' });
    ({ id } = (await manager.call('POST', '/api/nama-vdi/configs', { body: form })).json());
    expect((await worker.call('GET', '/api/nama-vdi/configs')).statusCode).toBe(403);
  });

  it('the connection is tested, against a live end and a dead one', async () => {
    expect((await run('test-connection')).json()).toEqual({ connected: true, error: null });
    const wrong = await manager.call('POST', '/api/nama-vdi/configs', {
      body: { ...form, name: 'Wrong', apiKey: 'no' },
    });
    expect((await run('test-connection', wrong.json().id)).json()).toEqual({
      connected: false,
      error: expect.stringContaining('refuses the sign-in'),
    });
    const { status } = (await manager.call('GET', '/api/nama-vdi/configs'))
      .json()
      .find((one: { name: string }) => one.name === 'Wrong');
    expect(status).toBe('error');
  });

  it('the connection is tested at the very address that was entered, also where the environment is the sandbox', async () => {
    const tried = async (name: string, apiEndpoint: string) => {
      const made = await manager.call('POST', '/api/nama-vdi/configs', { body: { ...form, name, apiEndpoint } });
      return (await run('test-connection', made.json().id)).json();
    };
    // A name that can belong to nobody.
    const silent = await tried('Silent', 'https://mms.example.test/vdi');
    expect(silent).toEqual({ connected: false, error: expect.stringContaining('does not answer at mms.example.test') });
    const elsewhere = await tried('Elsewhere', `${sandbox.origin}/nowhere`);
    expect(elsewhere).toEqual({ connected: false, error: expect.stringContaining('no VDI service at this address') });
    expect(await tried('With a slash', `${sandbox.origin}/nama-vdi/`)).toEqual({ connected: true, error: null });
  });

  it('devices, transactions and alerts come, are told in their own words, and twice gives no doubles', async () => {
    const first = (await run('sync-devices')).json();
    expect(first.recordsProcessed).toBeGreaterThan(5);
    const sold = (await run('sync-transactions')).json();
    expect(sold.recordsProcessed).toBeGreaterThan(1);
    const [devices, transactions, alerts] = [await list('devices'), await list('transactions'), await list('alerts')];
    expect(devices[0]).toMatchObject({
      configId: id,
      deviceType: expect.stringMatching(/kiosk|vending_machine/),
      status: 'online',
    });
    expect(transactions.map((one: { transactionType: string }) => one.transactionType)).toEqual(
      expect.arrayContaining(['sale', 'account_deposit', 'cash_collection']),
    );
    for (const { metadata } of [...devices, ...transactions]) expect(metadata).toEqual(expect.any(Object));
    expect(alerts[0]).toMatchObject({ alertCode: expect.any(String), resolved: false, severity: expect.any(String) });
    await run('sync-devices');
    await run('sync-transactions');
    expect(await list('devices')).toHaveLength(devices.length);
    expect((await list('transactions')).length).toBe(transactions.length);
    expect((await list('sync-jobs'))[0]).toMatchObject({ status: 'completed', errorDetails: expect.any(Array) });
  });

  it('a failing sync tells the server’s sentence and leaves a job with its errors', async () => {
    sandbox.sphere.faults.queue({ system: 'nama-vdi', call: 'POST /', kind: 'error_text', times: 1, parameters: {} });
    const reply = await run('sync-transactions');
    expect(reply.json()).toMatchObject({ detail: expect.stringContaining('Unable to process the document') });
    expect((await list('sync-jobs'))[0]).toMatchObject({ status: 'failed', errorCount: 1 });
    expect((await run('sync-transactions')).statusCode).toBe(200);
  });

  it('our markets and what they sell are told once, a lost acknowledgement is re-sent to the byte', async () => {
    const market = await buildMarket(t.deps.db, {
      name: 'Lobby & <Bar>',
      address: '5 Elm Street',
      city: '',
      state: 'NJ',
    });
    await buildItem(t.deps.db, market.id, { productName: 'Wrap' });
    sandbox.sphere.faults.queue({ system: 'nama-vdi', call: 'POST /', kind: 'lost_ack', times: 1, parameters: {} });
    const sent = () =>
      rows<{ type: string; status: string; attempts: number }>(
        t.deps.db,
        sql`select document_type as type, status, attempts from vdi_sent where config_id = ${id} order by id`,
      );
    await run('sync-devices');
    t.setNow(new Date('2026-03-12T15:20:00Z'));
    expect((await run('sync-devices')).json()).toMatchObject({ note: null });
    const all = await sent();
    expect(all.map(({ status }) => status)).toEqual(['acknowledged', 'acknowledged']);
    expect(all[0]?.attempts).toBeGreaterThan(0);
    const [first] = await rows<{ body: string }>(
      t.deps.db,
      sql`select body from vdi_sent where config_id = ${id} order by id`,
    );
    expect(first?.body).toContain('5 Elm Street, NJ');
    await run('sync-devices');
    expect(await sent()).toEqual(all);
  });

  it('two who ask at the same moment tell the other side once', async () => {
    await buildMarket(t.deps.db, { name: 'Canteen' });
    const sent = () =>
      rows<{ part: string; status: string; n: number }>(
        t.deps.db,
        sql`select part, status, count(*)::int as n from vdi_sent where config_id = ${id} group by 1, 2 order by 1, 2`,
      );
    const before = await sent();
    await atOnce(t, 'vdi_sent', [() => run('sync-devices'), () => run('sync-devices')]);
    expect(await sent()).toEqual(before.map((part) => ({ ...part, n: part.n + 1 })));
  });

  it('it can be put into maintenance, set inactive and active again', async () => {
    const put = async (status: string) =>
      (await manager.call('PUT', `/api/nama-vdi/configs/${id}/status`, { body: { status } })).json().status;
    await t.deps.db.execute(sql`update integration_configs set problem = 'It does not answer.' where id = ${id}`);
    expect([await put('maintenance'), await put('inactive'), await put('active')]).toEqual([
      'maintenance',
      'inactive',
      'active',
    ]);
    const [view] = await rows(
      t.deps.db,
      sql`select status, version, api_key, enable_dex_data as dex from nama_vdi_configs where id = ${id}`,
    );
    expect(view).toEqual({ status: 'active', version: '2.0', api_key: 'set', dex: true });
  });

  it('of an unknown configuration nothing is told', async () => {
    for (const what of ['devices', 'transactions', 'alerts', 'sync-jobs'])
      expect((await manager.call('GET', `/api/nama-vdi/${what}?configId=999`)).statusCode).toBe(404);
  });
});
