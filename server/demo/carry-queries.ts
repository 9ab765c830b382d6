import { sql } from 'drizzle-orm';
import type { ItemType, Stock } from '../../simulator/records.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { column, fromMs } from './movement-queries.ts';

/** One carrier at a time, over all processes; released with the transaction. */
export async function lockDemo(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('carry-demo-forward'))`);
}

export type StockRow = Pick<
  Stock,
  'id' | 'locationId' | 'productName' | 'slotNumber' | 'category' | 'par' | 'minimum' | 'believed'
> & { productId: number | null };

/** What stands in the active machines or markets of a range of ids; their balances stay locked. */
export async function lockStock(
  db: Db,
  type: 'market' | 'vending_machine',
  range: { from: number; to: number },
): Promise<StockRow[]> {
  const found = type === 'market' ? itemsOf(range) : slotsOf(range);
  return rows<StockRow>(db, found);
}

function slotsOf(range: { from: number; to: number }) {
  return sql`select t.id, t.machine_id as "locationId", t.product_id as "productId", t.product_name as "productName",
        t.slot_number as "slotNumber", t.category, coalesce(t.par_quantity, t.max_quantity) as par,
        t.minimum_quantity as minimum, b.quantity as believed
      from vending_machine_inventory t
      join vending_machines m on m.id = t.machine_id and m.deleted_at is null and m.status = 'active'
      join item_balances b on b.item_type = 'machine_slot' and b.item_id = t.id
      where t.machine_id between ${range.from} and ${range.to} and t.deleted_at is null order by t.id for update of b`;
}

function itemsOf(range: { from: number; to: number }) {
  return sql`select t.id, t.market_id as "locationId", t.product_id as "productId", t.product_name as "productName",
        null as "slotNumber", p.category, coalesce(t.par_quantity, 2 * t.minimum_quantity) as par,
        t.minimum_quantity as minimum, b.quantity as believed
      from inventory_items t
      join markets m on m.id = t.market_id and m.deleted_at is null and m.status = 'active'
      join products p on p.id = t.product_id
      join item_balances b on b.item_type = 'market_item' and b.item_id = t.id
      where t.market_id between ${range.from} and ${range.to} and t.deleted_at is null order by t.id for update of b`;
}

/** Brings balances, and the quantities that screens read, to the fold of their movements. */
export async function refoldBalances(
  db: Db,
  itemType: ItemType,
  itemIds: readonly number[],
  nowMs: number,
): Promise<void> {
  if (itemIds.length === 0) return;
  await db.execute(
    sql`update item_balances b
        set quantity = coalesce(c.quantity, 0) + d.sum, anchor_event_id = c.event_id, anchor_at = c.effective_at,
            version = b.version + 1
        from unnest(${column(itemIds)}::int[]) as t(item_id)
        left join lateral (
          select m.event_id, m.effective_at, m.quantity from stock_movements m
          where m.item_type = ${itemType} and m.item_id = t.item_id and m.kind = 'count'
          order by m.effective_at desc, m.event_id desc limit 1) c on true
        cross join lateral (
          select coalesce(sum(m.quantity), 0)::int as sum from stock_movements m
          where m.item_type = ${itemType} and m.item_id = t.item_id and m.kind <> 'count'
            and m.effective_at >= coalesce(c.effective_at, '-infinity')
            and (c.event_id is null or (m.effective_at, m.event_id) > (c.effective_at, c.event_id))) d
        where b.item_type = ${itemType} and b.item_id = t.item_id`,
  );
  const table = itemType === 'machine_slot' ? sql`vending_machine_inventory` : sql`inventory_items`;
  // Whoever fills a slot takes out what is about to expire.
  const fresh =
    itemType === 'machine_slot'
      ? sql`expiration_date = case when t.expiration_date < ${fromMs(sql`${nowMs}::bigint`)}::date + 8
          then ${fromMs(sql`${nowMs}::bigint`)}::date + 25 + t.id % 120 else t.expiration_date end,`
      : sql``;
  await db.execute(
    sql`update ${table} t set ${fresh} current_quantity = greatest(0, b.quantity), updated_at = ${fromMs(sql`${nowMs}::bigint`)},
          last_restocked = greatest(t.last_restocked, (
            select max(m.effective_at) from stock_movements m
            where m.item_type = ${itemType} and m.item_id = t.id and m.kind in ('count', 'restock')
              and m.effective_at > t.last_restocked))
        from item_balances b
        where b.item_type = ${itemType} and b.item_id = t.id and t.id = any(${column(itemIds)}::int[])`,
  );
}

/** Sold-out alerts of slots that hold something again are over. */
export async function resolveRefilled(db: Db, nowMs: number): Promise<void> {
  await db.execute(
    sql`update vending_machine_alerts a set resolved_at = greatest(a.created_at, coalesce(s.last_restocked, ${fromMs(sql`${nowMs}::bigint`)}))
        from vending_machine_inventory s
        where a.resolved_at is null and a.alert_type = 'out_of_stock' and s.id = a.slot_id and s.current_quantity > 0`,
  );
}

export type Repair = { machineId: number; alertType: string; atMs: number; resolvedMs: number };

/** Faults whose repair has come. */
export async function resolveRepaired(db: Db, repairs: readonly Repair[]): Promise<void> {
  if (repairs.length === 0) return;
  await db.execute(
    sql`update vending_machine_alerts a set resolved_at = ${fromMs(sql`g."resolvedMs"`)}
        from jsonb_to_recordset(${JSON.stringify(repairs)}::jsonb) as g("machineId" int, "alertType" text, "atMs" bigint,
          "resolvedMs" bigint)
        where a.resolved_at is null and a.machine_id = g."machineId" and a.alert_type = g."alertType"
          and a.created_at = ${fromMs(sql`g."atMs"`)}`,
  );
}

export async function findActiveMachines(db: Db): Promise<Set<number>> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id from vending_machines where deleted_at is null and status = 'active'`,
  );
  return new Set(found.map((row) => row.id));
}

/** Places whose sales a partner system tells: inventing them too would count them twice. */
export async function findConnected(db: Db, type: 'market' | 'vending_machine'): Promise<Set<number>> {
  const table = sql.identifier(type === 'market' ? 'markets' : 'vending_machines');
  const found = await rows<{ id: number }>(db, sql`select id from ${table} where integration_id is not null`);
  return new Set(found.map((row) => row.id));
}

/** Machines report now, but for the silent ones. */
export async function updateLastSeen(db: Db, machines: readonly { id: number; seenMs: number }[]): Promise<void> {
  await db.execute(
    sql`update vending_machines m set last_seen = ${fromMs(sql`g.seen_ms`)}
        from unnest(${column(machines.map((one) => one.id))}::int[], ${column(machines.map((one) => one.seenMs))}::bigint[])
          as g(id, seen_ms)
        where m.id = g.id`,
  );
}
