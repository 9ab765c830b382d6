import { sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';

const keptMs = 120 * 24 * 3_600_000;

/** The ends of card numbers go after 120 days, when no payment can be disputed any more. */
export async function purgeCardEnds(deps: Deps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - keptMs).toISOString();
  await deps.db.execute(
    sql`update vendor_sales set last_four = null, card_type = null
        where sold_at < ${before}::timestamptz and (last_four is not null or card_type is not null)`,
  );
}
