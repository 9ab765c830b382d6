import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, type Child, serveIn } from '../../testing/child-server.ts';
import { type Cluster, serverPrograms, startCluster } from '../../testing/databases/cluster.ts';
import { buildItem, buildMarket, buildUser } from '../../testing/factories.ts';
import { testApp } from '../../testing/test-app.ts';
import { rows } from '../database.ts';
import { openPostgres } from './postgres.ts';

const programs = serverPrograms();
const isWanted = process.env.MILKRUN_LONG === '1';
if (isWanted && !programs) process.stderr.write('** SKIPPED: failover. No PostgreSQL server programs here. **\n');

const key = 'a key for tests only, thirty-two characters';

/** One address that leads to whichever node is the primary, as a proxy before a cluster does. */
async function addressOf(primary: () => number): Promise<{ port: number; cut: () => void; server: Server }> {
  const open = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(primary(), '127.0.0.1');
    for (const socket of [from, to]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket));
      // Either side breaking off ends the other.
      socket.on('error', () => {
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to).pipe(from);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    server,
    cut: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

describe.runIf(isWanted && programs)('a replicated PostgreSQL whose primary dies', () => {
  let folder = '';
  let primary: Cluster;
  let standby: Cluster;
  let way: Awaited<ReturnType<typeof addressOf>>;
  let current = 0;
  let child: Child;
  let program = '';
  let cookie = '';
  let itemId = 0;
  const url = (): string => `postgres://postgres@127.0.0.1:${way.port}/postgres`;
  const open = () => openPostgres({ url: url(), directUrl: null, adminUrl: null, backups: null, onError: () => {} });
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'milkrun-failover-'));
    program = await bundleProgram();
    const synchronous = ['wal_level=replica', 'synchronous_commit=on'];
    primary = await startCluster(programs ?? '', { settings: synchronous });
    standby = await startCluster(programs ?? '', { follows: primary });
    current = primary.port;
    way = await addressOf(() => current);
    const test = await testApp(async () => {
      const database = await open();
      await database.migrate();
      return database;
    });
    test.setNow(new Date());
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    itemId = (await buildItem(test.deps.db, market.id)).id;
    cookie = (await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id)).cookie;
    // From here on nothing is acknowledged that the standby does not have.
    await test.deps.db.execute(sql`alter system set synchronous_standby_names = '*'`);
    await test.deps.db.execute(sql`select pg_reload_conf()`);
    await test.close();
    child = serveIn(program, { MILKRUN_DATA: folder, DATABASE_URL: url(), MILKRUN_SECRET_KEY: key });
  }, 180_000);
  afterAll(() => {
    child?.process.kill('SIGKILL');
    way?.cut();
    way?.server.close();
    standby?.remove();
    primary?.remove();
    rmSync(folder, { recursive: true, force: true });
    rmSync(path.dirname(program), { recursive: true, force: true });
  });

  it('loses nothing that was acknowledged, and serves again through the same address', async () => {
    const address = await child.address;
    expect(address, child.said()).not.toBeNull();
    const acknowledged: string[] = [];
    let isOver = false;
    const writer = async (): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const eventId = randomUUID();
        const reply = await fetch(`${address}/api/inventory/${itemId}`, {
          method: 'PUT',
          headers: { cookie, 'content-type': 'application/json', 'idempotency-key': eventId },
          body: JSON.stringify({ currentQuantity: n % 9 }),
        });
        await reply.arrayBuffer();
        if (reply.status === 200) acknowledged.push(eventId);
        // Sooner than the server asks for, and not without a pause.
        else await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const writing = Promise.all([writer(), writer(), writer()]);
    const more = async (count: number): Promise<void> => {
      const enough = acknowledged.length + count;
      while (acknowledged.length < enough) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await more(30);
    primary.crash();
    standby.promote();
    current = standby.port;
    way.cut();
    const diedAt = performance.now();
    await more(30);
    const backAfterMs = performance.now() - diedAt;
    isOver = true;
    await writing;
    const database = await open();
    const kept = await rows<{ id: string }>(database.db, sql`select event_id as id from stock_movements`);
    await database.close();
    const ids = new Set(kept.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    // The promise of the operations guide, with room for a busy machine.
    expect(backAfterMs).toBeLessThan(30_000);
    expect(child.process.exitCode).toBeNull();
  }, 180_000);
});
