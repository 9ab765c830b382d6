import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { openEmbedded } from '../db/embedded/embedded.ts';
import { findWrongBalances } from '../inventory/service.ts';
import { bundleProgram, type Child, serveIn } from '../testing/child-server.ts';
import { type Cluster, serverPrograms, startCluster } from '../testing/databases/cluster.ts';
import { openAt } from '../testing/databases/databases.ts';
import { type SmallDisk, smallDisk } from '../testing/databases/small-disk.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { testApp } from '../testing/test-app.ts';

const megabytes = 300;
const probe = smallDisk(1);
probe?.remove();
const programs = serverPrograms();
if (!probe) process.stderr.write('** SKIPPED: a full disk. This user may not mount a small one. **\n');
if (probe && !programs) process.stderr.write('** SKIPPED: a full disk of PostgreSQL. No server programs here. **\n');

describe.runIf(probe).each(['embedded', 'postgres'] as const)('a full disk under the %s database', (kind) => {
  let disk: SmallDisk | null = null;
  let cluster: Cluster | null = null;
  let child: Child;
  let program = '';
  let [address, cookie] = ['', ''];
  let itemId = 0;
  const acknowledged: string[] = [];
  const runs = kind === 'embedded' || programs !== null;

  const open = async () => {
    if (cluster) return openAt({ url: cluster.url })();
    const database = await openEmbedded(disk?.folder ?? '');
    await database.migrate();
    return database;
  };
  beforeAll(async () => {
    if (!runs) return;
    program = await bundleProgram();
    disk = smallDisk(megabytes);
    if (kind === 'postgres') cluster = await startCluster(programs ?? '', { within: disk?.folder ?? '' });
    const test = await testApp(open);
    test.setNow(new Date());
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    itemId = (await buildItem(test.deps.db, market.id)).id;
    cookie = (await test.as((await buildUser(test.deps.db, { routeDesignation: '101' })).id)).cookie;
    await test.close();
    const key = 'a key for tests only, thirty-two characters';
    const where = { MILKRUN_DATA: disk?.folder ?? '', MILKRUN_SECRET_KEY: key };
    child = serveIn(program, { ...where, ...(cluster ? { DATABASE_URL: cluster.url } : {}) });
    address = (await child.address) ?? '';
    expect(address, child.said()).toContain('http');
  }, 180_000);
  afterAll(async () => {
    child?.process.kill('SIGKILL');
    await child?.ended;
    cluster?.remove();
    disk?.remove();
    rmSync(path.dirname(program), { recursive: true, force: true });
  });

  const count = async (): Promise<number> => {
    const eventId = randomUUID();
    const reply = await fetch(`${address}/api/inventory/${itemId}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': eventId },
      body: JSON.stringify({ currentQuantity: acknowledged.length % 7 }),
    });
    await reply.arrayBuffer();
    if (reply.status === 200) acknowledged.push(eventId);
    return reply.status;
  };
  const read = async (): Promise<number> => {
    const reply = await fetch(`${address}/api/markets`, { headers: { cookie } });
    await reply.arrayBuffer();
    return reply.status;
  };
  /** PostgreSQL ends itself when it cannot write its log; whoever watches over it starts it again. */
  const startAgain = (): void => {
    try {
      cluster?.start();
    } catch {
      // It had not ended.
    }
  };
  const patience = { timeout: 60_000, interval: 200 };

  it.runIf(runs)(
    'stops what writes before it is full, lets reading go on, and ends by itself',
    async () => {
      expect(await count()).toBe(200);
      disk?.fill(6_000_000);
      await expect.poll(count, patience).toBe(507);
      expect(await read()).toBe(200);
      expect((await fetch(`${address}/readyz`)).status).toBe(507);
      disk?.free();
      await expect.poll(count, patience).toBe(200);
      await expect.poll(async () => (await fetch(`${address}/readyz`)).status, patience).toBe(200);
    },
    150_000,
  );

  it.runIf(runs)(
    'full to the last byte in the middle of writing: nothing acknowledged is lost',
    async () => {
      const statuses = new Set<number>();
      disk?.fill(0);
      while (!statuses.has(507)) statuses.add(await count());
      expect([...statuses].filter((status) => ![200, 503, 507].includes(status))).toEqual([]);
      disk?.free();
      startAgain();
      await expect.poll(count, patience).toBe(200);
      expect(child.process.exitCode).toBeNull();
      child.process.kill('SIGTERM');
      expect(await child.ended).toBe(0);
      const database = await open();
      const kept = await rows<{ id: string }>(database.db, sql`select event_id as id from stock_movements`);
      const ids = new Set(kept.map(({ id }) => id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      expect(await findWrongBalances(database.db)).toEqual([]);
      await database.close();
    },
    150_000,
  );
});
