import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rows } from './db/database.ts';
import { parseEnv } from './env.ts';
import { saveOperator } from './settings/service.ts';
import { openDatabase, startServer } from './start.ts';
import { fillDataFolder } from './testing/databases/embedded-template.ts';

let folder = '';
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'milkrun-start-'));
  await fillDataFolder(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = (host: string) =>
  parseEnv({ MILKRUN_DATA: folder, MILKRUN_DEMO: '0', HOST: host, PORT: '0', LOG_LEVEL: 'silent' });

const bound = (app: FastifyInstance) => app.addresses().map((one) => (typeof one === 'string' ? one : one.address));

it('binds a demo to this machine alone, whatever HOST says, and anything else to HOST', async () => {
  const said: string[] = [];
  const own = await startServer(settings('0.0.0.0'), (line) => said.push(line));
  expect(bound(own.app)).toEqual(['0.0.0.0']);
  expect(said.join()).toMatch(/Set-up code: ([A-Z2-9]{4}-){3}[A-Z2-9]{4}/);
  await own.stop();
  const database = await openDatabase(settings('0.0.0.0'), () => {});
  await saveOperator(database.db, { isDemo: true });
  await database.close();
  const demo = await startServer(settings('0.0.0.0'), () => {});
  expect(bound(demo.app)).toEqual(['127.0.0.1']);
  await demo.stop();
});

it('sends the first administrator to the address that people use, not to the one it listens on', async () => {
  const said: string[] = [];
  const env = { ...settings('127.0.0.1'), publicUrl: 'https://milkrun.example/' };
  await (await startServer(env, (line) => said.push(line))).stop();
  expect(said.join()).toContain('Open https://milkrun.example/login and');
});

it('refuses a certificate that cannot be read before it opens the database', async () => {
  const nowhere = path.join(folder, 'nowhere.pem');
  const data = path.join(folder, 'data');
  const env = parseEnv({
    ...{ MILKRUN_DATA: data, TLS_CERT_FILE: nowhere, TLS_KEY_FILE: nowhere, PUBLIC_URL: 'https://milkrun.example' },
    ...{ PORT: '0', LOG_LEVEL: 'silent' },
  });
  await expect(startServer(env, () => {})).rejects.toThrow(
    /^Wrong setting\. TLS_CERT_FILE and TLS_KEY_FILE: accepted: /,
  );
  expect(existsSync(data)).toBe(false);
});

it('refuses a file in the place of the road engine’s folder before it opens the database', async () => {
  const file = path.join(folder, 'a-file');
  writeFileSync(file, '');
  const data = path.join(folder, 'data');
  const env = parseEnv({ MILKRUN_DATA: data, ROADS_DIR: file, PORT: '0', LOG_LEVEL: 'silent' });
  await expect(startServer(env, () => {})).rejects.toThrow(
    `Wrong setting. ROADS_DIR: ${file} is a file. Accepted: a folder.`,
  );
  expect(existsSync(data)).toBe(false);
});

it('refuses a data folder that cannot be made, by name and at once', async () => {
  const env = parseEnv({ MILKRUN_DATA: '/proc/milkrun/data', PORT: '0', LOG_LEVEL: 'silent' });
  await expect(startServer(env, () => {})).rejects.toThrow(
    /^Wrong setting\. MILKRUN_DATA: the folder \/\S+ cannot be made/,
  );
});

it('tells the other processes that it stopped', async () => {
  await (await startServer(settings('127.0.0.1'), () => {})).stop();
  const database = await openDatabase(settings('127.0.0.1'), () => {});
  const samples = sql`select role, seconds > 0 as measured from performance_samples`;
  const found = await rows(database.db, samples);
  await database.close();
  expect(found).toEqual([{ role: 'gone', measured: true }]);
});

it('finishes what is under way when it stops, and answers health and documents while it lives', async () => {
  const running = await startServer(settings('127.0.0.1'), () => {});
  const at = running.address;
  for (const page of ['/healthz', '/readyz', '/api/docs', '/api/openapi.json']) {
    expect([page, (await fetch(at + page)).status]).toEqual([page, 200]);
  }
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = (): void => {};
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  running.app.server.prependOnceListener('request', () => arrived());
  const blocked = running.deps.db.transaction(() => held);
  const reply = fetch(`${at}/api/auth/state`);
  await arrival;
  const stopped = running.stop();
  release();
  await blocked;
  expect((await reply).status).toBe(200);
  await stopped;
});
