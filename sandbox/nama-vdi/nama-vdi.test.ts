import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PullRequest, RawRequest, VendorContext, WebhookContext } from '../../connectors/connector.ts';
import { readDex } from '../../connectors/dex/read-dex.ts';
import { headerFor, sealDocument, sendCall } from '../../connectors/nama-vdi/client.ts';
import { namaVdi as connector } from '../../connectors/nama-vdi/connector.ts';
import { writeMarkets, writeProducts } from '../../connectors/nama-vdi/document.ts';
import type { VendorBatch, VendorResource } from '../../domain/integration.ts';
import { type Sandbox, startSandbox } from '../server.ts';
import { credentials, namaVdi } from './vendor.ts';

let sandbox: Sandbox;
let receiver: Server;
let received: RawRequest[] = [];
let answer: { status: number; body: string };
const success = '<VDIDataExchangeResult>SUCCESS</VDIDataExchangeResult>';
const now = new Date('2026-11-02T15:00:00Z');
const settings = {
  vmsSystemId: credentials.user,
  mmsSystemId: 'MMS365/46',
  apiKey: credentials.password,
  environment: 'sandbox',
  version: '2.0',
};
const hash: WebhookContext['hash'] = {
  sha256: (given) => createHash('sha256').update(given).digest(),
  hmacSha256: (key, given) => createHmac('sha256', key).update(given).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  uuid: () => crypto.randomUUID(),
};
const timeZone = 'America/New_York';
const webhookContext: WebhookContext = { settings, previousSettings: null, now: () => now, hash, timeZone };

beforeAll(async () => {
  sandbox = await startSandbox({ vendors: [namaVdi], tickMs: null });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ method: 'POST', path: '', query: [], headers, body: new Uint8Array(Buffer.concat(chunks)) });
      response.writeHead(answer.status).end(answer.body);
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
  answer = { status: 200, body: success };
});

const context: VendorContext = {
  get settings() {
    return { ...settings, apiEndpoint: `${sandbox.origin}/nama-vdi` };
  },
  hash,
  timeZone,
  now: () => now,
  get sandboxUrl() {
    return sandbox.origin;
  },
  tokens: { read: async () => null, renew: (work) => work(null, async () => {}) },
  signal: AbortSignal.timeout(60_000),
  fetch: async (url, { body, headers = {}, method = 'GET' } = {}) => {
    const reply = await fetch(url, { method, headers, ...(body ? { body: Buffer.from(body) } : {}) });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const text = () => new TextDecoder().decode(bytes);
    const header = (name: string) => reply.headers.get(name);
    return { status: reply.status, header, bytes, text, json: () => JSON.parse(text()) };
  },
};
const register = () =>
  connector.webhook?.register?.(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/vdi`, context);
const push = (kind: string, variant = 'normal', parameters = {}) =>
  sandbox.push('nama-vdi', { kind, variant, parameters });
const read = (request: RawRequest | undefined): VendorBatch =>
  request ? (connector.webhook?.parse(request, webhookContext).batch ?? {}) : {};

async function pullAll(resource: VendorResource, since: Date | null) {
  const batches: VendorBatch[] = [];
  let request: PullRequest = { cursor: null, since };
  for (;;) {
    const page = await connector.pull(resource, request, context);
    batches.push(await page.batch);
    request = { cursor: page.cursor, since };
    if (!page.more) return batches;
  }
}

it('the connection is proven, and a wrong key is told', async () => {
  expect(await connector.testConnection(context)).toEqual({ detail: 'VDI system is reachable' });
  const wrong = { ...context, sandboxUrl: context.sandboxUrl, settings: { ...context.settings, apiKey: 'x' } };
  await expect(connector.testConnection(wrong)).rejects.toMatchObject({ kind: 'auth' });
});

it('what is asked for comes whole, over several pages, and the same every time', async () => {
  const [devices] = await pullAll('devices', null);
  const places = new Set(devices?.devices?.map(({ integrationId }) => integrationId));
  expect(places.size).toBe(sandbox.sphere.fleet().machines.length + sandbox.sphere.fleet().markets.length);
  const since = new Date('2026-10-27T00:00:00Z');
  const pages = await pullAll('sales', since);
  const ids = pages.flatMap((batch) => batch.sales ?? []).map(({ vendorId }) => vendorId);
  expect(pages.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
  const again = (await pullAll('sales', since)).flatMap((batch) => batch.sales ?? []);
  expect(again.map(({ vendorId }) => vendorId)).toEqual(ids);
  const dex = pages.flatMap((batch) => batch.dexReads ?? []);
  expect(dex.map(({ bytes }) => readDex(bytes).crc)).toEqual(['ok', 'ok', 'ok']);
  expect((await pullAll('alerts', null)).flatMap((batch) => batch.alerts ?? [])).toHaveLength(4);
});

it('a device that said nothing meanwhile reads the same at the next look', async () => {
  const before = await pullAll('devices', null);
  sandbox.sphere.clock.set(new Date(now.getTime() + 20_000), true);
  expect(await pullAll('devices', null)).toEqual(before);
});

it('documents of each kind are pushed, genuine and readable, with what senders do beside the standard', async () => {
  await register();
  for (const kind of namaVdi.pushes ?? []) await push(kind);
  expect(received.map((one) => connector.webhook?.verify(one, webhookContext))).toEqual(
    (namaVdi.pushes ?? []).map((eventType) => expect.objectContaining({ genuine: true, eventType })),
  );
  const plain = read(received[1]).sales ?? [];
  received = [];
  await push('mms-sales', 'normal', { quirks: ['blank_times', 'no_product_id', 'per_line'] });
  const odd = read(received[0]).sales ?? [];
  expect(odd.map(({ vendorId, amount, soldAt }) => [vendorId, amount, soldAt])).toEqual(
    plain.map(({ vendorId, amount, soldAt }) => [vendorId, amount, soldAt]),
  );
  received = [];
  await push('mms-sales', 'normal', { quirks: ['brought_back'] });
  const both = read(received[0]).sales ?? [];
  const isBack = ({ status, movesStock }: (typeof both)[number]) => status === 'refunded' && !movesStock;
  expect([both.filter(isBack).length, both.length]).toEqual([plain.length, 2 * plain.length]);
  received = [];
  for (const variant of ['entity_bomb', 'external_entity']) await push('mms-sales', variant);
  for (const one of received) expect(() => read(one)).toThrow(/Document type declarations are not accepted/);
  await push('mms-kiosks', 'bad_signature');
  expect(received.at(-1) && connector.webhook?.verify(received.at(-1) as RawRequest, webhookContext).genuine).toBe(
    false,
  );
});

it('what was not acknowledged is sent again unchanged; a changed one has the same id', async () => {
  await register();
  answer = { status: 500, body: '' };
  await push('mms-kiosks');
  answer = { status: 200, body: success };
  await sandbox.push(null, null);
  expect(received).toHaveLength(2);
  expect(received[0]?.body).toEqual(received[1]?.body);
  received = [];
  await push('mms-kiosks', 'tampered');
  const verdicts = received.map((one) => connector.webhook?.verify(one, webhookContext));
  expect(verdicts[0]).toEqual(verdicts[1]);
  expect(received[0]?.body).not.toEqual(received[1]?.body);
});

it('markets and catalogues are taken once, an altered re-send and an older catalogue are refused', async () => {
  await register();
  const header = headerFor(context, 'mms-markets', 'ID-1');
  const markets = [{ marketId: '1', name: 'Lobby', address: null, location: null, kiosks: [] }];
  const call = sealDocument(header, writeMarkets(header, markets));
  expect([await sendCall(context, call), await sendCall(context, call)]).toMatchObject([
    { accepted: true },
    { accepted: true },
  ]);
  // Told of markets, the other side tells of its kiosks, and only once.
  expect(received.map((one) => read(one).devices?.length)).toEqual([sandbox.sphere.fleet().markets.length]);
  const other = sealDocument(
    header,
    writeMarkets(header, [
      { ...(markets[0] ?? { marketId: '1', name: '', address: null, location: null, kiosks: [] }), name: 'Hall' },
    ]),
  );
  expect(await sendCall(context, other)).toMatchObject({
    accepted: false,
    message: expect.stringContaining('other content'),
  });
  const catalog = async (id: string, version: string) => {
    const head = headerFor(context, 'mms-products', id);
    return (
      await sendCall(
        context,
        sealDocument(head, writeProducts(head, [{ marketId: '1', version, size: 'Full', update: [], remove: [] }])),
      )
    ).accepted;
  };
  expect([await catalog('C-2', '2'), await catalog('C-1', '1')]).toEqual([true, false]);
});

it.each(['error_text', 'soap_fault', 'html_error'])('%s is a failure with a sentence', async (kind) => {
  sandbox.sphere.faults.queue({ system: 'nama-vdi', call: 'POST /', kind, times: 1, parameters: {} });
  await expect(connector.pull('alerts', { cursor: null, since: null }, context)).rejects.toMatchObject({
    kind: 'bad-data',
  });
  expect((await pullAll('alerts', null))[0]?.alerts).toHaveLength(4);
});
