import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildDepot, buildMachine, buildMarket, buildRoute } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

type Body = Record<string, unknown>;
/** Where a record is written, and how it is read. */
type Opened = { url: string; read: () => Promise<Body>; method?: 'PATCH' };

/** What an edit that changes nothing may move. */
const moving = ['updatedAt', 'lastUpdated', 'version', 'previousSecretsUntil'];

function withoutMoving(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoving);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !moving.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutMoving(inner)]));
}

onEachDatabase('a record that was read and is sent back whole', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let workerId: number;
  let marketId: number;
  let machineId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, workerId } = await oneOfEachRole(t, '101'));
    marketId = (await buildMarket(t.deps.db, { city: 'Troy', notes: 'Ask Ann', integrationId: 'LS-7' })).id;
    machineId = (await buildMachine(t.deps.db, { model: 'Tall', lastMaintenance: new Date('2026-02-01') })).id;
    await buildDepot(t.deps.db);
    t.setNow(new Date('2026-03-12T15:05:00Z'));
    const slot = { slotNumber: 'A1', price: '1.50', cost: '0.50', maxQuantity: 10 };
    await made('/api/inventory', { marketId, productName: 'Cola', currentQuantity: 4 });
    await made(`/api/vending-machines/${machineId}/inventory`, { ...slot, productName: 'Chips', currentQuantity: 3 });
  });
  afterAll(() => t.close());

  const get = async (url: string) => (await admin.call('GET', url)).json();
  const made = async (url: string, body: Body): Promise<Body> => {
    const reply = await admin.call('POST', url, { body });
    expect([url, reply.statusCode]).toEqual([url, 201]);
    return reply.json();
  };
  /** At an address of its own. */
  const at = (url: string): Opened => ({ url, read: () => get(url) });
  /** As a row of a list, or of a part of the reply. */
  const among = (list: string, id: unknown, url: string, rowsOf = (reply: never): Body[] => reply): Opened => ({
    url,
    read: async () => rowsOf((await get(list)) as never).find((row) => row.id === id) ?? {},
  });
  const part = (whole: string, name: string, url: string): Opened => ({
    url,
    read: async () => (await get(whole))[name],
  });
  const config = async (url: string, body: Body, own = (id: unknown) => `${url}/${id}`): Promise<Opened> => {
    const { id } = await made(url, body);
    return among(url, id, own(id));
  };

  const person = (): Opened =>
    among('/api/people/page', workerId, `/api/people/${workerId}`, ({ rows }: { rows: Body[] }) => rows);
  const records: Record<string, () => Promise<Opened> | Opened> = {
    'a market': () => at(`/api/markets/${marketId}`),
    'a market as a row of the office': () =>
      among(
        '/api/markets/with-inventory/page',
        marketId,
        `/api/markets/${marketId}`,
        ({ rows }: { rows: Body[] }) => rows,
      ),
    'a vending machine': () => at(`/api/vending-machines/${machineId}`),
    'an inventory item': async () => {
      const [{ id }] = await get(`/api/inventory/${marketId}`);
      return { ...at(`/api/inventory/items/${id}`), url: `/api/inventory/${id}` };
    },
    'a slot': async () => {
      const list = `/api/vending-machines/${machineId}/inventory`;
      const [{ id }] = await get(list);
      return among(list, id, `/api/vending-machine-inventory/${id}`);
    },
    'a planogram': () => at(`/api/vending-machines/${machineId}/planogram`),
    'a product': async () => {
      const body = { name: 'Oat Bar', unitPrice: '2.00', barcodes: ['036000291452'], caseSize: 12 };
      return at(`/api/products/${(await made('/api/products', body)).id}`);
    },
    'a person': person,
    'an access': async () => {
      const body = { userId: workerId, applicationName: 'mobile_inventory', permissions: ['read'] };
      const { id } = await made('/api/application-access', body);
      const list = `/api/application-access?userId=${workerId}`;
      const rowsOf = (all: { access: Body[] }[]) => all.flatMap(({ access }) => access);
      return among(list, id, `/api/application-access/${id}`, rowsOf);
    },
    'a traffic incident': async () => {
      const place = { latitude: '40.7', longitude: '-74.1' };
      const body = { title: 'Works', ...place, severity: 'low', type: 'construction' };
      return { ...at(`/api/traffic-incidents/${(await made('/api/traffic-incidents', body)).id}`), method: 'PATCH' };
    },
    'the factors of incidents': () => at('/api/traffic-incidents/factors'),
    'the rules of alerts': () => at('/api/vending-machine-alerts/rules'),
    'a depot': async () => {
      const [{ id }] = (await get('/api/settings')).depots;
      return among('/api/settings', id, `/api/depots/${id}`, ({ depots }: { depots: Body[] }) => depots);
    },
    'a vehicle': async () => {
      const { id } = await made('/api/vehicles', { name: 'Van', licensePlate: 'NJ 1' });
      return among('/api/settings', id, `/api/vehicles/${id}`, ({ vehicles }: { vehicles: Body[] }) => vehicles);
    },
    'the operator': () => part('/api/settings', 'operator', '/api/settings/operator'),
    'the rules of the operator': () => part('/api/settings', 'rules', '/api/settings/rules'),
    'the second step': () => at('/api/settings/security'),
    'a configuration': async () => {
      const settings = { merchantId: '2000', hashCode: 'a-token', environment: 'sandbox' };
      const { id } = await made('/api/integrations/configs', { system: 'nayax', name: 'Any', settings });
      return at(`/api/integrations/configs/${id}`);
    },
    'a configuration of Nayax Core': () =>
      config('/api/nayax/configs', { name: 'N', merchantId: '2001', hashCode: 'a-token' }),
    'a configuration of MoMa 2.0': () => config('/api/moma/configs', { name: 'M', apiKey: 'a-token', apiSecret: 'x' }),
    'a VDI configuration, to its status': () => {
      const body = { name: 'V', vmsSystemId: 'VMS', apiEndpoint: 'https://vdi.example.com', apiKey: 'k' };
      return config('/api/nama-vdi/configs', body, (id) => `/api/nama-vdi/configs/${id}/status`);
    },
  };

  it.each(Object.entries(records))('%s is taken and stays as it was', async (_name, opened) => {
    const { url, read, method = 'PUT' } = await opened();
    const before = await read();
    expect(Object.keys(before).length).toBeGreaterThan(0);
    const reply = await admin.call(method, url, { body: before });
    expect([reply.statusCode, reply.json().detail]).toEqual([200, undefined]);
    expect(withoutMoving(await read())).toEqual(withoutMoving(before));
  });

  it('of another address is refused, and so is a name that no record has', async () => {
    const url = `/api/vending-machines/${machineId}`;
    const whole = await get(url);
    const other = await manager.call('PUT', url, { body: { ...whole, id: machineId + 1 } });
    expect(other.json()).toMatchObject({
      status: 400,
      detail: `The record sent has the id ${machineId + 1}, the address names ${machineId}. Send a record to its own address.`,
    });
    const typo = await manager.call('PUT', url, { body: { ...whole, adress: '2 Main Street' } });
    expect(typo.json()).toMatchObject({ status: 400, fields: { body: 'Unknown field: adress' } });
    const slots = await get(`${url}/planogram`);
    const [first] = slots.slots;
    const inList = await manager.call('PUT', `${url}/planogram`, {
      body: { ...slots, slots: [{ ...first, prize: 1 }] },
    });
    expect(inList.json()).toMatchObject({ status: 400, fields: { 'slots.0': 'Unknown field: prize' } });
  });

  it('with an id that is no id is refused with a sentence', async () => {
    const url = `/api/vending-machines/${machineId}`;
    const odd = await manager.call('PUT', url, { body: { ...(await get(url)), id: { toString: 1, valueOf: 1 } } });
    expect(odd.json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining('Send a record to its own address.'),
    });
  });

  it.each([
    ['a market', () => `/api/markets/${marketId}`],
    ['a vending machine', () => `/api/vending-machines/${machineId}`],
  ])(
    '%s as it was before somebody else changed it is refused, unless If-Match says otherwise',
    async (_name, urlOf) => {
      const url = urlOf();
      const before = await get(url);
      t.setNow(new Date('2026-03-12T15:06:00Z'));
      expect((await admin.call('PUT', url, { body: { notes: 'Ask Bob' } })).statusCode).toBe(200);
      const body = { ...before, city: 'Utica' };
      const older = await manager.call('PUT', url, { body });
      expect([older.statusCode, older.json().detail]).toEqual([409, expect.stringContaining('in the meantime')]);
      expect(await get(url)).toMatchObject({ notes: 'Ask Bob' });
      const anyway = await manager.call('PUT', url, { body, headers: { 'if-match': '*' } });
      expect(anyway.json()).toMatchObject({ notes: before.notes, city: 'Utica' });
    },
  );

  it('a new record still takes no read-only name, and neither does an edit of nothing else', async () => {
    const whole = await get(`/api/markets/${marketId}`);
    const again = await manager.call('POST', '/api/markets', { body: { ...whole, integrationId: null } });
    expect(again.json()).toMatchObject({ status: 400, detail: expect.stringContaining('Unknown field: id') });
    const alone = await manager.call('PUT', `/api/vending-machines/${machineId}`, { body: { currentStock: 50 } });
    expect(alone.json()).toMatchObject({ status: 400, fields: { body: 'Unknown field: currentStock' } });
  });

  it('the document of the calls names what is ignored', async () => {
    const { paths } = await get('/api/openapi.json');
    const { properties } = paths['/api/markets/{id}'].put.requestBody.content['application/json'].schema;
    expect(properties.stockLevel).toEqual({ readOnly: true, description: 'As read; not changed' });
    expect(properties.name.readOnly).toBeUndefined();
    const { schema } = paths['/api/markets'].post.requestBody.content['application/json'];
    expect(schema.properties).not.toHaveProperty('stockLevel');
  });

  it('does not deactivate a person or end an incident in passing: each has a call of its own', async () => {
    const whole = await person().read();
    const inactive = await admin.call('PUT', `/api/people/${workerId}`, { body: { ...whole, isActive: false } });
    const told = 'Use the call to deactivate a person to change who may sign in.';
    expect(inactive.json()).toMatchObject({ status: 400, detail: told, fields: { isActive: told } });
    const [incident] = await get('/api/traffic-incidents');
    const body = { ...incident, status: 'resolved' };
    const ended = await manager.call('PATCH', `/api/traffic-incidents/${incident.id}`, { body });
    const sentence = 'This incident is active. Use the call to resolve it.';
    expect(ended.json()).toMatchObject({ status: 400, detail: sentence, fields: { status: sentence } });
    const later = await manager.call('PATCH', `/api/traffic-incidents/${incident.id}`, {
      body: { ...incident, resolvedAt: '2026-03-12T16:00:00Z' },
    });
    expect(later.json()).toMatchObject({ status: 400, fields: { resolvedAt: expect.stringContaining('to resolve') } });
  });

  it('does not pass for the record of somebody else, nor for more than a step', async () => {
    const all: { access: Body[] }[] = await get(`/api/application-access?userId=${workerId}`);
    const body = { userId: workerId, applicationName: 'mobile_inventory', permissions: ['read'] };
    const whole = all.flatMap(({ access }) => access)[0] ?? (await made('/api/application-access', body));
    const url = `/api/application-access/${whole.id}`;
    for (const other of [{ userId: workerId + 1 }, { applicationName: 'reports' }]) {
      const reply = await admin.call('PUT', url, { body: { ...whole, ...other } });
      const sentence = expect.stringContaining('stays with its person');
      expect(reply.json()).toMatchObject({ status: 400, fields: { [Object.keys(other)[0] ?? '']: sentence } });
    }
    const { id } = await buildRoute(t.deps.db, { date: '2026-03-12' });
    const driven = await admin.call('PATCH', `/api/routes/${id}`, { body: { status: 'planned', driverId: workerId } });
    expect(driven.json()).toMatchObject({ status: 400, fields: { body: 'Unknown field: driverId' } });
    const again = await admin.call('PATCH', `/api/routes/${id}`, { body: { status: 'planned' } });
    const sentence = 'This route is planned already. There is nothing to change.';
    expect(again.json()).toMatchObject({ status: 409, detail: sentence });
  });
});
