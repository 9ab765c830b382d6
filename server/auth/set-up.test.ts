import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { getMarker, getOperator, saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { browser, byEmail, cookiesOf } from '../testing/signing-in.ts';
import { nobody, type TestApp, testApp } from '../testing/test-app.ts';
import { ensureSetupCode } from './service.ts';

const input = {
  email: 'first@example.test',
  firstName: 'Frances',
  lastName: 'First',
  operatorName: 'First Vending',
  timeZone: 'Europe/Berlin',
};

onEachDatabase('setting up the first administrator', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  const setUp = (setupCode: string, fields = {}) =>
    browser(test).post('/api/auth/set-up', { ...input, setupCode, ...fields });
  const state = async () => (await nobody(test.app).call('GET', '/api/auth/state')).json();

  it('starts without anybody to sign in as', async () => {
    expect(await rows(test.deps.db, sql`select id from users`)).toEqual([]);
    expect(await state()).toEqual({ isDemo: false, needsSetup: true, mayBeIn: false });
  });

  it('keeps only a hash of the code, and the newest one counts', async () => {
    const old = await ensureSetupCode(test.deps);
    const code = await ensureSetupCode(test.deps);
    expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
    expect(await getMarker(test.deps.db, 'set-up-code')).toMatch(/^[0-9a-f]{64}$/);
    expect((await setUp(String(old))).statusCode).toBe(400);
  });

  it('refuses a wrong code and a time zone that does not exist, and makes nobody', async () => {
    const code = String(await ensureSetupCode(test.deps));
    const wrong = await setUp('AAAA-AAAA-AAAA-AAAA');
    expect([wrong.statusCode, Object.keys(wrong.json().fields)]).toEqual([400, ['setupCode']]);
    const nowhere = await setUp(code, { timeZone: 'Mars/Olympus' });
    expect([nowhere.statusCode, Object.keys(nowhere.json().fields)]).toEqual([400, ['timeZone']]);
    expect(await rows(test.deps.db, sql`select id from users`)).toEqual([]);
  });

  it('limits the tries of an address', async () => {
    const guesser = browser(test);
    const guess = () => guesser.post('/api/auth/set-up', { ...input, setupCode: 'AAAA' });
    for (let n = 0; n < 10; n += 1) expect((await guess()).statusCode).toBe(400);
    expect((await guess()).statusCode).toBe(429);
  });

  it('gives no code in a demo', async () => {
    await saveOperator(test.deps.db, { isDemo: true });
    expect(await ensureSetupCode(test.deps)).toBeNull();
    expect(await state()).toEqual({ isDemo: true, needsSetup: false, mayBeIn: false });
    await saveOperator(test.deps.db, { isDemo: false });
  });

  it('makes the operator and one signed-in administrator, once, however the code is typed', async () => {
    const code = String(await ensureSetupCode(test.deps));
    const typed = code.toLowerCase().replaceAll('-', ' ');
    const replies = await Promise.all(['first', 'second'].map((who) => setUp(typed, { email: `${who}@example.test` })));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 400]);
    const done = replies.find((reply) => reply.statusCode === 200);
    const cookie = `milkrun_session=${done ? cookiesOf(done).milkrun_session : ''}`;
    const session = (await test.app.inject({ url: '/api/auth/session', headers: { cookie } })).json();
    expect(session.person).toMatchObject({ role: 'admin', firstName: 'Frances' });
    expect(session.operator).toMatchObject({ name: 'First Vending', timeZone: 'Europe/Berlin', isDemo: false });
    // The second step is asked for from here on; this first session stands on the console's code.
    expect(session.secondStepMissing).toBeUndefined();
    const next = cookiesOf(await browser(test).signIn(byEmail(session.person.email))).milkrun_session;
    const closed = await test.app.inject({ url: '/api/markets', headers: { cookie: `milkrun_session=${next}` } });
    expect(closed.json().detail).toContain('Set it up under Your Account first');
    expect(await state()).toEqual({ isDemo: false, needsSetup: false, mayBeIn: false });
    expect((await setUp(code)).statusCode).toBe(400);
    expect(await ensureSetupCode(test.deps)).toBeNull();
  });
});

onEachDatabase('setting up where people are', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  it('is refused even with a code printed before they came', async () => {
    const code = String(await ensureSetupCode(test.deps));
    await buildUser(test.deps.db);
    expect((await browser(test).post('/api/auth/set-up', { ...input, setupCode: code })).statusCode).toBe(400);
    expect((await getOperator(test.deps.db)).name).toBe('Test Operator');
  });
});

onEachDatabase('the outbox of the demo', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  it('does not exist outside a demo', async () => {
    const reply = await nobody(test.app).call('GET', '/api/demo/outbox');
    expect(reply.statusCode).toBe(404);
    expect(reply.headers['content-type']).toContain('application/problem+json');
  });

  it('does not make a demo of the sign-in screen either', async () => {
    await browser(test).ask(byEmail('anybody@example.test'));
    expect(await rows(test.deps.db, sql`select id from demo_outbox`)).toEqual([]);
  });
});
