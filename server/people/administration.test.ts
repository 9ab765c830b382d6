import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { turningText } from '../../domain/plain-text.ts';
import { auditLog } from '../audit/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMarket, buildUser } from '../testing/factories.ts';
import { browser, byEmail } from '../testing/signing-in.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { users } from './tables.ts';

onEachDatabase('people', (open) => {
  let test: TestApp;
  let adminId: number;
  let admin: Person;
  beforeAll(async () => {
    test = await testApp(open);
    adminId = (await buildUser(test.deps.db, { role: 'admin', firstName: 'Ada', lastName: 'Admin' })).id;
    admin = await test.as(adminId);
    await buildMarket(test.deps.db, { routeDesignation: '101', name: 'On 101' });
  });
  afterAll(() => test.close());

  const given = (more: object = {}) => ({
    ...{ email: 'new@example.test', firstName: 'New', lastName: 'Person', phoneNumber: null },
    ...{ role: 'field_worker', routeDesignation: '101', ...more },
  });
  const find = async (search: string) => (await admin.call('GET', `/api/people/page?search=${search}`)).json();
  const audits = (id: number) =>
    test.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, String(id)))
      .orderBy(asc(auditLog.id));

  it('are invited by e-mail, listed at once, and sign in with a code', async () => {
    const reply = await admin.call('POST', '/api/people', { body: given({ phoneNumber: '(415) 555-0111' }) });
    expect(reply.statusCode).toBe(201);
    const person = reply.json();
    expect(person).toMatchObject({
      role: 'field_worker',
      roleLabel: 'Field Operator',
      permissions: ['read'],
      lastActive: null,
    });
    expect(person.phoneNumber).toBe('+14155550111');
    expect(test.sent.at(-1)).toMatchObject({ to: 'new@example.test', text: expect.stringContaining('/login') });
    expect((await find('new@example.test')).rows).toMatchObject([{ id: person.id, email: 'new@example.test' }]);
    expect((await browser(test).signIn(byEmail('NEW@example.test'))).statusCode).toBe(200);
    expect((await find('new@example.test')).rows[0].lastActive).toBe(test.deps.clock.now().toISOString());
  });

  it('are found by what they are called now, plain, by phone and by route, in the list and by the search of everything', async () => {
    const body = given({
      email: 'quill@example.test',
      firstName: 'Zoë',
      lastName: 'Quillfeather',
      phoneNumber: '4155550177',
    });
    const { id } = (await admin.call('POST', '/api/people', { body: { ...body, routeDesignation: '9471' } })).json();
    const hits = async (text: string) =>
      (await admin.call('GET', `/api/search?q=${encodeURIComponent(text)}`))
        .json()
        .flatMap((hit: { kind: string; id: number }) => (hit.kind === 'person' ? [hit.id] : []));
    const listed = async (text: string) =>
      (await find(encodeURIComponent(text))).rows.map((row: { id: number }) => row.id);
    for (const text of ['zoe quillf', 'ZOË', 'quill@example.test', 'feather zoe'])
      expect([text, await hits(text), await listed(text)]).toEqual([text, [id], [id]]);
    for (const text of ['5550177', '9471 zoe']) expect([text, await listed(text)]).toEqual([text, [id]]);
    await test.deps.db.execute(sql`update users set first_name = 'Uwe' where id = ${id}`);
    expect([await hits('uwe quillf'), await listed('uwe quillf')]).toEqual([[id], [id]]);
    expect([await hits('zoe quillf'), await listed('zoe quillf')]).toEqual([[], []]);
    await test.deps.db.execute(sql`update users set is_active = false where id = ${id}`);
    expect([await hits('uwe quillf'), await listed('uwe quillf')]).toEqual([[], [id]]);
  });

  it('have names that turn no letters around, told at the field', async () => {
    const body = given({ email: 'turned@example.test', firstName: 'Ann\u202e' });
    const reply = await admin.call('POST', '/api/people', { body });
    expect(reply.json()).toMatchObject({ status: 400, fields: { firstName: turningText } });
  });

  it('share no contact, whatever the letters', async () => {
    await admin.call('POST', '/api/people', { body: given({ email: 'one@example.test', phoneNumber: '4155550122' }) });
    const { id } = (await admin.call('POST', '/api/people', { body: given({ email: 'two@example.test' }) })).json();
    for (const [field, body] of [
      ['email', given({ email: 'ONE@example.test' })],
      ['phoneNumber', given({ email: 'two@example.test', phoneNumber: '+1 415 555 0122' })],
    ] as const) {
      const reply = await admin.call('PUT', `/api/people/${id}`, { body });
      expect([reply.statusCode, Object.keys(reply.json().fields)]).toEqual([409, [field]]);
    }
  });

  it('get another address only from somebody who signed in a moment ago, and are told at the old one', async () => {
    const { id, email } = await buildUser(test.deps.db, { phoneNumber: '+14155550133', role: 'route_manager' });
    const now = test.deps.clock.now();
    const stale = await test.as(adminId);
    const change = (more: object) =>
      stale.call('PUT', `/api/people/${id}`, {
        body: given({ email, phoneNumber: '+14155550133', role: 'route_manager', ...more }),
      });
    test.setNow(new Date(now.getTime() + 16 * 60_000));
    for (const contact of [
      { email: 'taken-over@example.test' },
      { phoneNumber: '4155550134' },
      { phoneNumber: null },
    ]) {
      const reply = await change(contact);
      expect([reply.statusCode, reply.json().code]).toEqual([403, 'sign-in-again']);
    }
    expect((await change({ firstName: 'Renamed', email: email.toUpperCase() })).statusCode).toBe(200);
    test.setNow(now);
    expect((await change({ phoneNumber: '4155550134' })).json()).toMatchObject({ phoneConfirmed: false });
    expect(test.sent.at(-1)).toMatchObject({ to: email.toUpperCase(), subject: 'Your Milkrun sign-in was changed' });
  });

  it('get a higher role only from somebody who signed in a moment ago, invited or already here', async () => {
    const { id, email } = await buildUser(test.deps.db, { role: 'route_manager', email: 'rises@example.test' });
    const now = test.deps.clock.now();
    const stale = await test.as(adminId);
    const change = (role: string) => stale.call('PUT', `/api/people/${id}`, { body: given({ email, role }) });
    const invite = (role: string) =>
      stale.call('POST', '/api/people', { body: given({ email: `stale-${role}@example.test`, role }) });
    test.setNow(new Date(now.getTime() + 16 * 60_000));
    for (const reply of [await change('admin'), await invite('admin'), await invite('route_manager')]) {
      expect([reply.statusCode, reply.json().code]).toEqual([403, 'sign-in-again']);
    }
    expect([(await change('field_worker')).statusCode, (await invite('field_worker')).statusCode]).toEqual([200, 201]);
    expect((await change('route_manager')).json().code).toBe('sign-in-again');
    test.setNow(now);
    expect([(await change('route_manager')).statusCode, (await invite('route_manager')).statusCode]).toEqual([
      200, 201,
    ]);
  });

  it('see a new role or route with their next call, and the log tells before and after', async () => {
    const { id } = await buildUser(test.deps.db, { email: 'moves@example.test', firstName: 'Mo', lastName: 'Ves' });
    const person = await test.as(id);
    const move = (more: object) =>
      admin.call('PUT', `/api/people/${id}`, {
        body: given({ email: 'moves@example.test', firstName: 'Mo', lastName: 'Ves', ...more }),
      });
    expect((await person.call('GET', '/api/markets')).json()).toEqual([]);
    await move({});
    expect((await person.call('GET', '/api/markets')).json()).toMatchObject([{ name: 'On 101' }]);
    expect((await person.call('GET', '/api/products/page')).statusCode).toBe(200);
    expect((await person.call('GET', '/api/settings')).statusCode).toBe(403);
    await move({ role: 'route_manager', routeDesignation: null });
    expect((await person.call('GET', '/api/settings')).statusCode).toBe(200);
    const [, denied, second] = await audits(id);
    const [first] = await audits(id);
    expect(first).toMatchObject({
      action: 'person.update',
      actorId: adminId,
      detail: { routeDesignation: [null, '101'] },
    });
    expect(denied ?? second).toMatchObject({
      detail: { role: ['field_worker', 'route_manager'], routeDesignation: ['101', null] },
    });
  });

  it('are shut out at once when deactivated, and may come back', async () => {
    const { id } = await buildUser(test.deps.db, { email: 'leaves@example.test' });
    const person = await test.as(id);
    expect((await admin.call('POST', `/api/people/${id}/deactivate`)).json()).toMatchObject({ isActive: false });
    expect((await person.call('GET', '/api/markets')).statusCode).toBe(401);
    expect((await admin.call('POST', `/api/people/${id}/invite`)).statusCode).toBe(409);
    expect((await admin.call('POST', `/api/people/${id}/reactivate`)).json()).toMatchObject({ isActive: true });
    expect((await browser(test).signIn(byEmail('leaves@example.test'))).statusCode).toBe(200);
    expect((await audits(id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['person.deactivate', 'person.reactivate']),
    );
  });

  it('keep the last administrator, also when two remove each other at once', async () => {
    const alone = await admin.call('PUT', `/api/people/${adminId}`, {
      body: given({ email: 'ada@example.test', role: 'route_manager' }),
    });
    expect([alone.statusCode, alone.json().detail]).toEqual([
      409,
      expect.stringContaining('the only active Super Admin'),
    ]);
    expect((await admin.call('POST', `/api/people/${adminId}/deactivate`)).statusCode).toBe(409);
    const other = await buildUser(test.deps.db, { role: 'admin', email: 'other@example.test' });
    const asOther = await test.as(other.id);
    const replies = await Promise.all([
      admin.call('POST', `/api/people/${other.id}/deactivate`),
      asOther.call('POST', `/api/people/${adminId}/deactivate`),
    ]);
    expect(replies.map(({ statusCode }) => statusCode).sort()).not.toEqual([200, 200]);
    const left = await test.deps.db.select().from(users).where(eq(users.role, 'admin'));
    expect(left.filter(({ isActive }) => isActive)).toHaveLength(1);
    await test.deps.db.update(users).set({ isActive: true }).where(eq(users.id, adminId));
    admin = await test.as(adminId);
  });

  it('are administered by administrators only', async () => {
    for (const who of ['field_worker', 'route_manager'] as const) {
      const person = await test.as((await buildUser(test.deps.db, { role: who })).id);
      expect((await person.call('POST', '/api/people', { body: given({ email: 'x@example.test' }) })).statusCode).toBe(
        403,
      );
      expect((await person.call('GET', '/api/people/page')).statusCode).toBe(403);
    }
    expect((await find('x@example.test')).total).toBe(0);
  });

  it('are paged, filtered by role and route, and sorted by when they were here', async () => {
    await buildUser(test.deps.db, { routeDesignation: '909', lastActiveAt: new Date('2026-03-01T00:00:00Z') });
    await buildUser(test.deps.db, { routeDesignation: '909', lastActiveAt: new Date('2026-03-02T00:00:00Z') });
    await buildUser(test.deps.db, { routeDesignation: '909', role: 'route_manager', isActive: false });
    const page = async (query: string) => (await admin.call('GET', `/api/people/page?route=909&${query}`)).json();
    expect(await page('')).toMatchObject({ total: 3, active: 2 });
    expect((await page('role=route_manager')).total).toBe(1);
    const first = await page('sort=-active&limit=1');
    const next = await page(`sort=-active&limit=1&page=${first.next}`);
    expect([first.rows[0].lastActive, next.rows[0].lastActive]).toEqual([
      '2026-03-02T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });
});
