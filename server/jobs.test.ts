import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from './db/database.ts';
import { startJobs } from './jobs.ts';
import { openTestEmbedded } from './testing/databases/databases.ts';
import { testApp } from './testing/test-app.ts';

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
