import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildRoute, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { startSampler } from './service.ts';

onEachDatabase('the disk of a database', (open) => {
  const asked = async (env: Record<string, string>) => {
    const test = await testApp(open, env);
    const manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    for (let n = 0; n < 20; n++) await buildMarket(test.deps.db);
    await test.setDisk({ usedShare: 0.5, freeBytes: 1e6 });
    const readiness = (await manager.call('GET', '/api/performance/enterprise-readiness')).json();
    await test.close();
    const disk = readiness.checks.find(({ name }: { name: string }) => name === 'Disk');
    return `${disk.detail} ${readiness.origins.maxRecommendedDevices}`;
  };

  it('is that of this machine where the database is here', async () => {
    expect(await asked({})).toMatch(/^0 GB free\. Processor: .* Disk: at today's size/);
  });

  it('is not known from here where the database is on another machine, and it is said', async () => {
    expect(await asked({ DATABASE_URL: 'postgres://user@database/milkrun' })).toMatch(
      /^0 GB free\. The database is on another machine, .* not known from here\. Processor: .* Disk: not known from here/,
    );
  });
});

onEachDatabase('enterprise performance', (open) => {
  let test: TestApp;
  let admin: Person;
  let manager: Person;
  beforeAll(async () => {
    test = await testApp(open);
    admin = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
    manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
  });
  afterAll(() => test.close());

  const later = (seconds: number): void => test.setNow(new Date(test.deps.clock.now().getTime() + seconds * 1000));
  const get = async (name: string, who = manager) => {
    const reply = await who.call('GET', `/api/performance/${name}`);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json();
  };

  it('counts the routes dated today: one more is one percent more', async () => {
    await buildRoute(test.deps.db, { date: '2026-03-12', status: 'planned' });
    await buildRoute(test.deps.db, { date: '2026-03-11', status: 'completed' });
    expect(await get('route-capacity')).toMatchObject({
      todaysRoutes: 1,
      currentUtilization: 1,
      remainingCapacity: 99,
    });
    await buildRoute(test.deps.db, { date: '2026-03-12', status: 'in_progress' });
    expect(await get('route-capacity')).toMatchObject({
      todaysRoutes: 2,
      currentUtilization: 2,
      remainingCapacity: 98,
    });
    expect(await get('metrics')).toMatchObject({ todaysRoutes: 2, activeRoutes: 1, completedRoutes: 0 });
  });

  it('counts machines and markets, and those at work', async () => {
    await buildMachine(test.deps.db, { status: 'active' });
    await buildMachine(test.deps.db, { status: 'maintenance' });
    await buildMarket(test.deps.db, { status: 'active' });
    expect(await get('metrics')).toMatchObject({ totalDevices: 3, activeDevices: 2 });
  });

  it('measures: its rates rise with calls, and every figure says how it was got', async () => {
    const before = await get('metrics');
    for (let n = 0; n < 30; n++) await manager.call('GET', '/api/markets');
    later(10);
    const after = await get('metrics');
    for (const rate of ['transactionsPerSecond', 'dataProcessingRate'])
      expect(after[rate]).toBeGreaterThan(before[rate]);
    expect(after.averageResponseTime).toBeGreaterThan(0);
    for (const call of ['metrics', 'scalability-report', 'enterprise-readiness', 'route-capacity']) {
      const { origins, databasePerformance = {}, ...figures } = await get(call);
      const named = Object.keys({ ...figures, ...databasePerformance });
      const unexplained = named.filter(
        (name) => !origins[name] && !['processes', 'measuredAt', 'checks'].includes(name),
      );
      expect([call, unexplained]).toEqual([call, []]);
      expect(JSON.stringify({ origins, figures })).not.toMatch(/\d %/);
    }
  });

  it('tells what is asked together from one reading, whatever happens between the calls', async () => {
    later(10);
    const { averageResponseTime, measuredAt } = await get('metrics');
    test.deps.watch.flow.add({ requests: 1, requestMs: 500_000 });
    const { checks } = await get('enterprise-readiness');
    const response = checks.find(({ name }: { name: string }) => name === 'Response time');
    expect(response.detail).toContain(`${averageResponseTime} ms on average in the last minute`);
    later(10);
    const after = await get('metrics');
    expect(after.averageResponseTime).toBeGreaterThan(averageResponseTime);
    expect(after.averageResponseTime).toBeGreaterThan(1_000);
    const told = (await get('enterprise-readiness')).checks.find(
      ({ name }: { name: string }) => name === 'Response time',
    );
    const written = after.averageResponseTime.toLocaleString('en-US');
    expect(told.detail).toContain(`${written} ms on average in the last minute; the aim is 150 ms`);
    expect(Date.parse(after.measuredAt) - Date.parse(measuredAt)).toBe(10_000);
    test.deps.watch.flow.add({ requests: -1, requestMs: -500_000 });
    later(10);
  });

  it('keeps a point a minute, from which charts and the processor time of a call come', async () => {
    const sampler = startSampler(test.deps);
    for (let n = 0; n < 35; n++) await manager.call('GET', '/api/markets');
    await sampler.sample();
    sampler.stop();
    expect((await get('history?span=hour')).points).toEqual([]);
    later(60);
    const { points, origins } = await get('history?span=hour');
    expect(points).toHaveLength(1);
    expect(points[0]).toMatchObject({ at: '2026-03-12T15:00:00Z' });
    expect(points[0].callsPerSecond).toBeGreaterThan(0.5);
    expect(Object.keys(points[0]).filter((name) => name !== 'at' && !origins[name])).toEqual([]);
    const readiness = await get('enterprise-readiness');
    expect(readiness.maxRecommendedDevices).toBeGreaterThan(0);
    const headroom = readiness.checks.find(({ name }: { name: string }) => name === 'Headroom');
    expect(headroom.detail).toMatch(/^3 machines and markets of /);
    expect(readiness.origins.maxRecommendedDevices).toMatch(
      /a call took \d+\.\d ms .*\(mean of 1 minute of the last day\)/,
    );
    const unexplained = readiness.checks.filter(({ name }: { name: string }) => !readiness.origins[name]);
    expect(unexplained).toEqual([]);
    expect(readiness.score).toBe(
      readiness.checks.reduce(
        (sum: number, one: { passed: boolean; points: number }) => sum + (one.passed ? one.points : 0),
        0,
      ),
    );
  });

  it('reports what the database does, and what would run out first', async () => {
    const report = await get('scalability-report');
    expect(report.currentCapacity).toBe(3);
    expect(report.databasePerformance.queryResponseTime).toBeGreaterThan(0);
    expect(report.databasePerformance.connectionPoolStatus).toMatch(/One connection|of 10 in use/);
    await test.setDisk({ usedShare: 0.9, freeBytes: 2e9 });
    expect((await get('scalability-report')).bottlenecks).toContain(
      'The disk is nearly full. Make room on it this week.',
    );
    expect((await get('metrics')).systemHealth).toMatch(/warning|critical/);
    await test.setDisk({ usedShare: 0.1, freeBytes: 1e12 });
  });

  it('finds a bottleneck in what a check of the readiness is not passed for', async () => {
    const { flow } = test.deps.watch;
    const slow = { requests: 5_000, requestMs: 1_000_000, failed: 10 };
    flow.add(slow);
    later(10);
    const { checks } = await get('enterprise-readiness');
    const failing = checks.filter(({ passed }: { passed: boolean }) => !passed);
    expect(failing.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['Response time', 'Failures']),
    );
    const { bottlenecks } = await get('scalability-report');
    expect(bottlenecks).toContainEqual(expect.stringMatching(/^Answers take \d+ ms on average; 150 ms is the aim/));
    expect(bottlenecks).toContain('10 calls failed in the last minute. Look at the log for "request failed".');
    flow.add({ requests: -5_000, requestMs: -1_000_000, failed: -10 });
    later(10);
  });

  it('optimises for real and says what it did; a manager may not', async () => {
    const { db } = test.deps;
    await db.execute(sql`insert into rate_limits (key, count, window_ends_at) values ('old', 1, '2020-01-01')`);
    expect((await manager.call('POST', '/api/performance/optimize-enterprise')).statusCode).toBe(403);
    const asked = test.deps.watch.flow.total().requests;
    const reply = await admin.call('POST', '/api/performance/optimize-enterprise');
    expect(reply.statusCode, reply.body).toBe(200);
    // It takes as long as it takes: how quickly the server answers is not told by it.
    expect(test.deps.watch.flow.total().requests).toBe(asked);
    const done: string[] = reply.json().implementedOptimizations;
    expect(done.map((sentence) => sentence.split(':')[0])).toEqual([
      ...['Statistics', 'Dead rows', 'Indexes', 'Daily sums', 'Partitions', 'Expired sessions and codes', 'Retention'],
    ]);
    expect(done.find((one) => one.startsWith('Expired'))).toBe('Expired sessions and codes: 1 removed.');
    expect(await firstRow(db, sql`select count(*)::int as n from rate_limits where key = 'old'`)).toEqual({ n: 0 });
    const audit = sql`select count(*)::int as n from audit_log where action = 'performance.optimize'`;
    expect(await firstRow(db, audit)).toEqual({ n: 1 });
  });

  it('notes what was done where one piece failed, which is named', async () => {
    const { db } = test.deps;
    await db.execute(sql`alter table sales_daily rename to sales_daily_away`);
    const reply = await admin.call('POST', '/api/performance/optimize-enterprise');
    await db.execute(sql`alter table sales_daily_away rename to sales_daily`);
    expect(reply.statusCode).toBe(500);
    expect(reply.json().detail).toMatch(/^Daily sums could not be done; the log says why. Done: Statistics: /);
    const noted = sql`select detail from audit_log where action = 'performance.optimize' order by id desc limit 1`;
    const row = await firstRow<{ detail: { done: string[]; failed: string[] } }>(db, noted);
    expect(row?.detail.failed).toEqual(['Daily sums']);
    expect(row?.detail.done.length).toBeGreaterThan(3);
  });

  it('does not say that no call failed where so few did that the check is passed', async () => {
    later(10);
    test.deps.watch.flow.add({ requests: 5_000, failed: 1 });
    const { checks } = await get('enterprise-readiness');
    const failures = checks.find(({ name }: { name: string }) => name === 'Failures');
    expect(failures).toMatchObject({ passed: true, detail: expect.stringMatching(/^1 call of 5,\d+ calls failed/) });
    test.deps.watch.flow.add({ requests: -5_000, failed: -1 });
    later(10);
  });

  it('tells of calls turned away as failures, and takes the processor time of a call from those answered', async () => {
    later(3 * 24 * 3600);
    manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    const flow = { requests: 100, requestMs: 20_000, refused: 0 };
    const sampler = startSampler(test.deps);
    test.deps.watch.flow.add(flow);
    await sampler.sample();
    const capacity = async (): Promise<string> => (await get('enterprise-readiness')).origins.maxRecommendedDevices;
    const before = await capacity();
    later(60);
    test.deps.watch.flow.add({ requests: 40, refused: 60_000 });
    await sampler.sample();
    sampler.stop();
    expect(await capacity()).toBe(before);
    const { checks } = await get('enterprise-readiness');
    const failures = checks.find(({ name }: { name: string }) => name === 'Failures');
    expect(failures).toMatchObject({ passed: false, detail: expect.stringMatching(/^60,000 calls failed/) });
    test.deps.watch.flow.add({ requests: -140, requestMs: -20_000, refused: -60_000 });
    later(10);
  });

  it('finds days whose sums differ from their sales among the thirty before today, as the operator has it', async () => {
    const { db } = test.deps;
    // Still the evening of the day before in New York.
    test.setNow(new Date('2026-03-12T02:00:00Z'));
    for (const day of ['2026-02-08', '2026-02-09', '2026-03-10', '2026-03-11'])
      await db.execute(
        sql`insert into sales_daily (day, route_designation, product_name, payment_method, units, amount, lines)
            values (${day}, '', 'Ghost', '', 5, 10, 5) on conflict do nothing`,
      );
    const reply = await admin.call('POST', '/api/performance/optimize-enterprise');
    expect(reply.json().implementedOptimizations).toContain(
      'Daily sums: those of 2026-02-09, 2026-03-10 differ from their sales. Keep a backup, then run milkrun doctor --repair.',
    );
  });
});
