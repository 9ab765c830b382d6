import { type SQL, sql } from 'drizzle-orm';
import type { PickRoute } from '../../contract/picking.ts';
import type { ReturnReason } from '../../domain/field-event.ts';
import type { LocationType } from '../../domain/location.ts';
import type { Handling, ShortReason } from '../../domain/picking.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import { pickLines } from './tables.ts';

const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const nameOf = (id: SQL): SQL => sql`(select ${personName('u')} from users u where u.id = ${id})`;

/** Routes under a condition of scope, by their start, with how far each is picked. */
export function findPickRoutes(db: Db, condition: SQL): Promise<PickRoute[]> {
  return rows<PickRoute>(
    db,
    sql`select routes.id as "routeId", routes.name, routes.date::text as date, routes.route_designation as "routeDesignation", routes.status,
          ${nameOf(sql`routes.driver_id`)} as "driverName", v.name as "vehicleName", v.capacity_totes as "capacityTotes",
          ${iso(sql`routes.planned_start_at`)} as "plannedStartAt",
          (select count(*)::int from route_stops s where s.route_id = routes.id) as stops,
          (select count(*)::int from route_stops s where s.route_id = routes.id and not s.id = any(h.stop_ids)
            and coalesce(s.market_id, s.vending_machine_id) is not null) as "stopsAdded",
          case when h.checked_at is not null then 'checked' when h.finished_at is not null then 'picked'
            when h.route_id is not null then 'picking' else 'open' end as state,
          coalesce(l.lines, 0) as lines, coalesce(l.done, 0) as "linesDone", coalesce(l.short, 0) as "unitsShort"
        from routes
        left join vehicles v on v.id = routes.vehicle_id
        left join pick_sheets h on h.route_id = routes.id
        left join lateral (
          select count(*)::int as lines, count(x.picked)::int as done,
            coalesce(sum(greatest(0, x.planned - x.picked - coalesce(x.instead_units, 0))), 0)::int as short
          from pick_lines x where x.route_id = routes.id) l on true
        where ${condition}
        order by routes.planned_start_at nulls last, routes.route_designation, routes.name, routes.id`,
  );
}

export type SheetRow = {
  stopIds: number[];
  madeAt: string;
  finishedAt: string | null;
  finishedBy: string | null;
  finishedById: number | null;
  checkedAt: string | null;
  checkedBy: string | null;
};

/** `lock`: nobody else changes the list until the end of the transaction. */
export function findSheet(db: Db, routeId: number, lock = false): Promise<SheetRow | null> {
  return firstRow<SheetRow>(
    db,
    sql`select h.stop_ids as "stopIds", ${iso(sql`h.made_at`)} as "madeAt", ${iso(sql`h.finished_at`)} as "finishedAt",
          ${nameOf(sql`h.finished_by`)} as "finishedBy", h.finished_by as "finishedById",
          ${iso(sql`h.checked_at`)} as "checkedAt", ${nameOf(sql`h.checked_by`)} as "checkedBy"
        from pick_sheets h where h.route_id = ${routeId} ${lock ? sql`for update of h` : sql``}`,
  ).then((row) => row ?? null);
}

export type StopToPick = {
  stopId: number;
  stopOrder: number;
  type: LocationType;
  locationId: number;
  name: string;
  knownAt: string | null;
};

/** A route's stops, the last one first: it is loaded first. */
export function findStopsToPick(db: Db, routeId: number): Promise<StopToPick[]> {
  return rows<StopToPick>(
    db,
    sql`select s.id as "stopId", s.stop_order as "stopOrder",
          case when s.market_id is null then 'vending_machine' else 'market' end as type,
          coalesce(s.market_id, s.vending_machine_id) as "locationId", s.location_name as name,
          ${iso(sql`coalesce(
            (select greatest(m.last_seen, max(t.updated_at)) from vending_machines m
               left join vending_machine_inventory t on t.machine_id = m.id and t.deleted_at is null
               where m.id = s.vending_machine_id group by m.id, m.last_seen),
            (select max(i.updated_at) from inventory_items i where i.market_id = s.market_id and i.deleted_at is null))`)} as "knownAt"
        from route_stops s
        where s.route_id = ${routeId} and coalesce(s.market_id, s.vending_machine_id) is not null
        order by s.stop_order desc, s.id desc`,
  );
}

export type LineRow = {
  lineId: number;
  stopId: number;
  itemType: 'market_item' | 'machine_slot';
  itemId: number;
  productId: number | null;
  productName: string;
  picture: string | null;
  slotNumber: string | null;
  handling: Handling;
  caseSize: number | null;
  planned: number;
  picked: number | null;
  reason: ShortReason | null;
  insteadId: number | null;
  insteadName: string | null;
  insteadUnits: number | null;
};

export function findLines(db: Db, routeId: number): Promise<LineRow[]> {
  return rows<LineRow>(
    db,
    sql`select l.id as "lineId", l.stop_id as "stopId", l.item_type as "itemType", l.item_id as "itemId",
          l.product_id as "productId", l.product_name as "productName", own.picture, l.slot_number as "slotNumber", l.handling,
          l.case_size as "caseSize", l.planned, l.picked, l.reason, l.instead_id as "insteadId", p.name as "insteadName",
          l.instead_units as "insteadUnits"
        from pick_lines l left join products p on p.id = l.instead_id left join products own on own.id = l.product_id
        where l.route_id = ${routeId} order by l.id`,
  );
}

/** Pictures of products that have one. */
export async function findPictures(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await rows<{ id: number; picture: string }>(
    db,
    sql`select id, picture from products where picture is not null and id in (
          select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
  );
  return new Map(found.map(({ id, picture }) => [id, picture]));
}

export async function upsertSheet(
  db: Db,
  sheet: { routeId: number; stopIds: number[]; at: Date; by: number },
): Promise<void> {
  const at = sheet.at.toISOString();
  await db.execute(
    sql`insert into pick_sheets (route_id, stop_ids, made_at, made_by)
        select ${sheet.routeId}, (select coalesce(array_agg(value::int), '{}')
          from jsonb_array_elements_text(${JSON.stringify(sheet.stopIds)}::jsonb)), ${at}::timestamptz, ${sheet.by}
        on conflict (route_id) do update set stop_ids = excluded.stop_ids, made_at = excluded.made_at, made_by = excluded.made_by`,
  );
}

/** Takes away the lines of stops of which nothing is picked yet. */
export async function deleteUntouched(db: Db, routeId: number): Promise<void> {
  await db.execute(
    sql`delete from pick_lines l where l.route_id = ${routeId} and not exists (
          select 1 from pick_lines o where o.route_id = l.route_id and o.stop_id = l.stop_id and o.picked is not null)`,
  );
}

/** Rows of one statement: well below the parameters that a statement may have. */
const linesAtOnce = 1_000;

export async function insertLines(db: Db, lines: readonly (typeof pickLines.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    await db.insert(pickLines).values(lines.slice(from, from + linesAtOnce));
  }
}

export type PickedRow = {
  lineId: number;
  picked: number | null;
  reason: ShortReason | null;
  insteadId: number | null;
  insteadUnits: number | null;
};

export async function updateLines(
  db: Db,
  routeId: number,
  { picks, at, by }: { picks: readonly PickedRow[]; at: Date; by: number },
): Promise<void> {
  await db.execute(
    sql`update pick_lines l set picked = g.picked, reason = g.reason, instead_id = g."insteadId",
          instead_units = g."insteadUnits", picked_at = case when g.picked is null then null else ${at.toISOString()}::timestamptz end,
          picked_by = case when g.picked is null then null else ${by}::int end
        from jsonb_to_recordset(${JSON.stringify(picks)}::jsonb) as g("lineId" int, picked int, reason text, "insteadId" int,
          "insteadUnits" int)
        where l.id = g."lineId" and l.route_id = ${routeId}`,
  );
}

export async function updateState(
  db: Db,
  routeId: number,
  { state, at, by }: { state: 'picked' | 'checked' | 'picking'; at: Date; by: number },
): Promise<void> {
  const now = sql`${at.toISOString()}::timestamptz`;
  const change = {
    picked: sql`finished_at = ${now}, finished_by = ${by}, checked_at = null, checked_by = null`,
    checked: sql`checked_at = ${now}, checked_by = ${by}`,
    picking: sql`finished_at = null, finished_by = null, checked_at = null, checked_by = null`,
  };
  await db.execute(sql`update pick_sheets set ${change[state]} where route_id = ${routeId}`);
}

/** What came back from a route by product and reason, as the driver said at the end of the day. */
export function findReturns(
  db: Db,
  routeId: number,
): Promise<{ productName: string; reason: ReturnReason; units: number }[]> {
  return rows(
    db,
    sql`select r."productName", r.reason, sum(r.units)::int as units
        from day_ends d, jsonb_to_recordset(d.returns) as r("productName" text, reason text, units int)
        where ${routeId} = any(d.route_ids) group by 1, 2 order by 3 desc, 1`,
  );
}
