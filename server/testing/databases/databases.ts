import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { describe, inject } from 'vitest';
import type { Database } from '../../db/database.ts';
import { embeddedDatabase } from '../../db/embedded/embedded.ts';
import { openPostgres } from '../../db/postgres/postgres.ts';
import type { OnQuery } from '../../db/timed.ts';
import { onServer } from '../on-server.ts';
import { fillDataFolder } from './embedded-template.ts';

export type OpenTestDatabase = (onQuery?: OnQuery) => Promise<Database>;

type Compiler = { compile: (bytes: Uint8Array) => Promise<NonNullable<PGliteOptions['pgliteWasmModule']>> };
// Node has it; the types of Node 20 do not say so.
const { compile } = (globalThis as unknown as { WebAssembly: Compiler }).WebAssembly;

/** The engine's code and files, read once for all databases of a run. */
async function compiledEngine() {
  const dist = path.dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite')));
  return {
    pgliteWasmModule: await compile(readFileSync(path.join(dist, 'pglite.wasm'))),
    fsBundle: new Blob([readFileSync(path.join(dist, 'pglite.data'))]),
  };
}
let engine: ReturnType<typeof compiledEngine> | undefined;

/** A migrated embedded database, copied from one that is made once per set of migrations; its folder goes with it. */
export async function openTestEmbedded(onQuery?: OnQuery): Promise<Database> {
  engine ??= compiledEngine();
  const folder = mkdtempSync(path.join(inject('embeddedFolders'), 'embedded-'));
  await fillDataFolder(folder);
  // No data folder as far as the program can tell: files of its own would have to stand in one.
  const lite = await PGlite.create({ fs: new NodeFS(path.join(folder, 'database')), ...(await engine) });
  const onClose = (): void => rmSync(folder, { recursive: true, force: true });
  return embeddedDatabase(lite, { backups: null, onClose, ...(onQuery ? { onQuery } : {}) });
}

type Addresses = { url: string; directUrl?: string; replicaUrl?: string };

/** The database at these addresses, migrated; it stays when it is closed. */
export const openAt =
  (addresses: Addresses): OpenTestDatabase =>
  async (onQuery) => {
    // Other tests keep the machine busy: a database that is slow to answer is none that is away.
    const quiet = { adminUrl: null, backups: null, onError: () => {}, patienceMs: 60_000 };
    const database = await openPostgres({ directUrl: null, ...quiet, ...addresses, ...(onQuery ? { onQuery } : {}) });
    await database.migrate();
    return database;
  };

/** A database of random name on the server of TEST_DATABASE_URL, dropped at the end; no other database is touched. */
export async function openTestPostgres(serverUrl: string, onQuery?: OnQuery): Promise<Database> {
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  const template = inject('postgresTemplate');
  await onServer(serverUrl, `create database ${name}${template ? ` template ${template}` : ''}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openAt({ url: url.href })(onQuery);
  return {
    ...database,
    close: async () => {
      await database.close();
      await onServer(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Declares the same tests on the embedded database and, where TEST_DATABASE_URL leads to one, on PostgreSQL. */
export function onEachDatabase(title: string, tests: (open: OpenTestDatabase) => void): void {
  describe(`${title} (embedded)`, () => tests(openTestEmbedded));
  const url = process.env.TEST_DATABASE_URL;
  if (url) describe(`${title} (PostgreSQL)`, () => tests((onQuery) => openTestPostgres(url, onQuery)));
}
