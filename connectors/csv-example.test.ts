import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { VendorSale } from '../domain/integration.ts';
import { type Connector, type VendorContext, VendorError, type VendorReply } from './connector.ts';

/** A real one has a key of its own in `domain/integration.ts`. */
const system = 'cantaloupe';

/** The example of CONTRIBUTING.md: a system that serves its sales as CSV, a page a day. */
const csvExample: Connector = {
  manifest: {
    system,
    label: 'CSV over HTTP',
    basis: 'A file a day: id, time, machine, slot, product, quantity, price.',
    fields: [
      { name: 'address', label: 'Address', kind: 'url', required: 'Address is required' },
      { name: 'key', label: 'Key', kind: 'secret', required: 'Key is required' },
    ],
    resources: ['sales'],
    everyMinutes: { sales: 60 },
    backfills: true,
  },
  testConnection: async (context) => {
    const lines = await readDay(context, dayOf(context.now()));
    return { detail: `It answers, with ${lines.length} sales today.` };
  },
  pull: async (_resource, { cursor, since }, context) => {
    const today = dayOf(context.now());
    const day = typeof cursor === 'string' ? cursor : dayOf(since ?? context.now());
    const sales: VendorSale[] = [];
    const unreadable: { reason: string; raw: unknown }[] = [];
    for (const line of await readDay(context, day)) {
      const sale = toSale(line);
      if (sale) sales.push(sale);
      else unreadable.push({ reason: 'A line does not have the seven columns.', raw: { line } });
    }
    // Today's file grows: the next run begins with it again.
    return { batch: { sales, unreadable }, cursor: day < today ? nextDay(day) : today, more: day < today };
  },
};

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const nextDay = (day: string): string => dayOf(new Date(Date.parse(day) + 86_400_000));

async function readDay({ settings, fetch }: VendorContext, day: string): Promise<string[]> {
  const reply = await fetch(`${settings.address}/sales/${day}.csv`, {
    headers: { authorization: `Bearer ${settings.key}` },
  });
  if (reply.status === 401) throw new VendorError(system, 'auth', 'The key was refused: enter it again.');
  if (reply.status === 404) return [];
  return reply
    .text()
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '');
}

function toSale(line: string): VendorSale | null {
  const [id, time, machine, slot, product, quantity, price, ...rest] = line.split(',');
  if (!id || !time || !machine || !slot || !product || !quantity || !price || rest.length > 0) return null;
  return {
    vendorId: id,
    ledger: { source: `${system}:${machine}`, transactionId: id, line: null },
    deviceId: machine,
    integrationId: `${system}:${machine}`,
    orderId: null,
    slotNumber: slot,
    productName: product,
    productCode: null,
    category: null,
    quantity: Number(quantity),
    unitPrice: price,
    amount: (Number(price) * Number(quantity)).toFixed(2),
    tax: null,
    fee: null,
    currency: 'USD',
    paymentMethod: null,
    cardType: null,
    lastFour: null,
    status: 'completed',
    soldAt: new Date(time),
    soldAtText: null,
    processedAt: null,
    version: null,
    movesStock: true,
    details: {},
    raw: { line },
  };
}

describe('a connector of the walk-through', () => {
  const files: Record<string, string> = {
    '2026-03-11': 'id,time,machine,slot,product,quantity,price\n1,2026-03-11T10:00:00Z,M1,A1,Cola,2,1.50\nnonsense',
    '2026-03-12': 'id,time,machine,slot,product,quantity,price\r\n2,2026-03-12T10:00:00Z,M1,A2,Water,1,1.25\r\n',
  };
  const replyOf = (status: number, body: string): VendorReply => ({
    status,
    header: () => null,
    bytes: new TextEncoder().encode(body),
    text: () => body,
    json: () => JSON.parse(body),
  });
  const context = (key: string): VendorContext => ({
    settings: { address: 'https://sales.example', key },
    fetch: async (url, request) => {
      if (request?.headers?.authorization !== 'Bearer right') return replyOf(401, '');
      const body = files[url.replace('https://sales.example/sales/', '').replace('.csv', '')];
      return body === undefined ? replyOf(404, '') : replyOf(200, body);
    },
    now: () => new Date('2026-03-12T15:00:00Z'),
    hash: {
      sha256: (bytes) => createHash('sha256').update(bytes).digest(),
      hmacSha256: (secret, bytes) => createHmac('sha256', secret).update(bytes).digest(),
      equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
      uuid: () => randomUUID(),
    },
    tokens: { read: async () => null, renew: (work) => work(null, async () => {}) },
    timeZone: 'UTC',
    sandboxUrl: null,
    signal: AbortSignal.timeout(60_000),
  });

  it('reads day by day to the present, keeps what it cannot read, and begins with today the next time', async () => {
    const since = new Date('2026-03-11T00:00:00Z');
    const first = await csvExample.pull('sales', { cursor: null, since }, context('right'));
    const { sales, unreadable } = await first.batch;
    const ledger = { source: 'cantaloupe:M1', transactionId: '1' };
    expect(sales).toMatchObject([{ vendorId: '1', quantity: 2, amount: '3.00', ledger }]);
    expect(unreadable).toEqual([{ reason: 'A line does not have the seven columns.', raw: { line: 'nonsense' } }]);
    expect(first).toMatchObject({ cursor: '2026-03-12', more: true });
    const second = await csvExample.pull('sales', { cursor: first.cursor, since }, context('right'));
    expect((await second.batch).sales).toMatchObject([{ vendorId: '2', productName: 'Water' }]);
    expect(second).toMatchObject({ cursor: '2026-03-12', more: false });
  });

  it('a refused key is said in words that tell what to do', async () => {
    await expect(csvExample.testConnection(context('wrong'))).rejects.toThrow('enter it again');
    await expect(csvExample.testConnection(context('right'))).resolves.toEqual({
      detail: 'It answers, with 1 sales today.',
    });
  });
});
