import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLog } from '../audit/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { browser, byEmail, cookiesOf } from '../testing/signing-in.ts';
import { nobody, type TestApp, testApp } from '../testing/test-app.ts';
import { deactivatePerson } from './service.ts';
import { sessions } from './tables.ts';

const start = new Date('2026-03-12T15:00:00Z');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

onEachDatabase('sessions', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  const signedIn = async (role: string) => {
    test.setNow(start);
    const { email, id } = await buildUser(test.deps.db, { role, email: `${randomUUID()}@example.test` });
    const entered = await browser(test).signIn(byEmail(email), { deviceId: randomUUID() });
    const cookie = `milkrun_session=${cookiesOf(entered).milkrun_session}`;
    const statusAfter = async (ms: number): Promise<number> => {
      test.setNow(new Date(start.getTime() + ms));
      return (await test.app.inject({ url: '/api/auth/session', headers: { cookie } })).statusCode;
    };
    return { id, cookie, statusAfter };
  };

  it('end for office staff after twelve hours without use', async () => {
    const { statusAfter } = await signedIn('route_manager');
    expect(await statusAfter(11 * hourMs)).toBe(200);
    expect(await statusAfter(22 * hourMs)).toBe(200);
    expect(await statusAfter(34 * hourMs)).toBe(401);
  });

  it('end for a field worker with a device after fourteen days without use', async () => {
    const { statusAfter } = await signedIn('field_worker');
    expect(await statusAfter(13 * dayMs)).toBe(200);
    expect(await statusAfter(27 * dayMs + 1)).toBe(401);
  });

  it('end after thirty days however much they are used', async () => {
    const { statusAfter } = await signedIn('field_worker');
    for (const days of [10, 20, 29.9]) expect(await statusAfter(days * dayMs)).toBe(200);
    expect(await statusAfter(30 * dayMs)).toBe(401);
  });

  it('cost a write at most once a minute', async () => {
    const { id, statusAfter } = await signedIn('admin');
    const seenAfter = async (ms: number) => {
      await statusAfter(ms);
      const [row] = await test.deps.db.select().from(sessions).where(eq(sessions.userId, id));
      return (row?.lastSeenAt.getTime() ?? 0) - start.getTime();
    };
    expect(await seenAfter(59_000)).toBe(0);
    expect(await seenAfter(61_000)).toBe(61_000);
  });

  it('are noted to be used together, each with its own end, where many call at once', async () => {
    const roles = Array.from({ length: 4 }, () => ['admin', 'field_worker', 'route_manager'] as const).flat();
    const people = await Promise.all(roles.map((role) => signedIn(role)));
    const statuses = await Promise.all(people.map(({ statusAfter }) => statusAfter(2 * hourMs)));
    expect(statuses).toEqual(roles.map(() => 200));
    const writes = new Set<string>();
    const seen = await Promise.all(
      people.map(async ({ id }) => {
        const of = { lastSeenAt: sessions.lastSeenAt, expire: sessions.expire, write: sql<string>`xmin::text` };
        const [row] = await test.deps.db.select(of).from(sessions).where(eq(sessions.userId, id));
        writes.add(row?.write ?? '');
        return [row?.lastSeenAt, row?.expire].map((at) => ((at?.getTime() ?? 0) - start.getTime()) / hourMs);
      }),
    );
    expect(seen).toEqual(roles.map((role) => [2, role === 'field_worker' ? 14 * 24 + 2 : 14]));
    // One at a time there would be as many statements as people.
    expect(writes.size).toBeLessThan(people.length);
  });

  it('end on the server at sign-out, with their event stream; the device credential stays', async () => {
    test.setNow(start);
    const { id } = await buildUser(test.deps.db);
    const person = await test.as(id);
    const [row] = await test.deps.db.select().from(sessions).where(eq(sessions.userId, id));
    const ended = streamOf(row?.sid ?? '');
    const reply = await person.call('POST', '/api/auth/sign-out');
    expect(reply.cookies.map(({ name, value }) => [name, value])).toEqual([['milkrun_session', '']]);
    expect((await person.call('GET', '/api/auth/session')).statusCode).toBe(401);
    expect(await test.deps.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
    await ended;
    const noted = await test.deps.db.select().from(auditLog).where(eq(auditLog.actorId, id));
    expect(noted.map(({ action }) => action)).toEqual(['auth.sign-out']);
  });

  it('end at once, all of them, when their person is deactivated', async () => {
    test.setNow(start);
    const { id } = await buildUser(test.deps.db);
    const [phone, desk] = [await test.as(id), await test.as(id)];
    const [row] = await test.deps.db.select().from(sessions).where(eq(sessions.userId, id));
    const ended = streamOf(row?.sid ?? '');
    await deactivatePerson(test.deps, null, id);
    for (const { call } of [phone, desk]) expect((await call('GET', '/api/auth/session')).statusCode).toBe(401);
    expect(await test.deps.db.select().from(sessions).where(eq(sessions.userId, id))).toEqual([]);
    await ended;
  });

  it('are unknown without a cookie, with a wrong one and with an empty one', async () => {
    for (const cookie of ['', 'milkrun_session=', 'milkrun_session=wrong', 'milkrun_session=%E0%A4%A']) {
      const reply = await nobody(test.app).call('GET', '/api/auth/session', { headers: { cookie } });
      expect(reply.statusCode).toBe(401);
      expect(reply.headers['content-type']).toContain('application/problem+json');
    }
  });

  /** Resolves when the server ends the event stream of a session. */
  function streamOf(sid: string): Promise<void> {
    return new Promise((resolve) => {
      test.deps.live.subscribe({ sid, sees: () => false, send: () => {}, gap: () => {}, end: resolve });
    });
  }
});

onEachDatabase('a page', (open) => {
  it('is told whether anybody may be signed in, in a cookie that says no more', async () => {
    const test = await testApp(open, { PUBLIC_URL: 'https://milkrun.example' });
    const told = async (cookie: string, url = '/markets', accept = 'text/html,*/*;q=0.8') =>
      (await test.app.inject({ url, headers: { cookie, accept } })).cookies;
    const hint = { name: 'milkrun_in', path: '/', secure: true, sameSite: 'Lax' };
    expect(await told('__Host-milkrun=any')).toEqual([{ ...hint, value: '1', maxAge: 2_592_000 }]);
    expect(await told('')).toEqual([]);
    // What the page noted of a session that has ended stays.
    expect(await told('__Host-milkrun=any; milkrun_in=0')).toEqual([]);
    expect(await told('milkrun_in=1')).toMatchObject([{ ...hint, value: '' }]);
    expect(await told('__Host-milkrun=any', '/api/auth/state')).toEqual([]);
    expect(await told('__Host-milkrun=any', '/assets/main.js', '*/*')).toEqual([]);
    await test.close();
  });

  it('asks before it asks for a session whether there may be one', async () => {
    const test = await testApp(open);
    const state = async (cookie: string) =>
      (await test.app.inject({ url: '/api/auth/state', headers: { cookie } })).json();
    expect(await state('')).toMatchObject({ mayBeIn: false });
    expect(await state('milkrun_session=')).toMatchObject({ mayBeIn: false });
    expect(await state('milkrun_session=over')).toMatchObject({ mayBeIn: true });
    await test.close();
  });
});

onEachDatabase('sign-in cookies', (open) => {
  const attributes = async (publicUrl: string) => {
    const test = await testApp(open, publicUrl ? { PUBLIC_URL: publicUrl } : {});
    const { email } = await buildUser(test.deps.db);
    const { reply, code, challenge } = await browser(test).ask(byEmail(email));
    const entered = await browser(test).verify(byEmail(email), code, { cookie: challenge });
    await test.close();
    const headers = [reply.headers['set-cookie'], entered.headers['set-cookie']].flat();
    return headers.map((header) =>
      String(header)
        .replace(/=[^;]*/, '')
        .split('; ')
        .filter((part) => !part.startsWith('Expires')),
    );
  };

  it('are bound to the host and to TLS when the public address is https', async () => {
    const always = ['HttpOnly', 'Secure', 'SameSite=Lax'];
    expect(await attributes('https://milkrun.example')).toEqual([
      ['__Host-milkrun-challenge', 'Max-Age=600', 'Path=/', ...always],
      ['__Host-milkrun', 'Max-Age=2592000', 'Path=/', ...always],
      ['milkrun_device', 'Max-Age=7776000', 'Path=/api/sync/events', ...always],
      ['__Host-milkrun-known', 'Max-Age=7776000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict'],
      expect.arrayContaining(['__Host-milkrun-challenge', 'Path=/', ...always]),
    ]);
  });

  it('work on plain http for this machine alone, hidden from scripts and other sites', async () => {
    const lines = await attributes('');
    const names = ['milkrun_challenge', 'milkrun_session', 'milkrun_device', 'milkrun_known'];
    expect(lines.map(([name]) => name).slice(0, 4)).toEqual(names);
    for (const line of lines) {
      expect(line).toEqual(expect.arrayContaining(['HttpOnly', expect.stringMatching(/^SameSite=(?:Lax|Strict)$/)]));
      expect(line).not.toContain('Secure');
    }
  });
});
