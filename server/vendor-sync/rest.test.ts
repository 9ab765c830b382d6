import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { credentials, nayaxStandIn } from '../../sandbox/nayax/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { firstRow } from '../db/database.ts';
import { createConfig, getConfig, listIntegrations, requireConfig } from '../integrations/service.ts';
import { getAnalytics } from '../nayax-moma/analytics.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { pageSyncRuns, pullSoon, runSync, syncWhatIsDue, untilQuiet } from './service.ts';

const start = new Date('2026-03-12T15:00:00Z');
const minuteMs = 60_000;

onEachDatabase('A pause that the partner asks for', (open) => {
  let sandbox: Sandbox;
  let t: TestApp;
  let id: number;

  beforeAll(async () => {
    const vendors = [nayaxStandIn(({ site }) => site.id <= 3)];
    sandbox = await startSandbox({ vendors, tickMs: null, from: new Date(start.getTime() - 86_400_000) });
    sandbox.sphere.clock.set(start, true);
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin });
    t.setNow(start);
    const settings = { ...credentials, environment: 'sandbox' };
    id = (await createConfig(t.deps, null, { system: 'nayax', name: 'Core', settings })).id;
  });
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });

  const runs = async (): Promise<number> =>
    (await firstRow<{ n: number }>(t.deps.db, sql`select count(*)::int as n from sync_runs`))?.n ?? 0;
  const stateNow = async () => (await listIntegrations(t.deps)).find(({ system }) => system === 'nayax');

  it('is no failure: it is waited for, nothing is asked before, and what comes after it ends it', async () => {
    const parameters = { seconds: 600 };
    sandbox.sphere.faults.queue({ system: 'nayax', call: '*/lastSales', kind: 'rate_limited', times: 1, parameters });
    await expect(runSync(t.deps, id)).rejects.toThrow('asked us to come back in 10 minutes');

    const until = new Date(start.getTime() + 10 * minuteMs).toISOString();
    expect(await getConfig(t.deps, id)).toMatchObject({ status: 'active', problem: null, waitsUntil: until });
    expect(await stateNow()).toMatchObject({ state: 'waiting', problem: null, waitsUntil: until });
    const failed = await pageSyncRuns(t.deps, { configId: id, status: 'failed', limit: 10 });
    expect(failed.rows).toEqual([]);
    const { rows: latest } = await pageSyncRuns(t.deps, { configId: id, status: 'all', limit: 1 });
    expect(latest).toMatchObject([{ status: 'paused', errorCount: 0, message: expect.stringContaining('10 minutes') }]);
    const { health } = await getAnalytics(t.deps, { days: 1, system: 'all' });
    expect(health).toMatchObject([{ configId: id, state: 'waiting', runs: 0, failedRuns: 0 }]);

    // What was never read is due, and a message asks for more: both can wait.
    t.setNow(new Date(start.getTime() + minuteMs));
    const before = await runs();
    await syncWhatIsDue(t.deps);
    await pullSoon(t.deps, await requireConfig(t.deps.db, id), ['sales']);
    await untilQuiet(t.deps);
    expect(await runs()).toBe(before);

    t.setNow(new Date(start.getTime() + 11 * minuteMs));
    expect(await getConfig(t.deps, id)).toMatchObject({ status: 'active', waitsUntil: null });
    await syncWhatIsDue(t.deps);
    await untilQuiet(t.deps);
    expect(await runs()).toBe(before + 1);
    expect(await getConfig(t.deps, id)).toMatchObject({ status: 'active', problem: null, waitsUntil: null });
    expect(await stateNow()).toMatchObject({ state: 'connected', waitsUntil: null });
  });
});
