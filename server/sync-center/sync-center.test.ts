import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connector } from '../../connectors/connector.ts';
import { VendorError } from '../../connectors/connector.ts';
import { type IntegrationSystem, integrationSystem, systemLabel, type VendorDevice } from '../../domain/integration.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMarket } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { untilQuiet } from '../vendor-sync/service.ts';
import { latestRunsOf } from './queries.ts';

const systems = integrationSystem.options;

/** Far from each other: places close by would be asked about. */
const nth = (system: IntegrationSystem): number => systems.indexOf(system);

const device = (system: IntegrationSystem, no = 1): VendorDevice => ({
  ...{ vendorId: `d${no}`, locationType: 'vending_machine', integrationId: `${system}:d${no}` },
  ...{ machineNumber: no === 1 ? `VM-${system}` : `VM-${system}-${no}`, name: `Machine of ${system}` },
  ...{ serialNumber: no === 1 ? `SN-${system}` : `SN-${system}-${no}`, model: null, firmware: null },
  ...{ address: `${nth(system) + 10 * (no - 1)} Way`, city: `Town ${nth(system)}`, state: 'PA', zipCode: null },
  ...{ latitude: `4${nth(system)}.1`, longitude: `-${74 + no}.1` },
  ...{ status: 'active', lastSeenAt: null, removed: false, details: {}, raw: {} },
});

/** Holds a partner's answer back: `asked` once it was asked. */
type Held = { system: IntegrationSystem; asked: () => void; answer: Promise<void> };

type Behaviour = { down: Set<string>; held: Held | null };

/** A partner with one machine; while it is in `down` it does not answer. One that is held back tells of a second one, and of more to come. */
const partner = (system: IntegrationSystem, behaviour: Behaviour): Connector => ({
  manifest: {
    ...{ system, label: system, basis: '', fields: [], resources: ['devices'], everyMinutes: {}, backfills: false },
  },
  testConnection: async () => ({ detail: 'here' }),
  pull: async () => {
    if (behaviour.down.has(system)) throw new VendorError(system, 'forbidden', `${system} does not let us read.`);
    if (behaviour.held?.system === system) {
      behaviour.held.asked();
      await behaviour.held.answer;
      return { batch: { devices: [device(system), device(system, 2)] }, cursor: 'next', more: true };
    }
    return { batch: { devices: [device(system)] }, cursor: null, more: false };
  },
});

onEachDatabase('Sync Center', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  const behaviour: Behaviour = { down: new Set(), held: null };
  const { down } = behaviour;

  beforeAll(async () => {
    t = await testApp(open);
    t.deps.connectors = systems.map((system) => partner(system, behaviour));
    ({ manager, worker } = await oneOfEachRole(t, '101'));
    await buildMarket(t.deps.db, { name: 'Made by hand' });
  }, 180_000);
  afterAll(() => t.close());

  const status = async () => (await manager.call('GET', '/api/integration/sync/status')).json();
  const trigger = () => manager.call('POST', '/api/integration/sync/trigger');
  const connect = async (system: string): Promise<number> => {
    const body = { system, name: system, settings: {} };
    const { id } = (await manager.call('POST', '/api/integrations/configs', { body })).json();
    // A sign-in page is beside the point here.
    if (system === 'lightspeed')
      await rows(t.database.db, sql`update integration_configs set tokens = 'sealed' where id = ${id}`);
    return id;
  };

  it('with nothing connected all of them are missing and nothing can be started', async () => {
    expect(await status()).toMatchObject({
      connected: false,
      connectedSystems: [],
      missingConnections: systems,
      totalDevices: 0,
      lastSync: null,
      autoSyncEnabled: false,
    });
    const refused = await trigger();
    expect([refused.statusCode, refused.json().detail]).toEqual([
      409,
      `Connect all systems first. Missing: ${systems.map((system) => systemLabel[system]).join(', ')}.`,
    ]);
    expect((await worker.call('POST', '/api/integration/sync/trigger')).statusCode).toBe(403);
  });

  it('connected, all are read at once: what is told added and changed is what was written', async () => {
    for (const system of systems) await connect(system);
    expect(await status()).toMatchObject({ connected: true, missingConnections: [], autoSyncEnabled: true });
    expect((await trigger()).json()).toEqual({
      success: true,
      devicesAdded: systems.length,
      devicesUpdated: 0,
      failures: [],
      stopped: [],
      busy: [],
    });
    expect(await status()).toMatchObject({ totalDevices: systems.length, lastSync: t.deps.clock.now().toISOString() });
    expect((await trigger()).json()).toMatchObject({ devicesAdded: 0, devicesUpdated: 0 });
  });

  it('one that fails leaves the others on their way, and is no connection until a person puts it right', async () => {
    down.add('moma');
    expect((await trigger()).json()).toMatchObject({
      success: false,
      failures: [{ system: 'moma', message: 'moma does not let us read.' }],
    });
    expect(await status()).toMatchObject({ connected: false, missingConnections: ['moma'] });
    down.clear();
    const [{ id }] = (await manager.call('GET', '/api/integrations/configs?system=moma')).json();
    await manager.call('PUT', `/api/integrations/configs/${id}`, { body: { isActive: true } });
    expect((await status()).connected).toBe(true);
    await manager.call('PUT', `/api/integrations/configs/${id}`, { body: { isActive: false } });
    expect(await status()).toMatchObject({ connected: false, missingConnections: ['moma'] });
    await manager.call('PUT', `/api/integrations/configs/${id}`, { body: { isActive: true } });
  });

  it('Auto-Sync turns the timetable on for every configuration and starts a run of each', async () => {
    const [{ id }] = (await manager.call('GET', '/api/integrations/configs?system=nayax')).json();
    await manager.call('PUT', `/api/integrations/configs/${id}`, { body: { syncEnabled: false } });
    expect((await status()).autoSyncEnabled).toBe(false);
    // As clients send it that name JSON with every call, also with one without a body.
    const headers = { 'content-type': 'application/json' };
    const answer = (await manager.call('POST', '/api/integration/sync/auto-trigger', { headers })).json();
    expect(answer).toEqual({ queued: systems.length, autoSyncEnabled: true });
    await untilQuiet(t.deps);
    expect((await status()).autoSyncEnabled).toBe(true);
    const runs = (await manager.call('GET', `/api/integrations/runs?limit=${systems.length}`)).json();
    expect(new Set(runs.rows.map(({ system }: { system: string }) => system)).size).toBe(systems.length);
  });

  it('Auto-Sync leaves alone what is in maintenance', async () => {
    const [{ id }] = (await manager.call('GET', '/api/integrations/configs?system=nama_vdi')).json();
    const put = (state: string) =>
      manager.call('PUT', `/api/nama-vdi/configs/${id}/status`, { body: { status: state } });
    await put('maintenance');
    expect((await manager.call('POST', '/api/integration/sync/auto-trigger')).json()).toMatchObject({
      queued: systems.length - 1,
    });
    await untilQuiet(t.deps);
    const config = (await manager.call('GET', `/api/integrations/configs/${id}`)).json();
    expect(config).toMatchObject({ status: 'maintenance', syncEnabled: false, nextSync: { when: 'by-hand' } });
    await put('active');
  });

  it('only what a partner tells of is listed, page by page', async () => {
    const list = async (query: string) => (await manager.call('GET', `/api/integration/sync/devices?${query}`)).json();
    const [firstByName] = systems.toSorted();
    const all = await list('limit=2');
    expect([all.total, all.rows.length]).toEqual([systems.length, 2]);
    expect(all.rows[0]).toMatchObject({
      type: 'vending_machine',
      name: `Machine of ${firstByName}`,
      serialNumber: `SN-${firstByName}`,
      integrationSource: firstByName,
      lastSync: expect.any(String),
    });
    const names = [...all.rows, ...(await list(`limit=50&page=${all.next}`)).rows].map(
      ({ name }: { name: string }) => name,
    );
    expect(names).not.toContain('Made by hand');
    expect(new Set(names).size).toBe(systems.length);
    expect((await list('type=market')).total).toBe(0);
    expect((await list('search=nayax')).total).toBe(1);
  });

  it('a place that came in by a file is no synced one, until a partner tells of it', async () => {
    const { db } = t.database;
    const ofFile = { integrationSource: 'import' };
    const [alone, told] = [
      await buildMarket(db, { ...ofFile, name: 'From a file', integrationId: 'import:id:1' }),
      await buildMarket(db, { ...ofFile, name: 'From a file, told of', integrationId: 'import:id:2' }),
    ];
    await rows(
      db,
      sql`insert into vendor_devices (config_id, system, vendor_id, location_type, name, status, content_hash, link, market_id)
          select id, system, 'till-9', 'market', 'Till', 'active', '', 'linked', ${told.id} from integration_configs
          where system = 'lightspeed' limit 1`,
    );
    const listed = (await manager.call('GET', '/api/integration/sync/devices?type=market&limit=50')).json();
    expect(listed.rows).toMatchObject([{ id: told.id, integrationSource: 'lightspeed' }]);
    expect(listed.rows).not.toContainEqual(expect.objectContaining({ id: alone.id }));
    expect((await status()).totalDevices).toBe(systems.length + 1);
  });

  it('one that a person stops is told as stopped, with what it had written by then', async () => {
    const [{ id }] = (await manager.call('GET', '/api/integrations/configs?system=nayax')).json();
    let go = (): void => {};
    const answer = new Promise<void>((resolve) => (go = resolve));
    const asked = new Promise<void>((resolve) => (behaviour.held = { system: 'nayax', asked: resolve, answer }));
    const told = trigger();
    await asked;
    const [open] = (await manager.call('GET', `/api/integrations/runs?configId=${id}&status=open`)).json().rows;
    await manager.call('POST', `/api/integrations/runs/${open.id}/cancel`);
    behaviour.held = null;
    go();
    const expected = { success: false, devicesAdded: 1, devicesUpdated: 0, failures: [], stopped: ['nayax'], busy: [] };
    expect((await told).json()).toEqual(expected);
    const [found] = await rows<{ n: number }>(
      t.database.db,
      sql`select count(*)::int as n from vendor_devices where config_id = ${id} and machine_id is not null`,
    );
    expect(found?.n).toBe(2);
  });

  it('one that is being read already is named: what it brings is not among what is told', async () => {
    const [{ id }] = (await manager.call('GET', '/api/integrations/configs?system=moma')).json();
    let go = (): void => {};
    const answer = new Promise<void>((resolve) => (go = resolve));
    const asked = new Promise<void>((resolve) => (behaviour.held = { system: 'moma', asked: resolve, answer }));
    expect((await manager.call('POST', `/api/integrations/configs/${id}/sync`, { body: {} })).statusCode).toBe(202);
    await asked;
    const told = (await trigger()).json();
    behaviour.held = null;
    go();
    expect(told).toMatchObject({ success: true, devicesAdded: 0, failures: [], stopped: [], busy: ['moma'] });
    await untilQuiet(t.deps);
  });

  const latest = async (who = manager) => (await who.call('GET', '/api/integration/sync/runs')).json();
  const runsOf = async (system: string) =>
    (await latest()).find((one: { system: string }) => one.system === system)?.runs ?? [];
  const addRuns = (system: string, count: number, fields: SQL = sql`'succeeded', 7, 0, '{}'::jsonb`) =>
    rows(
      t.database.db,
      sql`insert into sync_runs (config_id, system, job_type, cause, resources, started_at, completed_at, status, records_processed, error_count, progress)
          select c.id, c.system, 'pull', 'timetable', '{sales}', t.at, t.at + interval '50 seconds', ${fields}
          from integration_configs c, generate_series(1, ${count}) n,
            lateral (select '2026-03-12T10:00:30Z'::timestamptz + n * interval '1 minute' as at) t where c.system = ${system}`,
    );

  it('the last 24 runs of a system are told oldest first, with what each handled; one at work is not among them', async () => {
    await rows(t.database.db, sql`delete from sync_runs where system in ('nayax', 'moma')`);
    expect(await runsOf('nayax')).toEqual([]);
    await addRuns('nayax', 30);
    await addRuns('nayax', 1, sql`'failed', 0, 2, '{"counts": {"held": 3}}'::jsonb`);
    await addRuns('nayax', 1, sql`'running', 5, 0, '{}'::jsonb`);
    const runs = await runsOf('nayax');
    expect(runs).toHaveLength(24);
    expect(runs[0]).toMatchObject({ status: 'succeeded', recordsProcessed: 7, startedAt: '2026-03-12T10:08:30.000Z' });
    expect(runs.at(-1)).toMatchObject({ status: 'failed', errorCount: 2, held: 3 });
    expect((await latest()).map(({ system }: { system: string }) => system)).toEqual(integrationSystem.options);
    expect((await worker.call('GET', '/api/integration/sync/runs')).statusCode).toBe(403);
    await rows(t.database.db, sql`delete from sync_runs where status = 'running'`);
  });

  it('of several configurations of a system the newest runs are told, whichever they are of', async () => {
    await rows(
      t.database.db,
      sql`insert into integration_configs (system, name, settings, public_id) values ('moma', 'Another', '{}', 'another')`,
    );
    await addRuns('moma', 20);
    const runs = await runsOf('moma');
    expect(runs).toHaveLength(24);
    const ids = runs.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => a - b));
    await rows(t.database.db, sql`delete from integration_configs where name = 'Another'`);
  });

  it('however many runs there were, those asked for are found by their index', async () => {
    await addRuns('nayax', 6_000);
    await rows(t.database.db, sql`analyze sync_runs`);
    const plan = await rows<{ 'QUERY PLAN': string }>(t.database.db, sql`explain ${latestRunsOf(24)}`);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('sync_runs_newest');
    expect(lines).not.toContain('Seq Scan on sync_runs');
    await rows(t.database.db, sql`delete from sync_runs where system = 'nayax'`);
  });

  it('of several configurations of a system, the one that has a problem is named', async () => {
    const problemOf = async (system: string) =>
      (await status()).systems.find((one: { system: string }) => one.system === system).problem;
    const moma = sql`update integration_configs set problem = 'It does not answer.' where system = 'moma'`;
    await rows(t.database.db, moma);
    expect(await problemOf('moma')).toBe('It does not answer.');
    const second = { system: 'moma', name: 'Second', settings: {} };
    await manager.call('POST', '/api/integrations/configs', { body: second });
    expect(await problemOf('moma')).toBe('moma: It does not answer.');
    down.add('moma');
    const sentence = 'moma does not let us read.';
    expect((await trigger()).json().failures).toEqual([
      { system: 'moma', message: `moma: ${sentence}` },
      { system: 'moma', message: `Second: ${sentence}` },
    ]);
    down.clear();
  });
});
