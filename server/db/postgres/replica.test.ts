import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, serverPrograms, startCluster } from '../../testing/databases/cluster.ts';
import { openAt } from '../../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { firstRow } from '../database.ts';
import { feelPulse } from '../pulse.ts';
import { openReplica } from './replica.ts';

const programs = serverPrograms();
if (!programs) process.stderr.write('** SKIPPED: reports from a replica. No PostgreSQL server programs here. **\n');

describe.skipIf(!programs)('a replica for reports', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-replica-'));
  let primary: Cluster;
  let replica: Cluster;
  let test: TestApp;
  let manager: Person;
  beforeAll(async () => {
    primary = await startCluster(programs ?? '', { settings: ['wal_level=replica'] });
    replica = await startCluster(programs ?? '', { follows: primary });
    test = await testApp(openAt({ url: primary.url, replicaUrl: replica.url }), { MILKRUN_DATA: folder });
    manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
  }, 180_000);
  afterAll(async () => {
    await test?.close();
    replica?.remove();
    primary?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const isReadThere = async (): Promise<boolean | undefined> => {
    const asked = (db: typeof test.deps.db) =>
      firstRow<{ there: boolean }>(db, sql`select pg_is_in_recovery() as there`);
    return (await test.database.reading(asked))?.there;
  };
  const withPrimary = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: primary.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const report = () => manager.call('GET', '/api/reports/inventory');

  it('answers them, with what was written on the primary a moment ago', async () => {
    const market = await buildMarket(test.deps.db);
    await buildItem(test.deps.db, market.id, { currentQuantity: 5 });
    expect(await isReadThere()).toBe(true);
    const items = (db: typeof test.deps.db) => firstRow(db, sql`select count(*)::int as n from inventory_items`);
    await expect.poll(() => test.database.reading(items)).toEqual({ n: 1 });
    expect((await report()).statusCode).toBe(200);
  });

  it('is done without while it hangs, by whoever was reading there too, and read again when it wakes', async () => {
    expect(await isReadThere()).toBe(true);
    replica.freeze();
    const answers = await Promise.all([report(), report(), report()]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await isReadThere()).toBe(false);
    replica.thaw();
    await expect.poll(isReadThere, { timeout: 30_000, interval: 500 }).toBe(true);
  });

  it.each(['without our tables', 'of another operator'])(
    'is done without, with a word, where it is a database %s',
    async (kind) => {
      const url = Object.assign(new URL(primary.url), { pathname: `/other_${kind.replaceAll(' ', '_')}` }).href;
      await withPrimary(`create database "${new URL(url).pathname.slice(1)}"`);
      const other = kind === 'of another operator' ? await openAt({ url })() : null;
      await other?.db.execute(sql`insert into audit_chain (seq, audit_id, hash) values (1, 1, 'of another')`);
      await other?.close();
      const said: string[] = [];
      const onError = (error: Error): void => void said.push(error.message);
      const wrong = openReplica({ url, limits: {}, onError });
      const name = (db: typeof test.deps.db) => firstRow(db, sql`select current_database() as name`);
      expect(await wrong.reading(name, test.deps.db)).toEqual(await name(test.deps.db));
      expect(said.join()).toMatch(kind === 'of another operator' ? /^DATABASE_REPLICA_URL leads to/ : /audit_chain/);
      await wrong.close();
    },
    60_000,
  );

  it('is no server for who has to write: a primary that another took over for counts as away', async () => {
    const pool = new pg.Pool({ connectionString: replica.url });
    const [writing, reading] = [true, false].map((mustWrite) => feelPulse(replica.url, pool, { mustWrite }));
    await expect.poll(() => writing?.isAway(), { timeout: 10_000 }).toBe(true);
    expect(reading?.isAway()).toBe(false);
    await Promise.all([writing?.stop(), reading?.stop(), pool.end()]);
  }, 30_000);

  it('is done without when it dies', async () => {
    replica.crash();
    expect((await report()).statusCode).toBe(200);
    expect(await isReadThere()).toBe(false);
  });
});
