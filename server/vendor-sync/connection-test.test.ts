import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { credentials, nayaxStandIn } from '../../sandbox/nayax/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { createConfig, getConfig, requireConfig, updateConfigFields } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { testConnection } from './service.ts';

const start = new Date('2026-03-12T15:00:00Z');
/** What the next tries meet with: one test of a connection makes at most five. */
const times = 10;

onEachDatabase('The test of a connection', (open) => {
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
  afterEach(() => {
    sandbox.sphere.faults.clear();
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });

  const meet = (kind: string, parameters: Record<string, unknown>): void =>
    void sandbox.sphere.faults.queue({ system: 'nayax', call: '*', kind, times, parameters });
  const failed = (error: string) => ({ connected: false, detail: null, error });

  it.each([
    [{ seconds: 60 }, '60 seconds', 60],
    [{ seconds: 600, as: 'date' }, '600 seconds', 600],
  ])('tells at once that the partner asks to wait, and for how long, as by %j', async (parameters, told, seconds) => {
    meet('rate_limited', parameters);
    const sentence = `Nayax Core asks to wait ${told} before the next call. Test again then.`;
    expect(await testConnection(t.deps, id)).toEqual(failed(sentence));
    const waitsUntil = new Date(start.getTime() + seconds * 1000).toISOString();
    expect(await getConfig(t.deps, id)).toMatchObject({ problem: null, waitsUntil });
  });

  it('says so also where the partner does not say how long', async () => {
    // Pauses between tries are of random length, here of none.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    meet('rate_limited', { as: 'none' });
    const sentence =
      'Nayax Core asks to wait before the next call, and does not say how long. Test again in a few minutes.';
    expect(await testConnection(t.deps, id)).toEqual(failed(sentence));
    expect((await getConfig(t.deps, id)).problem).toBeNull();
  });

  it('keeps until when the partner asks to wait also where the patience is over before that', async () => {
    // As long as the patience: it is waited for, and not to its end.
    meet('rate_limited', { seconds: 2 });
    const sentence = 'Nayax Core asks to wait 2 seconds before the next call. Test again then.';
    expect(await testConnection(t.deps, id, 2_000)).toEqual(failed(sentence));
    const waitsUntil = new Date(start.getTime() + 2_000).toISOString();
    expect(await getConfig(t.deps, id)).toMatchObject({ problem: null, waitsUntil });
  });

  it('tells as late the partner that has said nothing when the patience is over, and only that one', async () => {
    meet('hang', { ms: 60_000 });
    const sentence = 'Nayax Core does not answer in time. Check the address, or try again later.';
    expect(await testConnection(t.deps, id, 50)).toEqual(failed(sentence));
    expect((await getConfig(t.deps, id)).problem).toBe(sentence);
    sandbox.sphere.faults.clear();
    expect(await testConnection(t.deps, id)).toMatchObject({ connected: true, error: null });
    expect((await getConfig(t.deps, id)).problem).toBeNull();
  });

  it('that succeeds ends the pause after failures: syncs need not wait for what was just proved', async () => {
    const openUntil = new Date(start.getTime() + 600_000).toISOString();
    await updateConfigFields(t.deps.db, id, { breaker: { failures: 9, recent: '---------', openings: 5, openUntil } });
    expect(await testConnection(t.deps, id)).toMatchObject({ connected: true });
    expect((await requireConfig(t.deps.db, id)).breaker).toEqual({});
  });
});
