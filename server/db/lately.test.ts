import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import type { Database } from './database.ts';
import { firstRow } from './database.ts';
import { askedAlike, askedOfMany, lately, tablesWritten } from './lately.ts';

onEachDatabase('what was read lately', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.db.execute(sql`create table shelf (n int)`);
    await database.db.execute(sql`create table other (n int)`);
  });
  afterAll(() => database.close());
  beforeEach(() => database.db.execute(sql`delete from shelf`));

  const sum = async (): Promise<number> =>
    (await firstRow<{ n: number }>(database.db, sql`select count(*) as n from shelf`))?.n ?? 0;
  const kept = (read = sum): Promise<number> => lately(database.db, { key: 'shelf', from: ['shelf'] }, read);
  const put = sql`insert into shelf values (1)`;

  it('is read once by all who ask at the same time, and again after its table was written', async () => {
    const read = vi.fn(sum);
    expect(await Promise.all([kept(read), kept(read), kept(read)])).toEqual([0, 0, 0]);
    await database.db.execute(sql`insert into other values (1)`);
    expect(await kept(read)).toBe(0);
    expect(read).toHaveBeenCalledTimes(1);
    await database.db.execute(put);
    expect(await kept(read)).toBe(1);
  });

  it('is kept when a table was written that something else was read from', async () => {
    const [read, readOther] = [vi.fn(sum), vi.fn(sum)];
    const both = (): Promise<number[]> =>
      Promise.all([kept(read), lately(database.db, { key: 'other', from: ['other'] }, readOther)]);
    await both();
    await database.db.execute(sql`insert into other values (1)`);
    await both();
    expect([read, readOther].map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
  });

  it('is read once by all who ask alike, whoever calls meanwhile, and again after anything was written', async () => {
    const read = vi.fn(sum);
    const alike = (): Promise<number> => askedAlike(database.db, 'sums', read);
    expect(await Promise.all([alike(), alike(), alike()])).toEqual([0, 0, 0]);
    await database.db.execute(sql`update sessions set last_seen_at = now() where sid = 'nobody'`);
    expect(await alike()).toBe(0);
    expect(read).toHaveBeenCalledTimes(1);
    await database.db.execute(sql`insert into other values (1)`);
    await database.db.transaction((tx) => tx.execute(put));
    expect(await alike()).toBe(1);
    expect(read).toHaveBeenCalledTimes(2);
  });

  describe('a sum over very many rows', () => {
    let now = 0;
    const asked = (key: string, read: () => Promise<number>, rows = 10_000): Promise<number> =>
      askedOfMany(database.db, { key, now, rows: () => rows, from: ['shelf'] }, read);
    const other = sql`insert into other values (1)`;
    beforeEach(() => {
      now += 60_000;
    });

    it('is kept for five seconds, whatever else is written', async () => {
      const read = vi.fn(sum);
      expect(await asked('many', read)).toBe(0);
      await database.db.execute(other);
      now += 4_900;
      expect(await Promise.all([asked('many', read), asked('many', read)])).toEqual([0, 0]);
      expect(read).toHaveBeenCalledTimes(1);
      now += 100;
      await asked('many', read);
      expect(read).toHaveBeenCalledTimes(2);
    });

    it('is read again once this process has written what an office edits', async () => {
      expect(await asked('edited', sum)).toBe(0);
      await database.db.execute(put);
      expect(await asked('edited', sum)).toBe(1);
      await database.db.transaction((tx) => tx.execute(put));
      expect(await asked('edited', sum)).toBe(2);
      await database.db.execute(sql`with w as (insert into shelf values (1) returning n) select n from w`);
      expect(await asked('edited', sum)).toBe(3);
    });

    it('is not kept when that was written while it was read', async () => {
      const late = async (): Promise<number> => {
        const before = await sum();
        await database.db.execute(put);
        return before;
      };
      expect(await asked('late', late)).toBe(0);
      expect(await asked('late', sum)).toBe(1);
    });

    it('over fewer rows is read again after anything was written', async () => {
      const read = vi.fn(sum);
      await asked('few', read, 9_999);
      await asked('few', read, 9_999);
      expect(read).toHaveBeenCalledTimes(1);
      await database.db.execute(other);
      await asked('few', read, 9_999);
      expect(read).toHaveBeenCalledTimes(2);
    });
  });

  it('a statement that begins with what it reads names every table it writes', () => {
    const written = (text: string) => tablesWritten(text).sort();
    expect(written('with a as (insert into shelf values (1) returning n) update "other" set n = 1 from a')).toEqual([
      'other',
      'shelf',
    ]);
    expect(written('with a as (delete from only shelf returning n) select n from a')).toEqual(['shelf']);
    expect(written('with a as (select 1) select deleted from a')).toEqual([]);
    expect(written('call something()')).toEqual(['*']);
    expect(written('update shelf set n = 1 /* seen only */')).toEqual(['shelf seen']);
  });

  it('is read again after the transaction that wrote its table has ended, also when it was read in between', async () => {
    expect(await kept()).toBe(0);
    let between: number | undefined;
    await database.db.transaction(async (tx) => {
      await tx.execute(put);
      // The embedded database has one connection: who asks now waits for the end.
      if (database.kind === 'postgres') between = await kept();
    });
    expect(between ?? 0).toBe(0);
    expect(await kept()).toBe(1);
  });

  it('is forgotten after a statement that does not say at its beginning what it writes', async () => {
    expect(await kept()).toBe(0);
    await database.db.execute(sql`with w as (insert into shelf values (1) returning n) select n from w`);
    expect(await kept()).toBe(1);
  });

  it('is kept for a second', async () => {
    const clock = vi.spyOn(performance, 'now');
    try {
      const at = performance.now();
      let answer = 1;
      const read = async (): Promise<number> => answer++;
      clock.mockReturnValue(at + 10_000);
      expect(await kept(read)).toBe(1);
      clock.mockReturnValue(at + 10_900);
      expect(await kept(read)).toBe(1);
      clock.mockReturnValue(at + 11_100);
      expect(await kept(read)).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('is not kept when it could not be read', async () => {
    await expect(kept(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await kept()).toBe(0);
  });

  it('is nothing that a transaction asks: it reads what it has written itself', async () => {
    expect(await kept()).toBe(0);
    await database.db.transaction(async (tx) => {
      await tx.execute(put);
      const own = await lately(tx, { key: 'shelf', from: ['shelf'] }, async () =>
        Number((await firstRow<{ n: number }>(tx, sql`select count(*) as n from shelf`))?.n),
      );
      expect(own).toBe(1);
    });
  });
});
