import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { firstRow, rows } from './db/database.ts';
import { createLog } from './http/watch/log.ts';
import { saveImportedIncidents } from './incidents/service.ts';
import { startJobs } from './jobs.ts';
import { openTestEmbedded, openTestPostgres } from './testing/databases/databases.ts';
import { oneOfEachRole } from './testing/roles.ts';
import { testApp } from './testing/test-app.ts';
import { wayTo } from './testing/way-to.ts';

it('a job may take all night, and is begun again only where its process has died, in an older database too', async () => {
  const test = await testApp(openTestEmbedded);
  const { db } = test.deps;
  const limits = async () => {
    await (await startJobs(test.deps)).stop();
    return rows(
      db,
      sql`select distinct q.expire_seconds as "givenUpAfter", q.heartbeat_seconds as "pulse"
          from pgboss.queue q join pgboss.schedule s on s.name = q.name`,
    );
  };
  const patient = [{ givenUpAfter: 86_400, pulse: 120 }];
  expect(await limits()).toEqual(patient);
  await db.execute(sql`update pgboss.queue set expire_seconds = 900, heartbeat_seconds = null`);
  expect(await limits()).toEqual(patient);
  await test.close();
});

it('failures of jobs and messages are counted from 0, so that the first is seen to rise', async () => {
  const test = await testApp(openTestEmbedded);
  await (await startJobs(test.deps)).stop();
  const text = await test.deps.watch.registry.text();
  expect(text).toContain('milkrun_jobs_total{name="back-up",outcome="failed"} 0');
  for (const { manifest } of test.deps.connectors)
    expect(text).toContain(`milkrun_webhooks_total{system="${manifest.system}",outcome="dead"} 0`);
  await test.close();
});

it('a job that something wakes runs at once when an incident is reported, and again when a file tells of others', async () => {
  const test = await testApp(openTestEmbedded);
  const { manager } = await oneOfEachRole(test, '101');
  const jobs = await startJobs(test.deps);
  const done = async () => {
    const text = await test.deps.watch.registry.text();
    return Number(/milkrun_jobs_total\{name="retime-routes",outcome="done"\} (\d+)/.exec(text)?.[1]);
  };
  const before = await done();
  const incident = {
    title: 'Works',
    severity: 'high',
    type: 'closure',
    radius: 0.5,
    latitude: '40.7',
    longitude: '-74',
  };
  const made = await manager.call('POST', '/api/traffic-incidents', { body: incident });
  expect(made.statusCode, made.body).toBe(201);
  await expect.poll(done, { timeout: 4_000 }).toBeGreaterThan(before);
  const after = await done();
  const row = { ...incident, title: 'Flood', roadClosed: true, severity: 'high', type: 'closure' } as const;
  await test.deps.db.transaction((tx) => saveImportedIncidents(tx, [row], test.deps.clock.now()));
  await expect.poll(done, { timeout: 15_000 }).toBeGreaterThan(after);
  await jobs.stop();
  await test.close();
});

const server = process.env.TEST_DATABASE_URL;

it.runIf(server)(
  'a connection of the queue that died without a word is given up',
  async () => {
    const test = await testApp((onQuery) => openTestPostgres(server ?? '', onQuery));
    const found = await firstRow<{ name: string }>(test.deps.db, sql`select current_database() as name`);
    const way = await wayTo(Object.assign(new URL(server ?? ''), { pathname: `/${found?.name}` }).href);
    const errors: unknown[] = [];
    const log = Object.assign(createLog('silent'), { error: (told: unknown) => void errors.push(told) });
    const env = { ...test.deps.env, databaseUrl: way.url };
    const jobs = await startJobs({ ...test.deps, env, log }, 2_000);
    way.fallSilent();
    // Of a worker that asked for its next job, not of the connection that listens.
    const message = expect.stringMatching(/^Query read timeout \(Queue: /);
    await expect.poll(() => errors, { timeout: 60_000 }).toContainEqual({ err: expect.objectContaining({ message }) });
    way.remove();
    await jobs.stop();
    await test.close();
  },
  120_000,
);
