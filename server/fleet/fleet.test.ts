import { sql } from 'drizzle-orm';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Depot, Vehicle } from '../../contract/settings.ts';
import { manifest } from '../archive/manifest.ts';
import { atOnce } from '../testing/at-once.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMarket, buildRoute } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const soundsSecret =
  /secret|token|passw|credential|challenge|salt|private|(code|known|state)_hash|wrapped|^(sid|sess|code)$/;
/** Columns that sound like a secret and may be carried away all the same; a table that is not meant here stays at home. */
const harmless = {
  'integration_configs.previous_secrets': 'sealed',
  'integration_configs.previous_secrets_until': 'an instant',
  'integration_configs.secret_hints': 'what the screen shows, too',
  'integration_configs.secrets': 'sealed',
  'integration_configs.tokens': 'sealed',
  'integration_configs.tokens_expire_at': 'an instant',
  'phone_seal_keys.private_key': 'sealed',
  'product_barcodes.code': 'a barcode',
  'sealing_keys.wrapped': 'opened by a key that is not in the database',
  'vendor_alerts.code': 'of a fault',
};

onEachDatabase('settings', (open) => {
  let test: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    test = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(test, '101'));
  });
  afterAll(() => test.close());

  const place = { address: '1 Yard', latitude: '40.7', longitude: '-74.0' };
  const addDepot = async (name: string, more: object = {}): Promise<Depot> =>
    (await manager.call('POST', '/api/depots', { body: { name, ...place, ...more } })).json();
  const addVehicle = async (name: string, more: object = {}): Promise<Vehicle> =>
    (await manager.call('POST', '/api/vehicles', { body: { name, ...more } })).json();
  const defaults = async (): Promise<string[]> => {
    const { depots } = (await manager.call('GET', '/api/settings')).json() as { depots: Depot[] };
    return depots.filter((depot) => depot.isDefault).map(({ name }) => name);
  };

  it('the first depot is the default, and exactly one is', async () => {
    const first = await addDepot('North');
    expect(first.isDefault).toBe(true);
    const second = await addDepot('South', { isDefault: true });
    expect(await defaults()).toEqual(['South']);
    const without = { name: 'South', ...place, isDefault: false };
    const refused = await manager.call('PUT', `/api/depots/${second.id}`, { body: without });
    expect(refused.json()).toMatchObject({ status: 400, detail: expect.stringContaining('One depot is the default') });
    expect(await defaults()).toEqual(['South']);
  });

  it('a depot in use stays, and says by what', async () => {
    const depot = await addDepot('East');
    const van = await addVehicle('Van 1', { depotId: depot.id, capacityTotes: 40 });
    const removed = () => admin.call('DELETE', `/api/depots/${depot.id}`);
    expect((await removed()).json().detail).toContain('Vehicles start from this depot');
    expect((await admin.call('DELETE', `/api/vehicles/${van.id}`)).statusCode).toBe(200);
    const route = await buildRoute(test.deps.db, { date: '2026-03-12', depotId: depot.id });
    expect((await removed()).json().detail).toContain('Routes of today or later');
    await test.deps.db.execute(`delete from routes where id = ${route.id}`);
    expect((await removed()).statusCode).toBe(200);
    expect((await removed()).statusCode).toBe(404);
  });

  it('a vehicle of a route to come stays', async () => {
    const van = await addVehicle('Van 2');
    await buildRoute(test.deps.db, { date: '2026-03-13', vehicleId: van.id });
    const reply = await admin.call('DELETE', `/api/vehicles/${van.id}`);
    expect(reply.json()).toMatchObject({ status: 409, detail: expect.stringContaining('use this vehicle') });
    const changed = await manager.call('PUT', `/api/vehicles/${van.id}`, { body: { name: 'Van 3', licensePlate: '' } });
    expect(changed.json()).toMatchObject({ name: 'Van 3', licensePlate: null, capacityTotes: null });
  });

  it.each([
    ['POST', '/api/depots', { name: '', ...place }, 'Name is required'],
    ['POST', '/api/depots', { name: 'X', ...place, latitude: 'north' }, 'Latitude must be a valid number'],
    ['POST', '/api/vehicles', { name: 'X', capacityTotes: 0 }, 'Enter at least 1 tote'],
    ['POST', '/api/vehicles', { name: 'X', depotId: 999_999 }, 'This depot is gone'],
  ])('%s %s with %j is refused with a sentence', async (method, url, body, sentence) => {
    const reply = await manager.call(method, url, { body });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().detail).toContain(sentence);
  });

  const operator = { name: 'Milk & Co', timeZone: 'America/Chicago', currency: 'eur', distanceUnit: 'km' };

  it('the operator is changed by an administrator, with a zone that exists', async () => {
    const change = (body: object, by = admin) => by.call('PUT', '/api/settings/operator', { body });
    expect((await change({ ...operator, timeZone: 'Mars/Olympus' })).json().detail).toContain('Choose a time zone');
    expect((await change({ ...operator, currency: 'NAN' })).json().fields).toEqual({
      currency: expect.stringContaining('no such currency'),
    });
    expect((await change(operator, manager)).statusCode).toBe(403);
    expect((await change(operator)).json()).toMatchObject({ ...operator, currency: 'EUR' });
    expect((await admin.call('GET', '/api/auth/session')).json().operator).toMatchObject({ currency: 'EUR' });
  });

  const rules = {
    ...{ lateAfterMin: 30, phoneSilentHours: 24, lowLevelPercent: 30, goodLevelPercent: 60, lowSlotPercent: 10 },
    ...{ workStart: '05:30', workEnd: '14:00' },
  };

  it('thresholds are changed by an administrator, audited, and told to every screen', async () => {
    const change = (body: object, by = admin) => by.call('PUT', '/api/settings/rules', { body });
    expect((await change(rules, manager)).statusCode).toBe(403);
    expect((await change({ ...rules, lateAfterMin: 0 })).json().detail).toContain('from 1 to 240');
    for (const nothing of ['', null, true, [1], '0x10'])
      expect((await change({ ...rules, lowSlotPercent: nothing })).json().fields).toMatchObject({
        lowSlotPercent: 'Low slot below percent: a whole number from 0 to 99',
      });
    expect((await change({ ...rules, lowLevelPercent: 60 })).json().detail).toContain('begins above a low one');
    expect((await change({ ...rules, workEnd: '25:00' })).json().detail).toContain('such as 06:00');
    expect((await change(rules)).json()).toMatchObject(rules);
    expect((await manager.call('GET', '/api/settings')).json().rules).toMatchObject(rules);
    const { operator: told } = (await manager.call('GET', '/api/auth/session')).json();
    expect(told.rules).toMatchObject({ lateAfterMin: 30, workStart: '05:30' });
    const log = (await admin.call('GET', '/api/audit-log/page?action=operator.rules')).json();
    expect(JSON.parse(log.rows[0].detail).lateAfterMin).toEqual([15, 30]);
  });

  it('of two people who change one setting the second is told who was quicker, and nothing is lost', async () => {
    const made = await addDepot('West');
    const van = await addVehicle('Van 4', { depotId: made.id });
    const read = async () => (await admin.call('GET', '/api/settings')).json();
    const { operator: company, rules: held } = await read();
    const { isDemo: _, version: __, ...shown } = company;
    const edits = [
      [`/api/depots/${made.id}`, { name: 'West', ...place }, made.version, 'This depot', 'address'],
      [`/api/vehicles/${van.id}`, { name: 'Van 4', depotId: made.id }, van.version, 'This vehicle', 'name'],
      ['/api/settings/operator', shown, company.version, 'These settings', 'name'],
      ['/api/settings/rules', rules, held.version, 'These settings', 'workStart'],
    ] as const;
    for (const [path, body, version, what, field] of edits) {
      const save = (value: string, by: Person, known: number) =>
        by.call('PUT', path, { body: { ...body, [field]: value }, headers: { 'if-match': `"${known}"` } });
      const first = await save('05:00', admin, version);
      expect(first.statusCode).toBe(200);
      const second = await save('05:15', admin, version);
      expect(second.json()).toMatchObject({ status: 409, fields: { version: expect.stringContaining(what) } });
      expect(second.json().detail).toContain('Look at what changed, then save again.');
      expect((await save('05:15', admin, first.json().version)).json()[field]).toBe('05:15');
    }
  });

  it('a stop is late and a market low from when the operator says', async () => {
    await buildMarket(test.deps.db, { name: 'Half', routeDesignation: '101' });
    const route = await buildRoute(test.deps.db, {
      date: '2026-03-12',
      status: 'in_progress',
      routeDesignation: '101',
    });
    await test.deps.db.execute(
      sql`insert into route_stops (route_id, market_id, stop_order, location_name, location_type, estimated_arrival)
          select ${route.id}::int, id, 1, name, 'market', ${new Date(test.deps.clock.now().getTime() - 20 * 60_000).toISOString()}::timestamptz
          from markets where name = 'Half'`,
    );
    const late = async (minutes: number) => {
      await admin.call('PUT', '/api/settings/rules', { body: { ...rules, lateAfterMin: minutes } });
      const { rows: exceptions } = (await manager.call('GET', '/api/dashboard/exceptions')).json();
      return exceptions.filter((one: { kind: string }) => one.kind === 'late').length;
    };
    expect([await late(30), await late(10)]).toEqual([0, 1]);
  });

  it('a route designation is added, renamed everywhere, and retired once nothing carries it', async () => {
    const ask = (what: string, body: object, by = admin) =>
      by.call('POST', `/api/settings/designations${what}`, { body });
    const listed = async () => (await manager.call('GET', '/api/route-designations')).json();
    expect((await ask('', { name: '707' }, manager)).statusCode).toBe(403);
    expect((await ask('', { name: '707' })).statusCode).toBe(201);
    expect((await ask('', { name: '707' })).json().detail).toBe('There is a route designation 707 already.');
    expect(await listed()).toContain('707');
    await buildMarket(test.deps.db, { name: 'Tagged', routeDesignation: '707' });
    expect((await ask('/retire', { name: '707', retired: true })).json().detail).toContain('carried by 1 market');
    expect((await ask('/rename', { from: '101', to: '707' })).statusCode).toBe(409);
    const renamed = await ask('/rename', { from: '101', to: '111' });
    expect(renamed.json()).toMatchObject({ name: '111', people: expect.any(Number), isRetired: false });
    expect((await worker.call('GET', '/api/auth/session')).json().person.routeDesignation).toBe('111');
    expect(await listed()).not.toContain('101');
    await test.deps.db.execute(sql`update markets set route_designation = null where name = 'Tagged'`);
    expect((await ask('/retire', { name: '707', retired: true })).json()).toMatchObject({ isRetired: true });
    expect(await listed()).not.toContain('707');
    expect((await ask('', { name: '707' })).json().detail).toContain('was retired');
    expect((await ask('/retire', { name: '707', retired: false })).json()).toMatchObject({ isRetired: false });
  });

  it('a new spelling of a designation never makes two of them one', async () => {
    const rename = (from: string, to: string) =>
      admin.call('POST', '/api/settings/designations/rename', { body: { from, to } });
    const market = await buildMarket(test.deps.db, { name: 'Upper', routeDesignation: 'WEST' });
    await buildMarket(test.deps.db, { name: 'Lower', routeDesignation: 'west' });
    expect((await rename('west', 'WEST')).json().detail).toBe('There is a route designation WEST already.');
    expect((await rename('west', 'West')).statusCode).toBe(409);
    await test.deps.db.execute(sql`delete from markets where id = ${market.id}`);
    expect((await rename('west', 'West')).json()).toMatchObject({ name: 'West', markets: 1 });
  });

  it('of two route designations that differ in case alone and come at the same moment one is refused', async () => {
    const ask = (what: string, body: object) => () => admin.call('POST', `/api/settings/designations${what}`, { body });
    const added = await atOnce(test, 'audit_log', [ask('', { name: 'North' }), ask('', { name: 'NORTH' })]);
    expect(added.map((reply) => reply.statusCode).toSorted()).toEqual([201, 409]);
    await ask('', { name: 'a' })();
    const ways = [ask('/rename', { from: 'a', to: 'south' }), ask('', { name: 'South' })];
    const statuses = (await atOnce(test, 'audit_log', ways)).map((reply) => reply.statusCode);
    expect(statuses.filter((status) => status === 409)).toHaveLength(1);
  });

  it('people of the field see and change none of it', async () => {
    expect((await worker.call('GET', '/api/settings')).statusCode).toBe(403);
    expect((await worker.call('POST', '/api/depots', { body: { name: 'X', ...place } })).statusCode).toBe(403);
    expect((await manager.call('DELETE', '/api/depots/1')).statusCode).toBe(403);
    expect((await manager.call('GET', '/api/export/everything')).statusCode).toBe(403);
  });

  it('everything is carried away as an archive without what people sign in with', async () => {
    // Half past nine in the evening in New York, and the next day by UTC.
    test.setNow(new Date('2026-03-13T01:30:00Z'));
    const reply = await admin.call('GET', '/api/export/everything');
    expect(reply.headers['content-disposition']).toContain('milkrun-2026-03-12.zip');
    const files = unzipSync(new Uint8Array(reply.rawPayload));
    const said = manifest.parse(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array(0))));
    expect(Object.keys(files)).toContain('depots.csv');
    for (const name of ['sessions', 'login_codes', 'installation', 'field_devices']) {
      expect(said.tables.map((table) => table.name)).not.toContain(name);
    }
    const columns = said.tables.flatMap((table) => table.columns.map((column) => ({ table: table.name, column })));
    const telling = columns.filter(({ column }) => soundsSecret.test(column));
    expect(telling.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(Object.keys(harmless));
  });
});
