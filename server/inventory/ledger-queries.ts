import { type SQL, sql } from 'drizzle-orm';
import type { ItemType, MovementKind } from '../../domain/inventory.ts';
import type { Db } from '../db/database.ts';
import { rows, run } from '../db/database.ts';
import { together } from '../db/together.ts';

/** Microseconds since the epoch to an instant, exact to the microsecond. */
export const fromUs = (us: SQL): SQL => sql`timestamptz 'epoch' + ${us} * interval '1 microsecond'`;
/**
 * An instant known here. As a value the database can leave out other months while it makes the plan; what it would have to
 * reckon first, it plans for all of them.
 */
export function givenUs(us: number): SQL {
  const seconds = Math.floor(us / 1_000_000);
  const day = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  return sql`${`${day}.${String(us - seconds * 1_000_000).padStart(6, '0')}Z`}::timestamptz`;
}
/** An instant to microseconds since the epoch. */
export const toUs = (at: SQL): SQL => sql`(extract(epoch from ${at}) * 1000000)::bigint`;

export type ItemRef = { itemType: ItemType; itemId: number };

export type LockedBalance = ItemRef & {
  quantity: number;
  version: number;
  anchorEventId: string | null;
  anchorAtUs: number | null;
};

/**
 * Locks the balances of items in one fixed order, so that batches never wait for each other in a circle. Missing ones
 * begin at zero.
 */
export async function lockBalances(db: Db, items: readonly ItemRef[]): Promise<LockedBalance[]> {
  const list = sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("itemType" text, "itemId" int)`;
  const begun = run(
    db,
    sql`insert into item_balances (item_type, item_id)
        select distinct i."itemType", i."itemId" from ${list} order by 1, 2 on conflict do nothing`,
  );
  const locked = rows<LockedBalance>(
    db,
    sql`select b.item_type as "itemType", b.item_id as "itemId", b.quantity, b.version,
               b.anchor_event_id as "anchorEventId", ${toUs(sql`b.anchor_at`)} as "anchorAtUs"
        from item_balances b
        where (b.item_type, b.item_id) in (select i."itemType", i."itemId" from ${list})
        order by b.item_type, b.item_id for update of b`,
  );
  const [, balances] = await together([begun, locked]);
  return balances;
}

export type KnownKey = {
  eventId: string;
  payloadHash: string;
  outcome: 'applied' | 'superseded';
  itemType: ItemType | null;
  itemId: number | null;
};

export function findKeys(db: Db, eventIds: readonly string[]): Promise<KnownKey[]> {
  return rows<KnownKey>(
    db,
    sql`select event_id as "eventId", payload_hash as "payloadHash", outcome, item_type as "itemType", item_id as "itemId"
        from event_keys where event_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(eventIds)}::jsonb))`,
  );
}

type CountPosition = ItemRef & { eventId: string; effectiveAtUs: number };

/** For each count: the sum of the stored deltas after it. */
export async function sumDeltasAfter(db: Db, counts: readonly CountPosition[]): Promise<Map<string, number>> {
  if (counts.length === 0) return new Map();
  const earliest = givenUs(Math.min(...counts.map((count) => count.effectiveAtUs)));
  const found = await rows<{ eventId: string; sum: number }>(
    db,
    // Summed for each by itself: joined as a whole, the database reads the running month from end to end, with helpers of its own.
    sql`select c."eventId", after.sum
        from (select *, ${fromUs(sql`"effectiveAtUs"`)} as at
              from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
                as c("eventId" uuid, "itemType" text, "itemId" int, "effectiveAtUs" bigint)) c
        cross join lateral (
          select coalesce(sum(m.quantity), 0)::int as sum from stock_movements m
          where m.item_type = c."itemType" and m.item_id = c."itemId" and m.kind <> 'count'
            and m.effective_at >= ${earliest} and m.effective_at >= c.at and (m.effective_at, m.event_id) > (c.at, c."eventId")) after`,
  );
  return new Map(found.map((row) => [row.eventId, row.sum]));
}

export type MovementRow = ItemRef & {
  eventId: string;
  kind: MovementKind;
  quantity: number;
  reason: string | null;
  shown: number | null;
  note: string | null;
  photoIds: string[];
  /** The visit it was made in. */
  visitId?: string | null;
  /** What the phone showed there. */
  productId?: number | null;
  effectiveAtUs: number;
  receivedAt: string;
  occurredAtClient: string | null;
  actorId: number | null;
  deviceId: string | null;
  deviceSeq: number | null;
  source: string;
  latitude: number | null;
  longitude: number | null;
  payloadHash: string;
  outcome: 'applied' | 'superseded';
};

/** Appends keys and movements; returns the ids whose key was really new. */
export async function insertMovements(db: Db, movements: readonly MovementRow[]): Promise<Set<string>> {
  const list = sql`jsonb_to_recordset(${JSON.stringify(movements)}::jsonb) as e(
    "eventId" uuid, "itemType" text, "itemId" int, kind text, quantity int, reason text, shown int, note text,
    "photoIds" text[], "visitId" uuid, "productId" int, "effectiveAtUs" bigint, "receivedAt" timestamptz, "occurredAtClient" timestamptz, "actorId" int,
    "deviceId" uuid, "deviceSeq" bigint, source text, latitude numeric, longitude numeric, "payloadHash" text, outcome text)`;
  const inserted = await rows<{ eventId: string }>(
    db,
    sql`with keyed as (
          insert into event_keys (event_id, item_type, item_id, payload_hash, outcome, effective_at)
          select e."eventId", e."itemType", e."itemId", e."payloadHash", e.outcome, ${fromUs(sql`e."effectiveAtUs"`)}
          from ${list} on conflict do nothing returning event_id)
        insert into stock_movements (event_id, item_type, item_id, kind, quantity, reason, shown, note, photo_ids, visit_id,
          product_id, effective_at, received_at, occurred_at_client, actor_id, device_id, device_seq, source, latitude, longitude)
        select e."eventId", e."itemType", e."itemId", e.kind, e.quantity, e.reason, e.shown, e.note, e."photoIds", e."visitId",
          e."productId", ${fromUs(sql`e."effectiveAtUs"`)}, e."receivedAt", e."occurredAtClient", e."actorId", e."deviceId",
          e."deviceSeq", e.source, e.latitude, e.longitude
        from ${list} join keyed on keyed.event_id = e."eventId"
        returning event_id as "eventId"`,
  );
  return new Set(inserted.map((row) => row.eventId));
}

export type NewBalance = ItemRef & {
  quantity: number;
  version: number;
  anchorEventId: string | null;
  anchorAtUs: number | null;
  /** When someone last put stock in or counted it here, if this batch holds such a movement. */
  restockedAt: string | null;
};

/** Writes balances and the quantities that screens read, together. */
export async function updateBalances(db: Db, balances: readonly NewBalance[]): Promise<void> {
  if (balances.length === 0) return;
  const list = sql`jsonb_to_recordset(${JSON.stringify(balances)}::jsonb) as n("itemType" text, "itemId" int,
    quantity int, version int, "anchorEventId" uuid, "anchorAtUs" bigint, "restockedAt" timestamptz)`;
  const updated = run(
    db,
    sql`update item_balances b set quantity = n.quantity, version = n.version, anchor_event_id = n."anchorEventId",
          anchor_at = ${fromUs(sql`n."anchorAtUs"`)}
        from ${list} where b.item_type = n."itemType" and b.item_id = n."itemId"`,
  );
  const shown = sql`current_quantity = greatest(0, n.quantity),
    last_restocked = greatest(t.last_restocked, n."restockedAt"), updated_at = now()`;
  const holds = (type: ItemType): boolean => balances.some(({ itemType }) => itemType === type);
  const ofMarkets = sql`update inventory_items t set ${shown} from ${list} where n."itemType" = 'market_item' and t.id = n."itemId"`;
  const ofMachines = sql`update vending_machine_inventory t set ${shown} from ${list} where n."itemType" = 'machine_slot' and t.id = n."itemId"`;
  await together([
    updated,
    ...(holds('market_item') ? [run(db, ofMarkets)] : []),
    ...(holds('machine_slot') ? [run(db, ofMachines)] : []),
  ]);
}

/** Makes the monthly partitions that these instants fall into. */
export async function ensurePartitions(
  db: Db,
  table: 'stock_movements' | 'sales',
  atUs: Iterable<number>,
): Promise<void> {
  const months = new Set([...atUs].map((us) => new Date(us / 1000).toISOString().slice(0, 7)));
  await together(
    [...months].map((month) =>
      run(db, sql`select ensure_month_partition(${table}, ${`${month}-01T00:00:00Z`}::timestamptz)`),
    ),
  );
}
