import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tablesOf } from '../archive/catalog.ts';
import { purgeExpired } from '../auth/purge.ts';
import { loginCodes, sessions } from '../auth/tables.ts';
import { rows } from '../db/database.ts';
import { purgeDeviceTraces } from '../devices/service.ts';
import { deviceSessions } from '../devices/tables.ts';
import { users } from '../people/tables.ts';
import { secondFactors } from '../second-factor/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { browser, byEmail, bySms } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { purgeRuns } from '../vendor-sync/service.ts';
import { visits } from '../visits/tables.ts';
import { purgeDeliveries } from '../webhooks/service.ts';
import { exportPerson, forgetPerson, personByEmail } from './service.ts';

const start = new Date('2026-03-12T15:00:00Z');
const afterDays = (days: number): Date => new Date(start.getTime() + days * 86_400_000);

onEachDatabase('privacy', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  /** Every row of every table as text. */
  async function dump(): Promise<string> {
    const found: string[] = [];
    for (const { name } of await tablesOf(test.deps.db)) {
      const all = await rows(test.deps.db, sql`select t::text as line from ${sql.identifier(name)} t`);
      found.push(JSON.stringify(all));
    }
    return found.join('\n');
  }

  it('a forgotten person leaves no name, address or phone number, and no sum changes', async () => {
    await buildUser(test.deps.db, { role: 'admin' });
    const given = {
      email: 'zelda.quux@planted.example',
      firstName: 'Zeldaplanted',
      lastName: 'Quuxplanted',
      phoneNumber: '+14155550177',
      routeDesignation: 'mine',
    };
    const { id } = await buildUser(test.deps.db, given);
    const from = browser(test, { ip: '198.51.100.23' });
    await from.signIn(byEmail(given.email));
    await from.signIn(bySms(given.phoneNumber));
    const person = await test.as(id);
    const market = await buildMarket(test.deps.db, { routeDesignation: 'mine' });
    const item = await buildItem(test.deps.db, market.id);
    const visit = { id: '00000000-0000-4000-8000-000000000001', actorId: id, marketId: market.id, deviceSeq: 1 };
    await test.deps.db.insert(visits).values({ ...visit, openedAt: start, note: 'Door code changed' });
    await person.call('PUT', `/api/inventory/${item.id}`, { body: { quantity: 7 } });
    const device = {
      deviceId: '00000000-0000-4000-8000-000000000002',
      deviceName: 'Phone of Zeldaplanted',
      deviceType: 'smartphone',
      routeDesignation: 'mine',
      location: { latitude: 40.71239, longitude: -74.00611 },
    };
    expect((await person.call('POST', '/api/auth/device-login', { body: device })).statusCode).toBe(200);
    await test.deps.db.execute(
      sql`insert into application_access (user_id, application_name) values (${id}, 'mobile_inventory')`,
    );
    await test.deps.db.execute(
      sql`insert into cash_counts (visit_id, counted, counted_by) values (${visit.id}, 12.5, ${id})`,
    );
    const exported = JSON.stringify(await exportPerson(test.deps.db, await personByEmail(test.deps.db, given.email)));
    for (const kept of ['Door code changed', 'Phone of Zeldaplanted', '40.712', 'mobile_inventory', '12.5']) {
      expect([kept, exported.includes(kept)]).toEqual([kept, true]);
    }
    const sums = () => rows(test.deps.db, sql`select sum(quantity) as sum, count(actor_id) as n from stock_movements`);
    const before = await sums();
    expect(await dump()).toContain('Zeldaplanted');

    await forgetPerson(test.deps.db, null, await personByEmail(test.deps.db, given.email));
    const left = await dump();
    for (const trace of ['Zeldaplanted', 'Quuxplanted', 'zelda.quux', '4155550177', 'planted.example']) {
      expect([trace, left.includes(trace)]).toEqual([trace, false]);
    }
    expect(await sums()).toEqual(before);
    expect((await person.call('GET', '/api/auth/session')).statusCode).toBe(401);
    const [row] = await test.deps.db.select().from(users).where(eq(users.id, id));
    expect(row).toMatchObject({ firstName: 'Former', lastName: `user ${id}`, isActive: false, phoneNumber: null });
  });

  it('the last administrator is not forgotten', async () => {
    const admins = await test.deps.db.select().from(users).where(eq(users.role, 'admin'));
    expect(admins).toHaveLength(1);
    const [only] = admins;
    if (only) await expect(forgetPerson(test.deps.db, null, only)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('traces of a device are cut after 30 days and gone after 90, not before', async () => {
    const { id: userId } = await buildUser(test.deps.db);
    const trace = { userAgent: 'Firefox', location: { latitude: 40.7, longitude: -74 }, lastActivity: start };
    const about = { deviceType: 'mobile', routeDesignation: 'mine', userId, createdAt: start };
    for (const [n, ipAddress] of ['203.0.113.77', '2001:db8:1:2::77'].entries()) {
      const deviceId = `00000000-0000-4000-8000-00000000010${n}`;
      await test.deps.db.insert(deviceSessions).values({ deviceId, deviceName: 'Van', ipAddress, ...about, ...trace });
    }
    // A trigger notes the device's latest use; here it is the one given.
    await test.deps.db.update(deviceSessions).set({ lastActivity: start });
    const seenAfter = async (days: number) => {
      test.setNow(afterDays(days));
      await purgeDeviceTraces(test.deps);
      const own = eq(deviceSessions.userId, userId);
      const found = await test.deps.db.select().from(deviceSessions).where(own).orderBy(deviceSessions.id);
      return found.map(({ ipAddress, userAgent, location }) => [ipAddress, userAgent, location !== null]);
    };
    expect(await seenAfter(29.9)).toEqual([
      ['203.0.113.77', 'Firefox', true],
      ['2001:db8:1:2::77', 'Firefox', true],
    ]);
    const cut = [
      ['203.0.113.0/24', 'Firefox', true],
      ['2001:db8:1::/48', 'Firefox', true],
    ];
    expect(await seenAfter(30.1)).toEqual(cut);
    expect(await seenAfter(89.9)).toEqual(cut);
    expect(await seenAfter(90.1)).toEqual([
      [null, null, false],
      [null, null, false],
    ]);
    test.setNow(start);
  });

  it('messages of partners and runs of reading go after 30 days, not before', async () => {
    const { db } = test.deps;
    await db.execute(
      sql`insert into webhook_deliveries (config_id, system, dedupe_key, event_type, method, headers, body, body_bytes, received_at, status)
          values (1, 'nayax', 'planted', 'sale', 'POST', '{}', 'planted'::bytea, 7, ${start.toISOString()}, 'done')`,
    );
    await db.execute(
      sql`insert into sync_runs (config_id, system, job_type, cause, resources, status, created_at)
          values (1, 'nayax', 'sales', 'manual', '{sales}', 'succeeded', ${start.toISOString()}),
                 (1, 'nayax', 'sales', 'manual', '{sales}', 'running', ${start.toISOString()})`,
    );
    const left = async (days: number) => {
      test.setNow(afterDays(days));
      await purgeDeliveries(test.deps);
      await purgeRuns(test.deps);
      return rows(
        db,
        sql`select (select count(body)::int from webhook_deliveries) as bodies,
                   (select count(headers)::int from webhook_deliveries) as headers,
                   (select count(*)::int from webhook_deliveries) as deliveries,
                   (select array_agg(status order by id) from sync_runs) as runs`,
      );
    };
    const before = { bodies: 1, headers: 1, deliveries: 1, runs: ['succeeded', 'running'] };
    expect(await left(29.9)).toEqual([before]);
    expect(await left(30.1)).toEqual([{ bodies: 0, headers: 0, deliveries: 1, runs: ['running'] }]);
    test.setNow(start);
  });

  it('codes go a day after they expired, sessions when they end, apps never set up after a day', async () => {
    const { id, email } = await buildUser(test.deps.db, { role: 'route_manager' });
    const person = await test.as(id);
    await browser(test).ask(byEmail(email));
    await person.call('POST', '/api/account/app');
    const left = async (minutes: number) => {
      test.setNow(new Date(start.getTime() + minutes * 60_000));
      await purgeExpired(test.deps);
      const codes = await test.deps.db.select().from(loginCodes).where(eq(loginCodes.contact, email));
      const open = await test.deps.db.select().from(sessions).where(eq(sessions.userId, id));
      const begun = await test.deps.db.select().from(secondFactors).where(eq(secondFactors.userId, id));
      return [codes.length, open.length, begun.length];
    };
    expect(await left(12 * 60 - 1)).toEqual([1, 1, 1]);
    expect(await left(12 * 60 + 1)).toEqual([1, 0, 1]);
    expect(await left(24 * 60 + 9)).toEqual([1, 0, 0]);
    expect(await left(24 * 60 + 11)).toEqual([0, 0, 0]);
    test.setNow(start);
  });
});
