import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import type { Database } from './database.ts';
import { firstRow } from './database.ts';
import { countedLately, countMany, rememberMany } from './many.ts';

onEachDatabase('a number of many', (open) => {
  let database: Database;
  let now: Date;
  let seen = 0;
  beforeAll(async () => {
    database = await open();
    await database.db.execute(sql`create table crate (n int)`);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    now = new Date('2026-03-12T10:00:00Z');
    seen += 1;
    await database.db.execute(sql`delete from crate`);
  });

  const on = () => ({ db: database.db, clock: { now: () => now } });
  const fill = (count: number) =>
    database.db.execute(sql`insert into crate select n from generate_series(1, ${count}::int) n`);
  const count = vi.fn(
    async () => (await firstRow<{ n: number }>(database.db, sql`select count(*)::int as n from crate`))?.n ?? 0,
  );
  /** Each test asks for something else. */
  const what = (name = 'crates'): string => `${name} ${seen}`;
  const ask = (name?: string): Promise<number> => countMany(on(), what(name), count);
  const pass = (ms: number): void => {
    now = new Date(now.getTime() + ms);
  };

  it('is counted once in five seconds, whatever is written meanwhile', async () => {
    await fill(1_000);
    count.mockClear();
    expect([await ask(), count.mock.calls.length]).toEqual([1_000, 1]);
    await fill(5);
    pass(4_999);
    expect([await ask(), count.mock.calls.length]).toEqual([1_000, 1]);
    pass(1);
    expect([await ask(), count.mock.calls.length]).toEqual([1_005, 2]);
  });

  it('is counted each time where it is below a thousand, also when it was more before', async () => {
    await fill(999);
    expect(await ask()).toBe(999);
    await fill(1);
    expect(await ask()).toBe(1_000);
    await database.db.execute(sql`delete from crate where n > 10`);
    pass(5_000);
    expect(await ask()).toBeLessThan(1_000);
    expect(countedLately(on(), what())).toBeNull();
  });

  it('is of what was asked, and not of anything else', async () => {
    await fill(1_200);
    rememberMany(on(), what('boxes'), 7_000);
    expect([await ask(), await ask('boxes')]).toEqual([1_200, 7_000]);
  });

  it('is not remembered of a count that failed', async () => {
    await fill(1_000);
    count.mockRejectedValueOnce(new Error('The connection is gone.'));
    await expect(ask()).rejects.toThrow('The connection is gone.');
    expect(await ask()).toBe(1_000);
  });

  it('makes room for others: at most a hundred are kept', () => {
    for (let n = 0; n < 101; n++) rememberMany(on(), what(`shelf ${n}`), 1_000 + n);
    expect(countedLately(on(), what('shelf 0'))).toBeNull();
    expect(countedLately(on(), what('shelf 100'))).toBe(1_100);
  });
});
