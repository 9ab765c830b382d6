import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../domain/errors.ts';
import { auditLog } from '../audit/tables.ts';
import { fieldDevices, sessions } from '../auth/tables.ts';
import { setRequired } from '../second-factor/service.ts';
import { secondFactors } from '../second-factor/tables.ts';
import { codeAt } from '../second-factor/totp.ts';
import { atOnce } from '../testing/at-once.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { browser, byEmail, bySms, cookiesOf, otherThan } from '../testing/signing-in.ts';
import { softwarePasskey } from '../testing/software-passkey.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { deviceInWords } from './device-words.ts';

const origin = 'http://localhost';
const fromBrowser = { origin, host: 'localhost' };
let minute = 0;

onEachDatabase('your account', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());
  // Each test begins in a step of its own: a code works once.
  beforeEach(() => test.setNow(new Date(Date.parse('2026-03-12T15:00:00Z') + ++minute * 3_600_000)));

  const now = () => test.deps.clock.now();
  const later = (seconds: number) => test.setNow(new Date(now().getTime() + seconds * 1000));
  const manager = () => buildUser(test.deps.db, { role: 'route_manager' });

  /** An app set up by a person: its secret, and the recovery codes. */
  async function withApp(person: Person) {
    const { secret } = (await person.call('POST', '/api/account/app')).json();
    const confirmed = await person.call('POST', '/api/account/app/confirm', { body: { code: codeAt(secret, now()) } });
    later(60);
    return { secret: String(secret), codes: confirmed.json().recoveryCodes as string[] };
  }
  /** The first half of a sign-in. */
  async function codeGiven(email: string) {
    const from = browser(test);
    const { code, challenge } = await from.ask(byEmail(email));
    const reply = await from.verify(byEmail(email), code, { cookie: challenge });
    const step = `milkrun_challenge=${cookiesOf(reply).milkrun_challenge}`;
    return { reply, step, prove: (text: string) => from.post('/api/auth/second-step', { code: text }, step) };
  }

  it('an app asks for its code at the next sign-in, and each code works once', async () => {
    const { id, email } = await manager();
    const { secret } = await withApp(await test.as(id));
    const { reply, prove } = await codeGiven(email);
    expect(reply.json()).toEqual({ success: true, secondStep: { app: true, passkey: false, pairing: false } });
    expect(cookiesOf(reply).milkrun_session).toBeUndefined();
    expect((await prove(otherThan(codeAt(secret, now())))).statusCode).toBe(401);
    const right = await prove(codeAt(secret, now()));
    expect([right.statusCode, (cookiesOf(right).milkrun_session ?? '').length]).toEqual([200, 43]);
    const again = await codeGiven(email);
    expect((await again.prove(codeAt(secret, now()))).statusCode).toBe(401);
    later(30);
    expect((await again.prove(codeAt(secret, now()))).statusCode).toBe(200);
  });

  it('the secret of an app is sealed in the database', async () => {
    const { id } = await manager();
    const { secret } = await withApp(await test.as(id));
    const stored = JSON.stringify(await test.deps.db.select().from(secondFactors));
    expect(stored).toContain('v1.');
    expect(stored).not.toContain(secret);
  });

  it('a sign-in takes five guesses, however many come at once, and ends', async () => {
    const { id, email } = await manager();
    const { secret } = await withApp(await test.as(id));
    const { prove } = await codeGiven(email);
    const wrong = otherThan(codeAt(secret, now()));
    const guesses = await Promise.all(Array.from({ length: 20 }, () => prove(wrong)));
    const said = guesses.map((reply) => reply.json().detail);
    expect(said.filter((detail) => detail === 'Invalid code')).toHaveLength(5);
    expect((await prove(codeAt(secret, now()))).statusCode).toBe(401);
  });

  it('a recovery code lets in once, and new ones replace the old', async () => {
    const { id, email } = await manager();
    const person = await test.as(id);
    const { codes } = await withApp(person);
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = ''] = codes;
    expect((await (await codeGiven(email)).prove(first.toLowerCase().replaceAll('-', ' '))).statusCode).toBe(200);
    expect((await (await codeGiven(email)).prove(first)).statusCode).toBe(401);
    await person.call('POST', '/api/account/recovery-codes');
    expect((await (await codeGiven(email)).prove(second)).statusCode).toBe(401);
  });

  it('a passkey signs in; its answer counts once, for its own site only', async () => {
    const { id, email } = await manager();
    const person = await test.as(id);
    const headers = { origin, host: 'localhost' };
    const key = softwarePasskey(fromBrowser);
    const { options } = (await person.call('POST', '/api/account/passkey-options', { headers })).json();
    expect(options).toMatchObject({ rp: { id: 'localhost' }, user: { name: email } });
    const body = { name: 'Laptop', credential: key.make(options) };
    const added = await person.call('POST', '/api/account/passkeys', { headers, body });
    expect([added.statusCode, added.json().recoveryCodes?.length]).toEqual([200, 10]);
    const { reply, step } = await codeGiven(email);
    expect(reply.json().secondStep).toEqual({ app: false, passkey: true, pairing: false });
    const post = (url: string, payload: object = {}) =>
      test.app.inject({ method: 'POST', url, payload, headers: { ...headers, cookie: step } });
    const ask = async () => (await post('/api/auth/second-step/passkey-options')).json().options;
    const elsewhere = softwarePasskey({ origin: 'http://evil.localhost', host: 'evil.localhost' });
    const foreign = { ...key.sign(await ask()), response: elsewhere.sign(await ask()).response };
    expect((await post('/api/auth/second-step/passkey', { credential: foreign })).statusCode).toBe(401);
    const credential = key.sign(await ask());
    const entered = await post('/api/auth/second-step/passkey', { credential });
    expect([entered.statusCode, Boolean(cookiesOf(entered).milkrun_session)]).toEqual([200, true]);
    expect((await post('/api/auth/second-step/passkey', { credential })).statusCode).toBe(401);
  });

  it('where it is required, nothing else opens before; who requires it must have it', async () => {
    const admin = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
    const person = await test.as((await manager()).id);
    const driver = await test.as((await buildUser(test.deps.db, { role: 'field_worker' })).id);
    const ask = () => admin.call('PUT', '/api/settings/security', { body: { secondStepRequired: true } });
    expect((await ask()).statusCode).toBe(409);
    await withApp(admin);
    expect((await ask()).json()).toMatchObject({ secondStepRequired: true });
    const markets = async (who: Person) => (await who.call('GET', '/api/markets')).statusCode;
    expect([await markets(admin), await markets(person), await markets(driver)]).toEqual([200, 403, 200]);
    expect((await person.call('GET', '/api/auth/session')).json().secondStepMissing).toBe(true);
    await withApp(person);
    expect(await markets(person)).toBe(200);
    const { factors } = (await person.call('GET', '/api/account')).json();
    expect((await person.call('DELETE', `/api/account/factors/${factors[0].id}`)).statusCode).toBe(409);
    await setRequired(test.deps.db, false);
    expect((await person.call('DELETE', `/api/account/factors/${factors[0].id}`)).statusCode).toBe(200);
  });

  it('two second steps removed at the same moment leave one where it is required', async () => {
    const { id } = await manager();
    const person = await test.as(id);
    await withApp(person);
    const spare = { userId: id, kind: 'passkey' as const, name: 'Key', credentialId: 'spare', confirmedAt: now() };
    await test.deps.db.insert(secondFactors).values(spare);
    await setRequired(test.deps.db, true);
    const { factors } = (await person.call('GET', '/api/account')).json();
    const removals = factors.map(
      (factor: { id: number }) => () => person.call('DELETE', `/api/account/factors/${factor.id}`),
    );
    const replies: { statusCode: number }[] = await atOnce(test, 'audit_log', removals);
    await setRequired(test.deps.db, false);
    expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([200, 409]);
    expect((await person.call('GET', '/api/account')).json().factors).toHaveLength(1);
  });

  it('a second step is changed only soon after signing in, and its owner is told', async () => {
    const { id, email } = await manager();
    const person = await test.as(id);
    await withApp(person);
    expect(test.sent.at(-1)).toMatchObject({ to: email, subject: 'Your Milkrun sign-in was changed' });
    later(16 * 60);
    const { mayChange, factors } = (await person.call('GET', '/api/account')).json();
    const refused = await person.call('DELETE', `/api/account/factors/${factors[0].id}`);
    expect([mayChange, refused.statusCode]).toEqual([false, 403]);
    expect((await person.call('POST', '/api/account/app')).statusCode).toBe(403);
  });

  it('a number counts for signing in by text message once its owner has proven it', async () => {
    const number = '+14155550166';
    const { id } = await buildUser(test.deps.db, { phoneNumber: number, phoneConfirmedAt: null });
    const person = await test.as(id);
    const askForCode = async () => {
      const before = test.sent.length;
      await browser(test).ask(bySms(number));
      return test.sent.slice(before);
    };
    expect((await person.call('GET', '/api/account')).json().phone).toEqual({ number, confirmedAt: null });
    expect(await askForCode()).toEqual([]);
    const { deliver } = test.deps.mailer;
    test.deps.mailer.deliver = () => Promise.reject(new AppError('unavailable', 'The text message did not go out.'));
    expect((await person.call('POST', '/api/account/phone')).json().detail).toBe('The text message did not go out.');
    test.deps.mailer.deliver = deliver;
    const sent = await person.call('POST', '/api/account/phone');
    const { code } = test.sent.at(-1) ?? {};
    const challenge = `milkrun_challenge=${cookiesOf(sent).milkrun_challenge}`;
    const confirm = (given: string, who: Person, cookie: string) =>
      who.call('POST', '/api/account/phone/confirm', { body: { code: given }, headers: { cookie } });
    const mine = `${person.cookie}; ${challenge}`;
    // It is no code to sign in with, and nobody else's proof.
    expect((await browser(test).verify(bySms(number), String(code), { cookie: challenge })).statusCode).toBe(401);
    const stranger = await test.as((await buildUser(test.deps.db, { phoneNumber: '+14155550167' })).id);
    expect((await confirm(String(code), stranger, `${stranger.cookie}; ${challenge}`)).statusCode).toBe(400);
    expect((await confirm(otherThan(String(code)), person, mine)).json().fields.code).toContain('not right');
    expect((await confirm(String(code), person, mine)).statusCode).toBe(200);
    expect((await confirm(String(code), person, mine)).statusCode).toBe(400);
    expect(await askForCode()).toMatchObject([{ channel: 'sms', to: number }]);
  });

  it('a code is counted among the five an hour where it may have gone out, and not while nothing can', async () => {
    const { id } = await buildUser(test.deps.db, { phoneNumber: '+14155550168', phoneConfirmedAt: null });
    const person = await test.as(id);
    const statuses = async (times: number) => {
      const seen: number[] = [];
      for (let n = 0; n < times; n++) seen.push((await person.call('POST', '/api/account/phone')).statusCode);
      return seen;
    };
    const { mailer } = test.deps;
    const { check, deliver } = mailer;
    const away = () => Promise.reject(new AppError('unavailable', 'Text messages are not going out at the moment.'));
    mailer.check = away;
    expect(await statuses(6)).toEqual([503, 503, 503, 503, 503, 503]);
    // A gateway that fails on the way may have sent it: text messages cost money.
    Object.assign(mailer, { check, deliver: away });
    expect(await statuses(2)).toEqual([503, 503]);
    mailer.deliver = deliver;
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  });

  it('where it is required, a driver signs in on a device they hold, or with a code of their manager', async () => {
    const { db } = test.deps;
    const driver = await buildUser(db, { routeDesignation: '101' });
    const other = await buildUser(db, { routeDesignation: '101' });
    const boss = await test.as((await manager()).id);
    const known = cookiesOf(await browser(test).signIn(byEmail(driver.email))).milkrun_known;
    await setRequired(db, true);
    const { reply, prove } = await codeGiven(driver.email);
    expect(reply.json().secondStep).toEqual({ app: false, passkey: false, pairing: true });
    expect(cookiesOf(reply).milkrun_session).toBeUndefined();
    await setRequired(db, false);
    const issue = async (userId: number) =>
      (await boss.call('POST', '/api/pairing-codes', { body: { routeDesignation: '101', userId } })).json().code;
    const foreign = await issue(other.id);
    const own = await issue(driver.id);
    await setRequired(db, true);
    expect((await prove(foreign)).json().detail).toContain('somebody else');
    const entered = await prove(`${own.slice(0, 4)} ${own.slice(4)}`);
    expect([entered.statusCode, Boolean(cookiesOf(entered).milkrun_session)]).toEqual([200, true]);
    const again = async (shown: string | undefined, email: string) =>
      (await browser(test).signIn(byEmail(email), { cookie: `milkrun_known=${shown}` })).json();
    expect(await again(cookiesOf(entered).milkrun_known, driver.email)).toEqual({ success: true });
    expect(await again(known, driver.email)).toEqual({ success: true });
    expect(await again(known, other.email)).toMatchObject({ secondStep: { pairing: true } });
    // Colleagues who pass a phone to and fro.
    later(4_000);
    await setRequired(db, false);
    const deviceId = '00000000-0000-4000-8000-0000000000aa';
    await browser(test).signIn(byEmail(driver.email), { deviceId });
    const shared = cookiesOf(await browser(test).signIn(byEmail(other.email), { deviceId })).milkrun_known;
    await setRequired(db, true);
    expect(await again(shared, driver.email)).toEqual({ success: true });
    await setRequired(db, false);
  });

  it('asks nobody for a code on a device they held before devices could show that they are known', async () => {
    const { db } = test.deps;
    const [driver, other] = await Promise.all([101, 102].map(() => buildUser(db, { routeDesignation: '101' })));
    const [mail, otherMail] = [driver?.email ?? '', other?.email ?? ''];
    const deviceId = '00000000-0000-4000-8000-0000000000bb';
    await browser(test).signIn(byEmail(mail), { deviceId });
    await db.update(fieldDevices).set({ knownHash: null }).where(eq(fieldDevices.deviceId, deviceId));
    await setRequired(db, true);
    const asks = async (email: string) =>
      Boolean((await browser(test).signIn(byEmail(email), { deviceId })).json().secondStep);
    expect([await asks(otherMail), await asks(mail), await asks(mail)]).toEqual([true, false, true]);
    await setRequired(db, false);
  });

  it('lets a driver without a route in, with a code of their manager', async () => {
    const { db } = test.deps;
    const driver = await buildUser(db, { routeDesignation: null });
    const boss = await test.as((await manager()).id);
    await setRequired(db, true);
    const { reply, prove } = await codeGiven(driver.email);
    expect(reply.json().secondStep).toEqual({ app: false, passkey: false, pairing: true });
    // Who issues codes has set their own second step up.
    await setRequired(db, false);
    const choices = (await boss.call('GET', '/api/pairing-codes/choices')).json();
    expect(choices.at(-1)).toMatchObject({ routeDesignation: null });
    expect(choices.at(-1).workers.map(({ id }: { id: number }) => id)).toContain(driver.id);
    const body = { routeDesignation: null, userId: driver.id };
    const { code } = (await boss.call('POST', '/api/pairing-codes', { body })).json();
    await setRequired(db, true);
    const tied = await browser(test).post('/api/auth/pairing-code', { pairingCode: code });
    expect([tied.statusCode, tied.json().detail]).toEqual([400, expect.stringContaining('for signing in')]);
    expect((await prove(code)).statusCode).toBe(200);
    await setRequired(db, false);
  });

  it('shows where one is signed in and ends it elsewhere, never for others', async () => {
    const { id, email } = await buildUser(test.deps.db);
    const here = await test.as(id);
    const from = browser(test, { ip: '203.0.113.77' });
    const there = cookiesOf(await from.signIn(byEmail(email))).milkrun_session;
    const list = (await here.call('GET', '/api/account')).json().sessions;
    expect(list.map((one: { isThis: boolean; place: string | null }) => [one.isThis, one.place])).toEqual(
      expect.arrayContaining([
        [true, null],
        [false, '203.0.113.x'],
      ]),
    );
    expect(JSON.stringify(await test.deps.db.select().from(sessions))).not.toContain('203.0.113.77');
    const other = list.find((one: { isThis: boolean }) => !one.isThis).id;
    const stranger = await test.as((await buildUser(test.deps.db)).id);
    expect((await stranger.call('DELETE', `/api/account/sessions/${other}`)).statusCode).toBe(404);
    expect((await here.call('DELETE', `/api/account/sessions/${other}`)).statusCode).toBe(200);
    const cookie = `milkrun_session=${there}`;
    expect((await test.app.inject({ url: '/api/auth/session', headers: { cookie } })).statusCode).toBe(401);
    await test.as(id);
    await here.call('POST', '/api/account/sessions/end-others');
    expect((await here.call('GET', '/api/account')).json().sessions).toHaveLength(1);
    const actions = (await test.deps.db.select().from(auditLog)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['auth.session-ended', 'auth.sessions-ended']));
  });
});

it.each([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/130.0 Safari/537.36 Edg/130.0', 'Edge on Windows'],
  [null, 'Unknown device'],
])('%s is %s', (agent, words) => {
  expect(deviceInWords(agent)).toBe(words);
});
