import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLog } from '../audit/tables.ts';
import { users } from '../people/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { browser, byEmail, bySms, cookiesOf, otherThan } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { consumeCode, issueCode, tryCode } from './codes.ts';
import { loginCodes, sessions } from './tables.ts';

const start = new Date('2026-03-12T15:00:00Z');
const later = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

onEachDatabase('signing in', (open) => {
  let test: TestApp;
  const asked: string[] = [];
  beforeAll(async () => {
    test = await testApp((onQuery) =>
      open((done) => {
        asked.push(done.statement);
        onQuery?.(done);
      }),
    );
  });
  afterAll(() => test.close());

  const somebody = () => buildUser(test.deps.db, { email: `Somebody-${randomUUID()}@example.test` });
  const session = (cookie: string) => test.app.inject({ url: '/api/auth/session', headers: { cookie } });

  it('sends a code by e-mail and opens a session for it', async () => {
    const { email, id } = await somebody();
    const { reply, code, challenge } = await browser(test).ask(byEmail(email.toUpperCase()));
    expect(reply.json()).toEqual({ sent: true, expiresInSeconds: 600 });
    expect(test.sent.at(-1)).toMatchObject({ channel: 'email', to: email.toLowerCase(), code });
    const entered = await browser(test).verify(byEmail(email), code, { cookie: challenge });
    expect(entered.json()).toEqual({ success: true });
    const { milkrun_session: value } = cookiesOf(entered);
    expect((await session(`milkrun_session=${value}`)).json()).toMatchObject({
      person: { id, email, role: 'field_worker', roleLabel: 'Field Operator' },
      operator: { name: 'Test Operator', timeZone: 'America/New_York', today: '2026-03-12', isDemo: false },
      expiresAt: '2026-03-26T15:00:00.000Z',
    });
  });

  it('reaches a phone number however it is written', async () => {
    await buildUser(test.deps.db, { phoneNumber: '+14155550123' });
    const { code, challenge } = await browser(test).ask(bySms('(415) 555-0123'));
    expect(test.sent.at(-1)).toMatchObject({ channel: 'sms', to: '+14155550123', subject: null });
    const entered = await browser(test).verify(bySms('415 555 0123'), code, { cookie: challenge });
    expect(entered.statusCode).toBe(200);
  });

  it('says which input is missing or wrong', async () => {
    const { post } = browser(test);
    for (const missing of [{}, { email: '' }]) {
      const none = await post('/api/auth/send-verification', { verificationType: 'email', ...missing });
      expect([none.statusCode, none.json().detail]).toEqual([400, 'Please enter your work email address']);
    }
    const short = await post('/api/auth/send-verification', { verificationType: 'sms', phoneNumber: '555' });
    expect(short.json().fields.phoneNumber).toContain('10 digits');
    for (const missing of [{}, { code: '' }, { code: null }]) {
      const none = await post('/api/auth/verify-code', { ...byEmail('a@example.test'), ...missing });
      expect([none.statusCode, none.json().detail]).toEqual([400, 'Please enter the verification code']);
    }
    const letters = await post('/api/auth/verify-code', { ...byEmail('a@example.test'), code: '12345x' });
    expect(letters.json().fields.code).toBe('Enter the 6 digits of the code');
  });

  it('answers alike for known and unknown contacts, and sends nothing to the unknown', async () => {
    const known = await browser(test).ask(byEmail((await somebody()).email));
    const before = test.sent.length;
    const unknown = await browser(test).ask(byEmail('nobody@example.test'));
    expect(test.sent).toHaveLength(before);
    expect(unknown.reply.statusCode).toBe(known.reply.statusCode);
    expect(unknown.reply.body).toBe(known.reply.body);
    expect(Object.keys(unknown.reply.headers)).toEqual(Object.keys(known.reply.headers));
    expect(unknown.challenge).toHaveLength(known.challenge.length);
  });

  it('asks the database the same of an unknown contact as of a known one, so that both take as long', async () => {
    const statements = async (email: string): Promise<string[]> => {
      asked.length = 0;
      await browser(test).ask(byEmail(email));
      return [...asked];
    };
    const { email } = await somebody();
    // The first of a while reads what the others then know.
    await statements('untold@example.test');
    const known = await statements(email);
    expect(known.length).toBeGreaterThan(0);
    expect(await statements('untold@example.test')).toEqual(known);
  });

  it('refuses a wrong code, and writes down neither it nor the contact', async () => {
    const { email } = await somebody();
    const { code, challenge } = await browser(test).ask(byEmail(email));
    const reply = await browser(test).verify(byEmail(email), otherThan(code), { cookie: challenge });
    expect([reply.statusCode, reply.json().detail]).toEqual([401, 'Invalid verification code']);
    expect(reply.headers['set-cookie']).toBeUndefined();
    const [entry] = await test.deps.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
    expect(entry).toMatchObject({
      action: 'auth.sign-in-failed',
      actorId: null,
      address: expect.stringMatching(/^203/),
    });
    expect(entry?.detail).toEqual({ channel: 'email', contact: 's…@example.test', reason: 'wrong-code' });
  });

  it('lets a code work once', async () => {
    const { email } = await somebody();
    const { code, challenge } = await browser(test).ask(byEmail(email));
    const use = () => browser(test).verify(byEmail(email), code, { cookie: challenge });
    const replies = await Promise.all(Array.from({ length: 20 }, use));
    expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1);
    expect((await use()).statusCode).toBe(401);
  });

  it('is used up by one of many who found it right at the same time', async () => {
    const contact = { channel: 'email' as const, address: `${randomUUID()}@example.test` };
    const { code, challenge } = await issueCode(test.deps.db, test.deps.secrets, { contact, userId: null, at: start });
    const tried = await tryCode(test.deps.db, test.deps.secrets, { contact, challenge, code, at: start });
    const id = typeof tried === 'string' ? 0 : tried.id;
    const used = await Promise.all(Array.from({ length: 20 }, () => consumeCode(test.deps.db, id, start)));
    expect(used.filter(Boolean)).toHaveLength(1);
  });

  it('lets a code live for ten minutes', async () => {
    const { email } = await somebody();
    const { code, challenge } = await browser(test).ask(byEmail(email));
    test.setNow(later(601));
    const late = await browser(test).verify(byEmail(email), code, { cookie: challenge });
    test.setNow(later(599));
    const inTime = await browser(test).verify(byEmail(email), code, { cookie: challenge });
    test.setNow(start);
    expect([late.statusCode, inTime.statusCode]).toEqual([401, 200]);
  });

  it('kills the code before when a new one is sent', async () => {
    const { email } = await somebody();
    const first = await browser(test).ask(byEmail(email));
    const second = await browser(test).ask(byEmail(email));
    const use = ({ code, challenge }: typeof first) =>
      browser(test).verify(byEmail(email), code, { cookie: challenge });
    expect((await use(first)).statusCode).toBe(401);
    expect((await use(second)).statusCode).toBe(200);
  });

  it('takes a code only from the browser that asked for it', async () => {
    const { email } = await somebody();
    const mine = await browser(test).ask(byEmail(email));
    const foreign = await browser(test).ask(byEmail((await somebody()).email));
    const use = (cookie: string) => browser(test).verify(byEmail(email), mine.code, { cookie });
    expect((await use(foreign.challenge)).statusCode).toBe(401);
    expect((await use('')).statusCode).toBe(401);
    expect((await use(mine.challenge)).statusCode).toBe(200);
  });

  it('refuses the sixth try of a code even when it is right', async () => {
    const { email } = await somebody();
    const { code, challenge } = await browser(test).ask(byEmail(email));
    const use = (tried: string) => browser(test).verify(byEmail(email), tried, { cookie: challenge });
    for (let n = 0; n < 5; n += 1) expect((await use(otherThan(code))).statusCode).toBe(401);
    const sixth = await use(code);
    expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '1']);
    expect(sixth.json().detail).toContain('Ask for a new code');
    expect((await browser(test).signIn(byEmail(email))).statusCode).toBe(200);
  });

  it('gives a new cookie at sign-in and ends the session that the browser brought', async () => {
    const { email, id } = await somebody();
    const planted = (await test.as(id)).cookie;
    const entered = await browser(test).signIn(byEmail(email), { cookie: planted });
    const { milkrun_session: value } = cookiesOf(entered);
    expect(`milkrun_session=${value}`).not.toBe(planted);
    expect((await session(planted)).statusCode).toBe(401);
    expect((await session(`milkrun_session=${value}`)).statusCode).toBe(200);
  });

  it('keeps nothing in the database that would sign anybody in', async () => {
    const { email, id } = await somebody();
    const { code, challenge } = await browser(test).ask(byEmail(email));
    const [row] = await test.deps.db.select().from(loginCodes).where(eq(loginCodes.contact, email.toLowerCase()));
    expect(Object.values(row ?? {}).map(String)).not.toContain(code);
    const [name] = challenge.split('=');
    const copied = await browser(test).verify(byEmail(email), code, { cookie: `${name}=${row?.challenge}` });
    expect(copied.statusCode).toBe(401);
    await test.as(id);
    const [kept] = await test.deps.db.select().from(sessions).where(eq(sessions.userId, id));
    expect((await session(`milkrun_session=${kept?.sid}`)).statusCode).toBe(401);
  });

  it('treats a deactivated person as unknown', async () => {
    const { email, id } = await somebody();
    const { code, challenge } = await browser(test).ask(byEmail(email));
    await test.deps.db.update(users).set({ isActive: false }).where(eq(users.id, id));
    expect((await browser(test).verify(byEmail(email), code, { cookie: challenge })).statusCode).toBe(401);
    const before = test.sent.length;
    expect((await browser(test).ask(byEmail(email))).reply.statusCode).toBe(200);
    expect(test.sent).toHaveLength(before);
  });
});
