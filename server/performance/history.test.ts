import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { insertSample } from './queries.ts';
import { startSampler } from './service.ts';

onEachDatabase('performance over time', (open) => {
  let test: TestApp;
  let manager: Person;
  let managerId = 0;
  beforeAll(async () => {
    test = await testApp(open);
    managerId = (await buildUser(test.deps.db, { role: 'route_manager' })).id;
  });
  afterAll(() => test.close());

  /** The days lie too far apart for one session. */
  const setNow = async (at: string): Promise<void> => {
    test.setNow(new Date(at));
    manager = await test.as(managerId);
  };

  /** What a process wrote down at a moment: so many transactions in the seconds before. */
  const written = (process: string, at: string, { seconds = 60, transactions = 600 } = {}): Promise<void> =>
    insertSample(test.deps.db, {
      ...{ at: new Date(at), process, role: 'web', seconds, transactions },
      ...{ requests: 0, requestMs: 0, failed: 0, refused: 0, queries: 0, queryMs: 0, rowCount: 0 },
      ...{ cpuMs: 0, eventLoopDelayMs: 0, memoryMb: 0, streams: 0 },
    });
  const ratesAt = async (now: string, span: string): Promise<[string, number][]> => {
    await setNow(now);
    const reply = await manager.call('GET', `/api/performance/history?span=${span}`);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply
      .json()
      .points.map((point: { at: string; transactionsPerSecond: number }) => [point.at, point.transactionsPerSecond]);
  };

  it('a step of which only some minutes were measured shows what these were', async () => {
    for (const minute of ['00', '01', '02', '03', '04']) await written('a:1', `2026-03-12T10:${minute}:30Z`);
    expect(await ratesAt('2026-03-12T10:05:40Z', 'week')).toEqual([['2026-03-12T10:00:00Z', 10]]);
    expect(await ratesAt('2026-03-12T10:05:40Z', 'day')).toEqual([['2026-03-12T10:00:00Z', 10]]);
  });

  it('two minutes written down as one are no peak', async () => {
    await written('a:1', '2026-03-13T10:00:30Z');
    await written('a:1', '2026-03-13T10:02:30Z', { seconds: 120, transactions: 1_200 });
    expect(await ratesAt('2026-03-13T10:03:00Z', 'hour')).toEqual([
      ['2026-03-13T10:00:00Z', 10],
      ['2026-03-13T10:02:00Z', 10],
    ]);
  });

  it('processes add up, one after the other does not, and a minute counts when it is over', async () => {
    await written('a:1', '2026-03-14T10:00:30Z');
    await written('b:1', '2026-03-14T10:00:50Z');
    await written('a:1', '2026-03-14T10:01:10Z', { seconds: 40, transactions: 400 });
    await written('b:1', '2026-03-14T10:01:50Z');
    await written('b:1', '2026-03-14T10:02:50Z');
    await written('a:2', '2026-03-14T10:02:55Z');
    await written('a:2', '2026-03-14T10:03:55Z');
    const [first, second, third] = ['00', '01', '02'].map((minute) => [`2026-03-14T10:${minute}:00Z`, 20]);
    expect(await ratesAt('2026-03-14T10:03:59Z', 'hour')).toEqual([first, second, third]);
    expect(await ratesAt('2026-03-14T10:03:59Z', 'day')).toEqual([first]);
  });

  it('a process that stops is left out at once, one that was killed after a while', async () => {
    const told = async (now: string) => {
      await setNow(now);
      const call = async (name: string) => (await manager.call('GET', `/api/performance/${name}`)).json();
      const { processes } = await call('metrics');
      const { maxRecommendedDevices: arithmetic } = (await call('enterprise-readiness')).origins;
      return [processes, Number(/(\d+) process(?:es)? at/.exec(arithmetic)?.[1])];
    };
    const [itself, stopping, killed] = [undefined, 'a:1', 'b:1'].map((name) => startSampler(test.deps, name));
    await setNow('2026-03-15T10:00:00Z');
    for (const sampler of [itself, stopping, killed]) {
      test.deps.watch.flow.add({ requests: 30 });
      await sampler?.sample();
      sampler?.stop();
    }
    expect(await told('2026-03-15T10:00:10Z')).toEqual([3, 3]);
    await stopping?.leave();
    expect(await told('2026-03-15T10:00:20Z')).toEqual([2, 2]);
    expect(await told('2026-03-15T10:01:20Z')).toEqual([2, 2]);
    await itself?.sample();
    expect(await told('2026-03-15T10:01:40Z')).toEqual([1, 1]);
  });
});
