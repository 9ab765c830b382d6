import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { cantaloupe as connector } from '../../connectors/cantaloupe/cantaloupe.ts';
import type { RawRequest, VendorContext, WebhookContext } from '../../connectors/connector.ts';
import { readDex } from '../../connectors/dex/read-dex.ts';
import type { VendorResource, VendorSale } from '../../domain/integration.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { cantaloupe, credentials } from './cantaloupe.ts';

let sandbox: Sandbox;
let receiver: Server;
let received: RawRequest[] = [];
let answer = 200;
const now = new Date('2026-11-02T15:00:00Z');

beforeAll(async () => {
  sandbox = await startSandbox({ vendors: [cantaloupe], tickMs: null });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://receiver');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const body = new Uint8Array(Buffer.concat(chunks));
      received.push({ method: request.method ?? '', path: url.pathname, query: [...url.searchParams], headers, body });
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve()));
});
afterAll(async () => {
  await sandbox.close();
  await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
  sandbox.sphere.reset();
  sandbox.sphere.clock.set(now, true);
  received = [];
  answer = 200;
});

const hash: WebhookContext['hash'] = {
  sha256: (given) => createHash('sha256').update(given).digest(),
  hmacSha256: (key, given) => createHmac('sha256', key).update(given).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  uuid: () => crypto.randomUUID(),
};
const settings = { apiKey: credentials.user, apiSecret: credentials.password, environment: 'sandbox' };
const timeZone = 'America/New_York';
const webhookContext: WebhookContext = { settings, previousSettings: null, now: () => now, hash, timeZone };

const contextWith = (given: typeof settings): VendorContext => ({
  ...{ settings: given, hash, timeZone, now: sandbox.sphere.clock.now, sandboxUrl: sandbox.origin },
  tokens: { read: async () => null, renew: (work) => work(null, async () => {}) },
  signal: AbortSignal.timeout(20_000),
  fetch: async (url, request = {}) => {
    const { body, headers = {}, method = 'GET' } = request;
    const reply = await fetch(url, { method, headers, ...(body ? { body: Buffer.from(body) } : {}) });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const text = () => new TextDecoder().decode(bytes);
    return {
      status: reply.status,
      header: (name) => reply.headers.get(name),
      bytes,
      text,
      json: () => JSON.parse(text()),
    };
  },
});

async function pullAll(resource: VendorResource, since: Date | null, cursor: unknown = null) {
  const pages = [];
  for (let page = 0; page < 100; page++) {
    const got = await connector.pull(resource, { cursor, since }, contextWith(settings));
    pages.push(await got.batch);
    cursor = got.cursor;
    if (!got.more) break;
  }
  const sales = pages.flatMap((batch) => batch.sales ?? []);
  return { cursor, pages: pages.length, sales, devices: pages.flatMap((batch) => batch.devices ?? []) };
}

const register = (fields: Record<string, unknown> = {}) =>
  fetch(`${sandbox.origin}/cantaloupe/transports`, {
    method: 'POST',
    body: JSON.stringify({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, ...fields }),
  });
const push = (kind: string, variant = 'normal', parameters = {}) =>
  sandbox.push('cantaloupe', { kind, variant, parameters });
const only = (sales: readonly VendorSale[]) =>
  sales.map(({ vendorId, amount, status }) => `${vendorId} ${amount} ${status}`);

it('a transport is tested as soon as it is entered, without a Content-Type', async () => {
  expect(await (await register()).json()).toMatchObject({ testStatus: 200 });
  const [test] = received;
  expect(test).toMatchObject({ method: 'POST', path: '/hook/testTransportFileName', query: [['reason', 'TEST']] });
  expect(test?.headers['content-type']).toBeUndefined();
  expect(test?.body).toHaveLength(33);
  expect(test && connector.webhook?.verify(test, webhookContext)).toMatchObject({ genuine: true, eventType: 'test' });
});

it('the pull walks all pages, knows the next walk’s beginning, and a short page loses nothing', async () => {
  const since = new Date('2026-10-25T00:00:00Z');
  const whole = await pullAll('sales', since);
  expect(whole.pages).toBeGreaterThan(1);
  expect(new Set(whole.sales.map((sale) => sale.vendorId)).size).toBe(whole.sales.length);
  sandbox.sphere.faults.queue({
    system: 'cantaloupe',
    call: 'GET /v1/transactions',
    kind: 'short_page',
    times: 1,
    parameters: {},
  });
  expect(only((await pullAll('sales', since)).sales).sort()).toEqual(only(whole.sales).sort());
  expect((await pullAll('sales', null, whole.cursor)).sales).toEqual([]);
  const { devices } = await pullAll('devices', null);
  expect(devices).toHaveLength(16);
  expect(devices[0]).toMatchObject({ vendorId: 'VK200000003', machineNumber: 'VM-00003', model: expect.any(String) });
});

it('a device that said nothing meanwhile reads the same at the next look', async () => {
  const { devices } = await pullAll('devices', null);
  sandbox.sphere.clock.set(new Date(now.getTime() + 20_000), true);
  expect((await pullAll('devices', null)).devices).toEqual(devices);
});

it('posts of each layout, plain and packed, tell the sales that the pull tells', async () => {
  const pulled = await pullAll('sales', new Date(now.getTime() - 48 * 3_600_000));
  const expected = only(pulled.sales).sort();
  for (const [kind, pack] of [
    ['transactions', 'plain'],
    ['daily-items', 'gzip'],
    ['line-items', 'zip'],
  ]) {
    await register({ pack });
    received = [];
    await push(kind ?? '', 'normal', { hours: 48 });
    const sales = received.flatMap((request) => connector.webhook?.parse(request, webhookContext).batch.sales ?? []);
    const told = kind === 'line-items' ? only(sales).map((one) => one.replace('completed', '').trim()) : only(sales);
    // The line item export has no settle state: a failed sale looks like any other there.
    const compared =
      kind === 'line-items' ? expected.map((one) => one.replace(/completed|failed/, '').trim()) : expected;
    expect(told.sort()).toEqual(compared);
  }
});

it('a file twice is one delivery, a changed one or one with another password is none', async () => {
  await register();
  received = [];
  await push('transactions', 'duplicate');
  const ids = received.map((request) => connector.webhook?.verify(request, webhookContext));
  expect(ids[0]).toEqual(ids[1]);
  await push('transactions', 'bad_signature');
  await push('transactions', 'tampered');
  expect(received.slice(2).map((request) => connector.webhook?.verify(request, webhookContext).genuine)).toEqual([
    false,
    false,
  ]);
});

it('what we did not take is sent again, unchanged; what is due comes by itself', async () => {
  await register({ dex: false });
  sandbox.sphere.clock.advance(4 * 3_600_000);
  received = [];
  answer = 500;
  await sandbox.push(null, null);
  answer = 200;
  await sandbox.push(null, null);
  expect(received).toHaveLength(2);
  expect(received[0]).toEqual(received[1]);
});

it('DEX files are read, and a wrong checksum is told', async () => {
  await register();
  received = [];
  await push('dex');
  await push('dex', 'bad_crc');
  const reads = received.flatMap((request) => connector.webhook?.parse(request, webhookContext).batch.dexReads ?? []);
  expect(
    reads.map(({ bytes, serialNumber }) => [readDex(bytes).crc, /^VK2000000\d\d$/.test(serialNumber ?? '')]),
  ).toEqual([
    ...['ok', 'ok', 'ok'].map((crc) => [crc, true]),
    ...['mismatch', 'mismatch', 'mismatch'].map((crc) => [crc, true]),
  ]);
  // 15:00 UTC is ten in the morning at the machine.
  expect(new Set(reads.map(({ bytes }) => readDex(bytes).machineTime))).toEqual(new Set(['2026-11-02T10:00:00']));
});

it('a wrong password is said in a sentence', async () => {
  const wrong = contextWith({ ...settings, apiSecret: 'nonsense' });
  await expect(connector.testConnection(wrong)).rejects.toThrow(/refused sign-in and password/);
  expect((await connector.testConnection(contextWith(settings))).detail).toContain('accepted');
});

it('in production nothing is called until a pull address is given', async () => {
  const production = {
    ...contextWith({ ...settings, environment: 'production' }),
    fetch: () => Promise.reject(new Error('called')),
  };
  const page = await connector.pull('sales', { cursor: { kept: 1 }, since: null }, production);
  expect(page).toEqual({ batch: {}, cursor: { kept: 1 }, more: false });
  expect((await connector.testConnection(production)).detail).toContain('webhook address');
});
