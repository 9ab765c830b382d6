import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Settings, VendorBatch, VendorResource, VendorSale } from '../../domain/integration.ts';
import { salesOf } from '../../sandbox/fleet.ts';
import { broughtBack, linesOf, piecesOf, tellingsOf } from '../../sandbox/lightspeed/tickets.ts';
import { lightspeed as standIn } from '../../sandbox/lightspeed/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { type TokenSet, type VendorContext, VendorError, type VendorFetch } from '../connector.ts';
import { hash } from '../testing/hash.ts';
import { lightspeed } from './connector.ts';

const redirectUri = 'http://127.0.0.1:3000/api/lightspeed/callback';
const start = new Date('2026-03-12T15:00:00Z');

let sandbox: Sandbox;
let now: Date;
const credentials: Settings = { clientId: 'milkrun-sandbox', clientSecret: 'sandbox-client-secret' };

beforeAll(async () => {
  const from = new Date('2026-03-10T05:00:00Z');
  sandbox = await startSandbox({ vendors: [standIn], tickMs: null, from });
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.sphere.reset();
  setNow(start);
});

function setNow(at: Date): void {
  now = at;
  sandbox.sphere.clock.set(at, true);
}

/** One try a request: what may be tried again is thrown, as it is once the tries of the server are used up. */
const fetchOnce: VendorFetch = async (url, request = {}) => {
  const reply = await fetch(url, { ...request, body: request.body as string | undefined }).catch((error) => {
    throw new VendorError('lightspeed', 'down', 'no answer', error);
  });
  const bytes = await reply.arrayBuffer().catch((error) => {
    throw new VendorError('lightspeed', 'down', 'cut', error);
  });
  if (reply.status === 429) throw new VendorError('lightspeed', 'rate-limit', reply.headers.get('retry-after') ?? '');
  if (reply.status >= 500) throw new VendorError('lightspeed', 'down', String(reply.status));
  const text = () => Buffer.from(bytes).toString();
  const json = () => {
    try {
      return JSON.parse(text());
    } catch {
      throw new VendorError('lightspeed', 'bad-data', 'no JSON');
    }
  };
  return { status: reply.status, header: (name) => reply.headers.get(name), bytes: new Uint8Array(bytes), text, json };
};

function contextOf(settings: Settings, tokens: TokenSet | null): VendorContext & { stored: () => TokenSet | null } {
  let stored = tokens;
  let last: Promise<unknown> = Promise.resolve();
  return {
    settings,
    fetch: fetchOnce,
    now: () => now,
    hash,
    tokens: {
      read: async () => stored,
      renew: (work) => {
        const mine = last.then(async () => {
          stored = await work(stored, async (kept) => {
            stored = kept;
          });
          return stored;
        });
        last = mine.catch(() => {});
        return mine;
      },
    },
    timeZone: 'America/New_York',
    sandboxUrl: sandbox.origin,
    signal: new AbortController().signal,
    stored: () => stored,
  };
}

/** Goes the way of a browser: to the vendor's page, `allow` or `deny`, and back. */
async function decide(what: 'allow' | 'deny'): Promise<Record<string, string>> {
  const url =
    lightspeed.oauth?.connectUrl(credentials, { state: 'once', redirectUri, sandboxUrl: sandbox.origin }) ?? '';
  expect((await fetch(url)).status).toBe(200);
  const decided = await fetch(url.replace('/connect?', `/connect/${what}?`), { redirect: 'manual' });
  return Object.fromEntries(new URL(decided.headers.get('location') ?? '').searchParams);
}

async function connected() {
  const query = await decide('allow');
  const joined = await lightspeed.oauth?.exchange(query, redirectUri, contextOf(credentials, null));
  if (!joined) throw new Error('the connector has no sign-in');
  return contextOf(joined.settings, joined.tokens);
}

/** Pulls to the end, going on after each failure as the server does. */
async function walk(
  context: VendorContext,
  resource: VendorResource,
  cursor: unknown = null,
  since: Date | null = null,
) {
  const batches: VendorBatch[] = [];
  const failures: string[] = [];
  let at = cursor;
  for (let more = true; more; ) {
    const page = await lightspeed.pull(resource, { cursor: at, since }, context).catch((error: VendorError) => {
      failures.push(error.kind);
      return null;
    });
    if (failures.length > 20) throw new Error(`too many failures: ${failures}`);
    if (!page) continue;
    batches.push(await page.batch);
    ({ cursor: at, more } = page);
  }
  return { cursor: at, failures, sales: batches.flatMap((one) => one.sales ?? []), batches };
}

const asked = (part: string) => sandbox.sphere.journal.list().filter(({ path: at }) => at.includes(part));
const soldInAll = () =>
  sandbox.sphere
    .fleet()
    .markets.flatMap((place) =>
      salesOf(sandbox.sphere.fleet(), place, new Date(0 + Date.parse('2026-03-10T05:00:00Z')), now),
    );
/** Every line that the till rang up by now, each once, and the sales of which a thing was brought back by now. */
const rungUp = () =>
  soldInAll().flatMap((sale) =>
    tellingsOf(sale)
      .filter(({ what, atMs }, nth) => (nth === 0 || what === 'returned') && atMs < now.getTime())
      .flatMap((telling) =>
        linesOf(sale, telling).map(({ piece, isBack }) => ({ sale, isBack, amount: piece.amount })),
      ),
  );
const givenBack = () =>
  soldInAll().filter((sale) => tellingsOf(sale).some(({ what, atMs }) => what === 'returned' && atMs < now.getTime()));
const isParkedYet = (sale: Parameters<typeof tellingsOf>[0]) =>
  tellingsOf(sale)
    .filter(({ atMs }) => atMs < now.getTime())
    .at(-1)?.what === 'parked';
const fault = (call: string, kind: string, parameters = {}, times = 1) =>
  sandbox.sphere.faults.queue({ system: 'lightspeed', call, kind, times, parameters });

describe('connecting', () => {
  it('comes back with the store and tokens, all secrets in the body', async () => {
    const context = await connected();
    expect(context.settings.domainPrefix).toBe('milkrun-demo');
    expect(context.stored()?.expiresAt).toEqual(new Date(start.getTime() + 86_400_000));
    expect(asked('/token').map(({ query }) => query)).toEqual(['']);
    expect((await lightspeed.testConnection(context)).detail).toContain('2 outlets');
  });

  it('a refusal, a used code and a late one connect nothing', async () => {
    const exchange = (query: Record<string, string>) =>
      lightspeed.oauth?.exchange(query, redirectUri, contextOf(credentials, null));
    await expect(exchange(await decide('deny'))).rejects.toThrow('not allowed');
    const query = await decide('allow');
    await exchange(query);
    await expect(exchange(query)).rejects.toThrow('refused');
    const late = await decide('allow');
    setNow(new Date(start.getTime() + 61_000));
    await expect(exchange(late)).rejects.toThrow('refused');
  });

  it.each(['evil.example/', 'a.b', '', 'A', '-'.repeat(64), 'acme@evil'])(
    'the secret is never sent to the store %j',
    async (prefix) => {
      const query = { code: 'x', domain_prefix: prefix };
      const context = { ...contextOf(credentials, null), fetch: () => Promise.reject(new Error('sent')) };
      await expect(lightspeed.oauth?.exchange(query, redirectUri, context)).rejects.toThrow('no store');
    },
  );

  it('a store does not slip into the configuration of another', async () => {
    const context = contextOf({ ...credentials, domainPrefix: 'acme' }, null);
    await expect(lightspeed.oauth?.exchange(await decide('allow'), redirectUri, context)).rejects.toThrow('acme');
  });
});

describe('tokens', () => {
  it('are renewed once when they run out in the middle of a walk, by however many callers', async () => {
    const context = await connected();
    const before = context.stored();
    setNow(new Date(start.getTime() + 86_400_000 - 4 * 60_000));
    await Promise.all([walk(context, 'devices'), walk(context, 'products'), walk(context, 'sales')]);
    expect(asked('/token')).toHaveLength(2);
    expect(context.stored()?.refreshToken).not.toBe(before?.refreshToken);
  });

  it('a refused one is renewed once and the call repeated', async () => {
    const context = await connected();
    fault('GET *sales', 'unauthorised');
    expect((await walk(context, 'sales')).failures).toEqual([]);
    expect(asked('/token')).toHaveLength(2);
  });

  it('a revoked connection says: reconnect, and is not tried in a loop', async () => {
    const context = await connected();
    await sandbox.push('lightspeed', { kind: 'revoke', variant: 'normal', parameters: {} });
    await expect(lightspeed.pull('sales', { cursor: null, since: null }, context)).rejects.toMatchObject({
      kind: 'reconnect',
      message: 'Lightspeed says the connection was revoked: reconnect.',
    });
    expect(asked('/token')).toHaveLength(2);
  });

  it('a refresh token that was used is refused; one who lost it has to reconnect', async () => {
    const context = await connected();
    const old = contextOf(context.settings, context.stored());
    setNow(new Date(start.getTime() + 90_000_000));
    await walk(context, 'devices');
    await expect(lightspeed.pull('devices', { cursor: null, since: null }, old)).rejects.toMatchObject({
      kind: 'reconnect',
    });
  });
});

describe('a renewal whose answer is lost', () => {
  const pull = (context: VendorContext) => lightspeed.pull('devices', { cursor: null, since: null }, context);
  const runOut = () => setNow(new Date(start.getTime() + 90_000_000));

  it.each([['cut'], ['malformed']])(
    'by %s passes; what the store used up meanwhile costs a person’s sign-in only after half an hour',
    async (kind) => {
      const context = await connected();
      runOut();
      fault('POST *token', kind, { as: 'html' });
      await expect(pull(context)).rejects.toMatchObject({ kind: 'down' });
      expect(context.stored()?.unansweredSince).toEqual(now);
      // The stand-in has rotated: the token of before is refused.
      await expect(pull(context)).rejects.toMatchObject({ kind: 'down', message: expect.stringContaining('lost') });
      setNow(new Date(now.getTime() + 31 * 60_000));
      await expect(pull(context)).rejects.toMatchObject({
        kind: 'reconnect',
        message: expect.stringContaining('Syncs go on where they stopped'),
      });
    },
  );

  it('is asked for again, and where the store had not heard it all is as before', async () => {
    const context = await connected();
    runOut();
    fault('POST *token', 'server_error');
    await expect(pull(context)).rejects.toMatchObject({ kind: 'down' });
    const batch = await (await pull(context)).batch;
    expect(batch.devices?.[0]?.name).toBe('Waverly Street Design House Market');
    expect(context.stored()?.unansweredSince).toBeUndefined();
  });

  it('is not what a refusal at once is: that one is the shop keeper’s, also when asked again', async () => {
    const context = await connected();
    await sandbox.push('lightspeed', { kind: 'revoke', variant: 'normal', parameters: {} });
    for (let time = 0; time < 2; time += 1)
      await expect(pull(context)).rejects.toMatchObject({ message: expect.stringContaining('was revoked') });
  });
});

describe('pulling', () => {
  it('sales come to the cent, once, and a second run finds nothing', async () => {
    const context = await connected();
    const first = await walk(context, 'sales');
    const sold = rungUp();
    expect(sold.length).toBeGreaterThan(150);
    expect(new Set(first.sales.map(({ vendorId }) => vendorId)).size).toBe(sold.length);
    const kept = first.sales.filter(({ status }) => status === 'completed');
    const inclusive = sold.filter(
      ({ sale, isBack }) => !sale.failed && !isBack && !isParkedYet(sale) && sale.place.site.id % 2 === 0,
    );
    const sum = (list: readonly { amount: string | number }[]) =>
      list.reduce((cents, { amount }) => cents + Math.round(Number(amount) * 100), 0);
    expect(sum(kept.filter(({ details }) => details.locationName === inclusive[0]?.sale.place.site.name))).toBe(
      sum(inclusive),
    );
    sandbox.sphere.journal.clear();
    const second = await walk(context, 'sales', first.cursor);
    expect(second.sales).toEqual([]);
    expect(asked('/sales')).toHaveLength(1);
  });

  it('under faults in the middle of the walk nothing is lost or doubled', async () => {
    const context = await connected();
    fault('GET *sales', 'rate_limited', { as: 'date' });
    fault('GET *sales', 'server_error');
    fault('GET *sales', 'cut');
    fault('GET *sales', 'malformed', { as: 'html' });
    fault('GET *sales', 'short_page', {}, 3);
    const { sales, failures } = await walk(context, 'sales');
    expect(failures).toEqual(['rate-limit', 'down', 'down', 'bad-data']);
    expect(sales.map(({ vendorId }) => vendorId).sort()).toEqual(
      [...new Set(sales.map(({ vendorId }) => vendorId))].sort(),
    );
    expect(sales).toHaveLength(rungUp().length);
  });

  it('an empty or repeated page in the middle ends the run early, and the next one brings the rest', async () => {
    const context = await connected();
    const first = await lightspeed.pull('sales', { cursor: null, since: null }, context);
    fault('GET *sales', 'empty_page');
    const empty = await walk(context, 'sales', first.cursor);
    expect(empty.cursor).toEqual(first.cursor);
    fault('GET *sales', 'repeat_page');
    const repeated = await walk(context, 'sales', empty.cursor);
    const rest = await walk(context, 'sales', repeated.cursor);
    const all = [(await first.batch).sales ?? [], empty.sales, repeated.sales, rest.sales].flat();
    const lines = rungUp().length;
    expect(new Set(all.map(({ vendorId }) => vendorId)).size).toBe(lines);
    expect(all).toHaveLength(lines);
  });

  it('a sale that is voided comes again with a higher version, and never happened', async () => {
    const context = await connected();
    const voided = soldInAll().find(({ failed }) => failed);
    if (!voided) throw new Error('nothing was voided in these days');
    setNow(new Date(voided.at.getTime() + 60_000));
    const before = await walk(context, 'sales');
    setNow(new Date(voided.at.getTime() + 21 * 60_000));
    const after = await walk(context, 'sales', before.cursor);
    const of = (list: readonly VendorSale[]) =>
      list.find(({ details }) => details.receiptNumber === String(voided.number));
    expect([of(before.sales)?.status, of(after.sales)?.status]).toEqual(['completed', 'failed']);
    expect(Number(of(after.sales)?.version)).toBeGreaterThan(Number(of(before.sales)?.version));
  });

  it('a parked sale waits until it is paid, each thing of a sale is a line, and what is brought back is a refund', async () => {
    const context = await connected();
    const parked = soldInAll().find((sale) => tellingsOf(sale)[0]?.what === 'parked');
    const several = soldInAll().find((sale) => !sale.failed && piecesOf(sale).length > 1);
    const [back] = givenBack();
    if (!parked || !several || !back) throw new Error('nothing of this kind was sold in these days');
    setNow(new Date(parked.at.getTime() + 60_000));
    const before = await walk(context, 'sales');
    setNow(new Date(start.getTime() + 86_400_000));
    const after = await walk(context, 'sales', before.cursor);
    const all = [...before.sales, ...after.sales];
    const of = (list: readonly VendorSale[], receipt: string) =>
      list.filter(({ details }) => details.receiptNumber === receipt);
    expect(of(before.sales, String(parked.number)).map(({ status }) => status)).toContain('pending');
    expect(of(after.sales, String(parked.number)).map(({ status }) => status)).not.toContain('pending');
    expect(of(all, String(several.number)).map(({ productName }) => productName)).toEqual(
      piecesOf(several).map(({ line }) => line.product.name),
    );
    const [returned] = of(all, `${back.number}R`);
    expect(returned).toMatchObject({
      status: 'refunded',
      movesStock: false,
      productName: broughtBack(back).line.product.name,
    });
    expect(Number(returned?.amount)).toBeLessThan(0);
    expect(of(all, String(back.number))[0]?.ledger.transactionId).toBe(returned?.details.returnFor);
  });

  it('reading again from a day walks back to it and no further, and goes on from the newest', async () => {
    const context = await connected();
    const since = new Date(start.getTime() - 3 * 3_600_000);
    const again = await walk(context, 'sales', null, since);
    const wanted = soldInAll().filter(({ at }) => at >= since);
    expect(
      wanted.every(({ number }) => again.sales.some(({ details }) => details.receiptNumber === String(number))),
    ).toBe(true);
    expect(again.cursor).toEqual((await walk(context, 'sales')).cursor);
  });

  it('stock comes by outlet with names, reorder points and counts below nothing; a changed product comes again', async () => {
    const context = await connected();
    const { batches } = await walk(context, 'stock');
    const stock = batches.flatMap((one) => one.stock ?? []);
    const lines = sandbox.sphere.fleet().markets.flatMap((place) => place.lines);
    expect(stock).toHaveLength(lines.length);
    expect(stock.some(({ quantity }) => quantity < 0)).toBe(true);
    expect(stock.every(({ productName, minimum }) => !productName.startsWith('Product ') && minimum !== null)).toBe(
      true,
    );
    const products = await walk(context, 'products');
    expect(products.batches.flatMap((one) => one.products ?? []).filter(({ removed }) => removed)).toHaveLength(1);
    await sandbox.push('lightspeed', { kind: 'touch', variant: 'normal', parameters: {} });
    const touched = await walk(context, 'products', products.cursor);
    expect(touched.batches.flatMap((one) => one.products ?? [])).toHaveLength(1);
  });
});

describe('messages', () => {
  it('the sandbox signs what it sends to the registered addresses', async () => {
    const context = await connected();
    await lightspeed.webhook?.register?.(`${sandbox.origin}/lightspeed/hook`, context);
    for (const variant of ['normal', 'bad_signature', 'tampered', 'unsigned']) {
      await sandbox.push('lightspeed', { kind: 'sale.update', variant, parameters: {} });
    }
    const sent = sandbox.sphere.journal.list().filter(({ direction }) => direction === 'out');
    const verdicts = sent.map(
      ({ body: text, headers }) =>
        lightspeed.webhook?.verify(
          { method: 'POST', path: '', query: [], headers, body: Buffer.from(text) },
          { settings: context.settings, previousSettings: null, now: () => start, hash, timeZone: 'UTC' },
        ).genuine,
    );
    expect(verdicts).toEqual([true, false, false, false]);
  });
});
