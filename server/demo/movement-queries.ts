import { type SQL, sql } from 'drizzle-orm';
import { timeZone } from '../../simulator/calendar.ts';
import { paymentMethods } from '../../simulator/demand.ts';
import type { Movement, Sale } from '../../simulator/records.ts';
import type { Db } from '../db/database.ts';

/** Where these records say they come from. */
const source = 'simulator';

/** A column of numbers or plain words as one array parameter: the quickest way for many rows into either database. */
export function column(values: readonly (number | string | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** Milliseconds since the epoch as an instant. */
export const fromMs = (ms: SQL): SQL => sql`(timestamptz 'epoch' + ${ms} * interval '1 millisecond')`;

/** The months that a span touches stand ready, with a day to spare at both ends. */
export async function ensureMonths(db: Db, fromMs: number, toMs: number): Promise<void> {
  const dayMs = 86_400_000;
  const months = new Set<string>();
  for (let ms = fromMs - dayMs; ms <= toMs + dayMs; ms += dayMs) months.add(new Date(ms).toISOString().slice(0, 7));
  for (const month of months) {
    const first = `${month}-01T00:00:00Z`;
    await db.execute(
      sql`select ensure_month_partition('stock_movements', ${first}::timestamptz), ensure_month_partition('sales', ${first}::timestamptz)`,
    );
  }
}

/** Movements that are no sales, with their keys. */
export async function insertMoves(db: Db, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return;
  await db.execute(
    sql`with given as materialized (
          select event_id, item_type, item_id, kind, quantity, reason, shown, ${fromMs(sql`at_ms`)} as at, actor_id, visit_id
          from unnest(${column(movements.map((one) => one.eventId))}::uuid[],
            ${column(movements.map((one) => one.itemType))}::text[], ${column(movements.map((one) => one.itemId))}::int[],
            ${column(movements.map((one) => one.kind))}::text[], ${column(movements.map((one) => one.quantity))}::int[],
            ${column(movements.map((one) => one.reason))}::text[], ${column(movements.map((one) => one.shown))}::int[],
            ${column(movements.map((one) => one.atMs))}::bigint[], ${column(movements.map((one) => one.actorId))}::int[],
            ${column(movements.map((one) => one.visitId))}::uuid[])
            as g(event_id, item_type, item_id, kind, quantity, reason, shown, at_ms, actor_id, visit_id)),
        keyed as (
          insert into event_keys (event_id, item_type, item_id, payload_hash, outcome, effective_at)
          select event_id, item_type, item_id, ${source}, 'applied', at from given)
        insert into stock_movements (event_id, item_type, item_id, kind, quantity, reason, shown, effective_at, received_at,
          actor_id, visit_id, source)
        select event_id, item_type, item_id, kind, quantity, reason, shown, at, at, actor_id, visit_id, ${source} from given`,
  );
}

/** Sales with their movements and keys. What was sold, where and for how much is read from the item. */
export async function insertSales(db: Db, sales: readonly Sale[]): Promise<void> {
  const atMachines = sales.filter((sale) => sale.itemType === 'machine_slot');
  const atMarkets = sales.filter((sale) => sale.itemType === 'market_item');
  if (atMachines.length) await insertSalesOf(db, 'machine_slot', atMachines);
  if (atMarkets.length) await insertSalesOf(db, 'market_item', atMarkets);
}

// The columns from machine_id on, by type of item.
const saleOf = {
  machine_slot: sql`select g.event_id, ${source}, g.transaction_id, l.id, null::int, t.id, t.product_id, t.product_name,
      t.product_code, t.slot_number, t.category, g.quantity, t.price, t.price * g.quantity, g.payment, g.at, g.successful, g.refunded,
      l.route_designation, g.at
    from timed g join vending_machine_inventory t on t.id = g.item_id join vending_machines l on l.id = t.machine_id`,
  market_item: sql`select g.event_id, ${source}, g.transaction_id, null::int, l.id, t.id, t.product_id, t.product_name,
      b.code, null, p.category, g.quantity, p.unit_price, p.unit_price * g.quantity, g.payment, g.at, g.successful, g.refunded,
      l.route_designation, g.at
    from timed g join inventory_items t on t.id = g.item_id join markets l on l.id = t.market_id
    join products p on p.id = t.product_id
    left join lateral (select code from product_barcodes c where c.product_id = p.id limit 1) b on true`,
};

async function insertSalesOf(db: Db, itemType: Sale['itemType'], sales: readonly Sale[]): Promise<void> {
  await db.execute(
    sql`with timed as materialized (
          select event_id, 'SIM-' || substr(event_id::text, 10, 4) || right(event_id::text, 12) as transaction_id, item_id,
            quantity, (${column([...paymentMethods])}::text[])[payment] as payment, ${fromMs(sql`at_ms`)} as at,
            state <> 1 as successful, state = 2 as refunded
          from unnest(${column(sales.map((one) => one.eventId))}::uuid[], ${column(sales.map((one) => one.itemId))}::int[],
            ${column(sales.map((one) => one.quantity))}::int[],
            ${column(sales.map((one) => paymentMethods.indexOf(one.payment) + 1))}::int[],
            ${column(sales.map((one) => one.atMs))}::bigint[], ${column(sales.map((one) => stateCode[one.state]))}::int[])
            as g(event_id, item_id, quantity, payment, at_ms, state)),
        keyed as (
          insert into event_keys (event_id, item_type, item_id, payload_hash, outcome, effective_at)
          select event_id, ${itemType}, item_id, ${source}, 'applied', at from timed),
        moved as (
          insert into stock_movements (event_id, item_type, item_id, kind, quantity, effective_at, received_at, source)
          select event_id, ${itemType}, item_id, 'sale', -quantity, at, at, ${source} from timed where successful)
        insert into sales (event_id, source, transaction_id, machine_id, market_id, item_id, product_id, product_name,
          product_code, slot_number, category, quantity, price, total_amount, payment_method, sale_date, successful, refunded,
          route_designation, received_at)
        ${saleOf[itemType]}`,
  );
}

const stateCode: Record<Sale['state'], number> = { sold: 0, failed: 1, refunded: 2 };

/** Adds the daily sums of sales with ids in a range; none of them may have been summed before. */
export async function sumSales(db: Db, range: { first: string; last: string }): Promise<void> {
  await db.execute(
    sql`insert into sales_daily (day, route_designation, product_name, payment_method, units, amount, lines)
        select (s.sale_date at time zone ${timeZone})::date, coalesce(s.route_designation, ''), coalesce(s.product_name, ''),
          coalesce(s.payment_method, ''), sum(s.quantity), sum(s.total_amount), count(*)
        from sales s
        where s.event_id between ${range.first}::uuid and ${range.last}::uuid and s.successful and not s.refunded
        group by 1, 2, 3, 4
        on conflict (day, route_designation, product_name, payment_method) do update
          set units = sales_daily.units + excluded.units, amount = sales_daily.amount + excluded.amount,
              lines = sales_daily.lines + excluded.lines`,
  );
}
