import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressCheck, guardedFetch, OutboundError } from './outbound.ts';
import { checkedLookup, isPublicAddress, type Resolve } from './public-address.ts';

let listener: TcpServer;
let hits = 0;
let sandbox: Server;
let sandboxUrl = '';
let port = 0;

beforeAll(async () => {
  listener = createTcp((socket) => {
    hits += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => listener.listen(0, '::', done));
  port = (listener.address() as AddressInfo).port;
  sandbox = createServer((request, reply) => {
    if (request.url === '/away') return reply.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    if (request.url === '/bomb') {
      return reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(11_000_000)));
    }
    if (request.url === '/drip') return reply.writeHead(200).write('a');
    return reply.writeHead(request.url === '/no' ? 401 : 200).end('fine');
  });
  await new Promise<void>((done) => sandbox.listen(0, '127.0.0.1', done));
  sandboxUrl = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`;
});
afterAll(() => {
  listener.close();
  sandbox.closeAllConnections();
  sandbox.close();
});

/** Names a stranger's name server points inside; `rebind` is good when asked first and bad from then on. */
const names: Record<string, string[]> = {
  'inside.example.com': ['127.0.0.1'],
  'six.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'office.example.com': ['10.1.2.3'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'none.example.com': [],
};
let rebound = 0;
const resolve = ((name: string, _options: unknown, callback: (...all: unknown[]) => void) => {
  const found = name === 'rebind.example.com' ? [rebound++ === 0 ? '10.0.0.1' : '127.0.0.1'] : (names[name] ?? []);
  callback(
    null,
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
}) as unknown as Resolve;

const literals = [
  ...['127.0.0.1', '127.1', '127.255.255.254', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001'],
  ...['0', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.100.100.200'],
  ...['169.254.169.254', '169.254.170.2', '0xa9fea9fe', '2852039166', '192.0.0.192', '168.63.129.16', '198.18.0.1'],
  ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.2.1', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[fe80::1]', '[fc00::1]'],
  ...['[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]'],
  ...['[2001::7f00:1]', '[2001:db8::1]', '[100::1]', '127.0.0.1.', '１２７.0.0.1', '127。0。0。1'],
].map((host) => `https://${host}/`);

const others = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'intranet'],
  ...Object.keys(names),
  'rebind.example.com',
].map((host) => `https://${host}/`);

const written = (at: number): string[] => [
  'http://example.com/',
  'http://127.0.0.1/',
  `https://127.0.0.1:${at}/`,
  `https://example.com:${at}/`,
  'https://user:secret@example.com/',
  `https://example.com@127.0.0.1:${at}/`,
  'https://example.com:80/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:25/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  '//example.com/',
  'https://',
  'nonsense',
  '',
];

it('no hostile address is connected to, and all fail with the same words', async () => {
  const call = guardedFetch({ sandboxUrl: null, resolve });
  const hostile = [...literals, ...others, ...written(port), `http://127.0.0.1:${port}/`, `http://[::1]:${port}/`];
  expect(hostile.length).toBeGreaterThan(60);
  const said = new Set<string>();
  const through: string[] = [];
  for (const address of [...hostile, 'https://rebind.example.com/again']) {
    const outcome = await call(address).then(
      () => through.push(address),
      (error: unknown) => error,
    );
    if (!(outcome instanceof OutboundError)) continue;
    said.add(outcome.message);
    if (outcome.reason !== 'refused') through.push(`${address} ${outcome.reason}`);
  }
  expect(through).toEqual([]);
  expect(said.size).toBe(1);
  expect(hits).toBe(0);
});

it('when it is entered an address is refused as it would be when called; a name not known yet is not', async () => {
  const mayCall = addressCheck({ sandboxUrl, resolve });
  const hostile = [...literals, ...others.filter((one) => !one.includes('rebind')), ...written(port)];
  const allowed = await Promise.all(hostile.map(async (address) => ((await mayCall(address)) ? [address] : [])));
  expect(allowed.flat()).toEqual([]);
  const unknown = ((_name: string, _options: unknown, callback: (error: Error) => void) =>
    callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))) as unknown as Resolve;
  expect(await mayCall('https://93.184.216.34/')).toBe(true);
  expect(await mayCall(`${sandboxUrl}/anything`)).toBe(true);
  expect(await addressCheck({ sandboxUrl: null, resolve: unknown })('https://new.example.com/')).toBe(true);
});

it('a name is resolved once, and the connection gets the very address that was checked', () => {
  const asked: string[] = [];
  const once = ((name: string, _options: unknown, callback: (...all: unknown[]) => void) => {
    asked.push(name);
    callback(null, [{ address: asked.length === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
  }) as unknown as Resolve;
  const answers: unknown[] = [];
  const lookup = checkedLookup(once);
  for (const all of [true, false]) lookup('rebind.example.com', { all }, (...answer) => answers.push(answer));
  expect(answers).toEqual([
    [null, [{ address: '93.184.216.34', family: 4 }]],
    [expect.any(Error), '', 0],
  ]);
  expect(asked.length).toBe(2);
});

it('only the origin of the sandbox is free of these rules', async () => {
  const call = guardedFetch({ sandboxUrl });
  expect(await (await call(`${sandboxUrl}/x`)).text()).toBe('fine');
  expect((await call(`${sandboxUrl}/no`)).status).toBe(401);
  const elsewhere = [`http://localhost:${new URL(sandboxUrl).port}/`, `http://u:p@${new URL(sandboxUrl).host}/`];
  for (const address of elsewhere) await expect(call(address)).rejects.toMatchObject({ reason: 'refused' });
});

it('a redirect is not followed, and what is too large or too slow is cut', async () => {
  const call = guardedFetch({ sandboxUrl, totalMs: 300 });
  await expect(call(`${sandboxUrl}/away`)).rejects.toMatchObject({ reason: 'redirect' });
  await expect(guardedFetch({ sandboxUrl })(`${sandboxUrl}/bomb`)).rejects.toMatchObject({ reason: 'too-large' });
  await expect(call(`${sandboxUrl}/drip`)).rejects.toMatchObject({ reason: 'timeout' });
  expect(hits).toBe(0);
});

it('public addresses are public', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1111']) expect(isPublicAddress(address)).toBe(true);
});
