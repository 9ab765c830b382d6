import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connector, RawRequest, TokenSet, VendorContext } from '../../connectors/connector.ts';
import { moma } from '../../connectors/moma/connector.ts';
import { nayax } from '../../connectors/nayax/connector.ts';
import type { Settings, VendorBatch, VendorResource } from '../../domain/integration.ts';
import { type Place, salesOf } from '../fleet.ts';
import { credentials as momaCredentials, momaStandIn, refreshToken } from '../moma/vendor.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { transactionIdOf } from './sales.ts';
import { credentials, nayaxStandIn } from './vendor.ts';

const now = '2026-11-20T17:00:00.000Z';
const dayMs = 86_400_000;
// More than a page of machines, and few days: the walk is what counts.
const serves = (place: Place) => place.site.id <= 27;
let sandbox: Sandbox;
let stored: TokenSet | null = null;

beforeAll(async () => {
  sandbox = await startSandbox({
    vendors: [nayaxStandIn(serves), momaStandIn(serves)],
    tickMs: null,
    from: new Date(Date.parse(now) - 4 * dayMs),
  });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.sphere.reset();
  sandbox.sphere.clock.set(new Date(now), true);
  stored = null;
});

const hash: VendorContext['hash'] = {
  sha256: (given) => createHash('sha256').update(given).digest(),
  hmacSha256: (key, given) => createHmac('sha256', key).update(given).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  uuid: () => '00000000-0000-4000-8000-000000000000',
};

/** A context without the retries of the real one: a fault is seen at once. */
const contextOf = (settings: Settings): VendorContext => ({
  settings,
  fetch: async (url, request = {}) => {
    const reply = await fetch(url, { method: request.method ?? 'GET', headers: { ...request.headers } });
    const body = new Uint8Array(await reply.arrayBuffer());
    const text = () => new TextDecoder().decode(body);
    return {
      status: reply.status,
      header: (name) => reply.headers.get(name),
      bytes: body,
      text,
      json: () => JSON.parse(text()),
    };
  },
  now: () => sandbox.sphere.clock.now(),
  hash,
  tokens: {
    read: () => Promise.resolve(stored),
    renew: async (work) => {
      stored = await work(stored, async (kept) => {
        stored = kept;
      });
      return stored;
    },
  },
  timeZone: 'America/New_York',
  sandboxUrl: sandbox.origin,
  signal: new AbortController().signal,
});

const nayaxSettings = { ...credentials, environment: 'sandbox', apiEndpoint: null };

async function pullAll(connector: Connector, resource: VendorResource, settings: Settings, since: Date | null = null) {
  const context = contextOf(settings);
  const all: Required<Pick<VendorBatch, 'devices' | 'sales' | 'alerts' | 'stock' | 'unreadable'>> = {
    devices: [],
    sales: [],
    alerts: [],
    stock: [],
    unreadable: [],
  };
  for (let cursor: unknown = null, more = true, pages = 0; more; pages++) {
    if (pages > 200) throw new Error('The walk does not end.');
    const page = await connector.pull(resource, { cursor, since }, context);
    const batch = await page.batch;
    cursor = JSON.parse(JSON.stringify(page.cursor));
    more = page.more;
    for (const key of ['devices', 'sales', 'alerts', 'stock', 'unreadable'] as const) {
      Object.assign(all, { [key]: [...all[key], ...(batch[key] ?? [])] });
    }
  }
  return all;
}

const queue = (call: string, kind: string, times = 1, parameters = {}) =>
  sandbox.sphere.faults.queue({ system: 'nayax', call, kind, times, parameters });
const ids = (list: readonly { vendorId: string }[]) => [...new Set(list.map((one) => one.vendorId))].sort();

it('a walk finds every machine, through a page repeated, one cut short, an empty one, and a machine deleted meanwhile', async () => {
  const machines = served();
  const whole = await pullAll(nayax, 'devices', nayaxSettings);
  expect(ids(whole.devices)).toHaveLength(machines.length);
  expect(whole.devices.find((one) => one.machineNumber === machines[0]?.number)).toMatchObject({
    serialNumber: machines[0]?.serialNumber,
    name: machines[0]?.site.name,
  });
  for (const kind of ['repeat_page', 'short_page', 'empty_page']) queue('GET /operational/v1/machines', kind);
  expect(ids((await pullAll(nayax, 'devices', nayaxSettings)).devices)).toEqual(ids(whole.devices));
  queue('GET /v1/machines', 'machine_deleted');
  expect(ids((await pullAll(nayax, 'devices', nayaxSettings)).devices)).toHaveLength(machines.length - 1);
});
const served = () => sandbox.sphere.fleet().machines.filter(serves);

it('every sale of the window is read once, for what settled, and by both systems under one name', async () => {
  const fleet = sandbox.sphere.fleet();
  const week = new Date(Date.parse(now) - 4 * dayMs);
  const made = served().flatMap((place) => salesOf(fleet, place, week, new Date(Date.parse(now) + 1)));
  const { sales, unreadable } = await pullAll(nayax, 'sales', nayaxSettings);
  expect(unreadable).toEqual([]);
  expect(new Set(sales.map((sale) => sale.ledger.transactionId))).toEqual(
    new Set(made.map((sale) => String(transactionIdOf(sale)))),
  );
  const failed = new Set(made.filter((sale) => sale.failed).map((sale) => String(transactionIdOf(sale))));
  expect(sales.filter((sale) => sale.status === 'failed').every((sale) => failed.has(sale.ledger.transactionId))).toBe(
    true,
  );
  expect(sales.reduce((pieces, sale) => pieces + sale.quantity, 0)).toBe(
    made.reduce((sum, sale) => sum + sale.quantity, 0),
  );
  const again = await pullAll(moma, 'sales', {
    ...momaCredentials,
    apiSecret: null,
    environment: 'sandbox',
    baseUrl: null,
  });
  expect(again.sales.map(({ ledger, amount, slotNumber }) => ({ ledger, amount, slotNumber }))).toEqual(
    sales.map(({ ledger, amount, slotNumber }) => ({ ledger, amount, slotNumber })),
  );
}, 30_000);

it('a pending sale settles later as the same sale, and is told again since then', async () => {
  const [place] = sandbox.sphere.fleet().machines;
  await fetch(`${sandbox.origin}/control/sales`, {
    method: 'POST',
    body: JSON.stringify({ count: 12, number: place?.number }),
  });
  const first = (await pullAll(nayax, 'sales', nayaxSettings)).sales;
  const pending = ids(first.filter((sale) => sale.status === 'pending'));
  expect(pending.length).toBeGreaterThan(0);
  sandbox.sphere.clock.set(new Date(Date.parse(now) + 3_600_000), true);
  const later = (await pullAll(nayax, 'sales', nayaxSettings, new Date(Date.parse(now) + 60_000))).sales;
  expect(later.filter((sale) => pending.includes(sale.vendorId)).every((sale) => sale.status !== 'pending')).toBe(true);
  expect(ids(later)).toEqual(expect.arrayContaining(pending));
});

it('MoMa reads stock with levels and prices, and a token of its own made from the secret, renewed once when it died', async () => {
  const settings = { ...momaCredentials, apiSecret: refreshToken, environment: 'sandbox', baseUrl: null };
  const { stock } = await pullAll(moma, 'stock', settings);
  const lines = served().flatMap((place) => place.lines);
  expect(
    stock.filter((one, index) => stock.findIndex((other) => other.vendorId === one.vendorId) === index),
  ).toHaveLength(lines.length);
  expect(stock[0]).toMatchObject({
    capacity: expect.any(Number),
    minimum: expect.any(Number),
    price: expect.stringMatching(/^\d+\.\d\d$/),
  });
  const issued = () =>
    sandbox.sphere.journal.list({ system: 'moma' }).filter((one) => one.path.endsWith('issue-access-token')).length;
  expect(issued()).toBe(1);
  sandbox.sphere.faults.queue({
    system: 'moma',
    call: 'GET /v1/machines',
    kind: 'token_expired',
    times: 1,
    parameters: {},
  });
  await pullAll(moma, 'devices', settings);
  expect(issued()).toBe(2);
});

it('a refused token is told with what to do where a new one is refused too', async () => {
  const context = contextOf({ ...nayaxSettings, hashCode: 'expired' });
  await expect(nayax.testConnection(context)).rejects.toThrow(
    'enter it as the hash code. If a new one is refused too, give its user the right to see machines and sales.',
  );
});

it.each([
  ['a refused token', { ...nayaxSettings, hashCode: 'expired' }, null, 'auth'],
  ['a token without the right', { ...nayaxSettings, hashCode: 'noscope' }, null, 'forbidden'],
  ['an answer that says no with status 200', nayaxSettings, ['ok_false', {}], 'bad-data'],
  ['a web page', nayaxSettings, ['malformed', { as: 'html' }], 'bad-data'],
] as const)('%s is told as a sentence', async (_what, settings, fault, kind) => {
  if (fault)
    queue(fault[0] === 'ok_false' ? 'GET /v1/machines' : 'GET /operational/v1/machines', fault[0], 1, fault[1]);
  await expect(nayax.testConnection(contextOf(settings))).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(/^Nayax Core .*\.$|^Nayax Core refused the call: /),
  });
});

it.each([
  ['a hash code nobody issued', nayax, { ...nayaxSettings, hashCode: 'nonsense' }],
  ['an API key nobody issued', moma, { apiKey: 'nonsense', environment: 'sandbox' }],
  ['an API secret nobody issued', moma, { ...momaCredentials, apiSecret: 'nonsense', environment: 'sandbox' }],
])('%s is refused', async (_what, connector, settings) => {
  await expect(connector.testConnection(contextOf(settings))).rejects.toMatchObject({ kind: 'auth' });
});

it('the last visit of a machine stands still in the early morning too', async () => {
  const visitsAt = async (time: string) => {
    sandbox.sphere.clock.set(new Date(`2026-11-20T${time}:00.000Z`), true);
    const { devices } = await pullAll(nayax, 'devices', nayaxSettings);
    return devices.map(({ vendorId, details }) => [vendorId, details.lastRefilled]);
  };
  const before = await visitsAt('09:00');
  expect(await visitsAt('09:07')).toEqual(before);
  expect(await visitsAt('11:01')).not.toEqual(before);
});

it('a merchant ID that is not ours shows no machine, and that is told', async () => {
  const settings = { ...nayaxSettings, merchantId: '2000999999' };
  expect((await pullAll(nayax, 'devices', settings)).devices).toEqual([]);
  expect((await nayax.testConnection(contextOf(settings))).detail).toContain('Check the merchant ID');
});

it('notifications, queue messages and DEX files are genuine and readable; forged ones are not', async () => {
  const received: RawRequest[] = [];
  const { createServer } = await import('node:http');
  const inbox = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? '/', 'http://inbox');
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    received.push({
      method: request.method ?? '',
      path: '',
      query: [...url.searchParams],
      headers,
      body: Buffer.concat(chunks),
    });
    response.end();
  });
  await new Promise<void>((done) => inbox.listen(0, '127.0.0.1', done));
  const address = inbox.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const settings = { merchantId: '2000100001', hashCode: 'ab'.repeat(32) };
  const context = { settings, previousSettings: null, now: () => new Date(now), hash, timeZone: 'America/New_York' };
  const send = async (kind: string, variant: string, parameters = {}) => {
    received.length = 0;
    await sandbox.push('nayax', { kind, variant, parameters: { url, ...settings, ...parameters } });
    return received.map((request) => nayax.webhook?.verify(request, context).genuine);
  };
  expect(await send('payment', 'normal')).toEqual([true]);
  expect(await send('payment', 'normal', { method: 'GET' })).toEqual([true]);
  expect([await send('payment', 'tampered'), await send('payment', 'bad_signature')]).toEqual([[false], [false]]);
  expect([await send('ecommerce', 'normal'), await send('ecommerce', 'tampered')]).toEqual([[true], [false]]);
  expect(await send('ecommerce', 'normal', { request: 'Refund' })).toEqual([true]);
  expect(await send('event', 'duplicate')).toEqual([true, true]);
  expect(nayax.webhook?.parse(received[0] ?? never(), context).batch.alerts).toHaveLength(1);
  expect(await send('dex', 'normal')).toEqual([true]);
  expect(nayax.webhook?.parse(received[0] ?? never(), context).batch.dexReads).toHaveLength(1);
  expect(await send('transaction', 'bad_signature')).toEqual(Array(6).fill(false));
  await send('transaction', 'normal');
  const byQueue = received.flatMap((request) => nayax.webhook?.parse(request, context).batch.sales ?? []);
  const byPull = new Map((await pullAll(nayax, 'sales', nayaxSettings)).sales.map((sale) => [sale.vendorId, sale]));
  const same = ({ amount, ledger, productName, slotNumber, paymentMethod, status }: (typeof byQueue)[number]) => ({
    amount,
    ledger,
    productName,
    slotNumber,
    paymentMethod,
    status,
  });
  for (const sale of byQueue.filter((one) => one.status !== 'pending')) {
    expect(same(sale)).toEqual(same(byPull.get(sale.vendorId) ?? never()));
  }
  await new Promise((done) => inbox.close(done));
});

function never(): never {
  throw new Error('Nothing was received.');
}
