import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const valid = {
  name: 'Lobby snacks',
  machineId: 'VM-LOBBY',
  location: 'Lobby',
  address: '1 Main Street',
  latitude: '40.7128',
  longitude: '-74.006',
};

onEachDatabase('Vending machines', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  it('a created machine has the defaults and keeps its digits', async () => {
    const reply = await manager.call('POST', '/api/vending-machines', {
      body: { ...valid, model: '', notes: '', routeDesignation: '101' },
    });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({
      machineId: 'VM-LOBBY',
      latitude: '40.71280000',
      longitude: '-74.00600000',
      status: 'active',
      capacity: 100,
      currentStock: 0,
      lastSeen: null,
    });
    expect((await worker.call('GET', `/api/vending-machines/${reply.json().id}`)).json()).toEqual(reply.json());
  });

  it.each([
    ['name', '', 'Name is required'],
    ['machineId', ' ', 'Machine ID is required'],
    ['location', '', 'Location is required'],
    ['address', undefined, 'Address is required'],
    ['latitude', '', 'Latitude is required'],
    ['longitude', undefined, 'Longitude is required'],
    ['latitude', null, 'Latitude is required'],
    ['capacity', 0, 'Capacity must be at least 1'],
  ])('a machine whose %s is %j is refused with a sentence', async (field, value, sentence) => {
    const reply = await manager.call('POST', '/api/vending-machines', { body: { ...valid, [field]: value } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ detail: sentence, fields: { [field]: sentence } });
  });

  it('a status outside active, maintenance and inactive is refused', async () => {
    const reply = await manager.call('POST', '/api/vending-machines', { body: { ...valid, status: 'broken' } });
    const sentence = 'Status must be active, maintenance or inactive';
    expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { status: sentence } });
  });

  it.each([
    [0, 'Capacity must be at least 1'],
    ['many', 'Capacity must be a whole number'],
    [100_001, 'Capacity is too large: at most 100,000'],
  ])(
    'a capacity of %j is refused with the same sentence when a machine is made and when it is changed',
    async (capacity, sentence) => {
      const machine = await buildMachine(t.deps.db);
      const replies = [
        await manager.call('POST', '/api/vending-machines', { body: { ...valid, machineId: 'VM-CAP', capacity } }),
        await manager.call('PUT', `/api/vending-machines/${machine.id}`, { body: { capacity } }),
      ];
      for (const reply of replies) {
        expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { capacity: sentence } });
      }
    },
  );

  it('a Machine ID and an Integration ID are unique', async () => {
    const first = { ...valid, machineId: 'VM-ONE', integrationId: 'C-1' };
    expect((await manager.call('POST', '/api/vending-machines', { body: first })).statusCode).toBe(201);
    const sameId = await manager.call('POST', '/api/vending-machines', { body: { ...first, integrationId: null } });
    expect(sameId.statusCode).toBe(409);
    const sentence = 'Another machine has this Machine ID. Machine IDs are unique.';
    expect(sameId.json()).toMatchObject({ detail: sentence, fields: { machineId: sentence } });
    const smaller = { ...first, machineId: 'vm-One', integrationId: null };
    const sameButForCapitals = await manager.call('POST', '/api/vending-machines', { body: smaller });
    expect(sameButForCapitals.json()).toMatchObject({ status: 409, fields: { machineId: sentence } });
    const other = await manager.call('POST', '/api/vending-machines', { body: { ...smaller, machineId: 'VM-THREE' } });
    const path = `/api/vending-machines/${other.json().id}`;
    const renamed = await manager.call('PUT', path, { body: { ...smaller, machineId: 'vm-one' } });
    expect(renamed.json()).toMatchObject({ status: 409, fields: { machineId: sentence } });
    expect((await manager.call('PUT', path, { body: { ...smaller, machineId: 'vm-three' } })).statusCode).toBe(200);
    const sameLink = await manager.call('POST', '/api/vending-machines', { body: { ...first, machineId: 'VM-TWO' } });
    expect(sameLink.json()).toMatchObject({ status: 409, detail: 'Another machine has this Integration ID.' });
  });

  it('a city and a state are kept, changed and emptied; what is too long is refused with a sentence', async () => {
    const body = { ...valid, machineId: 'VM-CITY', city: ' Trenton ', state: 'NJ' };
    const created = (await manager.call('POST', '/api/vending-machines', { body })).json();
    expect(created).toMatchObject({ city: 'Trenton', state: 'NJ' });
    const url = `/api/vending-machines/${created.id}`;
    const edited = await manager.call('PUT', url, { body: { city: 'Camden', state: '' } });
    expect(edited.json()).toMatchObject({ city: 'Camden', state: null });
    const long = await manager.call('PUT', url, { body: { city: 'x'.repeat(101), state: 'x'.repeat(51) } });
    expect(long.json()).toMatchObject({
      status: 400,
      fields: {
        city: 'City is too long: at most 100 characters',
        state: 'State is too long: at most 50 characters',
      },
    });
  });

  it('what a partner told of a machine comes with the one record for the office, and in no list', async () => {
    const integrationData = { outlet: { code: 'X-7' } };
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101', integrationData });
    const url = `/api/vending-machines/${id}`;
    expect((await manager.call('GET', url)).json()).toMatchObject({ id, integrationData });
    expect((await worker.call('GET', url)).json()).not.toHaveProperty('integrationData');
    expect((await manager.call('GET', '/api/vending-machines')).body).not.toContain('X-7');
    const { id: bare } = await buildMachine(t.deps.db);
    expect((await manager.call('GET', `/api/vending-machines/${bare}`)).json().integrationData).toBeNull();
  });

  it('an edit changes the named fields only, moves updatedAt and leaves lastSeen alone', async () => {
    const machine = await buildMachine(t.deps.db, {
      routeDesignation: '101',
      lastSeen: new Date('2026-03-01T00:00:00Z'),
    });
    t.setNow(new Date('2026-03-12T16:00:00Z'));
    const url = `/api/vending-machines/${machine.id}`;
    const reply = await manager.call('PUT', url, { body: { status: 'maintenance' } });
    expect(reply.json()).toMatchObject({
      status: 'maintenance',
      name: machine.name,
      routeDesignation: '101',
      lastSeen: '2026-03-01T00:00:00.000Z',
      updatedAt: '2026-03-12T16:00:00.000Z',
    });
    expect((await manager.call('PUT', url, { body: { name: '' } })).json().detail).toBe('Name is required');
  });

  it('a status from elsewhere may be sent back as it stands, and to no other machine', async () => {
    const { id } = await buildMachine(t.deps.db, { status: 'in storage' });
    const put = (status: string) => manager.call('PUT', `/api/vending-machines/${id}`, { body: { status } });
    expect((await put('in storage')).json().status).toBe('in storage');
    expect((await put('stored')).json()).toMatchObject({
      status: 400,
      fields: { status: 'Status must be active, maintenance or inactive' },
    });
  });

  it('keeps when it was installed and maintained, and tells of an edit only what is different', async () => {
    const machine = await buildMachine(t.deps.db, {});
    const url = `/api/vending-machines/${machine.id}`;
    const dates = { installDate: '2024-05-02', lastMaintenance: '2026-02-01T17:00:00.000Z' };
    expect((await manager.call('PUT', url, { body: dates })).json()).toMatchObject(dates);
    await manager.call('PUT', url, { body: { ...dates, lastMaintenance: '2026-02-01T12:00:00-05:00', model: 'X1' } });
    const edits = await rows<{ detail: object }>(
      t.deps.db,
      sql`select detail from audit_log where action = 'machine.update' and object_id = ${String(machine.id)} order by id`,
    );
    expect(edits.map(({ detail }) => Object.keys(detail))).toEqual([['installDate', 'lastMaintenance'], ['model']]);
    expect((await manager.call('PUT', url, { body: { installDate: '0026-05-02' } })).json()).toMatchObject({
      status: 400,
      fields: { installDate: 'Enter a date between the years 2000 and 2099' },
    });
  });

  it('a deleted machine is gone with its slots, and its number is free again', async () => {
    const machine = await buildMachine(t.deps.db, { machineId: 'VM-AGAIN', integrationId: 'C-AGAIN' });
    await buildSlot(t.deps.db, machine.id, { productName: 'Orphan' });
    const url = `/api/vending-machines/${machine.id}`;
    expect((await admin.call('DELETE', url)).json()).toEqual({ id: machine.id });
    expect((await admin.call('GET', url)).statusCode).toBe(404);
    expect((await admin.call('GET', '/api/vending-inventory')).body).not.toContain('Orphan');
    expect((await admin.call('DELETE', url)).statusCode).toBe(404);
    const body = { ...valid, machineId: 'VM-AGAIN', integrationId: 'C-AGAIN' };
    expect((await manager.call('POST', '/api/vending-machines', { body })).statusCode).toBe(201);
  });

  it('lists narrow to a designation, and for a worker to the own scope', async () => {
    const other = await buildMachine(t.deps.db, { routeDesignation: '202' });
    expect((await manager.call('GET', '/api/vending-machines?route=202')).json()).toHaveLength(1);
    expect((await manager.call('GET', `/api/vending-machines?route=${'9'.repeat(30)}`)).json()).toEqual([]);
    const seen = (await worker.call('GET', '/api/vending-machines')).json();
    expect(seen.every((row: { routeDesignation: string }) => row.routeDesignation === '101')).toBe(true);
    expect((await worker.call('GET', `/api/vending-machines/${other.id}`)).statusCode).toBe(404);
    expect((await worker.call('GET', `/api/vending-machines/${other.id}/inventory`)).statusCode).toBe(404);
  });

  it('a worker may not create, change or delete a machine; a manager may not delete one', async () => {
    const machine = await buildMachine(t.deps.db, { routeDesignation: '101' });
    const url = `/api/vending-machines/${machine.id}`;
    expect((await worker.call('POST', '/api/vending-machines', { body: valid })).statusCode).toBe(403);
    expect((await worker.call('PUT', url, { body: { name: 'X' } })).statusCode).toBe(403);
    expect((await manager.call('DELETE', url)).statusCode).toBe(403);
    expect((await manager.call('GET', url)).json().name).toBe(machine.name);
  });

  it('an edit of a state somebody changed since is refused, and the first edit stays', async () => {
    const machine = await buildMachine(t.deps.db);
    const url = `/api/vending-machines/${machine.id}`;
    const headers = { 'if-match': `"${machine.updatedAt.getTime()}"` };
    t.setNow(new Date('2026-03-12T16:30:00Z'));
    expect((await manager.call('PUT', url, { body: { notes: 'First' }, headers })).statusCode).toBe(200);
    const second = await admin.call('PUT', url, { body: { notes: 'Second' }, headers });
    expect(second.json()).toMatchObject({ status: 409, fields: { version: expect.stringContaining('changed by') } });
    expect((await admin.call('GET', url)).json().notes).toBe('First');
  });

  it('pages follow one another without a gap, by name or the emptiest first, and tell how many match', async () => {
    const route = 'paged';
    for (const [name, currentStock] of [
      ['beta', 40],
      ['Alpha', 90],
      ['gamma 50%', 10],
    ] as const) {
      await buildMachine(t.deps.db, { name, currentStock, routeDesignation: route, location: 'East wing' });
    }
    const page = async (query: string, person = manager) =>
      (await person.call('GET', `/api/vending-machines/page?route=${route}&${query}`)).json();
    const namesOf = ({ machines }: { machines: { name: string }[] }) => machines.map(({ name }) => name);
    const first = await page('limit=2');
    const second = await page(`limit=2&cursor=${first.next}`);
    expect([...namesOf(first), ...namesOf(second)]).toEqual(['Alpha', 'beta', 'gamma 50%']);
    expect([first.total, second.total, second.next]).toEqual([3, 3, null]);
    expect(namesOf(await page('sort=stock'))).toEqual(['gamma 50%', 'beta', 'Alpha']);
    expect(namesOf(await page('q=50%25'))).toEqual(['gamma 50%']);
    expect(namesOf(await page('q=%25'))).toEqual(['gamma 50%']);
    expect((await page('q=---')).total).toBe(0);
    expect((await page('q=EAST')).total).toBe(3);
    expect((await page('status=inactive')).total).toBe(0);
    expect((await page('', worker)).total).toBe(0);
    expect((await manager.call('GET', '/api/vending-machines/page?limit=1000')).statusCode).toBe(400);
  });

  it('counts anew after five seconds what a search of thousands finds, with its page read each time', async () => {
    const { db, clock } = t.deps;
    await db.execute(sql`
      insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity)
      select 'Tarragon ' || n, 'TARR-' || n, 'Inside', 'Here', 40, -74, 10 from generate_series(1, 1100) n`);
    const page = async () => (await manager.call('GET', '/api/vending-machines/page?q=tarragon&sort=stock')).json();
    expect((await page()).total).toBe(1_100);
    await db.execute(sql`update vending_machines set deleted_at = now() where machine_id like 'TARR-%1'`);
    const soon = await page();
    expect(soon.total).toBe(1_100);
    expect(soon.machines.map((machine: { machineId: string }) => machine.machineId)).not.toContain('TARR-1');
    t.setNow(new Date(clock.now().getTime() + 5_000));
    expect((await page()).total).toBe(990);
    await db.execute(sql`update vending_machines set deleted_at = now() where machine_id like 'TARR-%'`);
  });
});
