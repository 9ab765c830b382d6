import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';

/** Makes every day of every item anew out of ledger and sales. Nobody can sell or count while it runs. */
export async function rebuildItemDays(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Longer than any call may take at a large operator.
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`select rebuild_item_days()`);
  });
}
