import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorBatch } from '../../../domain/integration.ts';
import { type Db, firstRow, rows } from '../../db/database.ts';
import { integrationConfigs } from '../../integrations/tables.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { deviceTold, saleTold } from '../../testing/vendor.ts';
import { storeBatch } from '../service.ts';

const many = 2_400;
const before = 30_000;

type Work = { inserted: number; updated: number; read: number };

onEachDatabase('A page of sales', (open) => {
  let t: TestApp;
  let config: { id: number; system: string };

  beforeAll(async () => {
    t = await testApp(open);
    const [made] = await t.deps.db
      .insert(integrationConfigs)
      .values({ system: 'nayax', name: 'One', publicId: 'a'.repeat(32) })
      .returning({ id: integrationConfigs.id, system: integrationConfigs.system });
    config = made ?? { id: 0, system: 'nayax' };
    await take({ devices: [deviceTold()] });
    await t.deps.db.execute(
      sql`insert into vendor_sales (config_id, system, vendor_id, content_hash, ledger_source, ledger_id, quantity, unit_price,
            amount, currency, status, sold_at, moves_stock, outcome)
          select ${config.id}, 'nayax', 'old-' || n, '', 'nayax', 'old-' || n, 1, 1, 1, 'USD', 'completed', now(), true, 'booked'
          from generate_series(1, ${before}) n`,
    );
  });
  afterAll(() => t.close());

  const sales = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) =>
      saleTold({ vendorId: `S${from + n}`, ...(n % 10 === 0 ? { status: 'failed' as const } : {}) }),
    );

  /** What the statements of this transaction did to the partner's sales. */
  const workOn = async (tx: Db): Promise<Work> =>
    (await firstRow<Work>(
      tx,
      sql`select n_tup_ins::int as inserted, n_tup_upd::int as updated, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
          from pg_stat_xact_user_tables where relname = 'vendor_sales'`,
    )) ?? { inserted: 0, updated: 0, read: 0 };

  const take = (batch: VendorBatch): Promise<Work> =>
    t.deps.db.transaction(async (tx) => {
      const begun = await workOn(tx);
      await storeBatch(tx, { config, at: t.deps.clock.now() }, batch);
      const after = await workOn(tx);
      return {
        inserted: after.inserted - begun.inserted,
        updated: after.updated - begun.updated,
        read: after.read - begun.read,
      };
    });

  it('is written once, with what became of each sale, and of the others nothing is read', async () => {
    const first = await take({ sales: sales(0, many) });
    expect(first).toMatchObject({ inserted: many, updated: 0 });
    const outcomes = await rows<{ outcome: string; n: number }>(
      t.deps.db,
      sql`select outcome, count(*)::int as n from vendor_sales where vendor_id like 'S%' group by 1 order by 1`,
    );
    expect(outcomes).toEqual([
      { outcome: 'booked', n: many - many / 10 },
      { outcome: 'none', n: many / 10 },
    ]);
    const again = await take({ sales: [...sales(many - 20, 20), ...sales(many, 20)] });
    expect(again).toMatchObject({ inserted: 20, updated: 0 });
    expect(first.read + again.read).toBeLessThan(many + 200);
  });

  it('is taken though a record holds a character that no database keeps, and a name is cut inside an emoji', async () => {
    const long = `${'x'.repeat(254)}😀`;
    const odd = saleTold({ vendorId: 'odd', productName: 'Co\u0000la\u202e \ud83d', raw: { note: '\udc00\u0000ok' } });
    await take({ sales: [odd, saleTold({ vendorId: 'cut', productName: long }), saleTold({ vendorId: 'next' })] });
    const taken = await rows<{ vendor_id: string; product_name: string }>(
      t.deps.db,
      sql`select vendor_id, product_name from vendor_sales where vendor_id in ('odd', 'cut', 'next') order by vendor_id`,
    );
    expect(taken).toEqual([
      { vendor_id: 'cut', product_name: 'x'.repeat(254) },
      { vendor_id: 'next', product_name: 'Cola' },
      { vendor_id: 'odd', product_name: 'Cola' },
    ]);
  });

  it('is taken though the id of a record is too long to be kept: that one is told apart from the others', async () => {
    const line = 'L'.repeat(101);
    const long = saleTold({ vendorId: 'v'.repeat(201), raw: { told: 'long' } });
    const lined = saleTold({
      vendorId: 'lined',
      ledger: { source: 'nayax', transactionId: 'lined', line },
      raw: { line },
    });
    const batch = { sales: [long, lined, saleTold({ vendorId: 'beside' })] };
    const at = t.deps.clock.now();
    const counts = await t.deps.db.transaction((tx) => storeBatch(tx, { config, at }, batch));
    expect(counts).toMatchObject({ processed: 3, sales: 1, booked: 1, held: 2 });
    const held = await rows<{ explanation: string }>(
      t.deps.db,
      sql`select explanation from held_records where kind = 'unreadable' order by id`,
    );
    expect(held.map(({ explanation }) => explanation)).toEqual([
      'Its id has 201 characters: at most 200 are kept. Nothing of it was taken.',
      'Its line’s id has 101 characters: at most 100 are kept. Nothing of it was taken.',
    ]);
  });
});
