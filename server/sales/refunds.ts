import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';
import { saleEventId } from './event-id.ts';
import { lockDailySums } from './queries.ts';

type Named = { source: string; transactionId: string; line: string | null };

/**
 * Marks stored sales as paid back and takes them out of the daily sums, each once; triggers take them out of what counts as
 * sold. Stock stays as it is: a machine that pays back has let go of the product or not, which the next count tells. A sale
 * that is known never to have happened is put back besides.
 */
export async function refundSales(tx: Db, sales: readonly Named[]): Promise<number> {
  const ids = sales.map(({ source, transactionId, line }) => saleEventId(source, transactionId, line));
  await lockDailySums(tx);
  const { timeZone, currency } = await getOperator(tx);
  const back = await rows<{ machineId: number | null; route: string | null }>(
    tx,
    sql`with back as (
          update sales set refunded = true
          where event_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)) and not refunded
          returning sale_date, route_designation, product_name, payment_method, quantity, total_amount, currency, successful,
            machine_id),
        sums as (
          select (b.sale_date at time zone ${timeZone})::date as day, coalesce(b.route_designation, '') as route,
            coalesce(b.product_name, '') as product, coalesce(b.payment_method, '') as method,
            sum(b.quantity) as units, coalesce(sum(b.total_amount) filter (where b.currency = ${currency}), 0) as amount,
            count(*) as lines
          from back b where b.successful group by 1, 2, 3, 4),
        taken as (
          update sales_daily d set units = d.units - s.units, amount = d.amount - s.amount, lines = d.lines - s.lines
          from sums s where d.day = s.day and d.route_designation = s.route and d.product_name = s.product
            and d.payment_method = s.method)
        select machine_id as "machineId", route_designation as route from back`,
  );
  if (back.length > 0) {
    const routes = new Set(back.flatMap((one) => one.route ?? []));
    await publish(tx, { topic: 'sales', ids: back.flatMap((one) => one.machineId ?? []), routes: [...routes] });
  }
  return back.length;
}
