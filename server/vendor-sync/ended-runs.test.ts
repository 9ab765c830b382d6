import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { rows } from '../db/database.ts';
import { createConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { runSync, syncWhatIsDue, untilQuiet } from './service.ts';

import { connectorFor, partnerWith } from './testing/partner.ts';

onEachDatabase('Runs that somebody ends', (open) => {
  const engine = partnerWith(open);
  const { ledgerOf, sale, device } = engine;

  it('a person stops a run: what was read stays, and no further page is stored', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: Array.from({ length: 5 }, (_, at) => ({ sales: [sale(String(at))] })),
    };
    let stopped: Promise<unknown> = Promise.resolve();
    const inner = connectorFor(engine.partner);
    const stopping: Connector = {
      ...inner,
      pull: async (resource, request, context) => {
        if (resource === 'sales' && request.cursor === 1) {
          // A page is asked for while the one before is stored.
          await expect.poll(async () => (await ledgerOf())[0]?.n).toBe(1);
          const [open] = await rows<{ id: number }>(
            engine.t.deps.db,
            sql`select id from sync_runs where config_id = ${engine.configId} and status = 'running'`,
          );
          stopped = engine.manager.call('POST', `/api/integrations/runs/${open?.id}/cancel`);
          await stopped;
        }
        return inner.pull(resource, request, context);
      },
    };
    engine.t.deps.connectors = [stopping];
    await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow('Somebody stopped this sync');
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
    const list = (await engine.manager.call('GET', `/api/integrations/runs?configId=${engine.configId}`)).json();
    expect(list.rows[0]).toMatchObject({ status: 'cancelled', counts: { booked: 2 } });
  });

  it('a run that its partner makes wait says until when; stopped then, it ends and does not begin anew by itself', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const outbound = engine.t.deps.outbound;
    engine.t.deps.outbound = async () => new Response('', { status: 429, headers: { 'retry-after': '120' } });
    try {
      const inner = connectorFor(engine.partner);
      engine.t.deps.connectors = [
        {
          ...inner,
          pull: async (resource, request, context) => {
            if (resource === 'sales') await context.fetch('https://partner.example/sales');
            return inner.pull(resource, request, context);
          },
        },
      ];
      engine.partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }] };
      const waiting = runSync(engine.t.deps, engine.configId);
      const newest = async () =>
        (await engine.manager.call('GET', `/api/integrations/runs?configId=${engine.configId}`)).json().rows[0];
      const until = new Date(engine.t.deps.clock.now().getTime() + 120_000).toISOString();
      await expect.poll(async () => (await newest()).progress?.waitsUntil).toBe(until);
      expect(await newest()).toMatchObject({ status: 'running', isStopping: false });
      const { id } = await newest();
      const told = (await engine.manager.call('POST', `/api/integrations/runs/${id}/cancel`)).json();
      expect(told).toMatchObject({ status: 'running', isStopping: true });
      vi.advanceTimersByTime(10_000);
      await expect(waiting).rejects.toThrow('Somebody stopped this sync');
      expect(await newest()).toMatchObject({ status: 'cancelled', isStopping: false, errorCount: 0 });
      await syncWhatIsDue(engine.t.deps);
      await untilQuiet(engine.t.deps);
      expect((await newest()).id).toBe(id);
    } finally {
      vi.useRealTimers();
      engine.t.deps.outbound = outbound;
    }
  });

  it('a configuration that is taken away or switched off in the middle of a run is read no further', async () => {
    for (const end of ['remove', 'off']) {
      const { id } = await createConfig(engine.t.deps, null, {
        system: 'nayax',
        name: 'Short',
        settings: { key: 'a long key' },
      });
      const before = engine.partner.asked.length;
      engine.partner.pages = { sales: Array.from({ length: 9 }, (_, n) => ({ sales: [sale(`${end}-${n}`)] })) };
      let answer = (): void => {};
      engine.partner.held = new Promise((resolve) => {
        answer = resolve;
      });
      const run = await engine.manager.call('POST', `/api/integrations/configs/${id}/sync`, {
        body: { resources: ['sales'] },
      });
      await expect.poll(() => engine.partner.asked.length).toBeGreaterThan(before);
      const path = `/api/integrations/configs/${id}`;
      const reply = await (end === 'off'
        ? engine.manager.call('PUT', path, { body: { isActive: false } })
        : engine.admin.call('DELETE', path));
      expect(reply.statusCode).toBe(200);
      answer();
      await untilQuiet(engine.t.deps);
      const told = await rows(engine.t.deps.db, sql`select vendor_id from vendor_sales where config_id = ${id}`);
      const [ended] = await rows(
        engine.t.deps.db,
        sql`select status from sync_runs where id = ${(run.json() as { id: number }).id}`,
      );
      expect([told.length, ended]).toEqual([1, { status: 'cancelled' }]);
    }
  });

  it('a run that waits for a configuration which is taken away meanwhile ends, and is not taken up for ever', async () => {
    await engine.t.deps.db.execute(
      sql`insert into sync_runs (config_id, system, job_type, cause, resources, status) values (${engine.configId}, 'nayax', 'backfill', 'backfill', '{sales}', 'pending')`,
    );
    expect((await engine.admin.call('DELETE', `/api/integrations/configs/${engine.configId}`)).statusCode).toBe(200);
    await syncWhatIsDue(engine.t.deps);
    await untilQuiet(engine.t.deps);
    const found = await rows(
      engine.t.deps.db,
      sql`select status, (select count(*)::int from sync_cursors c where c.config_id = r.config_id) as read
          from sync_runs r where config_id = ${engine.configId}`,
    );
    expect(found).toEqual([{ status: 'cancelled', read: 0 }]);
  });

  it('a person stops a run at the last page of a kind: the next kind is not read', async () => {
    engine.partner.pages = { devices: [{ devices: [device()] }], sales: [{ sales: [sale('1')] }] };
    const inner = connectorFor(engine.partner);
    const stopping: Connector = {
      ...inner,
      pull: async (resource, request, context) => {
        if (resource === 'devices') {
          const [open] = await rows<{ id: number }>(
            engine.t.deps.db,
            sql`select id from sync_runs where config_id = ${engine.configId} and status = 'running'`,
          );
          await engine.manager.call('POST', `/api/integrations/runs/${open?.id}/cancel`);
        }
        return inner.pull(resource, request, context);
      },
    };
    engine.t.deps.connectors = [stopping];
    await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow('Somebody stopped this sync');
    expect(await ledgerOf()).toEqual([{ n: 0, units: 0 }]);
    const list = (await engine.manager.call('GET', `/api/integrations/runs?configId=${engine.configId}`)).json();
    expect(list.rows[0]).toMatchObject({ status: 'cancelled', counts: { devices: 1, sales: 0 } });
  });
});
