import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handledEndpoints } from '../app.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

const json = { 'content-type': 'application/json' };
const nul = String.fromCharCode(0);

/** Values that no field of ours takes, put everywhere. */
const monsters: unknown[] = [
  null,
  [],
  'text',
  9e99,
  { name: nul, address: nul, latitude: 9e99, longitude: '1e400', email: `a${nul}@b.c`, id: 2 ** 53 },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":1}}'),
  { name: 'x'.repeat(100_000), quantity: 2 ** 40, items: [{ id: 2 ** 31 }] },
];

onEachDatabase('bad input', (open) => {
  let test: TestApp;
  let cookie = '';
  let item: { id: number; marketId: number };
  beforeAll(async () => {
    test = await testApp(open);
    const admin = await buildUser(test.deps.db, { role: 'admin' });
    const market = await buildMarket(test.deps.db);
    item = await buildItem(test.deps.db, market.id);
    cookie = (await test.as(admin.id)).cookie;
  });
  afterAll(() => test.close());

  const send = (method: string, url: string, payload?: string | object, headers: Record<string, string> = {}) =>
    test.app.inject({
      method: method as 'POST',
      url,
      headers: { cookie, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });

  let address: Promise<string> | null = null;
  const listening = (): Promise<string> => {
    address ??= test.app.listen({ port: 0, host: '127.0.0.1' });
    return address;
  };

  const refused: [string, number, () => ReturnType<typeof send>][] = [
    ['broken JSON', 400, () => send('POST', '/api/markets', '{"name":', json)],
    ['an empty body', 400, () => send('POST', '/api/markets', '', json)],
    ['no body', 400, () => send('POST', '/api/markets')],
    [
      'a form',
      415,
      () => send('POST', '/api/markets', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    ['plain text', 415, () => send('POST', '/api/markets', '{}', { 'content-type': 'text/plain' })],
    ['a huge body', 413, () => send('POST', '/api/markets', JSON.stringify({ name: 'x'.repeat(1_100_000) }), json)],
    ['a polluting body', 400, () => send('POST', '/api/markets', '{"__proto__":{"admin":true}}', json)],
    ['an unknown path', 404, () => send('GET', '/api/nowhere')],
    ['an unknown method', 404, () => send('DELETE', '/api/markets')],
    ['a path that does not decode', 400, () => send('GET', '/api/markets/%E0%A4%A')],
    ['a null byte in a path', 400, () => send('GET', '/api/markets/%00')],
    ['a null byte in a search', 400, () => send('GET', '/api/search?q=%00abc')],
    ['a number above any id', 400, () => send('GET', '/api/markets/99999999999999999999')],
    ['a number above 4 bytes', 400, () => send('GET', '/api/markets/2147483648')],
    ['not a number', 400, () => send('GET', '/api/markets/one')],
    ['an address longer than any', 404, () => send('PUT', `/api/markets/${'7'.repeat(3_000)}`)],
    ['a day before the first year', 400, () => send('GET', '/api/routes?from=0000-01-01')],
    [
      'a time before the first year',
      400,
      () => send('PUT', `/api/inventory/${item.id}`, { currentQuantity: 1, lastRestocked: '0000-01-01T00:00:00Z' }),
    ],
    ['half an emoji', 400, () => send('POST', '/api/settings/designations', '{"name":"R\\ud83d"}', json)],
  ];

  it.each(refused)('answers %s with a problem document, status %i', async (_title, status, call) => {
    const reply = await call();
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(reply.json()).toMatchObject({ status, detail: expect.any(String), requestId: expect.any(String) });
  });

  it.each([
    ['headers larger than any', 431, `GET /api/markets HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a method that there is not', 400, 'BREW /api/markets HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method that nothing here has', 404, 'PROPFIND /api/markets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['what is no HTTP', 400, 'hello\r\n\r\n'],
  ])('answers %s with a problem document on the connection, status %i', async (_title, status, sent) => {
    const { hostname, port } = new URL(await listening());
    const socket = connect(Number(port), hostname, () => socket.write(sent));
    const heard: Buffer[] = [];
    for await (const part of socket) heard.push(part);
    const [head = '', body = ''] = Buffer.concat(heard).toString().split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/problem+json; charset=utf-8');
    expect(JSON.parse(body)).toMatchObject({ status, detail: expect.any(String), code: expect.any(String) });
  });

  it.each([
    ['/api/nayax/configs', 'merchantId', 'Merchant ID is too long: at most 100 characters'],
    ['/api/nayax/configs', 'hashCode', 'Hash code is too long: at most 500 characters'],
    ['/api/moma/configs', 'apiKey', 'API key is too long: at most 500 characters'],
    ['/api/nama-vdi/configs', 'name', 'Name is too long: at most 255 characters'],
    ['/api/nama-vdi/configs', 'vmsSystemId', 'VMS System ID is too long: at most 64 characters'],
    ['/api/cantaloupe/configs', 'apiKey', 'Sign-in is too long: at most 500 characters'],
    ['/api/cantaloupe/configs', 'webhookUrl', 'Webhook URL is too long: at most 500 characters'],
  ])('%s does not call a %s missing that is too long', async (url, field, sentence) => {
    const tooLong = { [field]: `https://${'x'.repeat(600)}` };
    const { fields } = (await send('POST', url, JSON.stringify(tooLong), json)).json();
    expect(fields[field]).toBe(sentence);
  });

  it('says in words what a value must be, where the field has no sentence of its own', async () => {
    const said = async (method: string, url: string, body?: object) =>
      (await send(method, url, body && JSON.stringify(body), body ? json : {})).json().detail;
    expect(await said('GET', '/api/inventory/page?stock=none')).toBe('stock must be one of all, low, in-stock.');
    expect(await said('GET', '/api/markets/one')).toBe('id must be a whole number, in digits alone.');
    expect(await said('GET', '/api/markets/2147483648')).toBe('id must be at most 2147483647.');
    expect(await said('PUT', '/api/inventory/1', { lastRestocked: 'yesterday' })).toBe(
      'lastRestocked must be a time such as 2026-11-21T08:00:00.000Z.',
    );
    expect(await said('POST', '/api/sync/events', {})).toBe('deviceId is missing, give text.');
    expect(await said('POST', '/api/markets', [])).toBe('body must be an object.');
    expect(await said('GET', '/api/search?q=')).toBe('q is empty, fill it in.');
    expect(await said('GET', `/api/search?q=${'x'.repeat(101)}`)).toBe('q must have at most 100 characters.');
    expect(await said('POST', '/api/phone-seals/keys', { names: [] })).toBe('names must have at least 1 entry.');
  });

  it.each<[string, string, object | undefined, string]>([
    ['POST', '/api/inventory', { marketId: 2 ** 31, productName: 'Water' }, 'marketId'],
    // Digits that are text, as a barcode is, are no number that could be too large.
    ['POST', '/api/vehicles', { name: '0049000028911', depotId: 2 ** 31 }, 'depotId'],
    [
      'POST',
      '/api/application-access',
      { userId: 2 ** 31, applicationName: 'reports', permissions: ['read'] },
      'userId',
    ],
    ['GET', '/api/nayax/devices?configId=2147483648', undefined, 'configId'],
  ])('%s %s names the number that the database has no room for', async (method, url, body, field) => {
    const { status, detail, fields } = (await send(method, url, body && JSON.stringify(body), body ? json : {})).json();
    expect([status, detail, Object.keys(fields ?? {})]).toEqual([400, `${field} must be at most 2147483647.`, [field]]);
  });

  it.each(['1e3', '0x10', '%205', '5.0', '+5', '5%20', '', '1_0', '%EF%BC%95'])(
    'takes %j in an address for no number',
    async (text) => {
      const sentence = 'must be a whole number, in digits alone';
      const fieldsOf = async (url: string) => (await send('GET', url)).json().fields;
      if (text !== '') expect(await fieldsOf(`/api/markets/${text}`)).toEqual({ id: sentence });
      expect(await fieldsOf(`/api/location-need?type=market&id=${text}`)).toEqual({ id: sentence });
      expect(await fieldsOf(`/api/inventory/page?limit=${text}`)).toEqual({ limit: sentence });
      expect(await fieldsOf(`/api/nayax/devices?configId=${text}`)).toEqual({ configId: sentence });
      const decimal = { west: 'must be a decimal number, such as 12.5' };
      expect(await fieldsOf(`/api/locations/map?west=${text}`)).toEqual(text === '5.0' ? undefined : decimal);
    },
  );

  it.each([
    ['POST', '/api/markets', '{"name":', 'body'],
    ['GET', '/api/inventory/page?page=7', undefined, 'page'],
    ['GET', '/api/markets?route=%00', undefined, 'route'],
  ])('%s %s names what of it cannot be read', async (method, url, body, field) => {
    const reply = await send(method, url, body, body === undefined ? {} : json);
    expect([reply.statusCode, Object.keys(reply.json().fields ?? {})]).toEqual([400, [field]]);
  });

  it('says of an address that is longer than any that nothing is there', async () => {
    const { detail } = (await send('PUT', `/api/markets/${'7'.repeat(3_000)}`)).json();
    expect(detail).toBe('There is nothing at this address: a part of it is longer than any id or name here.');
  });

  it('says of a field that takes several kinds of values which they are', async () => {
    const body = JSON.stringify({ system: 'moma', name: 'MoMa', settings: { apiKey: 7 } });
    const { detail } = (await send('POST', '/api/integrations/configs', body, json)).json();
    expect(detail).toBe('settings.apiKey must be text, or true or false, or null.');
  });

  it('says of a position sent as a JSON number that it has to be text', async () => {
    const market = { name: 'M', address: 'A', latitude: 39.95, longitude: -75.16, status: 'active' };
    const { fields } = (await send('POST', '/api/markets', JSON.stringify(market), json)).json();
    expect(fields).toEqual({
      latitude: 'Latitude must be sent as text, such as "39.9526"',
      longitude: 'Longitude must be sent as text, such as "39.9526"',
    });
  });

  it('an edit that names nothing to change is refused, and makes no new state of the record', async () => {
    const before = (await send('GET', `/api/markets/${item.marketId}`)).json();
    const edits = handledEndpoints(test.deps)
      .map(({ endpoint }) => endpoint)
      .filter(({ method, body }) => (method === 'PUT' || method === 'PATCH') && body?.safeParse({}).success);
    expect(edits.map(({ path }) => path)).toContain('/api/markets/:id');
    for (const { method, path } of edits) {
      const url = path.replace(':id', String(item.marketId));
      for (const body of ['{}', 'null', '', '{"version":1}', `{"version":1,"id":${item.marketId}}`]) {
        const { status, detail, fields } = (await send(method, url, body, json)).json();
        if (body.length > 4 && fields?.body?.startsWith('Unknown field')) continue;
        expect([url, body, status, detail]).toEqual([url, body, 400, 'Nothing to change: send at least one field.']);
      }
      expect((await send(method, url)).statusCode).toBe(400);
    }
    expect((await send('GET', `/api/markets/${item.marketId}`)).json()).toEqual(before);
  });

  it.each([
    ['GET', '/api/payment-reports/export?format=pdf', 'format must be one of csv, xlsx, json.'],
    ['GET', '/api/payment-reports/export?range=year', 'range must be one of week, month, quarter.'],
    ['GET', '/api/imports/one/refused.csv', 'id must be a whole number, in digits alone.'],
    ['POST', '/api/imports/one/watch', 'id must be a whole number, in digits alone.'],
    ['GET', '/api/products/one/picture', 'id must be a whole number, in digits alone.'],
  ])('%s %s, beside the contract, is refused in the same words', async (method, url, sentence) => {
    expect((await send(method, url)).json().detail).toBe(sentence);
  });

  it.each([
    ['POST', '/api/imports?name=a.csv', 'application/octet-stream'],
    ['POST', '/api/cantaloupe/configs/1/reports', 'application/octet-stream'],
    ['PUT', '/api/products/1/picture', 'image/jpeg or image/png or image/webp'],
    ['PUT', `/api/photos/${'0'.repeat(64)}`, 'image/jpeg or image/png or image/webp'],
  ])('%s %s, which takes bytes, says as what to send them', async (method, url, types) => {
    const { status, detail } = (await send(method, url, 'a,b', { 'content-type': 'text/plain' })).json();
    expect([status, detail]).toEqual([415, `Send the bytes as ${types}.`]);
  });

  it('never fails on our side, whatever comes to whichever call', async () => {
    const failed: string[] = [];
    for (const { endpoint } of handledEndpoints(test.deps)) {
      // Signing out and ending the demo would end this test, not fail it.
      if (/sign-out|demo\/end/.test(endpoint.path)) continue;
      for (const id of ['1', '0', '-1', '2147483647', '9007199254740993', '%00', 'null']) {
        const url = endpoint.path.replace(/:\w+/g, id);
        for (const body of endpoint.body ? monsters : [undefined]) {
          const reply = await send(
            endpoint.method,
            url,
            body === undefined ? undefined : JSON.stringify(body),
            body === undefined ? {} : json,
          );
          if (/Invalid (input|option)|Too (big|small)|expected/.test(reply.body)) failed.push(reply.body);
          if (reply.statusCode >= 500)
            failed.push(`${endpoint.method} ${url} ${JSON.stringify(body)?.slice(0, 60)}: ${reply.body}`);
        }
        if (!endpoint.path.includes(':')) break;
      }
    }
    expect(failed).toEqual([]);
  });

  it('answers odd queries of every list without failing', async () => {
    const failed: string[] = [];
    for (const { endpoint } of handledEndpoints(test.deps).filter(({ endpoint: e }) => e.method === 'GET' && e.query)) {
      const names = Object.keys((endpoint.query as unknown as { shape?: object }).shape ?? {});
      for (const value of [
        '%00',
        '9e99',
        '-1',
        '99999999999999999999',
        '0001-01-01',
        '2026-02-30',
        '%F0%9F%A5%9B',
        "'",
        'x'.repeat(250),
      ]) {
        const url = `${endpoint.path.replace(/:\w+/g, '1')}?${names.map((name) => `${name}=${value}`).join('&')}`;
        const reply = await send('GET', url);
        if (reply.statusCode >= 500) failed.push(`${url}: ${reply.body}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it('a file of an older release is not there, rather than a page under its name', async () => {
    const reply = await send('GET', '/assets/gone-1234.js');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([404, expect.stringContaining('problem+json')]);
    expect((await send('DELETE', '/daily-schedule')).statusCode).toBe(404);
  });

  it('a picture sent to a call that takes none is refused before it is read', async () => {
    const reply = await test.app.inject({
      method: 'POST',
      url: '/api/auth/verify-code',
      headers: { 'content-type': 'image/jpeg' },
      payload: Buffer.alloc(2_000_000),
    });
    expect(reply.statusCode).toBe(415);
    expect(reply.body.length).toBeLessThan(1_000);
  });

  it('a name that anybody may point at this machine is not its own without PUBLIC_URL', async () => {
    const from = (host: string) =>
      test.app.inject({
        method: 'POST',
        url: '/api/auth/sign-out',
        headers: { host, origin: `http://${host}` },
      });
    expect((await from('evil.example:3000')).json().detail).toContain('set PUBLIC_URL');
    for (const own of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.20:3000']) {
      expect((await from(own)).statusCode).not.toBe(403);
    }
  });
});
