import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes } from '../route-planning/tables.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildRoute, buildUser } from '../testing/factories.ts';
import { browser, byEmail } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { warnOfSilentPhones } from './silent-phones.ts';

const start = new Date('2026-03-12T15:00:00Z');
const after = (hours: number): Date => new Date(start.getTime() + hours * 3_600_000);

onEachDatabase('phones not heard of', (open) => {
  let test: TestApp;
  let managerId: number;
  let driverId: number;
  let managerEmail: string;
  const deviceId = randomUUID();
  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    const chief = await buildUser(db, { role: 'route_manager', email: 'chief@example.test' });
    managerEmail = chief.email;
    const person = await buildUser(db, { routeDesignation: '101', firstName: 'Sam', lastName: 'Reed' });
    await browser(test).signIn(byEmail(person.email), { deviceId });
    test.sent.length = 0;
    await buildRoute(db, { date: '2026-03-12', driverId: person.id, status: 'in_progress' });
    managerId = chief.id;
    driverId = person.id;
  });
  afterAll(() => test.close());

  /** As the dashboard tells it; sessions end long before two days. */
  const listed = async (userId = managerId) => {
    const who = await test.as(userId);
    const { rows } = (await who.call('GET', '/api/dashboard/exceptions')).json();
    return rows.filter((row: { kind: string }) => row.kind === 'silent-phone');
  };
  const mails = async () => {
    test.sent.length = 0;
    await warnOfSilentPhones(test.deps);
    return test.sent.map(({ to, subject, text }) => ({ to, subject, text }));
  };

  it('say nothing for two days', async () => {
    test.setNow(after(48));
    expect(await mails()).toEqual([]);
    expect(await listed()).toEqual([]);
  });

  it('are told to the managers after two days, once by mail and as long as it lasts on the dashboard', async () => {
    test.setNow(after(49));
    await test.deps.db.execute(sql`delete from phone_warnings`);
    const [mail, ...rest] = await mails();
    expect(mail).toMatchObject({ to: managerEmail, subject: "Sam Reed's phone has not been heard of for 2 days" });
    expect(mail?.text).toContain('1 route is open since Mar 12, 2026.');
    expect(rest).toEqual([]);
    expect(await mails()).toEqual([]);
    expect(await listed()).toMatchObject([
      { place: 'Sam Reed', severity: 'high', message: expect.stringContaining('not heard of for 2 days') },
    ]);
    test.setNow(after(6 * 24));
    expect(await listed()).toMatchObject([{ severity: 'critical' }]);
  });

  it('are told to the managers when the operator wants to know, and after how long', async () => {
    test.setNow(after(25));
    await test.deps.db.execute(sql`delete from phone_warnings`);
    expect(await mails()).toEqual([]);
    await saveOperator(test.deps.db, { phoneSilentHours: 24 });
    expect(await mails()).toMatchObject([{ subject: "Sam Reed's phone has not been heard of for 24 h" }]);
    await saveOperator(test.deps.db, { phoneSilentHours: 48 });
  });

  it('are forgotten when the work was done elsewhere, and after two weeks', async () => {
    test.setNow(after(49));
    await test.deps.db.update(routes).set({ status: 'completed' });
    expect(await listed()).toEqual([]);
    await test.deps.db.update(routes).set({ status: 'in_progress' }).where(eq(routes.date, '2026-03-12'));
    expect(await listed()).toHaveLength(1);
    test.setNow(after(14 * 24 + 1));
    expect(await listed()).toEqual([]);
  });

  it('end their silence with any sign of the person', async () => {
    test.setNow(after(50));
    // A driver is told of nobody's phone, and by asking was heard of.
    expect(await listed(driverId)).toEqual([]);
    expect(await listed()).toEqual([]);
    expect(await mails()).toEqual([]);
  });
});
