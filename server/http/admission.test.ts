import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase, openTestEmbedded } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { nobody, type TestApp, testApp } from '../testing/test-app.ts';
import { fits, waitSeconds } from './admission.ts';
import { bodyRoom, heldBytes } from './body-room.ts';
import { poolOf } from './pools.ts';

const isLong = process.env.MILKRUN_LONG === '1';
const senders = isLong ? 400 : 12;
const batchesEach = isLong ? 50 : 1;

it('phones and partners have places of their own, reports few, health and streams need none', () => {
  const paths = [
    '/api/sync/events',
    '/api/webhooks/nayax/x',
    '/vdi',
    '/api/markets',
    '/api/reports/sales',
    '/api/photos/a',
  ];
  expect(paths.map(poolOf)).toEqual(['sync', 'sync', 'sync', 'interactive', 'background', 'files']);
  expect(['/healthz', '/metrics', '/api/events', '/assets/a.js', '/'].map(poolOf)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});

it('a late process turns people away before phones, and nobody while it has little to do', () => {
  const late = { delayMs: 900, most: 64, lineMs: 0 };
  expect(fits('interactive', { ...late, inFlight: 20 })).toBe(false);
  expect(fits('interactive', { ...late, inFlight: 3 })).toBe(true);
  expect(fits('sync', { ...late, inFlight: 20 })).toBe(true);
  expect(fits('sync', { ...late, inFlight: 64 })).toBe(false);
  expect(fits('sync', { ...late, inFlight: 2, lineMs: 500 })).toBe(false);
});

it('asks to come back in 1 to 10 seconds, spread', () => {
  expect([0, 0.05, 0.5, 0.999].map((n) => waitSeconds(() => n))).toEqual([1, 1, 6, 10]);
});

it('callers who hang up give their places back', async () => {
  const places = 4;
  const test = await testApp(openTestEmbedded, { MAX_IN_FLIGHT: String(places) });
  let begun = 0;
  let answer = (): void => {};
  const work = new Promise<object>((resolve) => {
    answer = () => resolve({});
  });
  test.app.get('/api/slow', () => {
    begun += 1;
    return work;
  });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const address = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
  const callers = new AbortController();
  const slow: Promise<Response>[] = [];
  // One by one: a process that has only just begun may be late, and turns some away for that.
  const oneMore = (): number => {
    if (begun < places) slow.push(fetch(`${address}/api/slow`, { signal: callers.signal }));
    return begun;
  };
  await expect.poll(oneMore, { timeout: 10_000 }).toBe(places);
  const other = async () => (await fetch(`${address}/api/auth/state`)).status;
  expect(await other()).toBe(503);
  callers.abort();
  await Promise.allSettled(slow);
  // Before the work itself is done.
  await expect.poll(other, { timeout: 10_000 }).toBe(200);
  answer();
  await test.close();
});

it('what is read at a time has a bound in bytes, with room for phones and partners where others have none', () => {
  const room = bodyRoom(100);
  const [first, second] = [room.take('files', 30), room.take('interactive', 20)];
  expect([room.take('interactive', 1), room.take('background', 1), room.take('files', 1)]).toEqual([null, null, null]);
  expect([room.take('sync', 50), room.take('sync', 1)]).toEqual([expect.any(Function), null]);
  first?.();
  expect(room.held).toEqual({ sync: 50, interactive: 20, files: 0, background: 0 });
  second?.();
  expect(room.take('files', 50)).toEqual(expect.any(Function));
});

it('a body counts by what it says of its length, else by the most it may have; a file by what waits for the disk', () => {
  const coming = { method: 'POST', path: '/api/markets', limit: 1000 };
  expect(heldBytes({ ...coming, said: '10' })).toBe(10);
  expect(heldBytes({ ...coming, said: undefined })).toBe(1000);
  expect(heldBytes({ ...coming, said: '1001' })).toBe(0);
  expect(heldBytes({ ...coming, path: '/api/imports', said: '90000000', limit: 100_000_000 })).toBe(100_000);
});

it('turns away whoever sends more than there is room for before it is read, phones and partners last', async () => {
  const test = await testApp(openTestEmbedded);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = test.app.server.address() as AddressInfo;
  const large = 1_000_000;
  /** Says that a large body comes, and sends none of it. */
  const begin = (path: string): Promise<Socket> =>
    new Promise((resolve) => {
      const headers = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${large}`;
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`, () => resolve(socket));
      });
    });
  const held = async (pool: string) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(new RegExp(`body_bytes\\{pool="${pool}"\\} (\\d+)`).exec(text)?.[1] ?? Number.NaN);
  };
  const slow = await Promise.all(Array.from({ length: 32 }, () => begin('/api/auth/send-verification')));
  await expect.poll(() => held('interactive'), { timeout: 10_000 }).toBe(32 * large);
  const body = JSON.stringify({ verificationType: 'email', email: 'nobody@company.com' });
  const send = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const refused = await send('/api/auth/send-verification');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect((await send('/api/sync/events')).status).toBe(401);
  for (const socket of slow) socket.destroy();
  await expect.poll(() => held('interactive'), { timeout: 10_000 }).toBe(0);
  expect((await send('/api/auth/send-verification')).status).toBe(200);
  await test.close();
});

/** Comes back a hundred times too early: refused again, and nothing else happens. */
const aHundredthOf = (seconds: number) => new Promise((resolve) => setTimeout(resolve, 10 * seconds));

onEachDatabase('a server with too much to do', (open) => {
  let test: TestApp;
  let address = '';
  let cookie = '';
  let itemId = 0;
  beforeAll(async () => {
    test = await testApp(open, { MAX_IN_FLIGHT: '4' });
    test.setNow(new Date());
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    address = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    itemId = (await buildItem(test.deps.db, market.id)).id;
    cookie = (await test.as((await buildUser(test.deps.db, { routeDesignation: '101' })).id)).cookie;
  });
  afterAll(() => test.close());

  const restock = () => ({
    ...{ eventId: randomUUID(), schemaVersion: 1, itemType: 'market_item', itemId, shown: null, deviceSeq: 1 },
    ...{ kind: 'restock', reason: 'barcode_restock', quantity: 1, lastServerTime: null },
    occurredAtClient: new Date().toISOString(),
  });

  it(`answers 503 with Retry-After, and what it acknowledged is in the ledger: ${senders} senders`, async () => {
    const acknowledged: string[] = [];
    const sent: string[] = [];
    const refusals: { status: number; wait: number }[] = [];
    const send = async (events: object[], deviceId: string): Promise<boolean> => {
      const body = JSON.stringify({ deviceId, sentAtClient: new Date().toISOString(), events });
      const headers = { 'content-type': 'application/json', cookie };
      const reply = await fetch(`${address}/api/sync/events`, { method: 'POST', headers, body });
      if (reply.status === 200) {
        const { results } = (await reply.json()) as { results: { eventId: string; status: string }[] };
        acknowledged.push(...results.filter((one) => one.status === 'applied').map((one) => one.eventId));
        return true;
      }
      refusals.push({ status: reply.status, wait: Number(reply.headers.get('retry-after')) });
      await reply.arrayBuffer();
      return false;
    };
    const sender = async (): Promise<void> => {
      const deviceId = randomUUID();
      for (let batch = 0; batch < batchesEach; batch++) {
        const events = [restock(), restock()];
        sent.push(...events.map(({ eventId }) => eventId));
        while (!(await send(events, deviceId))) await aHundredthOf(refusals.at(-1)?.wait ?? 1);
      }
    };
    // The ledger is held until somebody was turned away: on a quick machine nobody would be.
    const sending = Array.from({ length: senders }, sender);
    await test.deps.db.transaction(async (tx) => {
      await tx.execute(sql`lock table item_balances in access exclusive mode`);
      while (refusals.length === 0) await aHundredthOf(1);
    });
    await Promise.all(sending);
    expect(refusals.length).toBeGreaterThan(0);
    expect(refusals.filter(({ status, wait }) => status !== 503 || !(wait >= 1 && wait <= 10))).toEqual([]);
    const kept = await rows<{ id: string }>(
      test.deps.db,
      sql`select event_id as id from stock_movements where kind = 'restock'`,
    );
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set(sent));
    expect(acknowledged.length).toBe(sent.length);
    const balance = sql`select quantity as n from item_balances where item_type = 'market_item' and item_id = ${itemId}`;
    const first = sql`select coalesce(sum(quantity), 0)::int as n from stock_movements where item_id = ${itemId}`;
    expect(await firstRow(test.deps.db, balance)).toEqual(await firstRow(test.deps.db, first));
    expect((await fetch(`${address}/api/markets`, { headers: { cookie } })).status).toBe(200);
  }, 600_000);

  it('gives back the place of a call that does not exist', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 12; asked++) {
      const reply = await fetch(`${address}/api/no-such-call-${asked}`);
      await reply.arrayBuffer();
      statuses.push(reply.status);
    }
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('in_flight{pool="interactive"} 0');
    const together = await Promise.all([1, 2, 3].map(() => fetch(`${address}/api/markets`, { headers: { cookie } })));
    expect(together.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('writes nothing on a full disk, and goes on answering', async () => {
    await test.setDisk({ usedShare: 0.96, freeBytes: 1e9 });
    const manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    const refused = await manager.call('POST', '/api/products', { body: { name: 'Water' } });
    expect(refused.statusCode).toBe(507);
    expect(refused.json()).toMatchObject({ code: 'no-room', detail: expect.stringContaining('Make room') });
    expect(refused.headers['retry-after']).toBe('30');
    expect((await manager.call('GET', '/api/products')).json()).toEqual([]);
    const code = { verificationType: 'email', email: 'nobody@company.com' };
    expect((await nobody(test.app).call('POST', '/api/auth/send-verification', { body: code })).statusCode).toBe(200);
    await test.setDisk({ usedShare: 0.5, freeBytes: 1e12 });
    expect((await manager.call('POST', '/api/products', { body: { name: 'Water' } })).statusCode).toBe(201);
  });
});
