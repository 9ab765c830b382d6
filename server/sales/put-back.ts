import { sql } from 'drizzle-orm';
import { dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { recordEvents } from '../inventory/service.ts';
import { getOperator } from '../settings/service.ts';
import { saleEventId } from './event-id.ts';
import { movementAtSale } from './movement.ts';

type Named = { source: string; transactionId: string; line: string | null };

type Sold = {
  eventId: string;
  machineId: number | null;
  itemId: number;
  quantity: number;
  soldAtUs: string;
  source: string;
};

/**
 * Puts back what sales took out of the stock that never happened after all. No sale of minus so many: what is marked as paid
 * back is taken out of what counts as sold already. Done again it changes nothing.
 */
export async function putBack(tx: Db, sales: readonly Named[], at: Date): Promise<void> {
  const ids = sales.map(({ source, transactionId, line }) => saleEventId(source, transactionId, line));
  const sold = await rows<Sold>(
    tx,
    sql`select s.event_id as "eventId", s.machine_id as "machineId", s.item_id as "itemId", s.quantity, s.source,
          (extract(epoch from s.sale_date) * 1000000)::bigint::text as "soldAtUs"
        from sales s where s.event_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
          and s.refunded and s.item_id is not null and exists (select from stock_movements m where m.event_id = s.event_id)`,
  );
  if (sold.length === 0) return;
  const { timeZone } = await getOperator(tx);
  await recordEvents(
    tx,
    sold.map((sale) =>
      movementAtSale(sale, {
        ...{ eventId: saleEventId('put-back', sale.eventId, null), itemId: sale.itemId, kind: 'return', at },
        ...{ quantity: sale.quantity, source: sale.source },
      }),
    ),
    dayIn(timeZone, at),
  );
}
