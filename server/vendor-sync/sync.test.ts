import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Connector, type PullPage, type PullRequest, VendorError } from '../../connectors/connector.ts';
import type { VendorBatch, VendorResource } from '../../domain/integration.ts';
import { rows } from '../db/database.ts';
import { createConfig, getConfig, requireConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { deviceTold, saleTold } from '../testing/vendor.ts';
import { pullSoon, runSync, stopBackground, syncWhatIsDue, takeUpAtStart, untilQuiet } from './service.ts';
import { HeldOff } from './vendor-fetch.ts';

/** A partner whose pages a test writes. */
type Partner = {
  pages: Record<string, VendorBatch[]>;
  asked: { resource: string; request: PullRequest }[];
  fail: (resource: string, page: number) => Error | null;
  /** Answers come when it is done. */
  held?: Promise<void>;
};

function partnerOf(): Partner {
  return { pages: {}, asked: [], fail: () => null };
}

const connectorFor = (partner: Partner): Connector => ({
  manifest: {
    system: 'nayax',
    label: 'The partner',
    basis: 'Made for this test.',
    fields: [{ name: 'key', label: 'Key', kind: 'secret', required: 'Key is required' }],
    resources: ['devices', 'sales'],
    everyMinutes: { devices: 60, sales: 5 },
    backfills: true,
  },
  testConnection: async () => ({ detail: 'It answers.' }),
  pull: async (resource: VendorResource, request): Promise<PullPage> => {
    partner.asked.push({ resource, request });
    const at = typeof request.cursor === 'number' ? request.cursor : 0;
    const problem = partner.fail(resource, at);
    if (problem) throw problem;
    await partner.held;
    const pages = partner.pages[resource] ?? [];
    const batch = pages[at] ?? {};
    return { batch, cursor: Math.min(at + 1, pages.length), more: at + 1 < pages.length };
  },
});

onEachDatabase('Sync engine', (open) => {
  let t: TestApp;
  let manager: Person;
  let admin: Person;
  let partner: Partner;
  let configId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, admin } = await oneOfEachRole(t, '101'));
  }, 60_000);
  afterAll(() => t.close());
  beforeEach(async () => {
    partner = partnerOf();
    t.deps.connectors = [connectorFor(partner)];
    configId = (
      await createConfig(t.deps, null, { system: 'nayax', name: 'Ours', settings: { key: 'a long secret key' } })
    ).id;
  });

  const ledgerOf = () =>
    rows<{ n: number; units: number }>(
      t.deps.db,
      sql`select count(*)::int as n, coalesce(sum(quantity), 0)::int as units from sales where source = ${`vendor:${configId}`}`,
    );
  /** Which transaction wrote each row last: the same marks before and after say that nothing was written. */
  const marks = () =>
    rows(
      t.deps.db,
      sql`select 'device' as kind, id, xmin::text from vendor_devices union all select 'sale', id, xmin::text from vendor_sales
          union all select 'machine', id, xmin::text from vending_machines union all select 'slot', id, xmin::text from vending_machine_inventory
          union all select 'sum', 0, xmin::text from sales_daily order by 1, 2, 3`,
    );
  const sale = (id: string, fields = {}) => saleTold({ vendorId: id, deviceId: `D-${configId}`, configId, ...fields });
  const device = (fields = {}) =>
    deviceTold({
      vendorId: `D-${configId}`,
      integrationId: `nayax:${configId}`,
      machineNumber: `N-${configId}`,
      name: `Machine ${configId}`,
      latitude: String(40 + configId / 10),
      ...fields,
    });

  it('a run that the partner makes wait for long keeps its configuration to itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let answer = (): void => {};
      partner.held = new Promise((resolve) => {
        answer = resolve;
      });
      const waiting = runSync(t.deps, configId);
      await expect.poll(() => partner.asked.length).toBe(1);
      const begun = t.deps.clock.now();
      t.setNow(new Date(begun.getTime() + 2 * 60_000));
      vi.advanceTimersByTime(60_000);
      const leaseMs = async (): Promise<number> => {
        const [run] = await rows<{ at: string }>(
          t.deps.db,
          sql`select lease_until as at from sync_runs where config_id = ${configId} and status = 'running'`,
        );
        return Date.parse(run?.at ?? '') - begun.getTime();
      };
      await expect.poll(leaseMs).toBe(5 * 60_000);
      t.setNow(new Date(begun.getTime() + 4 * 60_000));
      await expect(runSync(t.deps, configId)).rejects.toThrow();
      answer();
      await waiting;
      expect(partner.asked.map(({ resource }) => resource)).toEqual(['devices', 'sales']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('devices become machines and sales are booked once; a second run with nothing new writes nothing', async () => {
    partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2'), sale('1')] }],
    };
    const first = await runSync(t.deps, configId);
    expect(first).toMatchObject({ added: 1, sales: 3, booked: 2, held: 0 });
    const before = await marks();
    partner.asked = [];
    const second = await runSync(t.deps, configId);
    expect(second).toMatchObject({ added: 0, updated: 0, booked: 0, held: 0 });
    expect(await marks()).toEqual(before);
    expect(partner.asked.at(-1)?.request.since).toEqual(new Date(t.deps.clock.now().getTime() - 15 * 60_000));
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
  });

  it('a run that fails in the middle goes on where it stood, and tells what is wrong until that is over', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }] };
    partner.fail = (resource, page) =>
      resource === 'sales' && page === 1 ? new VendorError('nayax', 'down', 'The partner does not answer.') : null;
    await expect(runSync(t.deps, configId)).rejects.toThrow('The partner does not answer.');
    const [state] = (await manager.call('GET', '/api/integrations/configs?system=nayax'))
      .json()
      .filter((one: { id: number }) => one.id === configId);
    expect(state).toMatchObject({ status: 'error', problem: 'The partner does not answer.' });
    expect(JSON.stringify(state)).not.toContain('a long secret');
    expect(state.secrets).toEqual({ key: { configured: true, ending: 'ey' } });
    partner.fail = () => null;
    partner.asked = [];
    await runSync(t.deps, configId, ['sales']);
    expect(partner.asked.map(({ request }) => request.cursor)).toEqual([1]);
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
    expect((await manager.call('GET', `/api/integrations/configs/${configId}`)).json()).toMatchObject({
      status: 'active',
      problem: null,
    });
  });

  it('what is wrong stays told while nobody is asked: that calls are kept away says less', async () => {
    const silent = 'The partner does not answer at example.com. Check the address.';
    partner.fail = () => new VendorError('nayax', 'down', silent);
    await expect(runSync(t.deps, configId)).rejects.toThrow(silent);
    partner.fail = () => new HeldOff('nayax', 'down', 'The partner did not answer lately.');
    await expect(runSync(t.deps, configId)).rejects.toThrow('lately');
    expect(await getConfig(t.deps, configId)).toMatchObject({ status: 'error', problem: silent });
  });

  it('a call that a partner lets fail is answered as such, and is no failure of this server', async () => {
    partner.fail = () => new VendorError('nayax', 'down', 'The partner does not answer.');
    const before = t.deps.watch.flow.total();
    const reply = await manager.call('POST', `/api/nayax/configs/${configId}/sync-devices`);
    expect([reply.statusCode, reply.json().detail]).toEqual([503, 'The partner does not answer.']);
    const { requests, failed } = t.deps.watch.flow.total();
    expect([requests - before.requests, failed - before.failed]).toEqual([1, 0]);
  });

  it('a call that fails in this program is a failure of this server, and not told as one of the partner', async () => {
    partner.fail = () => new TypeError('A mistake of ours.');
    const before = t.deps.watch.flow.total();
    const reply = await manager.call('POST', `/api/nayax/configs/${configId}/sync-devices`);
    expect([reply.statusCode, reply.json().detail]).toEqual([503, expect.stringContaining('failed in this program')]);
    expect(t.deps.watch.flow.total().failed - before.failed).toBe(1);
  });

  it('at a start nothing can be at work in an embedded database; another process may be in PostgreSQL', async () => {
    const { db, clock, database } = t.deps;
    const until = new Date(clock.now().getTime() + 120_000).toISOString();
    await db.execute(sql`insert into sync_runs (config_id, system, job_type, cause, resources, status, lease_until)
      values (${configId}, 'nayax', 'all', 'manual', '{sales}', 'running', ${until})`);
    await takeUpAtStart(t.deps);
    const found = await rows<{ status: string }>(
      db,
      sql`select status from sync_runs where config_id = ${configId} and cause = 'manual' order by id`,
    );
    const isAlone = database.kind === 'embedded';
    expect(found.map((run) => run.status)).toEqual(isAlone ? ['abandoned', 'pending'] : ['running']);
  });

  it('a run whose process went away is taken up by the timetable; nothing is lost or doubled', async () => {
    partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }, { sales: [sale('3')] }],
    };
    await runSync(t.deps, configId, ['devices']);
    const { db, clock } = t.deps;
    // As the process left it: at work, the first page stored, the lease not renewed.
    await db.execute(sql`insert into sync_runs (config_id, system, job_type, cause, resources, since, status, lease_until, walk)
      values (${configId}, 'nayax', 'backfill', 'backfill', '{sales}', ${new Date(0).toISOString()}, 'running',
        ${new Date(clock.now().getTime() - 1).toISOString()}, '{"sales": {"cursor": 1, "done": false}}')`);
    partner.asked = [];
    await syncWhatIsDue(t.deps);
    await untilQuiet(t.deps);
    const found = await rows<{ status: string }>(
      db,
      sql`select status from sync_runs where config_id = ${configId} and cause = 'backfill' order by id`,
    );
    expect(found.map((run) => run.status)).toEqual(['abandoned', 'succeeded']);
    const walked = partner.asked.filter(({ request }) => request.since?.getTime() === 0);
    expect(walked.map(({ request }) => request.cursor)).toEqual([1, 2]);
    await runSync(t.deps, configId, ['sales']);
    expect(await ledgerOf()).toEqual([{ n: 3, units: 3 }]);
  });

  it('a run that its process leaves on the way out is not done: whoever waits is told, and it is taken up where it stood', async () => {
    const leaving = { ...t.deps };
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }] };
    partner.fail = (resource, page) => {
      if (resource !== 'sales' || page === 0) return null;
      void stopBackground(leaving);
      return new Error('This operation was aborted');
    };
    const sentence = 'The server is being stopped. The sync goes on by itself when it runs again.';
    await expect(runSync(leaving, configId)).rejects.toMatchObject({ code: 'unavailable', message: sentence });
    const newest = async () =>
      (await manager.call('GET', `/api/integrations/runs?configId=${configId}`)).json().rows[0];
    expect(await newest()).toMatchObject({ status: 'pending', completedAt: null, errorCount: 0, message: null });
    expect(await getConfig(t.deps, configId)).toMatchObject({ status: 'active', problem: null });
    partner.fail = () => null;
    await syncWhatIsDue(t.deps);
    await untilQuiet(t.deps);
    expect(await newest()).toMatchObject({ status: 'succeeded', counts: { devices: 1, sales: 2 } });
    const asked = partner.asked.filter(({ resource }) => resource === 'sales');
    expect(asked.map(({ request }) => request.cursor)).toEqual([null, 1, 1]);
  });

  it('the look back of the night comes with the first night, not right after a configuration is made', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }] };
    await runSync(t.deps, configId);
    const nightly = () =>
      rows(t.deps.db, sql`select id from sync_runs where config_id = ${configId} and cause = 'nightly'`);
    const due = async (hours: number) => {
      t.setNow(new Date(t.deps.clock.now().getTime() + hours * 3_600_000));
      await t.deps.db.execute(sql`update sync_cursors set next_due_at = 'infinity' where config_id = ${configId}`);
      await syncWhatIsDue(t.deps);
      await untilQuiet(t.deps);
    };
    await due(0);
    expect(await nightly()).toHaveLength(0);
    await due(24);
    expect(await nightly()).toHaveLength(1);
    await due(1);
    expect(await nightly()).toHaveLength(1);
    t.setNow(new Date(t.deps.clock.now().getTime() - 25 * 3_600_000));
  });

  it('a look back of the night that fails is made again an hour later, and one that a person stops is not', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }] };
    await runSync(t.deps, configId);
    const start = t.deps.clock.now();
    const nightly = async () =>
      (
        await rows<{ status: string }>(
          t.deps.db,
          sql`select status from sync_runs where config_id = ${configId} and cause = 'nightly' order by id`,
        )
      ).map(({ status }) => status);
    const due = async (hours: number) => {
      t.setNow(new Date(t.deps.clock.now().getTime() + hours * 3_600_000));
      await t.deps.db.execute(sql`update sync_cursors set next_due_at = 'infinity' where config_id = ${configId}`);
      await syncWhatIsDue(t.deps);
      await untilQuiet(t.deps);
    };
    try {
      partner.fail = () => new VendorError('nayax', 'down', 'The partner does not answer.');
      await due(24);
      await due(0.5);
      expect(await nightly()).toEqual(['failed']);
      await due(0.6);
      expect(await nightly()).toEqual(['failed', 'failed']);
      partner.fail = () => null;
      await due(1.1);
      await due(1.1);
      expect(await nightly()).toEqual(['failed', 'failed', 'succeeded']);
      partner.fail = () => new VendorError('nayax', 'down', 'The partner does not answer.');
      await due(24);
      await t.deps.db.execute(
        sql`update sync_runs set status = 'cancelled' where status = 'failed' and id = (select max(id) from sync_runs)`,
      );
      await due(2);
      expect((await nightly()).slice(3)).toEqual(['cancelled']);
    } finally {
      t.setNow(start);
    }
  });

  it('what reads again a part of the time since the last sync does not stand for the rest of it', async () => {
    await runSync(t.deps, configId);
    const lastGood = '2026-03-01T10:00:00.000Z';
    await t.deps.db.execute(sql`update sync_cursors set last_good_at = ${lastGood} where config_id = ${configId}`);
    const reply = await manager.call('POST', `/api/integrations/configs/${configId}/backfill`, {
      body: { from: '2026-03-10' },
    });
    expect(reply.statusCode, reply.body).toBe(202);
    await untilQuiet(t.deps);
    partner.asked = [];
    await runSync(t.deps, configId, ['sales']);
    expect(partner.asked.map(({ request }) => request.since)).toEqual([new Date('2026-03-01T09:45:00Z')]);
  });

  it('a backfill reads from a day on beside the place where new records begin, and counts nothing twice', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1'), sale('2')] }] };
    await runSync(t.deps, configId);
    partner.asked = [];
    const reply = await manager.call('POST', `/api/integrations/configs/${configId}/backfill`, {
      body: { from: '2026-03-01' },
    });
    expect(reply.statusCode).toBe(202);
    await untilQuiet(t.deps);
    expect(partner.asked.map(({ request }) => request)).toEqual([
      { cursor: null, since: new Date('2026-03-01T05:00:00Z') },
    ]);
    const run = (await manager.call('GET', `/api/integrations/runs/${reply.json().id}`)).json();
    expect(run).toMatchObject({ status: 'succeeded', counts: { booked: 0, unchanged: 2 } });
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
  });

  it('a person stops a run: what was read stays, and no further page is stored', async () => {
    partner.pages = {
      devices: [{ devices: [device()] }],
      sales: Array.from({ length: 5 }, (_, at) => ({ sales: [sale(String(at))] })),
    };
    let stopped: Promise<unknown> = Promise.resolve();
    const inner = connectorFor(partner);
    const stopping: Connector = {
      ...inner,
      pull: async (resource, request, context) => {
        if (resource === 'sales' && request.cursor === 1) {
          // A page is asked for while the one before is stored.
          await expect.poll(async () => (await ledgerOf())[0]?.n).toBe(1);
          const [open] = await rows<{ id: number }>(
            t.deps.db,
            sql`select id from sync_runs where config_id = ${configId} and status = 'running'`,
          );
          stopped = manager.call('POST', `/api/integrations/runs/${open?.id}/cancel`);
          await stopped;
        }
        return inner.pull(resource, request, context);
      },
    };
    t.deps.connectors = [stopping];
    await expect(runSync(t.deps, configId)).rejects.toThrow('Somebody stopped this sync');
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
    const list = (await manager.call('GET', `/api/integrations/runs?configId=${configId}`)).json();
    expect(list.rows[0]).toMatchObject({ status: 'cancelled', counts: { booked: 2 } });
  });

  it('a run that its partner makes wait says until when; stopped then, it ends and does not begin anew by itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const outbound = t.deps.outbound;
    t.deps.outbound = async () => new Response('', { status: 429, headers: { 'retry-after': '120' } });
    try {
      const inner = connectorFor(partner);
      t.deps.connectors = [
        {
          ...inner,
          pull: async (resource, request, context) => {
            if (resource === 'sales') await context.fetch('https://partner.example/sales');
            return inner.pull(resource, request, context);
          },
        },
      ];
      partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }] };
      const waiting = runSync(t.deps, configId);
      const newest = async () =>
        (await manager.call('GET', `/api/integrations/runs?configId=${configId}`)).json().rows[0];
      const until = new Date(t.deps.clock.now().getTime() + 120_000).toISOString();
      await expect.poll(async () => (await newest()).progress?.waitsUntil).toBe(until);
      expect(await newest()).toMatchObject({ status: 'running', isStopping: false });
      const { id } = await newest();
      const told = (await manager.call('POST', `/api/integrations/runs/${id}/cancel`)).json();
      expect(told).toMatchObject({ status: 'running', isStopping: true });
      vi.advanceTimersByTime(10_000);
      await expect(waiting).rejects.toThrow('Somebody stopped this sync');
      expect(await newest()).toMatchObject({ status: 'cancelled', isStopping: false, errorCount: 0 });
      await syncWhatIsDue(t.deps);
      await untilQuiet(t.deps);
      expect((await newest()).id).toBe(id);
    } finally {
      vi.useRealTimers();
      t.deps.outbound = outbound;
    }
  });

  it('a configuration that is taken away or switched off in the middle of a run is read no further', async () => {
    for (const end of ['remove', 'off']) {
      const { id } = await createConfig(t.deps, null, {
        system: 'nayax',
        name: 'Short',
        settings: { key: 'a long key' },
      });
      const before = partner.asked.length;
      partner.pages = { sales: Array.from({ length: 9 }, (_, n) => ({ sales: [sale(`${end}-${n}`)] })) };
      let answer = (): void => {};
      partner.held = new Promise((resolve) => {
        answer = resolve;
      });
      const run = await manager.call('POST', `/api/integrations/configs/${id}/sync`, {
        body: { resources: ['sales'] },
      });
      await expect.poll(() => partner.asked.length).toBeGreaterThan(before);
      const path = `/api/integrations/configs/${id}`;
      const reply = await (end === 'off'
        ? manager.call('PUT', path, { body: { isActive: false } })
        : admin.call('DELETE', path));
      expect(reply.statusCode).toBe(200);
      answer();
      await untilQuiet(t.deps);
      const told = await rows(t.deps.db, sql`select vendor_id from vendor_sales where config_id = ${id}`);
      const [ended] = await rows(
        t.deps.db,
        sql`select status from sync_runs where id = ${(run.json() as { id: number }).id}`,
      );
      expect([told.length, ended]).toEqual([1, { status: 'cancelled' }]);
    }
  });

  it('a run that waits for a configuration which is taken away meanwhile ends, and is not taken up for ever', async () => {
    await t.deps.db.execute(
      sql`insert into sync_runs (config_id, system, job_type, cause, resources, status) values (${configId}, 'nayax', 'backfill', 'backfill', '{sales}', 'pending')`,
    );
    expect((await admin.call('DELETE', `/api/integrations/configs/${configId}`)).statusCode).toBe(200);
    await syncWhatIsDue(t.deps);
    await untilQuiet(t.deps);
    const found = await rows(
      t.deps.db,
      sql`select status, (select count(*)::int from sync_cursors c where c.config_id = r.config_id) as read
          from sync_runs r where config_id = ${configId}`,
    );
    expect(found).toEqual([{ status: 'cancelled', read: 0 }]);
  });

  it('what a message asks for while it is being read is read once more', async () => {
    partner.pages = { sales: [{ sales: [sale('before')] }] };
    let answer = (): void => {};
    partner.held = new Promise((resolve) => {
      answer = resolve;
    });
    const reading = runSync(t.deps, configId);
    await expect.poll(() => partner.asked.filter(({ resource }) => resource === 'devices').length).toBe(1);
    answer();
    await reading;
    partner.held = new Promise((resolve) => {
      answer = resolve;
    });
    const again = runSync(t.deps, configId, ['sales']);
    await expect.poll(() => partner.asked.filter(({ resource }) => resource === 'sales').length).toBe(2);
    t.setNow(new Date(t.deps.clock.now().getTime() + 1_000));
    await pullSoon(t.deps, await requireConfig(t.deps.db, configId), ['sales']);
    answer();
    await again;
    await syncWhatIsDue(t.deps);
    await untilQuiet(t.deps);
    expect(partner.asked.filter(({ resource }) => resource === 'sales')).toHaveLength(3);
    await syncWhatIsDue(t.deps);
    await untilQuiet(t.deps);
    expect(partner.asked.filter(({ resource }) => resource === 'sales')).toHaveLength(3);
  });

  it('a run that breaks off says what it had stored', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }] };
    partner.fail = (resource, page) =>
      resource === 'sales' && page === 1 ? new VendorError('nayax', 'down', 'It does not answer.') : null;
    await expect(runSync(t.deps, configId)).rejects.toThrow('It does not answer.');
    const list = (await manager.call('GET', `/api/integrations/runs?configId=${configId}`)).json();
    expect(list.rows[0]).toMatchObject({ status: 'failed', recordsProcessed: 2, counts: { devices: 1, booked: 1 } });
  });

  it('a person stops a run at the last page of a kind: the next kind is not read', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }] };
    const inner = connectorFor(partner);
    const stopping: Connector = {
      ...inner,
      pull: async (resource, request, context) => {
        if (resource === 'devices') {
          const [open] = await rows<{ id: number }>(
            t.deps.db,
            sql`select id from sync_runs where config_id = ${configId} and status = 'running'`,
          );
          await manager.call('POST', `/api/integrations/runs/${open?.id}/cancel`);
        }
        return inner.pull(resource, request, context);
      },
    };
    t.deps.connectors = [stopping];
    await expect(runSync(t.deps, configId)).rejects.toThrow('Somebody stopped this sync');
    expect(await ledgerOf()).toEqual([{ n: 0, units: 0 }]);
    const list = (await manager.call('GET', `/api/integrations/runs?configId=${configId}`)).json();
    expect(list.rows[0]).toMatchObject({ status: 'cancelled', counts: { devices: 1, sales: 0 } });
  });

  it('sales of a place that nobody linked wait for it; a slot we do not have is held with the reason', async () => {
    partner.pages = {
      devices: [{ devices: [device({ latitude: null, longitude: null })] }],
      sales: [{ sales: [sale('1')] }],
    };
    expect(await runSync(t.deps, configId)).toMatchObject({ added: 0, booked: 0, held: 0 });
    expect(await rows(t.deps.db, sql`select outcome from vendor_sales where config_id = ${configId}`)).toEqual([
      { outcome: 'waiting' },
    ]);
    // The partner tells the position later: the machine is made, and what waited is booked.
    partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1', { slotNumber: 'Z9' })] }] };
    await t.deps.db.execute(sql`delete from sync_cursors where config_id = ${configId}`);
    await runSync(t.deps, configId, ['devices']);
    const [machine] = await rows<{ id: number }>(
      t.deps.db,
      sql`select id from vending_machines where integration_id = ${`nayax:${configId}`}`,
    );
    await buildSlot(t.deps.db, machine?.id ?? 0, { slotNumber: 'A1' });
    partner.pages.sales = [{ sales: [sale('2', { slotNumber: 'Z9' }), sale('3', { slotNumber: 'a1 ' })] }];
    expect(await runSync(t.deps, configId, ['sales'])).toMatchObject({ booked: 1, held: 1 });
    const held = await rows(t.deps.db, sql`select reason, explanation from held_records where config_id = ${configId}`);
    expect(held).toEqual([{ reason: 'slot', explanation: 'The machine has no slot Z9 here. Say which slot it is.' }]);
  });

  it('two people at once: the second is told that it is being synced', async () => {
    partner.pages = { devices: [{ devices: [device()] }], sales: [] };
    const both = await Promise.allSettled([runSync(t.deps, configId), runSync(t.deps, configId)]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const runs = await rows(t.deps.db, sql`select status from sync_runs where config_id = ${configId}`);
    expect(runs).toEqual([{ status: 'succeeded' }]);
  });
});
