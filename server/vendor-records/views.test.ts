import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { deviceTold, saleTold } from '../testing/vendor.ts';
import { storeBatch } from './service.ts';

/** Columns that a reader relies on. */
const expected: Record<string, string> = {
  lightspeed_configs:
    'name client_id client_secret redirect_uri domain_prefix access_token refresh_token expires_at is_active',
  lightspeed_products:
    'lightspeed_id config_id name sku description price cost category supplier current_quantity reorder_point reorder_level location_id location_name last_sync_at',
  lightspeed_sales:
    'lightspeed_id config_id sale_date total subtotal tax location_id location_name customer_name customer_email item_count',
};

onEachDatabase('Lightspeed views', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('sales and products have the names that their readers know, a sale of two lines once', async () => {
    const at = new Date('2026-03-12T15:00:00Z');
    const told = { config: { id: 1, system: 'lightspeed' }, at };
    const line = (vendorId: string, amount: string) =>
      saleTold({
        vendorId,
        amount,
        tax: '0.10',
        ledger: { source: 'lightspeed:x', transactionId: 'T', line: vendorId },
      });
    const device = deviceTold({ vendorId: 'D1', integrationId: 'lightspeed:x:D1', locationType: 'market' });
    await database.db.transaction((tx) =>
      storeBatch(tx, told, { devices: [device], sales: [line('1', '1.60'), line('2', '1.50')] }),
    );
    for (const [view, columns] of Object.entries(expected)) {
      const names = sql.raw(columns.replaceAll(' ', ', '));
      await rows<Record<string, unknown>>(database.db, sql`select ${names} from ${sql.identifier(view)}`);
    }
    const found = await rows(
      database.db,
      sql`select lightspeed_id, location_name, total::text, subtotal::text, tax::text, item_count from lightspeed_sales`,
    );
    expect(found).toEqual([
      {
        lightspeed_id: 'T',
        location_name: 'Lobby machine',
        total: '3.10',
        subtotal: '2.90',
        tax: '0.20',
        item_count: 2,
      },
    ]);
  });
});
