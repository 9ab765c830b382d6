import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, type Child, serveIn } from '../testing/child-server.ts';
import { type Cluster, serverPrograms, startCluster } from '../testing/databases/cluster.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { refuseOldVersion, requireFitness } from './fitness.ts';

const programs = serverPrograms();
if (!programs)
  process.stderr.write('** SKIPPED: a PostgreSQL with fsync off. No PostgreSQL server programs here. **\n');

it('a PostgreSQL older than 15 is refused by number', () => {
  expect(() => refuseOldVersion(140_019)).toThrow(
    'PostgreSQL 15 or newer is needed; DATABASE_URL leads to 14. Upgrade that server, or name a newer one.',
  );
  expect(() => refuseOldVersion(150_000)).not.toThrow();
});

onEachDatabase('a clock apart from that of the database', (open) => {
  it('is told at the start, in which direction, and keeps nobody from starting', async () => {
    const database = await open();
    const saidAt = async (now: Date): Promise<string[]> => {
      const said: string[] = [];
      await requireFitness(database, { fsyncMayBeOff: true, now, say: (line) => void said.push(line) });
      return said.filter((line) => line.includes('clock'));
    };
    expect(await saidAt(new Date())).toEqual([]);
    expect((await saidAt(new Date(Date.now() - 120_000))).join()).toMatch(/clock of this machine is 1[12]\d s behind/);
    expect((await saidAt(new Date(Date.now() + 120_000))).join()).toMatch(/clock of this machine is 1[12]\d s ahead/);
    await database.close();
  });
});

describe.skipIf(!programs)('a PostgreSQL with fsync off', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-fsync-'));
  let cluster: Cluster;
  let program = '';
  const children: Child[] = [];
  const start = (settings: Record<string, string>): Child => {
    const child = serveIn(program, { MILKRUN_DATA: folder, DATABASE_URL: cluster.url, ...settings });
    children.push(child);
    return child;
  };
  const tables = async (): Promise<number> => {
    const client = new pg.Client({ connectionString: cluster.url });
    await client.connect();
    const found = await client.query("select from pg_tables where schemaname in ('public', 'drizzle')");
    await client.end();
    return found.rows.length;
  };
  beforeAll(async () => {
    program = await bundleProgram();
    cluster = await startCluster(programs ?? '', { settings: ['fsync=off'] });
  }, 120_000);
  afterAll(() => {
    for (const child of children) child.process.kill('SIGKILL');
    cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
    rmSync(path.dirname(program), { recursive: true, force: true });
  });

  it('is refused before anything is made in it, and taken for a trial with a word', async () => {
    const refused = start({ MILKRUN_FSYNC_OFF: '0' });
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toContain('PostgreSQL has fsync off: a loss of power may destroy the database.');
    expect(refused.said()).toContain('MILKRUN_FSYNC_OFF=1');
    expect(await tables()).toBe(0);
    const trial = start({ MILKRUN_FSYNC_OFF: '1' });
    expect(await trial.address, trial.said()).not.toBeNull();
    expect(trial.said()).toContain('fsync off');
  }, 120_000);
});
