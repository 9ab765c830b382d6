import { sql } from 'drizzle-orm';
import type { LocationRef } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import { nameOfMovement } from '../inventory/service.ts';

export type NewVisit = {
  id: string;
  marketId: number | null;
  vendingMachineId: number | null;
  routeId: number | null;
  stopId: number | null;
  actorId: number | null;
  deviceId: string;
  deviceSeq: number;
  openedAt: string;
  closedAt: string | null;
  note: string | null;
  bagNumber: string | null;
  refunds: string | null;
  photoIds: string[];
  latitude: number | null;
  longitude: number | null;
};

/** Writes what is known of visits; an older state never replaces a newer one, nor one phone's another's. */
export async function upsertVisits(db: Db, visits: readonly NewVisit[]): Promise<void> {
  await db.execute(
    sql`insert into visits (id, market_id, vending_machine_id, route_id, stop_id, actor_id, device_id, device_seq, opened_at,
          closed_at, note, bag_number, refunds, photo_ids, latitude, longitude)
        select v.id, v."marketId", v."vendingMachineId", v."routeId", v."stopId", v."actorId", v."deviceId", v."deviceSeq",
          v."openedAt", v."closedAt", v.note, v."bagNumber", v.refunds, v."photoIds", v.latitude, v.longitude
        from jsonb_to_recordset(${JSON.stringify(visits)}::jsonb) as v(id uuid, "marketId" int, "vendingMachineId" int,
          "routeId" int, "stopId" int, "actorId" int, "deviceId" uuid, "deviceSeq" bigint, "openedAt" timestamptz,
          "closedAt" timestamptz, note text, "bagNumber" text, refunds numeric, "photoIds" text[], latitude numeric,
          longitude numeric)
        on conflict (id) do update set route_id = excluded.route_id, stop_id = excluded.stop_id,
          device_seq = excluded.device_seq, closed_at = excluded.closed_at, note = excluded.note,
          bag_number = excluded.bag_number, refunds = excluded.refunds, photo_ids = excluded.photo_ids,
          latitude = excluded.latitude, longitude = excluded.longitude, saved_at = now()
        where visits.device_id = excluded.device_id and visits.device_seq < excluded.device_seq`,
  );
}

export type VisitRow = Omit<NewVisit, 'photoIds' | 'latitude' | 'longitude'> & {
  personName: string | null;
  photos: { hash: string; isThere: boolean }[];
  latitude: string | null;
  longitude: string | null;
};

/** Visits of a location, newest first. */
export function findVisits(
  db: Db,
  ref: LocationRef,
  page: { before: string | null; limit: number },
): Promise<VisitRow[]> {
  const column = ref.type === 'market' ? sql`v.market_id` : sql`v.vending_machine_id`;
  const before = page.before ? sql`and v.opened_at < ${new Date(page.before).toISOString()}` : sql``;
  return rows<VisitRow>(
    db,
    sql`select v.id, v.market_id as "marketId", v.vending_machine_id as "vendingMachineId", v.route_id as "routeId",
          v.stop_id as "stopId", v.actor_id as "actorId", v.device_id as "deviceId", v.device_seq::int as "deviceSeq",
          to_char(v.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "openedAt",
          to_char(v.closed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "closedAt", v.note,
          v.bag_number as "bagNumber", v.refunds::text as refunds, v.latitude::text as latitude,
          v.longitude::text as longitude,
          (select ${personName('u')} from users u
             where u.id = v.actor_id) as "personName",
          (select coalesce(jsonb_agg(jsonb_build_object('hash', h.hash, 'isThere', p.hash is not null) order by h.n), '[]')
             from unnest(v.photo_ids) with ordinality as h(hash, n) left join photos p on p.hash = h.hash) as photos
        from visits v where ${column} = ${ref.id} ${before} order by v.opened_at desc, v.id limit ${page.limit}`,
  );
}

/** All visits of a location. */
export async function countVisits(db: Db, ref: LocationRef): Promise<number> {
  const column = ref.type === 'market' ? sql`v.market_id` : sql`v.vending_machine_id`;
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from visits v where ${column} = ${ref.id}`,
  );
  return found?.n ?? 0;
}

export type MovementRow = {
  visitId: string;
  itemType: 'market_item' | 'machine_slot';
  itemId: number;
  productName: string;
  slotNumber: string | null;
  kind: 'count' | 'restock' | 'removal' | 'spoilage' | 'return';
  quantity: number;
  shown: number | null;
  reason: string | null;
};

/** What was recorded during visits, item by item, oldest first. */
export function findVisitMovements(db: Db, visitIds: readonly string[]): Promise<MovementRow[]> {
  return rows<MovementRow>(
    db,
    sql`select m.visit_id as "visitId", m.item_type as "itemType", m.item_id as "itemId",
          ${nameOfMovement} as "productName",
          case m.item_type
            when 'machine_slot' then (select s.slot_number from vending_machine_inventory s where s.id = m.item_id)
            end as "slotNumber",
          m.kind, m.quantity, m.shown, m.reason
        from stock_movements m
        where m.visit_id = any(array(select value::uuid from jsonb_array_elements_text(${JSON.stringify(visitIds)}::jsonb)))
          and m.kind <> 'sale'
        order by m.visit_id, m.item_type, m.item_id, m.effective_at, m.event_id`,
  );
}

export async function findMissing(db: Db, hashes: readonly string[]): Promise<string[]> {
  const found = await rows<{ hash: string }>(
    db,
    sql`select h.hash from jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb) as h(hash)
        where not exists (select 1 from photos p where p.hash = h.hash)`,
  );
  return found.map(({ hash }) => hash);
}

export async function insertPhoto(
  db: Db,
  photo: { hash: string; width: number; height: number; content: Buffer; uploadedBy: number },
): Promise<void> {
  await db.execute(
    sql`insert into photos (hash, width, height, content, uploaded_by)
        values (${photo.hash}, ${photo.width}, ${photo.height}, decode(${photo.content.toString('base64')}, 'base64'),
          ${photo.uploadedBy}) on conflict do nothing`,
  );
}

export function findPhoto(db: Db, hash: string): Promise<{ content: string; uploadedBy: number | null } | undefined> {
  return firstRow(
    db,
    sql`select encode(content, 'base64') as content, uploaded_by as "uploadedBy" from photos where hash = ${hash}`,
  );
}

/** Locations whose visits show a photo. */
export function findPhotoPlaces(db: Db, hash: string): Promise<LocationRef[]> {
  return rows<LocationRef>(
    db,
    sql`select distinct case when v.market_id is null then 'vending_machine' else 'market' end as type,
          coalesce(v.market_id, v.vending_machine_id) as id
        from visits v where v.photo_ids @> array[${hash}]::text[]`,
  );
}

export async function deletePhotosBefore(db: Db, at: Date): Promise<void> {
  await db.execute(sql`delete from photos where uploaded_at < ${at.toISOString()}`);
}

export async function forgetPositionsBefore(db: Db, at: Date): Promise<void> {
  await db.execute(
    sql`update visits set latitude = null, longitude = null
        where opened_at < ${at.toISOString()} and latitude is not null`,
  );
}
