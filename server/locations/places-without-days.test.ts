import { sql, TransactionRollbackError } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, type Db, firstRow, rows } from '../db/database.ts';
import { countWrongDaySums } from '../need/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';

const summed = ['place_days', 'designation_days', 'kind_days', 'item_days', 'products'];
const stock = ['inventory_items', 'vending_machine_inventory'];

onEachDatabase('places without items', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    // A chain that is stocked, and as many places that nobody stocked yet.
    await database.db.execute(
      sql`insert into markets (name, latitude, longitude, address, route_designation)
          select 'Market ' || n, 40, -74, n || ' Main St', '101' from generate_series(1, 300) n`,
    );
    await database.db.execute(
      sql`insert into vending_machines (name, machine_id, location, address, latitude, longitude, route_designation)
          select 'Machine ' || n, 'M' || n, 'Hall', '1 Main St', 40, -74, '101' from generate_series(1, 300) n`,
    );
    await database.db.execute(
      sql`insert into inventory_items (market_id, product_name) select id, 'Water' from markets where id % 2 = 0`,
    );
    await database.db.execute(
      sql`insert into vending_machine_inventory (machine_id, slot_number, product_name, price)
          select id, 'A1', 'Water', 1 from vending_machines where id % 2 = 0`,
    );
  });
  afterAll(() => database.close());

  /** Searches of tables since the transaction began, and rows read of them. */
  async function reads(tx: Db, tables: readonly string[]): Promise<{ searches: number; rows: number }> {
    const found = await firstRow<{ searches: number; rows: number }>(
      tx,
      sql`select sum(seq_scan + coalesce(idx_scan, 0))::int as searches, sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
          from pg_stat_xact_user_tables where relname in (select jsonb_array_elements_text(${JSON.stringify(tables)}::jsonb))`,
    );
    return found ?? { searches: 0, rows: 0 };
  }

  const changes = {
    removed: sql`deleted_at = now()`,
    'put on another route': sql`route_designation = '202'`,
  };

  it.each(
    (['markets', 'vending_machines'] as const).flatMap((table) =>
      (['removed', 'put on another route'] as const).map((how) => [table, how] as const),
    ),
  )('%s are %s with two look-ups each, and no sum is touched', async (table, how) => {
    await database.db
      .transaction(async (tx) => {
        const before = [await reads(tx, summed), await reads(tx, stock)] as const;
        await tx.execute(sql`update ${sql.identifier(table)} set ${changes[how]} where id % 2 = 1`);
        const after = [await reads(tx, summed), await reads(tx, stock)] as const;
        expect(after[0].searches - before[0].searches).toBe(150);
        expect(after[1].searches - before[1].searches).toBe(150);
        expect(after[0].rows - before[0].rows + after[1].rows - before[1].rows).toBe(0);
        tx.rollback();
      })
      .catch(ignoreRollback);
  });

  it('that got their items while they were removed are counted when they come back', async () => {
    const { db } = database;
    await db.execute(sql`update markets set deleted_at = now() where id % 2 = 1`);
    await db.execute(sql`update vending_machines set deleted_at = now() where id % 2 = 1`);
    await db.execute(
      sql`insert into inventory_items (market_id, product_name) select id, 'Tea' from markets where id % 2 = 1`,
    );
    await db.execute(
      sql`insert into vending_machine_inventory (machine_id, slot_number, product_name, price)
          select id, 'A1', 'Tea', 1 from vending_machines where id % 2 = 1`,
    );
    expect(await countWrongDaySums(db)).toBe(0);
    await db.execute(sql`update markets set deleted_at = null, route_designation = '303' where deleted_at is not null`);
    await db.execute(sql`update vending_machines set deleted_at = null where deleted_at is not null`);
    expect(await countWrongDaySums(db)).toBe(0);
    const counted = await rows(
      db,
      sql`select route_designation as route, items from designation_days where day = '-infinity' order by 1`,
    );
    expect(counted).toEqual([
      { route: '101', items: 450 },
      { route: '303', items: 150 },
    ]);
  });
});

/** What was only tried is taken back. */
function ignoreRollback(error: unknown): void {
  if (!(error instanceof TransactionRollbackError)) throw error;
}
