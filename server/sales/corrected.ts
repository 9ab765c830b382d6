import { sql } from 'drizzle-orm';
import { dayIn } from '../../domain/time.ts';
import { type Db, firstRow } from '../db/database.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { recordEvents } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';
import { saleEventId } from './event-id.ts';
import { movementAtSale } from './movement.ts';
import { lockDailySums } from './queries.ts';

type Named = { source: string; transactionId: string; line: string | null };

/** Decimal text; `price` per unit. */
type Figures = { quantity: number; price: string; totalAmount: string };

type Stored = {
  quantity: number;
  amount: string;
  refunded: boolean;
  successful: boolean;
  isOwnCurrency: boolean;
  machineId: number | null;
  itemId: number | null;
  route: string | null;
  product: string | null;
  method: string | null;
  day: string;
  soldAtUs: string;
  moved: boolean;
};

export type Correction = { before: { quantity: number; amount: string } } | 'unknown' | 'refunded';

/**
 * Gives a stored sale another quantity and amount. Its sums follow; what it took out of the stock more or less is a
 * movement of its own, as the ledger is only added to.
 */
export async function correctSale(
  tx: Db,
  named: Named,
  { to, decision, at }: { to: Figures; decision: string; at: Date },
): Promise<Correction> {
  const eventId = saleEventId(named.source, named.transactionId, named.line);
  await lockDailySums(tx);
  const books = await getOperator(tx);
  const sold = await firstRow<Stored>(
    tx,
    sql`select quantity, total_amount::text as amount, refunded, successful,
          currency = ${books.currency} as "isOwnCurrency", machine_id as "machineId", item_id as "itemId",
          route_designation as route, product_name as product, payment_method as method, (sale_date at time zone ${books.timeZone})::date::text as day,
          (extract(epoch from sale_date) * 1000000)::bigint::text as "soldAtUs",
          exists (select from stock_movements m where m.event_id = ${eventId}::uuid) as moved
        from sales where event_id = ${eventId}::uuid for update`,
  );
  if (!sold) return 'unknown';
  if (sold.refunded) return 'refunded';
  const more = to.quantity - sold.quantity;
  await tx.execute(
    sql`update sales set quantity = ${to.quantity}, price = ${to.price}, total_amount = ${to.totalAmount}
        where event_id = ${eventId}::uuid`,
  );
  if (sold.successful) {
    const earned = sold.isOwnCurrency ? sql`${to.totalAmount}::numeric - ${sold.amount}::numeric` : sql`0`;
    await tx.execute(
      sql`update sales_daily set units = units + ${more}, amount = amount + ${earned}
          where day = ${sold.day}::date and route_designation = ${sold.route ?? ''} and product_name = ${sold.product ?? ''}
            and payment_method = ${sold.method ?? ''}`,
    );
  }
  const movement = movementOf(sold, { eventId: saleEventId('corrected', eventId, decision), more, at });
  if (movement) await recordEvents(tx, [movement], dayIn(books.timeZone, at));
  await publish(tx, {
    topic: 'sales',
    ids: sold.machineId === null ? [] : [sold.machineId],
    routes: sold.route === null ? [] : [sold.route],
  });
  return { before: { quantity: sold.quantity, amount: sold.amount } };
}

type Difference = { eventId: string; more: number; at: Date };

function movementOf(sold: Stored, { eventId, more, at }: Difference): LedgerEvent | null {
  if (!sold.moved || sold.itemId === null || more === 0) return null;
  const { itemId } = sold;
  return movementAtSale(sold, { eventId, itemId, kind: 'sale', quantity: -more, source: 'review', at });
}
