import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startJobs } from '../../jobs.ts';
import { type Cluster, serverPrograms, startCluster } from '../../testing/databases/cluster.ts';
import { openAt } from '../../testing/databases/databases.ts';
import { type Pooler, poolerProgram, startPooler } from '../../testing/databases/pooler.ts';
import { buildItem, buildMarket, buildUser } from '../../testing/factories.ts';
import { nobody, type Person, type TestApp, testApp } from '../../testing/test-app.ts';

const programs = serverPrograms();
const program = poolerProgram();
if (!(programs && program)) {
  const missing = program ? 'PostgreSQL server programs' : 'pgbouncer';
  process.stderr.write(`** SKIPPED: work through PgBouncer. No ${missing} here. **\n`);
}

describe.skipIf(!(programs && program))('behind PgBouncer in transaction mode', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-pooled-'));
  let cluster: Cluster;
  let pooler: Pooler;
  let test: TestApp;
  let worker: Person;
  let itemId = 0;
  beforeAll(async () => {
    cluster = await startCluster(programs ?? '');
    // Fewer connections than the server's own pool has: a statement rarely meets the one before.
    pooler = await startPooler(program ?? '', cluster, 3);
    const settings = { MILKRUN_DATA: folder, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: cluster.url };
    test = await testApp(openAt({ url: pooler.url, directUrl: cluster.url }), settings);
    test.setNow(new Date());
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    itemId = (await buildItem(test.deps.db, market.id)).id;
    await buildUser(test.deps.db, { email: 'driver@company.com', routeDesignation: '101' });
  }, 180_000);
  afterAll(async () => {
    await test?.close();
    pooler?.remove();
    cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('people sign in by code', async () => {
    const contact = { email: 'driver@company.com', verificationType: 'email' };
    const asked = await nobody(test.app).call('POST', '/api/auth/send-verification', { body: contact });
    expect(asked.statusCode, asked.body).toBe(200);
    const code = /\b\d{6}\b/.exec(test.sent.at(-1)?.text ?? '')?.[0];
    const begun = [asked.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0]);
    const reply = await nobody(test.app).call('POST', '/api/auth/verify-code', {
      body: { ...contact, code },
      headers: begun.length > 0 ? { cookie: begun.join('; ') } : {},
    });
    expect(reply.statusCode, reply.body).toBe(200);
    const cookie = [reply.headers['set-cookie'] ?? []].flat().map((one) => one.split(';')[0]);
    const call: Person['call'] = (method, url, options = {}) =>
      nobody(test.app).call(method, url, { ...options, headers: { ...options.headers, cookie: cookie.join('; ') } });
    worker = { cookie: cookie.join('; '), call };
    expect((await worker.call('GET', '/api/markets')).statusCode).toBe(200);
  });

  it('phones send from many sides at once, others hear of it, and nothing is lost or mixed up', async () => {
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
    const stop = new AbortController();
    const stream = await fetch(`${address}/api/events`, { headers: { cookie: worker.cookie }, signal: stop.signal });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    const hear = async (word: string): Promise<void> => {
      while (!heard.includes(word)) heard += (await reader?.read())?.value ?? '';
    };
    await hear('event: ready');
    const push = async (): Promise<string[]> => {
      const at = test.deps.clock.now().toISOString();
      const events = Array.from({ length: 5 }, (_, n) => ({
        ...{ eventId: randomUUID(), schemaVersion: 1, itemType: 'market_item', itemId, shown: null, deviceSeq: n },
        ...{ kind: 'restock', reason: 'barcode_restock', quantity: 1, occurredAtClient: at, lastServerTime: null },
      }));
      const body = { deviceId: randomUUID(), sentAtClient: at, events };
      let reply = await worker.call('POST', '/api/sync/events', { body });
      // All count the same item and wait for each other: as a phone does, whoever is asked to come back sends again.
      while (reply.statusCode === 503) reply = await worker.call('POST', '/api/sync/events', { body });
      expect(reply.statusCode, reply.body).toBe(200);
      const { results } = reply.json<{ results: { status: string }[] }>();
      return results.map(({ status }) => status);
    };
    const reads = Array.from({ length: 20 }, () => worker.call('GET', '/api/markets/with-inventory'));
    const pushed = await Promise.all(Array.from({ length: 20 }, push));
    expect(new Set(pushed.flat())).toEqual(new Set(['applied']));
    for (const { statusCode } of await Promise.all(reads)) expect([200, 503]).toContain(statusCode);
    expect((await worker.call('GET', '/api/markets/with-inventory')).statusCode).toBe(200);
    await hear('"topic":"stock"');
    stop.abort();
    const items = (await worker.call('GET', '/api/inventory')).json<{ currentQuantity: number }[]>();
    expect(items.map(({ currentQuantity }) => currentQuantity)).toEqual([100]);
    expect(new Set(await pooler.modes())).toEqual(new Set(['transaction']));
  });

  it('jobs run', async () => {
    // Makes the queues; what waits in them is begun at once by whoever starts next.
    await (await startJobs(test.deps)).stop();
    const boss = new PgBoss({ connectionString: cluster.url, max: 1, schedule: false, supervise: false });
    await boss.start();
    await boss.send('purge-expired', {});
    const jobs = await startJobs(test.deps);
    const ran = /milkrun_jobs_total\{name="purge-expired",outcome="done"\} 1/;
    await expect.poll(() => test.deps.watch.registry.text(), { timeout: 60_000, interval: 250 }).toMatch(ran);
    await boss.stop({ graceful: false });
    await jobs.stop();
  });
});
