import { sql } from 'drizzle-orm';
import { rows } from '../../db/database.ts';
import { refundSales } from '../../sales/service.ts';
import type { Told } from '../batch.ts';
import type { SaleRow } from '../tables.ts';

/** Systems that may tell a refund beside its sale and under the sale's own number, instead of as how the sale ended. */
const tellApart: ReadonlySet<string> = new Set(['cantaloupe']);

/**
 * What refunds have given back wholly brings no money in the ledger either, in whatever order sale and refunds come. A part
 * does not say which line it is of: only payments know it.
 */
export async function refundGivenBack({ db, configId, system }: Told, told: readonly SaleRow[]): Promise<void> {
  if (!tellApart.has(system)) return;
  const named = new Map(
    told.map(({ ledgerSource: source, ledgerId: id }) => [JSON.stringify([source, id]), { source, id }]),
  );
  if (named.size === 0) return;
  const back = await rows<{ source: string; transactionId: string; line: string | null }>(
    db,
    sql`select v.ledger_source as source, v.ledger_id as "transactionId", v.ledger_line as line
        from jsonb_to_recordset(${JSON.stringify([...named.values()])}::jsonb) g(source text, id text)
        cross join lateral (
          select s.*, sum(s.amount) over () as left_over, bool_or(s.status = 'refunded') over () as has_refund
          from vendor_sales s where s.ledger_source = g.source and s.ledger_id = g.id and s.config_id = ${configId}
            and s.status in ('completed', 'refunded') and s.outcome not in ('held', 'held_same') limit 1000) v
        where v.has_refund and v.left_over <= 0 and v.moves_stock and v.outcome in ('booked', 'same')`,
  );
  if (back.length > 0) await refundSales(db, back);
}
