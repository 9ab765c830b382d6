import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { browser, byEmail, otherThan } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { network } from './limits.ts';

const start = new Date('2026-03-12T15:00:00Z');
const hour = 3_600_000;

onEachDatabase('limits of signing in', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  const fresh = () => byEmail(`${randomUUID()}@example.test`);
  const statusOf = async (contact: ReturnType<typeof byEmail>, ip?: string) =>
    (await browser(test, ip ? { ip } : {}).ask(contact)).reply.statusCode;
  const repeat = async (times: number, work: () => Promise<unknown>) => {
    for (let n = 0; n < times; n += 1) await work();
  };

  it('sends five codes to a contact in an hour and says when to try again', async () => {
    const contact = fresh();
    await repeat(5, async () => expect(await statusOf(contact)).toBe(200));
    test.setNow(new Date(start.getTime() + 18 * 60_000));
    const { reply } = await browser(test).ask(contact);
    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe(String(42 * 60));
    expect(reply.json().detail).toBe('Too many codes were asked for. Try again in 42 minutes.');
    expect(await statusOf(fresh())).toBe(200);
    test.setNow(new Date(start.getTime() + hour));
    expect(await statusOf(contact)).toBe(200);
    test.setNow(start);
  });

  it('counts parallel requests one by one', async () => {
    const contact = fresh();
    const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOf(contact)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  });

  it('sends ten codes to a contact in a day', async () => {
    const contact = fresh();
    for (const hours of [0, 2]) {
      test.setNow(new Date(start.getTime() + hours * hour));
      await repeat(5, async () => expect(await statusOf(contact)).toBe(200));
    }
    test.setNow(new Date(start.getTime() + 4 * hour));
    const { reply } = await browser(test).ask(contact);
    expect([reply.statusCode, reply.json().detail.slice(-22)]).toEqual([429, 'Try again in 20 hours.']);
    test.setNow(start);
  });

  it('sends twenty codes to an address in an hour, whomever they are for', async () => {
    const ip = '198.51.100.7';
    await repeat(20, async () => expect(await statusOf(fresh(), ip)).toBe(200));
    expect(await statusOf(fresh(), ip)).toBe(429);
    expect(await statusOf(fresh(), '198.51.100.8')).toBe(200);
  });

  it('keeps its counts when the program starts again', async () => {
    const contact = fresh();
    await repeat(5, () => statusOf(contact));
    const again = await buildApp(test.deps);
    const { reply } = await browser({ app: again, sent: test.sent }).ask(contact);
    await again.close();
    expect(reply.statusCode).toBe(429);
  });

  it('takes a hundred tries from an address in an hour', async () => {
    const tried = browser(test);
    const statuses = new Set<number>();
    await repeat(100, async () => statuses.add((await tried.verify(fresh(), '000000')).statusCode));
    expect([...statuses]).toEqual([401]);
    expect((await tried.verify(fresh(), '000000')).statusCode).toBe(429);
  });

  it('does not lock out the person whom a guesser tried', async () => {
    const { email } = await buildUser(test.deps.db);
    const { code, challenge } = await browser(test).ask(byEmail(email));
    await repeat(5, () => browser(test).verify(byEmail(email), otherThan(code), { cookie: challenge }));
    expect((await browser(test).signIn(byEmail(email))).statusCode).toBe(200);
  });

  it('lets a demo sign in all day from its own machine, and only from there', async () => {
    await saveOperator(test.deps.db, { isDemo: true });
    const contact = fresh();
    await repeat(25, async () => expect(await statusOf(contact, '127.0.0.1')).toBe(200));
    const away = fresh();
    await repeat(5, () => statusOf(away));
    expect(await statusOf(away)).toBe(429);
    await saveOperator(test.deps.db, { isDemo: false });
    expect(await statusOf(contact, '127.0.0.1')).toBe(429);
  });
});

describe('the network of an address', () => {
  it('is the address itself for IPv4, however it is written', () => {
    expect(network('203.0.113.9')).toBe('203.0.113.9');
    expect(network('::ffff:203.0.113.9')).toBe('203.0.113.9');
  });

  it('is the first half of an IPv6 address', () => {
    expect(network('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(network('2001:0db8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(network('2001:db8::1')).toBe('2001:db8:0:0::/64');
    expect(network('::1')).toBe('0:0:0:0::/64');
    expect(network('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });
});
