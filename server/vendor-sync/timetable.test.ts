import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { VendorError } from '../../connectors/connector.ts';
import { rows } from '../db/database.ts';
import { getConfig, requireConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { pullSoon, runSync, stopBackground, syncWhatIsDue, takeUpAtStart, untilQuiet } from './service.ts';
import { partnerWith } from './testing/partner.ts';

onEachDatabase('Timetable of runs', (open) => {
  const engine = partnerWith(open);
  const { ledgerOf, sale, device } = engine;
  /** Begins what the timetable has for so many hours later, and waits for its end. The ordinary runs stay out of it. */
  const due = async (hours: number): Promise<void> => {
    engine.t.setNow(new Date(engine.t.deps.clock.now().getTime() + hours * 3_600_000));
    await engine.t.deps.db.execute(
      sql`update sync_cursors set next_due_at = 'infinity' where config_id = ${engine.configId}`,
    );
    await syncWhatIsDue(engine.t.deps);
    await untilQuiet(engine.t.deps);
  };

  it('a run that the partner makes wait for long keeps its configuration to itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let answer = (): void => {};
      engine.partner.held = new Promise((resolve) => {
        answer = resolve;
      });
      const waiting = runSync(engine.t.deps, engine.configId);
      await expect.poll(() => engine.partner.asked.length).toBe(1);
      const begun = engine.t.deps.clock.now();
      engine.t.setNow(new Date(begun.getTime() + 2 * 60_000));
      vi.advanceTimersByTime(60_000);
      const leaseMs = async (): Promise<number> => {
        const [run] = await rows<{ at: string }>(
          engine.t.deps.db,
          sql`select lease_until as at from sync_runs where config_id = ${engine.configId} and status = 'running'`,
        );
        return Date.parse(run?.at ?? '') - begun.getTime();
      };
      await expect.poll(leaseMs).toBe(5 * 60_000);
      engine.t.setNow(new Date(begun.getTime() + 4 * 60_000));
      await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow();
      answer();
      await waiting;
      expect(engine.partner.asked.map(({ resource }) => resource)).toEqual(['devices', 'sales']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('at a start nothing can be at work in an embedded database; another process may be in PostgreSQL', async () => {
    const { db, clock, database } = engine.t.deps;
    const until = new Date(clock.now().getTime() + 120_000).toISOString();
    await db.execute(sql`insert into sync_runs (config_id, system, job_type, cause, resources, status, lease_until)
      values (${engine.configId}, 'nayax', 'all', 'manual', '{sales}', 'running', ${until})`);
    await takeUpAtStart(engine.t.deps);
    const found = await rows<{ status: string }>(
      db,
      sql`select status from sync_runs where config_id = ${engine.configId} and cause = 'manual' order by id`,
    );
    const isAlone = database.kind === 'embedded';
    expect(found.map((run) => run.status)).toEqual(isAlone ? ['abandoned', 'pending'] : ['running']);
  });

  it('a run whose process went away is taken up by the timetable; nothing is lost or doubled', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }, { sales: [sale('3')] }],
    };
    await runSync(engine.t.deps, engine.configId, ['devices']);
    const { db, clock } = engine.t.deps;
    // As the process left it: at work, the first page stored, the lease not renewed.
    await db.execute(sql`insert into sync_runs (config_id, system, job_type, cause, resources, since, status, lease_until, walk)
      values (${engine.configId}, 'nayax', 'backfill', 'backfill', '{sales}', ${new Date(0).toISOString()}, 'running',
        ${new Date(clock.now().getTime() - 1).toISOString()}, '{"sales": {"cursor": 1, "done": false}}')`);
    engine.partner.asked = [];
    await syncWhatIsDue(engine.t.deps);
    await untilQuiet(engine.t.deps);
    const found = await rows<{ status: string }>(
      db,
      sql`select status from sync_runs where config_id = ${engine.configId} and cause = 'backfill' order by id`,
    );
    expect(found.map((run) => run.status)).toEqual(['abandoned', 'succeeded']);
    const walked = engine.partner.asked.filter(({ request }) => request.since?.getTime() === 0);
    expect(walked.map(({ request }) => request.cursor)).toEqual([1, 2]);
    await runSync(engine.t.deps, engine.configId, ['sales']);
    expect(await ledgerOf()).toEqual([{ n: 3, units: 3 }]);
  });

  it('a run that its process leaves on the way out is not done: whoever waits is told, and it is taken up where it stood', async () => {
    const leaving = { ...engine.t.deps };
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }],
    };
    engine.partner.fail = (resource, page) => {
      if (resource !== 'sales' || page === 0) return null;
      void stopBackground(leaving);
      return new Error('This operation was aborted');
    };
    const sentence = 'The server is being stopped. The sync goes on by itself when it runs again.';
    await expect(runSync(leaving, engine.configId)).rejects.toMatchObject({ code: 'unavailable', message: sentence });
    const newest = async () =>
      (await engine.manager.call('GET', `/api/integrations/runs?configId=${engine.configId}`)).json().rows[0];
    expect(await newest()).toMatchObject({ status: 'pending', completedAt: null, errorCount: 0, message: null });
    expect(await getConfig(engine.t.deps, engine.configId)).toMatchObject({ status: 'active', problem: null });
    engine.partner.fail = () => null;
    await syncWhatIsDue(engine.t.deps);
    await untilQuiet(engine.t.deps);
    expect(await newest()).toMatchObject({ status: 'succeeded', counts: { devices: 1, sales: 2 } });
    const asked = engine.partner.asked.filter(({ resource }) => resource === 'sales');
    expect(asked.map(({ request }) => request.cursor)).toEqual([null, 1, 1]);
  });

  it('the look back of the night comes with the first night, not right after a configuration is made', async () => {
    engine.partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }] };
    await runSync(engine.t.deps, engine.configId);
    const nightly = () =>
      rows(engine.t.deps.db, sql`select id from sync_runs where config_id = ${engine.configId} and cause = 'nightly'`);
    await due(0);
    expect(await nightly()).toHaveLength(0);
    await due(24);
    expect(await nightly()).toHaveLength(1);
    await due(1);
    expect(await nightly()).toHaveLength(1);
    engine.t.setNow(new Date(engine.t.deps.clock.now().getTime() - 25 * 3_600_000));
  });

  it('a look back of the night that fails is made again an hour later, and one that a person stops is not', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }],
    };
    await runSync(engine.t.deps, engine.configId);
    const start = engine.t.deps.clock.now();
    const nightly = async () =>
      (
        await rows<{ status: string }>(
          engine.t.deps.db,
          sql`select status from sync_runs where config_id = ${engine.configId} and cause = 'nightly' order by id`,
        )
      ).map(({ status }) => status);
    try {
      engine.partner.fail = () => new VendorError('nayax', 'down', 'The partner does not answer.');
      await due(24);
      await due(0.5);
      expect(await nightly()).toEqual(['failed']);
      await due(0.6);
      expect(await nightly()).toEqual(['failed', 'failed']);
      engine.partner.fail = () => null;
      await due(1.1);
      await due(1.1);
      expect(await nightly()).toEqual(['failed', 'failed', 'succeeded']);
      engine.partner.fail = () => new VendorError('nayax', 'down', 'The partner does not answer.');
      await due(24);
      await engine.t.deps.db.execute(
        sql`update sync_runs set status = 'cancelled' where status = 'failed' and id = (select max(id) from sync_runs)`,
      );
      await due(2);
      expect((await nightly()).slice(3)).toEqual(['cancelled']);
    } finally {
      engine.t.setNow(start);
    }
  });

  it('what reads again a part of the time since the last sync does not stand for the rest of it', async () => {
    await runSync(engine.t.deps, engine.configId);
    const lastGood = '2026-03-01T10:00:00.000Z';
    await engine.t.deps.db.execute(
      sql`update sync_cursors set last_good_at = ${lastGood} where config_id = ${engine.configId}`,
    );
    const reply = await engine.manager.call('POST', `/api/integrations/configs/${engine.configId}/backfill`, {
      body: { from: '2026-03-10' },
    });
    expect(reply.statusCode, reply.body).toBe(202);
    await untilQuiet(engine.t.deps);
    engine.partner.asked = [];
    await runSync(engine.t.deps, engine.configId, ['sales']);
    expect(engine.partner.asked.map(({ request }) => request.since)).toEqual([new Date('2026-03-01T09:45:00Z')]);
  });

  it('a backfill reads from a day on beside the place where new records begin, and counts nothing twice', async () => {
    engine.partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1'), sale('2')] }] };
    await runSync(engine.t.deps, engine.configId);
    engine.partner.asked = [];
    const reply = await engine.manager.call('POST', `/api/integrations/configs/${engine.configId}/backfill`, {
      body: { from: '2026-03-01' },
    });
    expect(reply.statusCode).toBe(202);
    await untilQuiet(engine.t.deps);
    expect(engine.partner.asked.map(({ request }) => request)).toEqual([
      { cursor: null, since: new Date('2026-03-01T05:00:00Z') },
    ]);
    const run = (await engine.manager.call('GET', `/api/integrations/runs/${reply.json().id}`)).json();
    expect(run).toMatchObject({ status: 'succeeded', counts: { booked: 0, unchanged: 2 } });
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
  });

  it('what a message asks for while it is being read is read once more', async () => {
    engine.partner.pages = { sales: [{ sales: [sale('before')] }] };
    let answer = (): void => {};
    engine.partner.held = new Promise((resolve) => {
      answer = resolve;
    });
    const reading = runSync(engine.t.deps, engine.configId);
    await expect.poll(() => engine.partner.asked.filter(({ resource }) => resource === 'devices').length).toBe(1);
    answer();
    await reading;
    engine.partner.held = new Promise((resolve) => {
      answer = resolve;
    });
    const again = runSync(engine.t.deps, engine.configId, ['sales']);
    await expect.poll(() => engine.partner.asked.filter(({ resource }) => resource === 'sales').length).toBe(2);
    engine.t.setNow(new Date(engine.t.deps.clock.now().getTime() + 1_000));
    await pullSoon(engine.t.deps, await requireConfig(engine.t.deps.db, engine.configId), ['sales']);
    answer();
    await again;
    await syncWhatIsDue(engine.t.deps);
    await untilQuiet(engine.t.deps);
    expect(engine.partner.asked.filter(({ resource }) => resource === 'sales')).toHaveLength(3);
    await syncWhatIsDue(engine.t.deps);
    await untilQuiet(engine.t.deps);
    expect(engine.partner.asked.filter(({ resource }) => resource === 'sales')).toHaveLength(3);
  });
});
