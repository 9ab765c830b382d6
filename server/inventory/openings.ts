import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';

/**
 * Writes for every item that moved before a day what its ledger came to by then, as a count at the day's first moment: the
 * fold of what comes after gives the same balance without what was before. The day is the first of a month, UTC.
 */
export async function writeOpenings(tx: Db, border: string): Promise<void> {
  const at = sql`${`${border}T00:00:00Z`}::timestamptz`;
  await tx.execute(sql`select ensure_month_partition('stock_movements', ${at})`);
  // In the order in which bookings lock them; what is booked from here on waits for the new anchor.
  await tx.execute(
    sql`select from item_balances where anchor_at is null or anchor_at < ${at} order by item_type, item_id for update`,
  );
  // The id says item and month, so that a second run finds it there; it sorts before every movement of its moment.
  const eventId = sql`('00000000-0000-8000-8000-' || lpad(to_hex(
      ((extract(year from ${border}::date)::bigint * 12 + extract(month from ${border}::date)::bigint) << 32)
        + (item_type = 'market_item')::int * 2147483648 + item_id), 12, '0'))::uuid`;
  await tx.execute(
    sql`with anchors as (
          select distinct on (item_type, item_id) item_type, item_id, event_id, effective_at, quantity from stock_movements
          where kind = 'count' and effective_at < ${at} order by item_type, item_id, effective_at desc, event_id desc
        ), openings as (
          select m.item_type, m.item_id,
                 coalesce(max(a.quantity), 0) + coalesce(sum(m.quantity) filter (where m.kind <> 'count'
                   and (a.event_id is null or (m.effective_at, m.event_id) > (a.effective_at, a.event_id))), 0) as quantity
          from stock_movements m left join anchors a using (item_type, item_id)
          where m.effective_at < ${at} group by 1, 2
        ), keyed as (
          insert into event_keys (event_id, item_type, item_id, payload_hash, outcome, effective_at)
          select ${eventId}, item_type, item_id, 'opening', 'applied', ${at} from openings on conflict do nothing
          returning item_type, item_id, event_id
        )
        insert into stock_movements (event_id, item_type, item_id, kind, quantity, reason, effective_at, source)
        select k.event_id, item_type, item_id, 'count', o.quantity, 'opening', ${at}, 'roll-up'
        from openings o join keyed k using (item_type, item_id)`,
  );
  await tx.execute(
    sql`update item_balances b set anchor_event_id = m.event_id, anchor_at = m.effective_at from stock_movements m
        where m.item_type = b.item_type and m.item_id = b.item_id and m.effective_at = ${at} and m.source = 'roll-up'
          and (b.anchor_at is null or b.anchor_at < ${at})`,
  );
}
