import { type SQL, sql } from 'drizzle-orm';
import type { HeldEvent } from '../../contract/stock-review.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import { fromUs, toUs } from '../inventory/ledger-queries.ts';

export type Held = {
  eventId: string;
  status: 'rejected' | 'needs_review';
  reason: string;
  payloadHash: string;
  isDismissed: boolean;
};

/** Events that were held and not booked since. */
export function findHeld(db: Db, eventIds: readonly string[]): Promise<Held[]> {
  return rows<Held>(
    db,
    sql`select event_id as "eventId", status, reason, payload_hash as "payloadHash",
               resolution is not distinct from 'dismissed' as "isDismissed"
        from held_events where resolution is distinct from 'accepted'
          and event_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(eventIds)}::jsonb))`,
  );
}

export type NewHeld = Omit<Held, 'isDismissed'> & {
  event: unknown;
  deviceId: string;
  actorId: number | null;
  receivedAt: string;
  effectiveAtUs: number | null;
};

export async function insertHeld(db: Db, held: readonly NewHeld[]): Promise<void> {
  if (held.length === 0) return;
  await db.execute(
    sql`insert into held_events (event_id, status, reason, event, payload_hash, device_id, actor_id, received_at, effective_at)
        select h."eventId", h.status, h.reason, h.event, h."payloadHash", h."deviceId", h."actorId", h."receivedAt",
          ${fromUs(sql`h."effectiveAtUs"`)}
        from jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as h("eventId" uuid, status text, reason text, event jsonb,
          "payloadHash" text, "deviceId" uuid, "actorId" int, "receivedAt" timestamptz, "effectiveAtUs" bigint)
        on conflict do nothing`,
  );
}

export type HeldRow = Pick<
  HeldEvent,
  'eventId' | 'status' | 'reason' | 'productName' | 'slotNumber' | 'capacity' | 'place' | 'person'
> & {
  event: { eventId: string };
  marketId: number | null;
  machineId: number | null;
  happenedAt: string;
  receivedAt: string;
  total: number;
};

/** A whole number out of what a phone sent, which may be anything. */
const numberIn = (path: SQL): SQL => sql`(case when ${path} ~ '^[0-9]{1,9}$' then (${path})::int end)`;

/** What waits for a person, the oldest first. */
export const findOpenHeld = (db: Db, limit: number): Promise<HeldRow[]> =>
  listHeld(db, sql`h.resolved_at is null order by h.received_at, h.event_id limit ${limit}`);

/** What was left out since an instant, the latest first. */
export const findLeftOut = (db: Db, since: Date, limit: number): Promise<HeldRow[]> =>
  listHeld(
    db,
    sql`h.resolution = 'dismissed' and h.resolved_at > ${since.toISOString()}
        order by h.resolved_at desc, h.event_id limit ${limit}`,
  );

/** Every row carries how many there are in all. */
function listHeld(db: Db, which: SQL): Promise<HeldRow[]> {
  const itemId = numberIn(sql`h.event->>'itemId'`);
  const placeId = (type: string): SQL =>
    sql`(case when h.event->'location'->>'type' = ${type} then ${numberIn(sql`h.event->'location'->>'id'`)} end)`;
  return rows<HeldRow>(
    db,
    sql`select h.event_id as "eventId", h.status, h.reason, h.event, h.received_at as "receivedAt",
          coalesce(h.effective_at, h.received_at) as "happenedAt", coalesce(i.product_name, t.product_name) as "productName",
          t.slot_number as "slotNumber", t.max_quantity as capacity, coalesce(mk.name, vm.name, s.location_name, r.name) as place,
          mk.id as "marketId", vm.id as "machineId",
          ${personName('u')} as person, count(*) over ()::int as total
        from held_events h
        left join users u on u.id = h.actor_id
        left join inventory_items i on h.event->>'itemType' = 'market_item' and i.id = ${itemId}
        left join vending_machine_inventory t on h.event->>'itemType' = 'machine_slot' and t.id = ${itemId}
        left join route_stops s on s.id = ${numberIn(sql`h.event->>'stopId'`)}
        left join routes r on r.id = ${numberIn(sql`h.event->>'routeId'`)}
        left join markets mk on mk.id = coalesce(i.market_id, ${placeId('market')}, s.market_id)
        left join vending_machines vm on vm.id = coalesce(t.machine_id, ${placeId('vending_machine')}, s.vending_machine_id)
        where ${which}`,
  );
}

export type LockedHeld = {
  eventId: string;
  event: { eventId: string };
  reason: string;
  payloadHash: string;
  deviceId: string | null;
  actorId: number | null;
  effectiveAtUs: number;
  resolution: 'accepted' | 'dismissed' | null;
};

export async function lockHeld(db: Db, eventId: string): Promise<LockedHeld | null> {
  const found = await firstRow<LockedHeld>(
    db,
    sql`select event_id as "eventId", event, reason, payload_hash as "payloadHash", device_id as "deviceId",
          actor_id as "actorId", ${toUs(sql`coalesce(effective_at, received_at)`)} as "effectiveAtUs", resolution
        from held_events where event_id = ${eventId} for update`,
  );
  return found ? { ...found, effectiveAtUs: Number(found.effectiveAtUs) } : null;
}

type Decision = { resolution: 'accepted' | 'dismissed' | null; userId: number; at: Date };

/** Writes what a person decided; null puts the event back on the list. */
export async function updateHeld(db: Db, eventId: string, { resolution, userId, at }: Decision): Promise<void> {
  const by = resolution ? { at: at.toISOString(), userId } : { at: null, userId: null };
  await db.execute(
    sql`update held_events set resolution = ${resolution}, resolved_at = ${by.at}, resolved_by = ${by.userId}
        where event_id = ${eventId}`,
  );
}

/** What was decided since an instant about the events of a person. */
export function findDecided(db: Db, userId: number, since: Date) {
  return rows<{ eventId: string; resolution: 'accepted' | 'dismissed' }>(
    db,
    sql`select event_id as "eventId", resolution from held_events
        where actor_id = ${userId} and resolved_at > ${since.toISOString()} order by resolved_at desc limit 500`,
  );
}
