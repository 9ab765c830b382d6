import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Connector, VendorError } from '../../connectors/connector.ts';
import { rows } from '../db/database.ts';
import { createConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { deviceTold, saleTold } from '../testing/vendor.ts';
import { stopBackground } from '../vendor-sync/service.ts';
import { leaseDue } from './inbox.ts';
import { leaseMs, processDue, processLeased } from './worker.ts';

/** What the partner's reader does when a message with the body 'stop' is read. */
let onStop = (): void => {};

/** The body is the id of a sale, or what is wrong with the message. */
const connector: Connector = {
  manifest: {
    system: 'nayax',
    label: 'The partner',
    basis: 'Made for this test.',
    fields: [],
    resources: ['devices'],
    everyMinutes: {},
    backfills: false,
  },
  testConnection: async () => ({ detail: '' }),
  pull: async () => ({ batch: { devices: [deviceTold()] }, cursor: null, more: false }),
  webhook: {
    verify: () => ({ genuine: false, reason: 'Not of this test.' }),
    parse: ({ body }) => {
      const text = Buffer.from(body).toString();
      if (text === 'nonsense') throw new VendorError('nayax', 'bad-data', 'This message cannot be read.');
      if (text === 'later') throw new VendorError('nayax', 'down', 'Not yet.');
      if (text === 'stop') onStop();
      return { batch: { sales: [saleTold({ vendorId: text })] }, pull: [] };
    },
  },
};

onEachDatabase('The worker of messages', (open) => {
  let t: TestApp;
  let configId: number;

  beforeEach(async () => {
    t = await testApp(open);
    t.deps.connectors = [connector];
    configId = (await createConfig(t.deps, null, { system: 'nayax', name: 'Ours', settings: {} })).id;
  });
  afterEach(() => t.close());

  const wait = (of: number, bodies: readonly string[]) =>
    t.deps.db.execute(sql`insert into webhook_deliveries (config_id, system, dedupe_key, event_type, method, body, body_bytes, received_at, next_attempt_at)
      select ${of}, 'nayax', body, 'sale', 'POST', convert_to(body, 'UTF8'), 1, at, at
      from jsonb_array_elements_text(${JSON.stringify(bodies)}::jsonb) with ordinality lot(body, n),
        (select ${t.deps.clock.now().toISOString()}::timestamptz as at) now order by n`);
  const states = () =>
    rows<{ key: string; status: string; attempts: number; error: string | null }>(
      t.deps.db,
      sql`select dedupe_key as key, status, attempts, error from webhook_deliveries order by id`,
    );
  const lease = () =>
    leaseDue(t.deps.db, { at: t.deps.clock.now(), until: new Date(t.deps.clock.now().getTime() + leaseMs), most: 100 });
  const later = (ms: number) => t.setNow(new Date(t.deps.clock.now().getTime() + ms));

  it.each(['nonsense', 'later'])(
    'one that lost its message to another while it hung changes nothing of it: %s',
    async (trouble) => {
      await wait(configId, ['S1']);
      const [slow] = await lease();
      if (!slow) throw new Error('The message was not leased.');
      later(leaseMs + 1);
      await processDue(t.deps);
      const done = [{ key: 'S1', status: 'done', attempts: 2, error: null }];
      expect(await states()).toEqual(done);
      await processLeased(t.deps, { ...slow, body: Buffer.from(trouble) });
      expect(await states()).toEqual(done);
      expect(await t.deps.watch.registry.text()).not.toMatch(/outcome="(dead|failed)"\} [1-9]/);
    },
  );

  it('one that books its message after another did changes neither when it was done nor how many were', async () => {
    await wait(configId, ['S1']);
    const [slow] = await lease();
    if (!slow) throw new Error('The message was not leased.');
    later(leaseMs + 1);
    await processDue(t.deps);
    const told = async () => [
      await rows(t.deps.db, sql`select status, processed_at::text as at from webhook_deliveries`),
      /outcome="processed"\} (\d+)/.exec(await t.deps.watch.registry.text())?.[1],
    ];
    const before = await told();
    expect(before).toMatchObject([[{ status: 'done' }], '1']);
    later(1_000);
    await processLeased(t.deps, slow);
    expect(await told()).toEqual(before);
  });

  it('one that books what was given up and left out meanwhile says that it is done', async () => {
    await wait(configId, ['S1']);
    const [slow] = await lease();
    if (!slow) throw new Error('The message was not leased.');
    await t.deps.db.execute(
      sql`update webhook_deliveries set status = 'left_out', left_out_at = received_at, left_out_reason = 'Old'`,
    );
    await processLeased(t.deps, slow);
    const state = sql`select status, left_out_at, left_out_reason from webhook_deliveries`;
    expect(await rows(t.deps.db, state)).toEqual([{ status: 'done', left_out_at: null, left_out_reason: null }]);
  });

  it('one that lost its message to another that is still at it leaves the lease alone', async () => {
    await wait(configId, ['later']);
    const [slow] = await lease();
    later(leaseMs + 1);
    const [other] = await lease();
    if (!(slow && other)) throw new Error('The message was not leased twice.');
    await processLeased(t.deps, slow);
    expect(await states()).toEqual([{ key: 'later', status: 'pending', attempts: 2, error: null }]);
    await processLeased(t.deps, other);
    expect(await states()).toEqual([{ key: 'later', status: 'pending', attempts: 2, error: 'Not yet.' }]);
  });

  it('begins no more when the process stops, and gives back what it took', async () => {
    const second = await createConfig(t.deps, null, { system: 'nayax', name: 'Others', settings: {} });
    await wait(configId, ['S1', 'S2']);
    await wait(second.id, ['S3', 'stop']);
    await wait(
      second.id,
      Array.from({ length: 120 }, (_, n) => `B${n}`),
    );
    let stopped = Promise.resolve();
    onStop = () => {
      stopped = stopBackground(t.deps);
    };
    await processDue(t.deps);
    await stopped;
    const [first, next, ...others] = await states();
    expect([first, next]).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(others).toHaveLength(122);
    expect(others.filter(({ status, attempts }) => status !== 'pending' || attempts !== 0)).toEqual([]);
    // The next process finds all of them due.
    expect(await lease()).toHaveLength(100);
    expect(await lease()).toHaveLength(22);
  });
});
