import { sql } from 'drizzle-orm';
import type { ItemType } from '../../domain/inventory.ts';
import type { Db } from '../db/database.ts';
import { rows, run } from '../db/database.ts';
import { together } from '../db/together.ts';
import { fromUs, toUs } from '../inventory/ledger-queries.ts';
import { plannedProductId } from '../inventory/service.ts';

export type Contact = { deviceId: string; receivedAt: Date };
/** The last time given to a device, in microseconds, and the highest number of its events; null where it never had one. */
export type DeviceClock = { us: number | null; seq: number | null };

const listOf = (contacts: readonly Contact[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as c("deviceId" uuid, "receivedAt" timestamptz)`;

/**
 * Locks the clocks of devices in one fixed order, so that two batches of one phone get their times one after the other.
 */
export async function lockDeviceClocks(db: Db, contacts: readonly Contact[]): Promise<Map<string, DeviceClock>> {
  const added = run(
    db,
    sql`insert into device_clocks (device_id, last_effective_at, last_contact_at)
        select c."deviceId", '-infinity', c."receivedAt" from ${listOf(contacts)} order by 1 on conflict do nothing`,
  );
  const [, locked] = await together([added, lockKnownClocks(db, contacts)]);
  return locked;
}

async function lockKnownClocks(db: Db, contacts: readonly Contact[]): Promise<Map<string, DeviceClock>> {
  const found = await rows<DeviceClock & { deviceId: string }>(
    db,
    sql`select device_id as "deviceId", case when last_effective_at > '-infinity' then ${toUs(sql`last_effective_at`)} end as us,
          last_seq as seq
        from device_clocks where device_id in (select c."deviceId" from ${listOf(contacts)}) order by device_id for update`,
  );
  const toNumber = (value: number | null): number | null => (value === null ? null : Number(value));
  return new Map(found.map(({ deviceId, us, seq }) => [deviceId, { us: toNumber(us), seq: toNumber(seq) }]));
}

export async function updateDeviceClocks(
  db: Db,
  contacts: readonly (Contact & { last: DeviceClock })[],
): Promise<void> {
  const list = contacts.map(({ last, ...contact }) => ({ ...contact, ...last }));
  await run(
    db,
    sql`update device_clocks d set last_contact_at = c."receivedAt",
          last_effective_at = coalesce(${fromUs(sql`c.us`)}, d.last_effective_at), last_seq = coalesce(c.seq, d.last_seq)
        from jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
          as c("deviceId" uuid, "receivedAt" timestamptz, us bigint, seq bigint)
        where d.device_id = c."deviceId"`,
  );
}

export type Holder = {
  userId: number;
  role: string;
  route: string | null;
  isActive: boolean;
  fromUs: number;
  toUs: number | null;
};

/** Who held devices when, newest first. */
export function findHolders(db: Db, deviceIds: readonly string[]): Promise<(Holder & { deviceId: string })[]> {
  return rows<Holder & { deviceId: string }>(
    db,
    sql`select h.device_id as "deviceId", h.user_id as "userId", u.role, u.route_designation as route,
               u.is_active as "isActive", ${toUs(sql`h.valid_from`)} as "fromUs", ${toUs(sql`h.valid_to`)} as "toUs"
        from device_holders h join users u on u.id = h.user_id
        where h.device_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(deviceIds)}::jsonb))
        order by h.valid_from desc`,
  );
}

export type ItemFacts = {
  itemType: ItemType;
  itemId: number;
  locationKind: 'market' | 'vending_machine';
  locationId: number;
  capacity: number | null;
  productId: number | null;
  productName: string;
  /** The product that comes with the next filling, and since when it is planned. */
  plannedId: number | null;
  plannedAtUs: number | null;
  deletedAtUs: number | null;
};

/** The items that events name, deleted ones too. */
export function findItems(db: Db, items: readonly { itemType: string; itemId: number }[]): Promise<ItemFacts[]> {
  const list = sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("itemType" text, "itemId" int)`;
  return rows<ItemFacts>(
    db,
    sql`select 'market_item' as "itemType", t.id as "itemId", 'market' as "locationKind", t.market_id as "locationId",
               null::int as capacity, t.product_id as "productId", t.product_name as "productName",
               null::int as "plannedId", null::bigint as "plannedAtUs",
               ${toUs(sql`least(t.deleted_at, m.deleted_at)`)} as "deletedAtUs"
        from inventory_items t join markets m on m.id = t.market_id
        where t.id in (select i."itemId" from ${list} where i."itemType" = 'market_item')
        union all
        select 'machine_slot', t.id, 'vending_machine', t.machine_id, t.max_quantity, t.product_id, t.product_name,
               case when t.planned is not null then ${plannedProductId(sql`t.planned`)} end, ${toUs(sql`t.planned_at`)},
               ${toUs(sql`least(t.deleted_at, m.deleted_at)`)}
        from vending_machine_inventory t join vending_machines m on m.id = t.machine_id
        where t.id in (select i."itemId" from ${list} where i."itemType" = 'machine_slot')`,
  );
}

type Question = { eventId: string; userId: number; kind: string; locationId: number; effectiveAtUs: number };

/**
 * The events whose author was entitled to the location when they happened: by route designation then, or by a route of the
 * day before, that day or the day after with a stop there, assigned to them or of their designation then.
 */
export async function findEntitled(db: Db, questions: readonly Question[], timeZone: string): Promise<Set<string>> {
  const found = await rows<{ eventId: string }>(
    db,
    sql`select q."eventId" from (
          select *, ${fromUs(sql`"effectiveAtUs"`)} as at from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb)
            as q("eventId" text, "userId" int, kind text, "locationId" int, "effectiveAtUs" bigint)) q
        where exists (
          select 1 from entitlement_history u join entitlement_history l on l.value = u.value
          where u.kind = 'user' and u.subject_id = q."userId" and l.kind = q.kind and l.subject_id = q."locationId"
            and u.valid_from <= q.at and coalesce(u.valid_to, 'infinity') > q.at
            and l.valid_from <= q.at and coalesce(l.valid_to, 'infinity') > q.at)
        or exists (
          select 1 from entitlement_history a join routes r on r.id = a.subject_id join route_stops s on s.route_id = r.id
          where a.kind = 'route' and a.value = q."userId"::text
            and a.valid_from <= q.at and coalesce(a.valid_to, 'infinity') > q.at
            and r.date between (q.at at time zone ${timeZone})::date - 1 and (q.at at time zone ${timeZone})::date + 1
            and case q.kind when 'market' then s.market_id else s.vending_machine_id end = q."locationId")
        or exists (
          select 1 from entitlement_history u join routes r on r.route_designation = u.value
          join route_stops s on s.route_id = r.id
          where u.kind = 'user' and u.subject_id = q."userId"
            and u.valid_from <= q.at and coalesce(u.valid_to, 'infinity') > q.at
            and r.date between (q.at at time zone ${timeZone})::date - 1 and (q.at at time zone ${timeZone})::date + 1
            and case q.kind when 'market' then s.market_id else s.vending_machine_id end = q."locationId")`,
  );
  return new Set(found.map((row) => row.eventId));
}
