import { sql } from 'drizzle-orm';
import type { VendorSale } from '../../../domain/integration.ts';
import type { Told } from '../batch.ts';
import type { SaleRow } from '../tables.ts';

/**
 * Partners tell a transaction whole. One that ends with fewer lines than it was pending with, as where a piece did not fall, never
 * says how the others ended: they count nowhere then. A refund told by itself is not how its sale ended.
 */
export async function endLinesLeft(
  { db, configId, at }: Told,
  told: readonly VendorSale[],
  changed: readonly SaleRow[],
): Promise<void> {
  const over = changed.filter(({ status, movesStock }) => status !== 'pending' && movesStock);
  if (over.length === 0) return;
  const keyOf = (source: string, id: string): string => JSON.stringify([source, id]);
  const ended = new Map(over.map(({ ledgerSource: source, ledgerId: id }) => [keyOf(source, id), { source, id }]));
  const lines = new Map<string, string[]>();
  for (const { ledger, vendorId } of told) {
    const key = keyOf(ledger.source.slice(0, 50), ledger.transactionId.slice(0, 100));
    lines.set(key, [...(lines.get(key) ?? []), vendorId]);
  }
  const asked = [...ended].map(([key, one]) => ({ ...one, told: lines.get(key) ?? [] }));
  await db.execute(
    sql`update vendor_sales set status = 'failed', outcome = 'same', updated_at = ${at.toISOString()} where id in (
          select v.id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) g(source text, id text, told jsonb)
          cross join lateral (select v.id from vendor_sales v
            where v.ledger_source = g.source and v.ledger_id = g.id and v.config_id = ${configId} and v.status = 'pending'
              and v.outcome in ('waiting', 'waiting_same', 'same', 'none') and not g.told ? v.vendor_id limit 1000 for update) v)`,
  );
}
