import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { turningText } from '../../domain/plain-text.ts';
import { auditLog } from '../audit/tables.ts';
import { fieldDevices } from '../auth/tables.ts';
import { users } from '../people/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMarket, buildUser } from '../testing/factories.ts';
import { browser, byEmail, cookiesOf } from '../testing/signing-in.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { deviceSessions, pairingCodes } from './tables.ts';

const start = new Date('2026-03-12T15:00:00Z');

onEachDatabase('device login', (open) => {
  let test: TestApp;
  let manager: Person;
  let admin: Person;
  let worker: { id: number; email: string };
  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    admin = await test.as((await buildUser(db, { role: 'admin' })).id);
    worker = await buildUser(db, { routeDesignation: '101', firstName: 'Dana', lastName: 'Driver' });
    await buildMarket(db, { routeDesignation: '101', name: 'Ours' });
    await buildMarket(db, { routeDesignation: '202', name: 'Theirs' });
  });
  afterAll(() => test.close());
  beforeEach(() => test.setNow(start));

  const issue = async () => {
    const body = { routeDesignation: '101', userId: worker.id };
    return (await manager.call('POST', '/api/pairing-codes', { body })).json() as { code: string; link: string };
  };
  const form = (more: object = {}) => ({
    deviceId: randomUUID(),
    deviceName: 'Van tablet',
    deviceType: 'tablet',
    routeDesignation: '101',
    userAgent: 'what the device says',
    ipAddress: '10.9.8.7',
    location: { latitude: 40.712776, longitude: -74.005974 },
    ...more,
  });
  const logIn = (body: object, cookie = '') => browser(test).post('/api/auth/device-login', body, cookie);
  const pair = async (more: object = {}) => {
    const body = form({ pairingCode: (await issue()).code, ...more });
    const reply = await logIn(body);
    const cookies = cookiesOf(reply);
    return {
      reply,
      body,
      cookie: `milkrun_session=${cookies.milkrun_session}`,
      credential: `milkrun_device=${cookies.milkrun_device}`,
    };
  };
  const call = (method: 'GET' | 'POST', url: string, cookie: string, payload?: object) =>
    test.app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
  const rowOf = async (deviceId: string) =>
    (await test.deps.db.select().from(deviceSessions).where(eq(deviceSessions.deviceId, deviceId)))[0];

  it('takes a code that a manager issued and answers with user, device session and applications', async () => {
    const { code, link } = await issue();
    expect(code).toMatch(/^\d{8}$/);
    expect(new URL(link).pathname + new URL(link).hash).toBe(`/device-login#code=${code}`);
    const check = await browser(test).post('/api/auth/pairing-code', {
      pairingCode: `${code.slice(0, 4)} ${code.slice(4)}`,
    });
    expect(check.json()).toMatchObject({ routeDesignations: ['101'], worker: 'Dana Driver' });
    const reply = await logIn(form({ pairingCode: code }));
    expect(reply.json()).toMatchObject({
      success: true,
      user: { firstName: 'Dana', lastName: 'Driver', role: 'field_worker', routeDesignation: '101' },
      deviceSession: { deviceType: 'tablet', deviceName: 'Van tablet', routeDesignation: '101' },
      applications: expect.arrayContaining([
        { id: 1, applicationName: 'mobile_inventory', label: 'Mobile Inventory', isActive: true },
      ]),
    });
    const ids = (reply.json().applications as { id: number }[]).map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 2]);
  });

  it('reads the places of its route and no other, and shows itself as authenticated', async () => {
    const { cookie, body } = await pair();
    const seen = (await call('GET', '/api/markets', cookie)).json() as { name: string }[];
    expect(seen.map(({ name }) => name)).toEqual(['Ours']);
    const state = (await call('GET', '/api/auth/device', cookie)).json();
    expect(state.login.deviceSession).toMatchObject({ deviceId: body.deviceId, deviceName: 'Van tablet' });
    expect((await nobody(test.app).call('GET', '/api/auth/device')).json()).toEqual({
      login: null,
      person: null,
      routeDesignations: [],
    });
  });

  it('stores the address of the connection, never what the device says, and a place to about a hundred metres', async () => {
    const { body } = await pair();
    const row = await rowOf(body.deviceId);
    expect(row?.ipAddress).toMatch(/^203\.0\./);
    expect(row?.userAgent).not.toContain('what the device says');
    expect(row?.location).toEqual({ latitude: 40.713, longitude: -74.006 });
    expect((await pair({ location: null })).reply.statusCode).toBe(200);
  });

  it('refuses a code that is wrong, used, expired or replaced, in one sentence', async () => {
    const { code: replaced } = await issue();
    const { code } = await issue();
    expect((await logIn(form({ pairingCode: code }))).statusCode).toBe(200);
    const late = (await issue()).code;
    for (const pairingCode of ['00000000', code, replaced]) {
      const reply = await logIn(form({ pairingCode }));
      expect([reply.statusCode, reply.json().detail]).toEqual([
        401,
        expect.stringContaining('wrong, was used, or has expired'),
      ]);
      expect(reply.cookies).toEqual([]);
    }
    test.setNow(new Date(start.getTime() + 10 * 60_000));
    expect((await logIn(form({ pairingCode: late }))).statusCode).toBe(401);
    const [failed] = await test.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'device.login-failed'))
      .limit(1);
    expect(failed).toMatchObject({ actorId: null, address: expect.stringMatching(/^203\./) });
  });

  it('lets one of many parallel uses of a code in, and keeps no code readable', async () => {
    const { code } = await issue();
    const replies = await Promise.all(Array.from({ length: 12 }, () => logIn(form({ pairingCode: code }))));
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    expect(JSON.stringify(await test.deps.db.select().from(pairingCodes))).not.toContain(code);
  });

  it('counts no right code: a depot pairs all its devices behind one address, and guesses no more than before', async () => {
    const depot = browser(test);
    for (let n = 0; n < 12; n++) {
      const { code } = await issue();
      expect((await depot.post('/api/auth/pairing-code', { pairingCode: code })).statusCode).toBe(200);
      expect((await depot.post('/api/auth/device-login', form({ pairingCode: code }))).statusCode).toBe(200);
    }
    const wrong = [];
    for (let n = 0; n < 21; n++) wrong.push(depot.post('/api/auth/pairing-code', { pairingCode: `0000000${n % 10}` }));
    const statuses = (await Promise.all(wrong)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  it('lets one address try twenty times an hour, the right code included', async () => {
    const guesser = browser(test);
    for (let n = 0; n < 20; n++)
      await guesser.post('/api/auth/pairing-code', { pairingCode: String(n).padStart(8, '0') });
    const { code } = await issue();
    const reply = await guesser.post('/api/auth/device-login', form({ pairingCode: code }));
    expect([reply.statusCode, reply.json().detail]).toEqual([429, expect.stringContaining('Try again in')]);
    expect((await logIn(form({ pairingCode: code }))).statusCode).toBe(200);
  });

  it('is refused without a code and without a session, and for another route than the code’s', async () => {
    expect((await logIn(form())).statusCode).toBe(401);
    const other = await logIn(form({ pairingCode: (await issue()).code, routeDesignation: '202' }));
    expect(other.json()).toMatchObject({ status: 400, fields: { routeDesignation: 'This code is for route 101.' } });
  });

  it.each([
    ['deviceName', undefined, 'Device name is required'],
    ['deviceName', ' ', 'Device name is required'],
    ['deviceName', 5, 'Device name must be text'],
    ['deviceName', 'x'.repeat(101), 'Device name is too long: at most 100 characters'],
    ['deviceName', 'Van \u202etablet', turningText],
    ['deviceType', undefined, 'Device type is required'],
    ['deviceType', '', 'Device type is required'],
    ['deviceType', 'toaster', 'Device type must be one of tablet, smartphone, pos_terminal, scanner'],
    ['routeDesignation', undefined, 'Route designation is required'],
    ['routeDesignation', '', 'Route designation is required'],
  ])('is refused with a sentence where the %s is %j', async (field, value, sentence) => {
    const reply = await logIn(form({ [field]: value }));
    expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { [field]: sentence } });
  });

  it('registers the device a signed-in person holds, for their own route only', async () => {
    const cookies = cookiesOf(await browser(test).signIn(byEmail(worker.email)));
    const cookie = `milkrun_session=${cookies.milkrun_session}`;
    expect((await logIn(form({ routeDesignation: '202' }), cookie)).json().detail).toBe(
      'You work on route 101. Choose it.',
    );
    const reply = await logIn(form({ deviceName: 'My phone', deviceType: 'smartphone' }), cookie);
    expect(reply.json()).toMatchObject({ success: true, deviceSession: { deviceName: 'My phone' } });
    expect((await call('GET', '/api/auth/device', cookie)).json().login).toMatchObject({ success: true });
  });

  it('renews the row of a device that logs in again', async () => {
    const { body } = await pair();
    const first = await rowOf(body.deviceId);
    await pair({ deviceId: body.deviceId, deviceName: 'Same tablet' });
    expect(await rowOf(body.deviceId)).toMatchObject({ id: first?.id, deviceName: 'Same tablet', isActive: true });
  });

  it('notes the last activity of the device', async () => {
    const { cookie, body } = await pair();
    const later = new Date(start.getTime() + 5 * 60_000);
    test.setNow(later);
    await call('GET', '/api/markets', cookie);
    expect((await rowOf(body.deviceId))?.lastActivity).toEqual(later);
    const page = (await manager.call('GET', `/api/device-sessions/page?search=${body.deviceId}`)).json();
    expect(page).toMatchObject({
      total: 1,
      rows: [{ worker: 'Dana Driver', lastActivity: later.toISOString(), isActive: true }],
    });
  });

  it('ends with the log-out of the device, which nobody else can do for it', async () => {
    const { cookie, body } = await pair();
    const other = await pair();
    const { deviceId } = body;
    const stranger = await test.as((await buildUser(test.deps.db, { routeDesignation: '202' })).id);
    expect((await stranger.call('POST', '/api/auth/device-logout', { body: { deviceId } })).statusCode).toBe(404);
    expect((await call('POST', '/api/auth/device-logout', cookie, { deviceId })).statusCode).toBe(200);
    expect((await call('GET', '/api/markets', cookie)).statusCode).toBe(401);
    expect((await call('GET', '/api/markets', other.cookie)).statusCode).toBe(200);
    expect(await rowOf(deviceId)).toMatchObject({ isActive: false });
    const [credential] = await test.deps.db.select().from(fieldDevices).where(eq(fieldDevices.deviceId, deviceId));
    expect(credential?.isActive).toBe(true);
  });

  it('can be revoked by an administrator: session and credential are refused at once', async () => {
    const { cookie, credential, body } = await pair();
    const id = (await rowOf(body.deviceId))?.id;
    expect((await manager.call('POST', `/api/device-sessions/${id}/revoke`)).statusCode).toBe(403);
    expect((await admin.call('POST', `/api/device-sessions/${id}/revoke`)).statusCode).toBe(200);
    const push = { deviceId: body.deviceId, sentAtClient: start.toISOString(), events: [] };
    expect((await call('GET', '/api/markets', cookie)).statusCode).toBe(401);
    expect((await call('POST', '/api/sync/events', credential, push)).statusCode).toBe(401);
  });

  it('issues codes to managers only, and for nobody but a field worker of that route', async () => {
    const asWorker = await test.as(worker.id);
    const body = { routeDesignation: '101', userId: worker.id };
    expect((await asWorker.call('POST', '/api/pairing-codes', { body })).statusCode).toBe(403);
    const boss = await buildUser(test.deps.db, { role: 'route_manager', routeDesignation: '101' });
    for (const wrong of [
      { ...body, userId: boss.id },
      { ...body, routeDesignation: '202' },
    ]) {
      expect((await manager.call('POST', '/api/pairing-codes', { body: wrong })).statusCode).toBe(400);
    }
    const choices = (await manager.call('GET', '/api/pairing-codes/choices')).json();
    expect(choices).toContainEqual({ routeDesignation: '101', workers: [{ id: worker.id, name: 'Dana Driver' }] });
    expect(JSON.stringify(choices)).not.toContain(`"id":${boss.id},`);
  });

  it('is refused when the worker has left the route or the company since the code was issued', async () => {
    const { code } = await issue();
    await test.deps.db.update(users).set({ routeDesignation: '202' }).where(eq(users.id, worker.id));
    expect((await logIn(form({ pairingCode: code }))).statusCode).toBe(401);
    await test.deps.db.update(users).set({ routeDesignation: '101' }).where(eq(users.id, worker.id));
    expect((await logIn(form({ pairingCode: code }))).statusCode).toBe(200);
  });
});
