import { type SQL, sql } from 'drizzle-orm';
import type { ItemType } from '../../domain/inventory.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { inOneLongTransaction } from '../db/statements/unhurried.ts';
import { type ItemRef, lockBalances, toUs, updateBalances } from './ledger-queries.ts';
import { slotIsLow } from './queries.ts';

export type WrongBalance = ItemRef & {
  itemType: ItemType;
  /** By the ledger: the latest count plus every change after it. */
  folded: number;
  balance: number | null;
  /** What screens show; null where the item is gone. */
  shown: number | null;
  version: number;
  anchorEventId: string | null;
  anchorAtUs: number | null;
};

/** Every item there is or was, folded at once. */
const foldOfAll = sql`looked as (
    select item_type, item_id from item_balances union select item_type, item_id from stock_movements
  ), anchors as (
    select distinct on (item_type, item_id) item_type, item_id, event_id, effective_at, quantity from stock_movements
    where kind = 'count' order by item_type, item_id, effective_at desc, event_id desc
  ), changes as (
    select m.item_type, m.item_id, sum(m.quantity)::int as quantity from stock_movements m
    left join anchors a using (item_type, item_id)
    where m.kind <> 'count' and (a.event_id is null or (m.effective_at, m.event_id) > (a.effective_at, a.event_id))
    group by 1, 2
  )`;

/** Some balances, each folded by the index of its item: the ledger of many months is not read for a few. */
const foldOfSome = (every: number): SQL => sql`looked as materialized (
    select item_type, item_id from item_balances where item_id % ${every}::int = 0
  ), anchors as materialized (
    select l.item_type, l.item_id, m.event_id, m.effective_at, m.quantity from looked l cross join lateral (
      select event_id, effective_at, quantity from stock_movements m
      where m.item_type = l.item_type and m.item_id = l.item_id and kind = 'count'
      order by effective_at desc, event_id desc limit 1) m
  ), changes as (
    select l.item_type, l.item_id, c.quantity from looked l left join anchors a using (item_type, item_id) cross join lateral (
      select sum(m.quantity)::int as quantity from stock_movements m
      where m.item_type = l.item_type and m.item_id = l.item_id and m.kind <> 'count'
        and (a.event_id is null or (m.effective_at, m.event_id) > (a.effective_at, a.event_id))) c
  )`;

/** Items whose balance or shown quantity differs from the fold of the ledger, worst first: none, unless something wrote past it. */
export function findWrongBalances(db: Db): Promise<WrongBalance[]> {
  return differing(db, foldOfAll, 1_000);
}

/** The same of one balance in so many. */
export function findSomeWrongBalances(
  db: Db,
  { every, limit }: { every: number; limit: number },
): Promise<WrongBalance[]> {
  return differing(db, foldOfSome(every), limit);
}

function differing(db: Db, fold: SQL, limit: number): Promise<WrongBalance[]> {
  return inOneLongTransaction(db, (tx) =>
    rows<WrongBalance>(
      tx,
      sql`with ${fold}, compared as (
            select item_type, item_id, coalesce(a.quantity, 0) + coalesce(c.quantity, 0) as folded,
                   b.quantity as balance, coalesce(b.version, 0) as version,
                   coalesce(s.current_quantity, i.current_quantity) as shown, a.event_id, a.effective_at, b.anchor_event_id
            from looked left join anchors a using (item_type, item_id) left join changes c using (item_type, item_id)
            left join item_balances b using (item_type, item_id)
            left join vending_machine_inventory s on item_type = 'machine_slot' and s.id = item_id
            left join inventory_items i on item_type = 'market_item' and i.id = item_id
          )
          select item_type as "itemType", item_id as "itemId", folded, balance, shown, version,
                 event_id as "anchorEventId", ${toUs(sql`effective_at`)} as "anchorAtUs"
          from compared
          where balance is distinct from folded or anchor_event_id is distinct from event_id
             or shown <> greatest(0, folded)
          order by abs(coalesce(balance, 0) - folded) desc, item_type, item_id limit ${limit}`,
    ),
  );
}

/** Sets balances and shown quantities to what the ledger says, which is the truth; the ledger is only read. */
export async function repairBalances(db: Db): Promise<number> {
  return inOneLongTransaction(db, async (tx) => {
    const before = await findWrongBalances(tx);
    if (before.length === 0) return 0;
    await lockBalances(tx, before);
    // What was booked until the locks were held counts too.
    const wrong = await findWrongBalances(tx);
    const held = new Set(before.map((item) => `${item.itemType}:${item.itemId}`));
    const fixed = wrong.filter((item) => held.has(`${item.itemType}:${item.itemId}`));
    await updateBalances(
      tx,
      fixed.map(({ folded, version, ...item }) => ({
        ...item,
        quantity: folded,
        version: version + 1,
        restockedAt: null,
      })),
    );
    return fixed.length;
  });
}

/** Locations whose kept sums differ from their rows. */
const wrongMachines = sql`select m.id from vending_machines m
  where (m.current_stock, m.low_slots, m.empty_slots, m.slot_count, m.slots_under_percent) <>
  (select coalesce(sum(s.current_quantity), 0)::int, count(*) filter (where s.is_low)::int,
          count(*) filter (where s.current_quantity = 0)::int, count(*)::int, count(*) filter (where ${slotIsLow})::int
   from vending_machine_inventory s where s.machine_id = m.id and s.deleted_at is null)`;
const wrongMarkets = sql`select m.id from markets m
  where (m.item_count, m.low_stock_count, m.stocked_units, m.target_units) <>
  (select count(*)::int, count(*) filter (where i.is_low)::int,
          coalesce(sum(least(i.current_quantity, coalesce(i.par_quantity, 2 * i.minimum_quantity))), 0)::int,
          coalesce(sum(coalesce(i.par_quantity, 2 * i.minimum_quantity)), 0)::int
   from inventory_items i where i.market_id = m.id and i.deleted_at is null)`;

export async function countWrongSums(db: Db): Promise<number> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select (select count(*) from (${wrongMachines}) a)::int + (select count(*) from (${wrongMarkets}) b)::int as n`,
  );
  return found?.n ?? 0;
}

/** Has the triggers that keep the sums make them anew. None runs for a location without rows: its owner clears those. */
export async function remakeSums(db: Db): Promise<void> {
  await db.execute(
    sql`update vending_machine_inventory set updated_at = updated_at where machine_id in (${wrongMachines})`,
  );
  await db.execute(sql`update inventory_items set updated_at = updated_at where market_id in (${wrongMarkets})`);
}
