import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { VendorError } from '../../connectors/connector.ts';
import { rows } from '../db/database.ts';
import { getConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildSlot } from '../testing/factories.ts';
import { runSync } from './service.ts';
import { partnerWith } from './testing/partner.ts';
import { HeldOff } from './vendor-fetch.ts';

onEachDatabase('Sync engine', (open) => {
  const engine = partnerWith(open);
  const { ledgerOf, marks, sale, device } = engine;

  it('devices become machines and sales are booked once; a second run with nothing new writes nothing', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2'), sale('1')] }],
    };
    const first = await runSync(engine.t.deps, engine.configId);
    expect(first).toMatchObject({ added: 1, sales: 3, booked: 2, held: 0 });
    const before = await marks();
    engine.partner.asked = [];
    const second = await runSync(engine.t.deps, engine.configId);
    expect(second).toMatchObject({ added: 0, updated: 0, booked: 0, held: 0 });
    expect(await marks()).toEqual(before);
    expect(engine.partner.asked.at(-1)?.request.since).toEqual(
      new Date(engine.t.deps.clock.now().getTime() - 15 * 60_000),
    );
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
  });

  it('a run that fails in the middle goes on where it stood, and tells what is wrong until that is over', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }],
    };
    engine.partner.fail = (resource, page) =>
      resource === 'sales' && page === 1 ? new VendorError('nayax', 'down', 'The partner does not answer.') : null;
    await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow('The partner does not answer.');
    const [state] = (await engine.manager.call('GET', '/api/integrations/configs?system=nayax'))
      .json()
      .filter((one: { id: number }) => one.id === engine.configId);
    expect(state).toMatchObject({ status: 'error', problem: 'The partner does not answer.' });
    expect(JSON.stringify(state)).not.toContain('a long secret');
    expect(state.secrets).toEqual({ key: { configured: true, ending: 'ey' } });
    engine.partner.fail = () => null;
    engine.partner.asked = [];
    await runSync(engine.t.deps, engine.configId, ['sales']);
    expect(engine.partner.asked.map(({ request }) => request.cursor)).toEqual([1]);
    expect(await ledgerOf()).toEqual([{ n: 2, units: 2 }]);
    expect((await engine.manager.call('GET', `/api/integrations/configs/${engine.configId}`)).json()).toMatchObject({
      status: 'active',
      problem: null,
    });
  });

  it('what is wrong stays told while nobody is asked: that calls are kept away says less', async () => {
    const silent = 'The partner does not answer at example.com. Check the address.';
    engine.partner.fail = () => new VendorError('nayax', 'down', silent);
    await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow(silent);
    engine.partner.fail = () => new HeldOff('nayax', 'down', 'The partner did not answer lately.');
    await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow('lately');
    expect(await getConfig(engine.t.deps, engine.configId)).toMatchObject({ status: 'error', problem: silent });
  });

  it('a call that a partner lets fail is answered as such, and is no failure of this server', async () => {
    engine.partner.fail = () => new VendorError('nayax', 'down', 'The partner does not answer.');
    const before = engine.t.deps.watch.flow.total();
    const reply = await engine.manager.call('POST', `/api/nayax/configs/${engine.configId}/sync-devices`);
    expect([reply.statusCode, reply.json().detail]).toEqual([503, 'The partner does not answer.']);
    const { requests, failed } = engine.t.deps.watch.flow.total();
    expect([requests - before.requests, failed - before.failed]).toEqual([1, 0]);
  });

  it('a call that fails in this program is a failure of this server, and not told as one of the partner', async () => {
    engine.partner.fail = () => new TypeError('A mistake of ours.');
    const before = engine.t.deps.watch.flow.total();
    const reply = await engine.manager.call('POST', `/api/nayax/configs/${engine.configId}/sync-devices`);
    expect([reply.statusCode, reply.json().detail]).toEqual([503, expect.stringContaining('failed in this program')]);
    expect(engine.t.deps.watch.flow.total().failed - before.failed).toBe(1);
  });

  it('a run that breaks off says what it had stored', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1')] }, { sales: [sale('2')] }],
    };
    engine.partner.fail = (resource, page) =>
      resource === 'sales' && page === 1 ? new VendorError('nayax', 'down', 'It does not answer.') : null;
    await expect(runSync(engine.t.deps, engine.configId)).rejects.toThrow('It does not answer.');
    const list = (await engine.manager.call('GET', `/api/integrations/runs?configId=${engine.configId}`)).json();
    expect(list.rows[0]).toMatchObject({ status: 'failed', recordsProcessed: 2, counts: { devices: 1, booked: 1 } });
  });

  it('sales of a place that nobody linked wait for it; a slot we do not have is held with the reason', async () => {
    engine.partner.pages = {
      devices: [{ devices: [device({ latitude: null, longitude: null })] }],
      sales: [{ sales: [sale('1')] }],
    };
    expect(await runSync(engine.t.deps, engine.configId)).toMatchObject({ added: 0, booked: 0, held: 0 });
    expect(
      await rows(engine.t.deps.db, sql`select outcome from vendor_sales where config_id = ${engine.configId}`),
    ).toEqual([{ outcome: 'waiting' }]);
    // The partner tells the position later: the machine is made, and what waited is booked.
    engine.partner.pages = {
      devices: [{ devices: [device()] }],
      sales: [{ sales: [sale('1', { slotNumber: 'Z9' })] }],
    };
    await engine.t.deps.db.execute(sql`delete from sync_cursors where config_id = ${engine.configId}`);
    await runSync(engine.t.deps, engine.configId, ['devices']);
    const [machine] = await rows<{ id: number }>(
      engine.t.deps.db,
      sql`select id from vending_machines where integration_id = ${`nayax:${engine.configId}`}`,
    );
    await buildSlot(engine.t.deps.db, machine?.id ?? 0, { slotNumber: 'A1' });
    engine.partner.pages.sales = [{ sales: [sale('2', { slotNumber: 'Z9' }), sale('3', { slotNumber: 'a1 ' })] }];
    expect(await runSync(engine.t.deps, engine.configId, ['sales'])).toMatchObject({ booked: 1, held: 1 });
    const held = await rows(
      engine.t.deps.db,
      sql`select reason, explanation from held_records where config_id = ${engine.configId}`,
    );
    expect(held).toEqual([{ reason: 'slot', explanation: 'The machine has no slot Z9 here. Say which slot it is.' }]);
  });

  it('two people at once: the second is told that it is being synced', async () => {
    engine.partner.pages = { devices: [{ devices: [device()] }], sales: [] };
    const both = await Promise.allSettled([
      runSync(engine.t.deps, engine.configId),
      runSync(engine.t.deps, engine.configId),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const runs = await rows(engine.t.deps.db, sql`select status from sync_runs where config_id = ${engine.configId}`);
    expect(runs).toEqual([{ status: 'succeeded' }]);
  });
});
