import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { ItemRef } from './ledger-queries.ts';

/** Items whose bookings wait for each other's openings. */
const batch = 500;

/**
 * Writes for every item that moved before a day what its ledger came to by then, as a count at the day's first moment: the
 * fold of what comes after gives the same balance without what was before. The day is the first of a month, UTC. A few items
 * at a time, so that nobody's booking waits for all; a run that broke off is taken up where it stood.
 */
export async function writeOpenings(db: Db, border: string): Promise<void> {
  const at = sql`${`${border}T00:00:00Z`}::timestamptz`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '2s'`);
    await tx.execute(sql`select ensure_month_partition('stock_movements', ${at})`);
  });
  let last: ItemRef | undefined;
  do {
    last = await db.transaction((tx) => writeSome(tx, { border, at, after: last }));
  } while (last);
}

type Some = { border: string; at: SQL; after: ItemRef | undefined };

/** Returns the last item of the batch; undefined when none was left. */
async function writeSome(tx: Db, { border, at, after }: Some): Promise<ItemRef | undefined> {
  await tx.execute(sql`set local statement_timeout = 0`);
  await tx.execute(sql`set local lock_timeout = '2s'`);
  const beyond = sql`(item_type, item_id) > (${after?.itemType ?? ''}, ${after?.itemId ?? 0})`;
  // In the order in which bookings lock them; what is booked from here on waits for the new anchor.
  const locked = await rows<ItemRef>(
    tx,
    sql`select item_type as "itemType", item_id as "itemId" from item_balances where ${beyond}
        order by item_type, item_id limit ${batch} for update`,
  );
  const last = locked.at(-1);
  if (!last) return undefined;
  const here = sql`${beyond} and (item_type, item_id) <= (${last.itemType}, ${last.itemId})`;
  // The id says item and month, so that a second run finds it there; it sorts before every movement of its moment.
  const eventId = sql`('00000000-0000-8000-8000-' || lpad(to_hex(
      ((extract(year from ${border}::date)::bigint * 12 + extract(month from ${border}::date)::bigint) << 32)
        + (item_type = 'market_item')::int * 2147483648 + item_id), 12, '0'))::uuid`;
  await tx.execute(
    sql`with anchors as (
          select distinct on (item_type, item_id) item_type, item_id, event_id, effective_at, quantity from stock_movements
          where kind = 'count' and effective_at < ${at} and ${here}
          order by item_type, item_id, effective_at desc, event_id desc
        ), openings as (
          select m.item_type, m.item_id,
                 coalesce(max(a.quantity), 0) + coalesce(sum(m.quantity) filter (where m.kind <> 'count'
                   and (a.event_id is null or (m.effective_at, m.event_id) > (a.effective_at, a.event_id))), 0) as quantity
          from (select * from stock_movements where effective_at < ${at} and ${here}) m
          left join anchors a using (item_type, item_id) group by 1, 2
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
    sql`update item_balances b set anchor_event_id = m.event_id, anchor_at = m.effective_at
        from (select * from stock_movements where effective_at = ${at} and source = 'roll-up' and ${here}) m
        where m.item_type = b.item_type and m.item_id = b.item_id and (b.anchor_at is null or b.anchor_at < ${at})`,
  );
  return last;
}
