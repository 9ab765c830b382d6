import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './db/database.ts';
import { rows } from './db/database.ts';
import { bundleProgram, type Child, serveIn } from './testing/child-server.ts';
import { openTestPostgres } from './testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from './testing/factories.ts';
import { testApp } from './testing/test-app.ts';

const server = process.env.TEST_DATABASE_URL;
if (!server)
  process.stderr.write('** SKIPPED: several server processes on one PostgreSQL. TEST_DATABASE_URL is not set. **\n');

const key = 'a key for tests only, thirty-two characters';

describe.skipIf(!server)('two web processes and a worker on one PostgreSQL', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-processes-'));
  const children: Child[] = [];
  let program = '';
  let database: Database;
  let cookie = '';
  let itemId = 0;
  let [one, other, worker] = ['', '', ''];
  let first: Child;
  const start = async (role: string): Promise<{ address: string; child: Child }> => {
    const found = await rows<{ name: string }>(database.db, sql`select current_database() as name`);
    const url = new URL(server ?? '');
    url.pathname = `/${found[0]?.name}`;
    const settings = { MILKRUN_DATA: folder, DATABASE_URL: url.href, MILKRUN_SECRET_KEY: key, MILKRUN_ROLE: role };
    const child = serveIn(program, settings);
    children.push(child);
    const address = await child.address;
    expect(address, child.said()).not.toBeNull();
    return { address: address ?? '', child };
  };
  beforeAll(async () => {
    program = await bundleProgram();
    database = await openTestPostgres(server ?? '');
    // The people and things are made through the application; the database stays when it is closed.
    const test = await testApp(async () => ({ ...database, close: async () => {} }));
    test.setNow(new Date());
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    itemId = (await buildItem(test.deps.db, market.id)).id;
    cookie = (await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id)).cookie;
    await test.close();
    const started = await Promise.all([start('web'), start('web'), start('worker')]);
    [one, other, worker] = started.map(({ address }) => address) as [string, string, string];
    first = started[0].child;
  }, 180_000);
  afterAll(async () => {
    for (const child of children) child.process.kill('SIGKILL');
    await database?.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(path.dirname(program), { recursive: true, force: true });
  });

  const count = (address: string, eventId: string) =>
    fetch(`${address}/api/inventory/${itemId}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': eventId },
      body: JSON.stringify({ currentQuantity: 3 + (eventId.charCodeAt(0) % 5) }),
    });

  /** By a machine that is busy with other tests: whoever calls comes again, as a phone does. */
  const isTurnedAway = async (reply: Response): Promise<boolean> => {
    const said = await reply.text();
    return reply.status === 503 && said.includes('Try again in a moment');
  };

  it('share sessions, live updates and limits; the worker answers health and metrics only', async () => {
    for (const address of [one, other]) {
      expect((await fetch(`${address}/api/markets`, { headers: { cookie } })).status).toBe(200);
    }
    const stop = new AbortController();
    const stream = await fetch(`${other}/api/events`, { headers: { cookie }, signal: stop.signal });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    const hear = async (word: string): Promise<void> => {
      while (!heard.includes(word)) heard += (await reader?.read())?.value ?? '';
    };
    await hear('event: ready');
    expect((await count(one, randomUUID())).status).toBe(200);
    await hear('"topic":"stock"');
    stop.abort();
    const asked: number[] = [];
    for (let n = 0; n < 8; n++) {
      const contact = { verificationType: 'email', email: 'somebody@company.com' };
      const headers = { 'content-type': 'application/json' };
      const address = n % 2 === 0 ? one : other;
      const send = { method: 'POST', headers, body: JSON.stringify(contact) };
      asked.push((await fetch(`${address}/api/auth/send-verification`, send)).status);
    }
    expect(asked.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect((await fetch(`${worker}/healthz`)).status).toBe(200);
    expect((await fetch(`${worker}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${worker}/metrics`)).text()).toContain('milkrun_jobs_total');
    expect((await fetch(`${worker}/api/markets`, { headers: { cookie } })).status).toBe(404);
    const timetable = sql`select count(*)::int as n from pgboss.schedule`;
    expect((await rows<{ n: number }>(database.db, timetable))[0]?.n).toBeGreaterThan(5);
  });

  it('one is killed: people go on at the other, and nothing acknowledged is lost', async () => {
    const acknowledged: string[] = [];
    const write = async (target: number): Promise<void> => {
      while (acknowledged.length < target) {
        const eventId = randomUUID();
        const reply = await count(one, eventId).catch(() => count(other, eventId));
        if (await isTurnedAway(reply)) continue;
        expect(reply.status).toBe(200);
        acknowledged.push(eventId);
      }
    };
    const writing = Promise.all([write(60), write(60), write(60)]);
    while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    first.process.kill('SIGKILL');
    await writing;
    const kept = await rows<{ id: string }>(database.db, sql`select event_id as id from stock_movements`);
    const ids = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(await first.ended).toBeNull();
  });

  it('one is asked to stop under load: not a single call fails', async () => {
    const { address, child: leaving } = await start('web');
    const failures: string[] = [];
    let answered = 0;
    /** As a balancer does: after an answer that ends the connection the next call goes to another process. */
    const caller = async (): Promise<void> => {
      for (;;) {
        try {
          const reply = await fetch(`${address}/api/auth/state`);
          const isAway = await isTurnedAway(reply);
          if (reply.status === 200) answered += 1;
          else if (!isAway) failures.push(String(reply.status));
          if (reply.headers.get('connection') === 'close') return;
        } catch (error) {
          failures.push(String(error instanceof Error ? error.cause : error));
          return;
        }
      }
    };
    const calling = Promise.all(Array.from({ length: 8 }, caller));
    while (answered < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    leaving.process.kill('SIGTERM');
    await calling;
    expect(failures).toEqual([]);
    expect(await leaving.ended).toBe(0);
    await expect(fetch(`${address}/healthz`)).rejects.toThrow();
  });
});
