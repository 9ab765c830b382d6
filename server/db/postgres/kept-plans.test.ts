import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { isPassing } from '../../http/error-reply.ts';
import { openTestPostgres } from '../../testing/databases/databases.ts';
import { type Db, rows } from '../database.ts';
import { atMost, plannedOnce, planOnce } from './kept-plans.ts';

const server = process.env.TEST_DATABASE_URL;
if (!server) process.stderr.write('** SKIPPED: plans that connections keep. TEST_DATABASE_URL is not set. **\n');

const plus = (tx: Db, n: number) => rows<{ sum: number }>(tx, sql`select ${n}::int + 1 as sum`);

const keptOn = (tx: Db) =>
  rows<{ statement: string; plans: number }>(
    tx,
    sql`select statement, generic_plans + custom_plans as plans from pg_prepared_statements where name <> '' and statement like 'select $1%'`,
  );

describe.skipIf(!server)('the plan of a statement', () => {
  it('is made once where a transaction asks for that, and elsewhere anew for its values', async () => {
    const database = await openTestPostgres(server ?? '');
    await database.db.transaction(async (tx) => {
      expect(await plus(tx, 1)).toEqual([{ sum: 2 }]);
      expect(await keptOn(tx)).toEqual([]);
      await planOnce(tx);
      expect([await plus(tx, 2), await plus(tx, 3)]).toEqual([[{ sum: 3 }], [{ sum: 4 }]]);
      expect(await keptOn(tx)).toEqual([{ statement: 'select $1::int + 1 as sum', plans: 2 }]);
    });
    await database.close();
  });

  it.each([false, true])(
    'that a change of its table has outdated fails once (in a transaction: %s)',
    async (isWithin) => {
      const database = await openTestPostgres(server ?? '');
      const { db } = database;
      await db.execute(sql`create table changing (id int)`);
      const statement = plannedOnce(sql`select id from changing`);
      const asked = () => (isWithin ? db.transaction((tx) => rows(tx, statement)) : rows(db, statement));
      await asked();
      await db.execute(sql`alter table changing alter column id type text`);
      expect(isPassing(await asked().catch((error: unknown) => error))).toBe(true);
      expect(await asked()).toEqual([]);
      await database.close();
    },
  );

  it.each([26, 27])('of a page of %i among many rows serves any values where that is a usual page', async (most) => {
    const database = await openTestPostgres(server ?? '');
    const { db } = database;
    await db.execute(sql`create table many (id int primary key, is_gone boolean not null)`);
    await db.execute(sql`insert into many select n, false from generate_series(1, 20000) n`);
    await db.execute(sql`analyze many`);
    const page = plannedOnce(
      sql`select $$many$$, id from many where is_gone = ${false} order by id limit ${atMost(most)}`,
    );
    await db.transaction(async (tx) => {
      for (let asked = 0; asked < 8; asked++) expect(await rows(tx, page)).toHaveLength(most);
      const [kept] = await rows<{ generic: number }>(
        tx,
        sql`select generic_plans as generic from pg_prepared_statements where statement like 'select $$many$$%'`,
      );
      expect(kept?.generic).toBe(most === 26 ? 3 : 0);
    });
    await database.close();
  });

  it('is made anew again after such a transaction', async () => {
    const database = await openTestPostgres(server ?? '');
    const failed = database.db.transaction(async (tx) => {
      await planOnce(tx);
      await tx.execute(sql`select 1 / 0`);
    });
    await expect(failed).rejects.toThrow();
    await database.db.transaction(async (tx) => {
      await plus(tx, 1);
      expect(await keptOn(tx)).toEqual([]);
      await tx.execute(plannedOnce(sql`select ${5}::int + 2 as sum`));
      expect(await keptOn(tx)).toMatchObject([{ plans: 1 }]);
    });
    await database.close();
  });
});
