import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { firstRow } from './database.ts';
import { embeddedDatabase } from './embedded/embedded.ts';
import { migrationsFolder } from './migrations.ts';
import { newestKnown, newestMigration } from './pending.ts';

type Entry = { when: number; tag: string };
const text = readFileSync(path.join(migrationsFolder(), 'meta/_journal.json'), 'utf8');
const { entries } = JSON.parse(text) as { entries: Entry[] };

/** Schemas that an installation may come from: those with the ledger in it. The short run begins with the oldest. */
const isLong = process.env.MILKRUN_LONG === '1';
const first = entries.findIndex(({ tag }) => tag.startsWith('0003'));
const from = isLong ? entries.slice(first, -1) : entries.slice(first, first + 1);

it.each(from)(
  'the schema of $tag becomes the newest, with what was in it',
  async ({ when }) => {
    const lite = await PGlite.create();
    const database = embeddedDatabase(lite, { backups: null, onClose: () => {} });
    await database.migrate(() => {}, when);
    expect(await newestMigration(database.db)).toBe(when);
    await database.db.execute(
      sql`insert into markets (name, address, latitude, longitude, route_designation)
        values ('North Hall', '1 Main Street', 40.1, -74.2, '101')`,
    );
    await database.db.execute(
      sql`insert into inventory_items (market_id, product_name, current_quantity) select id, 'Water', 7 from markets`,
    );
    await database.migrate();
    expect(await newestMigration(database.db)).toBe(newestKnown());
    const found = await firstRow(
      database.db,
      sql`select m.name, m.route_designation as route, i.product_name as product, i.current_quantity as quantity
        from markets m join inventory_items i on i.market_id = m.id`,
    );
    expect(found).toEqual({ name: 'North Hall', route: '101', product: 'Water', quantity: 7 });
    await database.close();
  },
  120_000,
);
