import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selfSigned } from '../testing/certificate.ts';
import { openTestEmbedded } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { buildWorkerApp } from './worker-app.ts';

let test: TestApp;
let folder: string;
let port: number;
/** Of a process with background jobs only. */
let worker: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milkrun-tls-'));
  const files = { TLS_CERT_FILE: path.join(folder, 'cert.pem'), TLS_KEY_FILE: path.join(folder, 'key.pem') };
  const { cert, key } = selfSigned('milkrun.example');
  await writeFile(files.TLS_CERT_FILE, cert);
  await writeFile(files.TLS_KEY_FILE, key, { mode: 0o600 });
  test = await testApp(openTestEmbedded, { ...files, PUBLIC_URL: 'https://milkrun.example' });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  port = portOf(test.app);
  worker = await buildWorkerApp(test.deps);
  await worker.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await worker.close();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const portOf = ({ server }: FastifyInstance): number => (server.address() as AddressInfo).port;

/** What a client with these wishes is given: protocol and cipher, or why not. */
const handshake = (options: ConnectionOptions): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
      socket.destroy();
    });
    socket.on('error', () => resolve('refused'));
  });

it('speaks TLS 1.3 and 1.2', async () => {
  expect(await handshake({})).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384');
  expect(await handshake({ maxVersion: 'TLSv1.2' })).toBe('TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
});

it.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
  const old = { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
  expect(await handshake(old)).toBe('refused');
});

it.each([
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA384',
  'AES128-SHA',
  'AES256-GCM-SHA384',
  'DHE-RSA-AES256-GCM-SHA384',
  'NULL',
  'aNULL',
])('refuses %s, which has no forward secrecy or no authenticated encryption', async (ciphers) => {
  expect(await handshake({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })).toBe('refused');
});

it('speaks TLS where only jobs are worked on, too', async () => {
  expect(await handshake({ port: portOf(worker) })).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384');
});

it.each([
  ['pages', () => port],
  ['jobs', () => portOf(worker)],
])('a process of %s answers nothing in clear', async (_of, portOfIt) => {
  const said = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connectPlain(portOfIt(), '127.0.0.1', () =>
      socket.write('GET /healthz HTTP/1.1\r\nhost: milkrun.example\r\n\r\n'),
    );
    socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  expect(said).not.toContain('HTTP/1.1 200');
  expect(said).not.toContain('ok');
});

/** How the container's own question ends, asked of this port with these settings. */
async function healthcheck(PORT: number, settings: Record<string, string>): Promise<number | string | null> {
  const image = await readFile(path.join(import.meta.dirname, '../../deploy/Containerfile'), 'utf8');
  const [program = '', ...args] = JSON.parse(/^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(image)?.[1] ?? '[]') as string[];
  expect(program).toBe('node');
  return new Promise((resolve) => {
    const env = { ...settings, PORT: String(PORT) };
    execFile(process.execPath, args, { env }, (error) => resolve(error ? (error.code ?? null) : 0));
  });
}

it('the container asks after its health in TLS where the server speaks it, and in clear elsewhere', async () => {
  const tls = { TLS_CERT_FILE: path.join(folder, 'cert.pem') };
  expect(await healthcheck(port, tls)).toBe(0);
  expect(await healthcheck(portOf(worker), tls)).toBe(0);
  expect(await healthcheck(port, {})).toBe(1);
  const plain = await testApp(openTestEmbedded);
  await plain.app.listen({ port: 0, host: '127.0.0.1' });
  const plainPort = portOf(plain.app);
  expect(await healthcheck(plainPort, {})).toBe(0);
  await plain.close();
  expect(await healthcheck(plainPort, {})).toBe(1);
});
