import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Connector, VendorError, type WebhookReader } from '../../connectors/connector.ts';
import { turningText } from '../../domain/plain-text.ts';
import { firstRow, rows } from '../db/database.ts';
import { createConfig, getConfig, updateConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { deviceTold, saleTold } from '../testing/vendor.ts';
import { runSync, untilQuiet } from '../vendor-sync/service.ts';
import { leaseDue } from './inbox.ts';
import { takeIn } from './intake.ts';
import { processDue } from './worker.ts';

const secret = 'a secret of the partner';
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Signs `time.body`; five minutes of tolerance; the body tells one sale. */
const webhook: WebhookReader = {
  verify: ({ headers, body }, { settings, previousSettings, now, hash }) => {
    const time = headers['x-time'] ?? '';
    if (Math.abs(Number(time) * 1000 - now().getTime()) > 300_000) return { genuine: false, reason: 'too old' };
    const signed = Buffer.concat([Buffer.from(`${time}.`), body]);
    const said = Buffer.from(headers['x-signature'] ?? '', 'utf8');
    const isRight = [settings, previousSettings].some(
      (one) => one && hash.equal(Buffer.from(hex(hash.hmacSha256(Buffer.from(String(one.secret)), signed))), said),
    );
    if (!isRight) return { genuine: false, reason: 'the signature does not fit' };
    return { genuine: true, eventId: headers['x-event'] ?? null, eventType: 'sale', signature: null };
  },
  parse: ({ body }) => {
    const text = Buffer.from(body).toString();
    if (text === 'nonsense') throw new VendorError('nayax', 'bad-data', 'This message cannot be read.');
    if (text === 'later') throw new VendorError('nayax', 'down', 'Not yet.');
    const { id, device, place = null, amount = '1.50', cannotBeKept = false } = JSON.parse(text);
    const told = { vendorId: id, deviceId: device, integrationId: place, unitPrice: amount, amount };
    const sale = saleTold({ ...told, ...(cannotBeKept ? { details: noJson } : {}), configId: 7 });
    return { batch: { sales: [sale] }, pull: [] };
  },
};

/** JSON has no form for it: storing such a record fails, whatever of a partner's is taken or held. */
const noJson = { whole: 1n };

const connector: Connector = {
  manifest: {
    system: 'nayax',
    label: 'The partner',
    basis: 'Made for this test.',
    fields: [{ name: 'secret', label: 'Secret', kind: 'secret', required: 'Secret is required' }],
    resources: ['devices'],
    everyMinutes: {},
    backfills: false,
  },
  testConnection: async () => ({ detail: '' }),
  pull: async () => ({ batch: { devices: [deviceTold()] }, cursor: null, more: false }),
  webhook,
};

onEachDatabase('Webhooks', (open) => {
  let t: TestApp;
  let path: string;
  let configId: number;
  const at = () => String(Math.floor(t.deps.clock.now().getTime() / 1000));

  beforeAll(async () => {
    t = await testApp(open);
    t.deps.connectors = [connector];
    const made = await createConfig(t.deps, null, { system: 'nayax', name: 'Ours', settings: { secret } });
    configId = made.id;
    path = made.webhookPath ?? '';
    await runSync(t.deps, configId);
  });
  afterAll(() => t.close());

  const sign = (body: string | Buffer, key = secret, time = at()) =>
    createHmac('sha256', key).update(`${time}.`).update(body).digest('hex');
  const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
    t.app.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-time': at(),
        'x-signature': sign(body),
        ...headers,
      },
    });
  const sale = (id: string) => JSON.stringify({ id, device: 'D1' });
  const delivery = (event: string) =>
    firstRow<{ status: string; attempts: number; repeats: number; error: string | null; id: number }>(
      t.deps.db,
      sql`select id, status, attempts, repeats, error from webhook_deliveries where event_id = ${event}`,
    );
  const booked = async () => (await rows(t.deps.db, sql`select 1 from sales where source = 'vendor:7'`)).length;

  it('a genuine message is stored before it is answered, and booked once however often it is told', async () => {
    for (let time = 0; time < 3; time += 1) expect((await send(sale('1'), { 'x-event': 'e1' })).statusCode).toBe(200);
    await untilQuiet(t.deps);
    expect(await delivery('e1')).toMatchObject({ status: 'done', repeats: 2, attempts: 1 });
    expect(await booked()).toBe(1);
  });

  it('one flipped bit of body, signature or time is refused; nothing of it is stored', async () => {
    const before = await rows(t.deps.db, sql`select 1 from webhook_deliveries`);
    const body = Buffer.from(sale('2'));
    const flip = (bytes: Buffer, bit: number): Buffer => {
      const changed = Buffer.from(bytes);
      const byte = Math.floor(bit / 8) % changed.length;
      changed.writeUInt8(changed.readUInt8(byte) ^ (1 << (bit % 8)), byte);
      return changed;
    };
    const flips = fc.record({ what: fc.constantFrom('body', 'signature'), bit: fc.nat({ max: 7_000 }) });
    await fc.assert(
      fc.asyncProperty(flips, async ({ what, bit }) => {
        const good = sign(body);
        const sent =
          what === 'body'
            ? send(flip(body, bit), { 'x-signature': good })
            : send(body, { 'x-signature': flip(Buffer.from(good), (bit * 8) % 512).toString('latin1') });
        const { statusCode } = await sent;
        expect(statusCode).toBe(401);
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 1_000 : 25 },
    );
    const old = String(Number(at()) - 301);
    expect((await send(body, { 'x-time': old, 'x-signature': sign(body, secret, old) })).statusCode).toBe(401);
    expect(await getConfig(t.deps, configId)).toMatchObject({
      rejectedDeliveries: expect.any(Number),
      lastRejectedReason: 'too old',
      lastRejectedAt: t.deps.clock.now().toISOString(),
    });
    expect(await rows(t.deps.db, sql`select 1 from webhook_deliveries`)).toEqual(before);
  });

  it('what is too large is refused before any of it is read', async () => {
    const origin = await t.app.listen({ port: 0, host: '127.0.0.1' });
    const call = request(`${origin}${path}`, { method: 'POST', headers: { 'content-length': 2_000_000 } });
    call.flushHeaders();
    const [reply] = await once(call, 'response');
    expect(reply.statusCode).toBe(413);
    call.on('error', () => {}).destroy();
  });

  it('a replaced secret is accepted until its time is over, and not after', async () => {
    await updateConfig(t.deps, null, configId, {
      settings: { secret: 'the next secret of it' },
      acceptPreviousHours: 1,
    });
    const taken = await send(sale('3'));
    expect([taken.statusCode, taken.body]).toEqual([200, '']);
    const next = () => ({ 'x-signature': sign(sale('4'), 'the next secret of it') });
    expect((await send(sale('4'), next())).statusCode).toBe(200);
    t.setNow(new Date(t.deps.clock.now().getTime() + 3_600_001));
    expect((await send(sale('5'))).statusCode).toBe(401);
    await updateConfig(t.deps, null, configId, { settings: { secret }, acceptPreviousHours: 0 });
    await untilQuiet(t.deps);
    expect(await booked()).toBe(3);
  });

  it('what cannot be read is dead at once, what fails is put off 14 times, and neither holds up the others', async () => {
    await send('nonsense', { 'x-event': 'bad' });
    await send('later', { 'x-event': 'late' });
    await send(sale('6'), { 'x-event': 'good' });
    await untilQuiet(t.deps);
    expect(await delivery('bad')).toMatchObject({ status: 'dead', error: 'This message cannot be read.' });
    expect(await delivery('good')).toMatchObject({ status: 'done' });
    for (let round = 0; round < 20; round += 1) {
      t.setNow(new Date(t.deps.clock.now().getTime() + 6 * 3_600_001));
      await processDue(t.deps);
    }
    expect(await delivery('late')).toMatchObject({ status: 'dead', attempts: 14 });
  });

  it('a worker that dies in the middle of a batch gives it back: all is processed once', async () => {
    const { db, clock } = t.deps;
    await db.execute(sql`insert into webhook_deliveries (config_id, system, dedupe_key, event_type, method, body, body_bytes, next_attempt_at)
      select ${configId}, 'nayax', 'crash-' || n, 'sale', 'POST', convert_to('{"id":"C' || n || '","device":"D1"}', 'UTF8'), 1, ${clock.now().toISOString()}::timestamptz
      from generate_series(1, 20) n`);
    const before = await booked();
    // It took ten of them, and was never heard of again.
    const lost = await leaseDue(db, { at: clock.now(), until: new Date(clock.now().getTime() + 60_000), most: 10 });
    expect(lost).toHaveLength(10);
    await processDue(t.deps);
    expect(await booked()).toBe(before + 10);
    t.setNow(new Date(clock.now().getTime() + 60_001));
    await processDue(t.deps);
    expect(await booked()).toBe(before + 20);
  });

  const waiting = (bodies: readonly string[], lot: string) =>
    t.deps.db.execute(sql`insert into webhook_deliveries (config_id, system, dedupe_key, event_id, event_type, method, body, body_bytes, received_at, next_attempt_at)
      select ${configId}, 'nayax', ${lot} || n, ${lot} || n, 'sale', 'POST', convert_to(body, 'UTF8'), 1, at, at
      from jsonb_array_elements_text(${JSON.stringify(bodies)}::jsonb) with ordinality lot(body, n),
        (select ${t.deps.clock.now().toISOString()}::timestamptz as at) now`);
  const writers = async (lot: string) =>
    (await rows(t.deps.db, sql`select distinct xmin::text from webhook_deliveries where event_id like ${`${lot}%`}`))
      .length;

  it('messages that come at the same time are stored with one statement', async () => {
    const [, , , system = '', publicId = ''] = path.split('/');
    const told = Array.from({ length: 30 }, (_, n) => {
      const body = Buffer.from(sale(`T${n}`));
      const headers = { 'x-time': at(), 'x-signature': sign(body), 'x-event': `lot-${n}` };
      return takeIn(t.deps, { system, publicId }, { method: 'POST', path: '', query: [], headers, body });
    });
    await Promise.all(told);
    expect(await writers('lot-')).toBe(1);
    const before = await booked();
    await processDue(t.deps);
    expect(await booked()).toBe(before + 30);
  });

  it('of messages that come together each has its own answer', async () => {
    const odd = await Promise.all([
      send(sale('O1'), { 'x-event': 'odd-1' }),
      send(sale('O2'), { 'x-event': 'odd-2', 'x-signature': 'made up' }),
      send(sale('O3'), { 'x-event': 'odd-3' }),
      send(sale('O3'), { 'x-event': 'odd-3' }),
      send(sale('O3'), { 'x-event': 'odd-3' }),
      // What the database does not take.
      send(sale('O4'), { 'x-event': 'odd\0-4' }),
    ]);
    expect(odd.map(({ statusCode }) => statusCode)).toEqual([200, 401, 200, 200, 200, 400]);
    await untilQuiet(t.deps);
    expect(await delivery('odd-1')).toMatchObject({ status: 'done', repeats: 0 });
    expect(await delivery('odd-2')).toBeUndefined();
    expect(await delivery('odd-3')).toMatchObject({ status: 'done', repeats: 2 });
  });

  it('sales that wait are booked with one transaction, and one that cannot be is put off alone', async () => {
    await waiting([sale('L1'), sale('L2'), sale('L3')], 'whole-');
    const before = await booked();
    await processDue(t.deps);
    expect(await writers('whole-')).toBe(1);
    await waiting([sale('L4'), JSON.stringify({ id: 'L6', device: 'D1', cannotBeKept: true }), sale('L5')], 'part-');
    await processDue(t.deps);
    expect(await booked()).toBe(before + 5);
    expect(await delivery('part-1')).toMatchObject({ status: 'done' });
    expect(await delivery('part-2')).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await delivery('part-3')).toMatchObject({ status: 'done' });
  });

  it('a sale told again with another amount among those that wait is held, not taken for the first', async () => {
    const told = (amount: string) => JSON.stringify({ id: 'A1', device: 'D1', amount });
    await waiting([sale('A0'), told('1.50'), told('2.75'), sale('A2')], 'amount-');
    const before = await booked();
    await processDue(t.deps);
    expect(await booked()).toBe(before + 3);
    expect(
      await rows(t.deps.db, sql`select vendor_id, reason from held_records where vendor_id = 'A1' and status = 'held'`),
    ).toEqual([{ vendor_id: 'A1', reason: 'changed' }]);
  });

  it('a machine that sells and is in no list waits for a person with its sales', async () => {
    await send(JSON.stringify({ id: 'U1', device: 'D-unlisted', place: 'nayax:77' }));
    await send(JSON.stringify({ id: 'U2', device: 'D-unlisted', place: 'nayax:77' }));
    // Of a place that is known by its id: another reader of it.
    await send(JSON.stringify({ id: 'U3', device: 'D-second', place: 'nayax:1' }));
    await untilQuiet(t.deps);
    const { manager } = await oneOfEachRole(t, '101');
    const open = (await manager.call('GET', '/api/integrations/review/devices')).json().rows;
    expect(open).toMatchObject([{ vendorId: 'D-unlisted', name: 'Machine D-unlisted', waitingSales: 2 }]);
    expect(open[0].reason).toContain('does not name it');
    // It is none of the partner's list, which is counted and shown as it was told.
    expect(await rows(t.deps.db, sql`select name from nayax_devices where device_id like 'D-%'`)).toEqual([]);
    const [{ devices }] = (await manager.call('GET', '/api/nayax/configs')).json();
    expect(devices).toBe((await rows(t.deps.db, sql`select id from nayax_devices`)).length);
    expect(await rows(t.deps.db, sql`select outcome from vendor_sales where vendor_id = 'U3'`)).toEqual([
      { outcome: 'booked' },
    ]);
  });

  it('a replay answers with what came of it', async () => {
    const { manager } = await oneOfEachRole(t, '101');
    const replay = async (event: string) => {
      const { id } = (await delivery(event)) ?? {};
      return (await manager.call('POST', `/api/integrations/deliveries/${id}/replay`)).json();
    };
    expect(await replay('good')).toMatchObject({ status: 'done', error: null });
    expect(await replay('bad')).toMatchObject({ status: 'dead', error: 'This message cannot be read.' });
    expect(await replay('late')).toMatchObject({ status: 'pending', error: 'Not yet.' });
    expect(await delivery('late')).toMatchObject({ attempts: 1 });
    expect((await manager.call('POST', '/api/integrations/deliveries/999999/replay')).statusCode).toBe(404);
  });

  it('a message that failed is left out with a reason, and taken back', async () => {
    const { manager, worker } = await oneOfEachRole(t, '101');
    await send('nonsense', { 'x-event': 'odd-a' });
    await send('nonsense', { 'x-event': 'odd-b' });
    await untilQuiet(t.deps);
    const pathOf = async (event: string, verb: string) =>
      `/api/integrations/deliveries/${(await delivery(event))?.id}/${verb}`;
    const post = async (event: string, verb: string, body: object) =>
      manager.call('POST', await pathOf(event, verb), { body });
    const dead = async () => (await manager.call('GET', '/api/integrations/review')).json().dead;
    const list = async (status: string) =>
      (await manager.call('GET', `/api/integrations/deliveries?status=${status}`)).json().rows;
    const before = await dead();
    const reason = { reason: ' A test of the partner ' };
    expect((await post('odd-a', 'leave-out', { reason: ' ' })).json().fields).toEqual({ reason: 'Say why' });
    const turned = await post('odd-a', 'leave-out', { reason: 'A \u202etest' });
    expect(turned.json().fields).toEqual({ reason: turningText });
    expect((await worker.call('POST', await pathOf('odd-a', 'leave-out'), { body: reason })).statusCode).toBe(403);
    expect((await post('good', 'leave-out', reason)).statusCode).toBe(409);
    expect((await post('odd-a', 'take-back', {})).statusCode).toBe(409);
    const { alike } = (await list('dead'))[0];
    expect((await post('odd-a', 'leave-out', { ...reason, alike: true })).json()).toEqual({ messages: alike });
    expect(await dead()).toBe(before - alike);
    expect((await list('left_out'))[0]).toMatchObject({
      status: 'left_out',
      error: 'This message cannot be read.',
      leftOut: { at: t.deps.clock.now().toISOString(), by: expect.any(String), reason: 'A test of the partner' },
    });
    // Told again by the partner it stays out.
    await send('nonsense', { 'x-event': 'odd-a' });
    await untilQuiet(t.deps);
    expect(await delivery('odd-a')).toMatchObject({ status: 'left_out', repeats: 1 });
    expect((await post('odd-a', 'take-back', {})).json()).toEqual({ messages: 1 });
    expect((await post('odd-b', 'take-back', { alike: true })).json()).toEqual({ messages: alike - 1 });
    expect(await dead()).toBe(before);
    expect(await delivery('odd-a')).toMatchObject({ status: 'dead' });
    const noted = await rows<{ action: string; detail: object }>(
      t.deps.db,
      sql`select action, detail from audit_log where action like 'integration.%-message' order by id`,
    );
    expect(noted.map(({ action }) => action)).toEqual([
      'integration.leave-out-message',
      'integration.take-back-message',
      'integration.take-back-message',
    ]);
    expect(JSON.stringify(noted)).not.toContain('A test');
  });

  it('what came and what became of it is counted for whoever watches the server', async () => {
    const outcomes = ['accepted', 'repeated', 'refused', 'processed', 'failed', 'dead'];
    const counted = async () => {
      const text = await t.deps.watch.registry.text();
      const countOf = (outcome: string) =>
        new RegExp(`^milkrun_webhooks_total\\{system="nayax",outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1];
      return outcomes.map((outcome) => Number(countOf(outcome) ?? 0));
    };
    const before = await counted();
    await send(sale('M1'), { 'x-event': 'counted-1' });
    await send(sale('M1'), { 'x-event': 'counted-1' });
    await send(sale('M2'), { 'x-signature': 'made up' });
    await send('nonsense', { 'x-event': 'counted-2' });
    await send('later', { 'x-event': 'counted-3' });
    await untilQuiet(t.deps);
    expect((await counted()).map((count, n) => count - (before[n] ?? 0))).toEqual([3, 1, 1, 1, 1, 1]);
  });

  it('what came with a message can be read, without secrets', async () => {
    const { manager, worker } = await oneOfEachRole(t, '101');
    const contentPath = async (event: string) => `/api/integrations/deliveries/${(await delivery(event))?.id}/content`;
    const content = async (event: string) => (await manager.call('GET', await contentPath(event))).json();
    expect(await content('bad')).toMatchObject({ text: 'nonsense', sales: [], isShortened: false });
    const body = JSON.stringify({
      id: 'K1',
      device: 'D1',
      note: secret,
      apiToken: 'abc"d',
      nested: { password: 'pw12' },
    });
    await send(body, { 'x-event': 'secretive' });
    const told = await content('secretive');
    expect(told.sales).toMatchObject([{ deviceId: 'D1', amount: '1.50', currency: 'USD' }]);
    expect(told.text).toBe('{"id":"K1","device":"D1","note":"••••","apiToken":••••,"nested":{"password":••••}}');
    expect((await worker.call('GET', await contentPath('bad'))).statusCode).toBe(403);
  });

  it('an address nobody gave out answers as if there were nothing', async () => {
    const reply = await t.app.inject({ method: 'POST', url: `/api/webhooks/nayax/${'0'.repeat(32)}`, payload: '{}' });
    expect(reply.statusCode).toBe(404);
  });
});
