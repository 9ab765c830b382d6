import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { findSoldItems } from './queries.ts';

const nameOf = (begin: string): string => `${begin}${' and more'.repeat(25)}`;

onEachDatabase('the product that a sale names', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('is looked up, before anybody counted the catalogue: products are not walked for each sale', async () => {
    await database.db.transaction(async (tx) => {
      // Long texts make a table of many pages, by which its rows are guessed.
      await tx.execute(
        sql`insert into products (name, brand, category, package_size)
            select 'Product ' || n || repeat(' and more', 25), repeat('brand', 20), repeat('kind', 25), repeat('size', 25)
            from generate_series(1, 20000) n`,
      );
      const read = async (): Promise<number> => {
        const found = await firstRow<{ read: number }>(
          tx,
          sql`select (idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'products'`,
        );
        return found?.read ?? 0;
      };
      const before = await read();
      const sold = [nameOf('product 7'), 'Nobody knows it', nameOf('PRODUCT 20000'), 'Nor this'].map((productName) => ({
        ...{ eventId: randomUUID(), machineId: null, marketId: null, slotNumber: null, normalCode: null },
        ...{ productName, soldAt: '2026-03-10T12:00:00Z' },
      }));
      const found = await findSoldItems(tx, sold);
      const known = sold.filter(({ eventId }) => found.find((one) => one.eventId === eventId)?.productId);
      expect(known.map(({ productName }) => productName)).toEqual([nameOf('product 7'), nameOf('PRODUCT 20000')]);
      expect((await read()) - before).toBeLessThan(100);
    });
  });
});
