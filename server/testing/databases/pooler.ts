import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Cluster, freePort } from './cluster.ts';

/** Where PgBouncer is; null where it is not installed. */
export function poolerProgram(): string | null {
  const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];
  return places.find((file) => existsSync(file)) ?? null;
}

const isRoot = process.getuid?.() === 0;

export type Pooler = { url: string; modes: () => Promise<string[]>; remove: () => void };

/** A PgBouncer of the test's own before a cluster, in transaction mode, with fewer connections than callers. */
export async function startPooler(program: string, cluster: Cluster, connections: number): Promise<Pooler> {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-pooler-'));
  const port = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const settings = [
    ...['[databases]', `postgres = host=127.0.0.1 port=${cluster.port} dbname=postgres user=postgres`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', `default_pool_size = ${connections}`, 'admin_users = postgres'],
  ];
  writeFileSync(file, `${settings.join('\n')}\n`);
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  // It refuses to run as root.
  const child = spawn(program, ['-q', ...(isRoot ? ['-u', 'postgres'] : []), file], { stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await untilItAnswers(url);
  return {
    url,
    modes: async () => {
      const pools = await ask(`postgres://postgres@127.0.0.1:${port}/pgbouncer`, 'show pools');
      return pools.filter(({ database }) => database === 'postgres').map(({ pool_mode: mode }) => String(mode));
    },
    remove: () => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function untilItAnswers(url: string, tries = 100): Promise<void> {
  try {
    await ask(url, 'select 1');
  } catch (error) {
    if (tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await untilItAnswers(url, tries - 1);
  }
}
