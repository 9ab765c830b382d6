import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { firstRow } from './database.ts';

onEachDatabase('migrations', (open) => {
  it('run a second time without changing anything', async () => {
    const database = await open();
    await database.migrate();
    const found = await firstRow<{ n: number }>(
      database.db,
      sql`select count(*)::int as n from drizzle.__drizzle_migrations`,
    );
    expect(found?.n).toBeGreaterThanOrEqual(3);
    await database.close();
  });

  it.each(['stock_movements', 'event_keys', 'audit_log'])('leave %s append only', async (table) => {
    const database = await open();
    if (table === 'audit_log') await database.db.execute(sql`insert into audit_log (action) values ('test')`);
    if (table === 'event_keys') {
      await database.db.execute(
        sql`insert into event_keys values ('00000000-0000-7000-8000-000000000001', null, null, 'h', 'applied', now())`,
      );
    }
    if (table === 'stock_movements') {
      await database.db.execute(
        sql`insert into stock_movements (event_id, item_type, item_id, kind, quantity, effective_at, source)
            values ('00000000-0000-7000-8000-000000000001', 'market_item', 1, 'count', 1, now(), 'test')`,
      );
    }
    const name = sql.identifier(table);
    await expect(database.db.execute(sql`delete from ${name}`)).rejects.toThrow();
    const left = await firstRow<{ n: number }>(database.db, sql`select count(*)::int as n from ${name}`);
    expect(left?.n).toBe(1);
    await database.close();
  });
});
