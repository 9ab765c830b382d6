import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cantaloupe } from '../../sandbox/cantaloupe/cantaloupe.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const header =
  'Reference #,Reconcile Group,Trans Type,Settle State,Tran #,Device,Terminal,Location,Asset #,Client,Date,Card Type,Amount,AP Code,Details,Batch #';
const row = (reference: string, amount: string): string =>
  `${reference},RG1,Cash,Settled,1,VK900000001,T1,Hall,A-9,C,03/12/2026 09:00:00 AM,,${amount},,0A01(${amount}),1\n`;

onEachDatabase('Cantaloupe', (open) => {
  let t: TestApp;
  let sandbox: Sandbox;
  let manager: Person;
  let worker: Person;
  let configId = 0;

  beforeAll(async () => {
    sandbox = await startSandbox({ vendors: [cantaloupe], tickMs: null, from: new Date('2026-03-10T04:00:00Z') });
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin });
    sandbox.sphere.clock.set(t.deps.clock.now(), true);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });

  const fields = { name: 'East', apiKey: 'sandbox', apiSecret: 'sandbox-secret' };
  const create = (body: object) => manager.call('POST', '/api/cantaloupe/configs', { body });
  const get = async <T>(path: string) => (await manager.call('GET', `/api/cantaloupe/${path}`)).json() as T;
  const sync = (what: string) => manager.call('POST', `/api/cantaloupe/sync/${configId}/${what}`);

  it('a configuration is created in the sandbox by default, and its sign-in never comes back', async () => {
    // An optional field that is not set is null in replies, and may be sent as such.
    const reply = await create({ ...fields, webhookUrl: null, apiEndpoint: null, timeZone: null });
    expect([reply.statusCode, reply.body]).toEqual([201, expect.not.stringMatching(/sandbox-secret|"apiKey"/)]);
    const made = reply.json() as { id: number };
    expect(made).toMatchObject({
      name: 'East',
      hasKey: true,
      hasSecret: true,
      environment: 'sandbox',
      isActive: true,
    });
    configId = made.id;
    expect(await get('configs')).toMatchObject([
      { id: configId, webhookPath: expect.stringContaining('/api/webhooks/cantaloupe/') },
    ]);
  });

  it.each([
    ['name', ' ', 'Name is required'],
    ['name', undefined, 'Name is required'],
    ['name', 5, 'Name must be text'],
    ['apiKey', undefined, 'Sign-in is required'],
    ['apiSecret', undefined, 'Password is required'],
    ['apiKey', '', 'Sign-in is required'],
    ['apiSecret', '', 'Password is required'],
    ['webhookUrl', 'nowhere', 'Enter an address that starts with https://'],
    ['environment', 'test', 'Environment must be sandbox or production'],
    ['timeZone', 'x'.repeat(51), 'Time zone of the devices is too long: at most 50 characters'],
    ['timeZone', 'America/Chicgo', 'Enter a time zone as America/Chicago'],
  ])('refuses a configuration whose %s is %j, under the name of the field', async (field, value, sentence) => {
    const reply = await create({ ...fields, [field]: value });
    expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { [field]: sentence } });
  });

  it('devices are synced once, and transactions make today’s figures', async () => {
    expect((await sync('devices')).json()).toMatchObject({ synced: 16, message: null });
    expect((await sync('devices')).json()).toMatchObject({ added: 0 });
    const devices = await get<{ deviceId: string; location: string }[]>(`devices?configId=${configId}`);
    expect(devices).toHaveLength(16);
    const told = (await sync('transactions')).json() as { synced: number };
    expect(told.synced).toBeGreaterThan(20);
    expect(((await sync('transactions')).json() as { added: number }).added).toBe(0);
    const list = await get<{ transactionDate: string; amount: string; status: string }[]>(
      `transactions?configId=${configId}&limit=1000`,
    );
    expect(list).toHaveLength(told.synced);
    expect(list.map((one) => one.transactionDate)).toEqual(
      list
        .map((one) => one.transactionDate)
        .sort()
        .reverse(),
    );
    const today = list.filter((one) => one.transactionDate >= '2026-03-12T04:00');
    const cents = today.reduce(
      (sum, one) => sum + (['completed', 'refunded'].includes(one.status) ? Math.round(Number(one.amount) * 100) : 0),
      0,
    );
    expect(await get(`status?configId=${configId}`)).toEqual({
      ...{ devicesCount: 16, transactionsToday: today.length, totalAmount: (cents / 100).toFixed(2) },
    });
    const page = await get<{ rows: unknown[]; total: number }>(`transactions/page?configId=${configId}`);
    expect([page.rows.length, page.total]).toEqual([10, told.synced]);
  });

  it('a device that its partner no longer lists is in neither the list nor the count', async () => {
    const { db } = t.deps;
    const listed = async () => (await get<{ deviceId: string }[]>(`devices?configId=${configId}`)).length;
    const counted = async () => (await get<{ devicesCount: number }>(`status?configId=${configId}`)).devicesCount;
    const remove = (removed: boolean) =>
      db.execute(sql`update vendor_devices set removed = ${removed}
        where id = (select min(id) from vendor_devices where config_id = ${configId})`);
    await remove(true);
    expect([await listed(), await counted()]).toEqual([15, 15]);
    await remove(false);
    expect([await listed(), await counted()]).toEqual([16, 16]);
  });

  it('a wrong password is said, with what to do', async () => {
    const bad = (await create({ ...fields, name: 'Wrong', apiSecret: 'nonsense' })).json() as { id: number };
    const reply = await manager.call('POST', `/api/cantaloupe/sync/${bad.id}/devices`);
    expect([reply.statusCode, reply.body]).toEqual([409, expect.stringContaining('Enter them again')]);
  });

  it('in production nothing is called, and the reply says so', async () => {
    const production = (await create({ ...fields, name: 'Real', environment: 'production' })).json() as { id: number };
    const reply = await manager.call('POST', `/api/cantaloupe/sync/${production.id}/transactions`);
    expect(reply.json()).toMatchObject({ synced: 0, message: expect.stringContaining('publishes no address') });
  });

  const send = (who: Person, body: string, id = configId, name = 'hand.csv') =>
    t.app.inject({
      method: 'POST',
      url: `/api/cantaloupe/configs/${id}/reports?name=${name}`,
      headers: { cookie: who.cookie, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(body),
    });

  it('a report without a name is told what is missing', async () => {
    expect((await send(manager, 'x', configId, '')).json()).toMatchObject({ status: 400, detail: 'Name the file' });
  });

  it('a report exported by hand is taken once, totals left out and odd rows said', async () => {
    const file = `Transactions in Payment\n${header}\n${row('9001', '$1.50')}${row('9002', 'free')}Total,,,,,,,,,,,,$1.50,,,\n`;
    const first = (await send(manager, file)).json() as { counts: { sales: number }; unreadable: string[] };
    expect(first.counts.sales).toBe(1);
    expect(first.unreadable).toEqual([expect.stringContaining('amount that cannot be read: free')]);
    expect((await send(manager, file)).statusCode).toBe(201);
    const stored = sql`select count(*)::int as n, sum(amount)::numeric(10, 2)::text as amount from vendor_sales where order_id = '9001'`;
    expect(await firstRow(t.deps.db, stored)).toEqual({ n: 1, amount: '1.50' });
  });

  it('a sale that a later report tells again is not written again', async () => {
    const written = sql`select updated_at::text as at from vendor_sales where order_id = '9001'`;
    const before = await firstRow(t.deps.db, written);
    t.setNow(new Date(t.deps.clock.now().getTime() + 60_000));
    expect((await send(manager, `${header}\n${row('9001', '$1.50')}${row('9003', '$1.25')}`)).statusCode).toBe(201);
    expect(await firstRow(t.deps.db, written)).toEqual(before);
  });

  it('a refund names what its selection sold last', async () => {
    const { id } = await buildMachine(t.deps.db, { machineId: 'A-10' });
    const createdAt = new Date('2026-03-01');
    await buildSlot(t.deps.db, id, { slotNumber: 'A1', productName: 'Ginger Ale', price: '1.50', createdAt });
    const sold = row('9010', '$1.50').replace('A-9', 'A-10').replace('VK900000001', 'VK900000010');
    const refund = sold.replace('9010', '9011').replace('Cash', 'Refund').replace('$1.50', '-$1.50');
    expect((await send(manager, `${header}\n${sold}${refund}`)).statusCode).toBe(201);
    await t.deps.db.execute(
      sql`update vending_machine_inventory set product_name = 'Cream Soda' where machine_id = ${id}`,
    );
    const { rows } = await get<{ rows: { deviceId: string }[] }>(`transactions/page?configId=${configId}&limit=100`);
    expect(rows.filter(({ deviceId }) => deviceId === 'VK900000010')).toMatchObject([
      { amount: '-1.50', status: 'refunded', productName: 'Ginger Ale', productCode: '0A01' },
      { amount: '1.50', status: 'completed', productName: 'Ginger Ale', productCode: '0A01' },
    ]);
  });

  it.each([
    ['Name,Age\nAda,36\n', 'none of the known headers'],
    ['', 'empty'],
    [`${header}\n`, 'no rows'],
  ])('refuses the file %j with a sentence', async (body, sentence) => {
    const reply = await send(manager, body);
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('is for the office; another system’s or an unknown configuration is not found', async () => {
    for (const path of ['configs', `devices?configId=${configId}`, `transactions?configId=${configId}`, 'status']) {
      expect((await worker.call('GET', `/api/cantaloupe/${path}`)).statusCode).toBe(403);
    }
    expect((await send(worker, 'x')).statusCode).toBe(403);
    expect((await manager.call('GET', '/api/cantaloupe/devices?configId=9999')).statusCode).toBe(404);
    expect((await send(manager, row('1', '$1.00'), 9999)).statusCode).toBe(404);
  });
});
