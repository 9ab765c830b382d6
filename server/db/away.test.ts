import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, type Child, serveIn } from '../testing/child-server.ts';
import { type Cluster, serverPrograms, startCluster } from '../testing/databases/cluster.ts';

const programs = serverPrograms();
if (!programs)
  process.stderr.write('** SKIPPED: a database that hangs or goes away. No PostgreSQL server programs here. **\n');

describe.skipIf(!programs)('a database that does not answer', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-away-'));
  let cluster: Cluster;
  let child: Child;
  let program = '';
  let address = '';
  beforeAll(async () => {
    program = await bundleProgram();
    cluster = await startCluster(programs ?? '');
    const key = 'a key for tests only, thirty-two characters';
    child = serveIn(program, { MILKRUN_DATA: folder, DATABASE_URL: cluster.url, MILKRUN_SECRET_KEY: key });
    address = (await child.address) ?? '';
    expect(address, child.said()).toContain('http');
  }, 120_000);
  afterAll(async () => {
    child?.process.kill('SIGKILL');
    cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
    rmSync(path.dirname(program), { recursive: true, force: true });
  });

  const ask = async (page: string) => {
    const reply = await fetch(address + page);
    const body = await reply.text();
    return { status: reply.status, wait: Number(reply.headers.get('retry-after')), body };
  };
  const until = async (page: string, status: number) => {
    for (;;) {
      const reply = await ask(page);
      if (reply.status === status) return reply;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const refusedInTime = ({ status, wait }: { status: number; wait: number }): boolean =>
    status === 503 && wait >= 1 && wait <= 10;

  it('frozen: calls under way and new ones end with 503, and all is well after it wakes', async () => {
    await until('/api/auth/state', 200);
    cluster.freeze();
    const underWay = await Promise.all(Array.from({ length: 15 }, () => ask('/api/auth/state')));
    expect(underWay.filter((reply) => !refusedInTime(reply))).toEqual([]);
    expect(refusedInTime(await ask('/api/auth/state'))).toBe(true);
    expect((await ask('/readyz')).status).toBe(503);
    expect((await ask('/healthz')).status).toBe(200);
    cluster.thaw();
    await until('/api/auth/state', 200);
    await until('/readyz', 200);
  }, 120_000);

  it('crashed and started again: 503 meanwhile, the process lives on and serves', async () => {
    cluster.crash();
    expect(refusedInTime(await until('/api/auth/state', 503))).toBe(true);
    expect((await ask('/healthz')).status).toBe(200);
    cluster.start();
    await until('/api/auth/state', 200);
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  }, 120_000);
});
