import { describe, expect, it } from 'vitest';
import { openTestPostgres } from '../../testing/databases/databases.ts';
import { readGate } from './read-gate.ts';

/** A gate of ten whose clock and uploads are the test's, and work that ends when told. */
function ground() {
  const state = { at: 0, uploadMs: 0 };
  const gate = readGate({ widest: 10, uploadMs: () => state.uploadMs, now: () => state.at });
  const ends: (() => void)[] = [];
  const endAll = (): void => {
    for (const end of ends.splice(0)) end();
  };
  const read = () => gate.through(() => new Promise<void>((end) => ends.push(end)));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Reads and ends them one by one, each a moment after the other. */
  const pass = async (count: number, uploadMs: number): Promise<void> => {
    state.uploadMs = uploadMs;
    for (let n = 0; n < count; n++) {
      const one = read();
      state.at += 200;
      await settle();
      endAll();
      await one;
    }
  };
  return { state, gate, ends, endAll, read, settle, pass };
}

describe('reads', () => {
  it('have every connection while uploads are quick, and two at least while they are slow', async () => {
    const { gate, pass } = ground();
    expect(gate.width()).toBe(10);
    await pass(20, 300);
    expect(gate.width()).toBe(2);
    await pass(20, 10);
    expect(gate.width()).toBe(10);
  });

  it('that come when it is full wait in their order, and say how long', async () => {
    const { state, gate, ends, endAll, read, settle } = ground();
    const all = Array.from({ length: 12 }, read);
    await settle();
    expect(ends.length).toBe(10);
    state.at += 70;
    expect(gate.waitMs()).toBe(70);
    endAll();
    await settle();
    expect([ends.length, gate.waitMs()]).toEqual([2, 0]);
    endAll();
    await Promise.all(all);
  });

  it('that fail give their place back', async () => {
    const { gate, endAll, read, settle } = ground();
    const failing = Array.from({ length: 10 }, () => gate.through(() => Promise.reject(new Error('failed'))));
    await Promise.allSettled(failing);
    const next = read();
    await settle();
    endAll();
    await expect(next).resolves.toBeUndefined();
  });
});

const server = process.env.TEST_DATABASE_URL;
if (!server) process.stderr.write('** SKIPPED: reads held back on PostgreSQL. TEST_DATABASE_URL is not set. **\n');

describe.skipIf(!server)('on PostgreSQL', () => {
  it('more reads than there are places are all answered, and a write among them does not stand in their line', async () => {
    const database = await openTestPostgres(server ?? '');
    await database.db.execute('create table if not exists held_back (n int)');
    const asked = Promise.all(
      Array.from({ length: 30 }, (_, n) => database.db.execute(`select ${n} as n, pg_sleep(0.3)`)),
    );
    await expect.poll(() => database.reads.waitMs(), { interval: 10 }).toBeGreaterThan(0);
    await database.db.execute('insert into held_back values (1)');
    // It was done while reads that came before it still wait.
    expect(database.reads.waitMs()).toBeGreaterThan(0);
    const answered = (await asked) as unknown as { rows: { n: number }[] }[];
    expect(answered.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    await database.close();
  });
});
