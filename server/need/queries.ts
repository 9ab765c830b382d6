import { type SQL, sql } from 'drizzle-orm';
import type { ItemType } from '../../domain/inventory.ts';
import type { LocationRef, LocationType } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

const listed = (refs: readonly LocationRef[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(refs)}::jsonb) as r(type text, id int)`;

export type PlacedLocation = { type: LocationType; id: number; name: string };

/** Locations by reference under a condition of scope per kind. */
export function findPlaces(
  db: Db,
  refs: readonly LocationRef[],
  scope: { markets: SQL; machines: SQL },
): Promise<PlacedLocation[]> {
  return rows<PlacedLocation>(
    db,
    sql`select 'market' as type, markets.id, markets.name from markets
        where ${scope.markets} and markets.id in (select r.id from ${listed(refs)} where r.type = 'market')
        union all
        select 'vending_machine', vending_machines.id, vending_machines.name from vending_machines
        where ${scope.machines} and vending_machines.id in (select r.id from ${listed(refs)} where r.type = 'vending_machine')`,
  );
}

export type ItemRow = {
  type: LocationType;
  locationId: number;
  itemType: ItemType;
  id: number;
  productId: number | null;
  productName: string;
  slotNumber: string | null;
  onHand: number;
  par: number | null;
  minimum: number;
  price: string | null;
  caseSize: number | null;
  category: string | null;
  /** One element a day that has a row, in the order of days: days after the start of the span, below zero before it. */
  at: number[];
  units: number[];
  soldOutSeconds: number[];
  /** The last number that stands for 'not known' is null. */
  closing: (number | null)[];
};

/** Slots and items of locations with their days from `from` to `until` and the last day before. */
export function findItems(
  db: Db,
  refs: readonly LocationRef[],
  span: { from: string; until: string },
): Promise<ItemRow[]> {
  const days = sql`left join lateral (
      select array_agg(d.at) as at, array_agg(d.units) as units, array_agg(d.sold_out_seconds) as sold_out,
        array_agg(d.closing) as closing
      from (
        (select d.day - ${span.from}::date as at, d.units, d.sold_out_seconds, d.closing from item_days d
         where d.item_type = t.item_type and d.item_id = t.id and d.day < ${span.from}::date order by d.day desc limit 1)
        union all
        (select d.day - ${span.from}::date, d.units, d.sold_out_seconds, d.closing from item_days d
         where d.item_type = t.item_type and d.item_id = t.id and d.day between ${span.from}::date and ${span.until}::date
         order by d.day)) d) h on true`;
  return rows<ItemRow>(
    db,
    sql`select t.type, t.location_id as "locationId", t.item_type as "itemType", t.id, t.product_id as "productId",
          t.product_name as "productName", t.slot_number as "slotNumber", t.on_hand as "onHand", t.par, t.minimum,
          t.price::text as price, p.case_size as "caseSize", p.category, coalesce(h.at, '{}') as at, coalesce(h.units, '{}') as units,
          coalesce(h.sold_out, '{}') as "soldOutSeconds", coalesce(h.closing, '{}') as closing
        from (
          select 'vending_machine' as type, s.machine_id as location_id, 'machine_slot' as item_type, s.id, s.product_id,
            s.product_name, s.slot_number, s.current_quantity as on_hand, coalesce(s.par_quantity, s.max_quantity) as par,
            s.minimum_quantity as minimum, s.price
          from ${listed(refs)} join vending_machine_inventory s on r.type = 'vending_machine' and s.machine_id = r.id
          where s.deleted_at is null
          union all
          select 'market', i.market_id, 'market_item', i.id, i.product_id, i.product_name, null, i.current_quantity,
            i.par_quantity, i.minimum_quantity, q.unit_price
          from ${listed(refs)} join inventory_items i on r.type = 'market' and i.market_id = r.id
          left join products q on q.id = i.product_id
          where i.deleted_at is null) t
        left join products p on p.id = t.product_id
        ${days}
        order by t.type, t.location_id, length(t.slot_number), t.slot_number, t.product_name, t.id`,
  );
}

export type VisitRow = {
  type: LocationType;
  id: number;
  /** The two next days with an open stop, and the past visits of a while. */
  planned: string[];
  visits: number;
  firstVisit: string | null;
  lastVisit: string | null;
};

/** Planned visits from a day on, and how often each location was visited since `since`. */
export function findVisits(
  db: Db,
  refs: readonly LocationRef[],
  days: { from: string; since: string },
): Promise<VisitRow[]> {
  const open = sql`x.date >= ${days.from} and x.status <> 'completed' and not s.completed and s.skipped_reason is null`;
  // Two kinds of place in one condition would have every stop there is compared with each of them.
  const stopsAt = (type: LocationType, place: SQL): SQL =>
    sql`select r.type, r.id, t.route_id, t.completed, t.skipped_reason from ${listed(refs)} join route_stops t on ${place} = r.id
        where r.type = ${type}`;
  return rows<VisitRow>(
    db,
    sql`select s.type, s.id,
          coalesce((array_agg(distinct x.date::text order by x.date::text) filter (where ${open}))[1:3], '{}') as planned,
          count(distinct x.date) filter (where s.completed)::int as visits,
          min(x.date) filter (where s.completed)::text as "firstVisit",
          max(x.date) filter (where s.completed)::text as "lastVisit"
        from (${stopsAt('market', sql`t.market_id`)} union all ${stopsAt('vending_machine', sql`t.vending_machine_id`)}) s
        join routes x on x.id = s.route_id and x.date >= ${days.since}
        group by s.type, s.id`,
  );
}

export type ErrorRow = {
  type: LocationType;
  id: number;
  counts: number;
  absoluteError: number;
  signedError: number;
  naiveError: number;
};

const errorColumns = sql`counts, absolute_error as "absoluteError", signed_error as "signedError", naive_error as "naiveError"`;

export function findErrors(db: Db, refs: readonly LocationRef[]): Promise<ErrorRow[]> {
  return rows<ErrorRow>(
    db,
    sql`select location_type as type, location_id as id, ${errorColumns} from need_errors
        where (location_type, location_id) in (select r.type, r.id from ${listed(refs)})`,
  );
}

/** The sums over all locations. */
export async function sumErrors(db: Db): Promise<Omit<ErrorRow, 'type' | 'id'>> {
  const [found] = await rows<Omit<ErrorRow, 'type' | 'id'>>(
    db,
    sql`select coalesce(sum(counts), 0)::int as counts, coalesce(sum(absolute_error), 0)::float8 as "absoluteError",
          coalesce(sum(signed_error), 0)::float8 as "signedError", coalesce(sum(naive_error), 0)::float8 as "naiveError"
        from need_errors`,
  );
  return found ?? { counts: 0, absoluteError: 0, signedError: 0, naiveError: 0 };
}

export type KindMean = { itemType: ItemType; productId: number; perDay: number };

/** Means of kinds as last measured; product 0 is the whole kind of location. */
export function findKindMeans(db: Db, productIds: readonly number[]): Promise<KindMean[]> {
  return rows<KindMean>(
    db,
    sql`select item_type as "itemType", product_id as "productId", per_day as "perDay" from need_means
        where product_id = 0 or product_id in (select value::int from jsonb_array_elements_text(${JSON.stringify(productIds)}::jsonb))`,
  );
}

/** Measures the means of kinds anew over a span: units of all its items over item-days not sold out. */
export async function replaceKindMeans(db: Db, span: { from: string; until: string; zone: string }): Promise<void> {
  const dayOf = (at: SQL): SQL => sql`(${at} at time zone ${span.zone})::date`;
  await db.execute(sql`delete from need_means`);
  await db.execute(
    sql`insert into need_means (item_type, product_id, per_day)
        select i.item_type, coalesce(i.product_id, 0), sum(i.units) / greatest(1, sum(i.days))
        from (
          select t.item_type, t.product_id, coalesce(sum(d.units), 0)::float8 as units,
            greatest(0, coalesce(${span.until}::date - case when t.created_on <= ${span.from}::date then ${span.from}::date
                else min(d.day) end + 1, 0) - coalesce(sum(d.sold_out_seconds), 0) / 86400.0)::float8 as days
          from (
            select 'machine_slot' as item_type, s.id, nullif(s.product_id, 0) as product_id, ${dayOf(sql`s.created_at`)} as created_on
            from vending_machine_inventory s where s.deleted_at is null
            union all
            select 'market_item', m.id, nullif(m.product_id, 0), ${dayOf(sql`m.created_at`)} from inventory_items m where m.deleted_at is null) t
          left join item_days d on d.item_type = t.item_type and d.item_id = t.id
            and d.day between ${span.from}::date and ${span.until}::date
          group by t.item_type, t.id, t.product_id, t.created_on) i
        group by grouping sets ((i.item_type, i.product_id), (i.item_type))
        having grouping(i.product_id) = 1 or i.product_id is not null`,
  );
}

/** Errors of locations, in place of what was known of them. */
export async function saveErrors(db: Db, errors: readonly ErrorRow[], at: Date): Promise<void> {
  if (errors.length === 0) return;
  await db.execute(
    sql`insert into need_errors (location_type, location_id, counts, absolute_error, signed_error, naive_error, measured_at)
        select g.type, g.id, g.counts, g."absoluteError", g."signedError", g."naiveError", ${at.toISOString()}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(errors)}::jsonb) as g(type text, id int, counts int,
          "absoluteError" float8, "signedError" float8, "naiveError" float8)
        on conflict (location_type, location_id) do update set counts = excluded.counts,
          absolute_error = excluded.absolute_error, signed_error = excluded.signed_error,
          naive_error = excluded.naive_error, measured_at = excluded.measured_at`,
  );
}

export type CountRow = {
  itemType: ItemType;
  itemId: number;
  fromDay: string;
  fromPassed: number;
  day: string;
  passed: number;
  stock: number;
  brought: number;
  found: number;
};

/** Of a sale that never happened, which counts as none: its units were never gone, so nobody brought them. */
const isPutBack = sql`(m.kind = 'return' and m.actor_id is null and m.device_id is null)`;

/** Counts since a day with the count before each, and what was brought or taken by hand between the two. */
export function findCounts(
  db: Db,
  refs: readonly LocationRef[],
  since: { at: Date; zone: string },
): Promise<CountRow[]> {
  const passed = (at: SQL): SQL =>
    sql`least(1, extract(epoch from (${at} at time zone ${since.zone})::time) / 86400.0)::float8`;
  return rows<CountRow>(
    db,
    sql`with items as (
          select 'machine_slot' as item_type, s.id from ${listed(refs)}
            join vending_machine_inventory s on r.type = 'vending_machine' and s.machine_id = r.id where s.deleted_at is null
          union all
          select 'market_item', i.id from ${listed(refs)}
            join inventory_items i on r.type = 'market' and i.market_id = r.id where i.deleted_at is null),
        moved as (
          select m.item_type, m.item_id, m.kind, m.quantity, m.effective_at,
            sum(case when m.kind in ('count', 'sale') or ${isPutBack} then 0 else m.quantity end) over w as brought,
            m.kind = 'count' as is_count
          from items t cross join lateral (select * from stock_movements s where s.item_type = t.item_type and s.item_id = t.id
            and s.effective_at >= ${since.at.toISOString()}::timestamptz) m
          window w as (partition by m.item_type, m.item_id order by m.effective_at, m.event_id rows unbounded preceding)),
        counted as (
          select moved.*, lag(quantity) over c as stock, lag(brought) over c as brought_before, lag(effective_at) over c as before_at
          from moved where is_count window c as (partition by item_type, item_id order by effective_at))
        select item_type as "itemType", item_id as "itemId",
          (before_at at time zone ${since.zone})::date::text as "fromDay", ${passed(sql`before_at`)} as "fromPassed",
          (effective_at at time zone ${since.zone})::date::text as day, ${passed(sql`effective_at`)} as passed,
          stock, (brought - brought_before)::int as brought, quantity as found
        from counted where before_at is not null and effective_at > before_at + interval '12 hours'`,
  );
}

export type PickStop = { stopId: number; date: string; type: LocationType | null; locationId: number | null };

/** Stops of a route under a condition on `routes`, in their order; without stops one row that names the day alone. */
export function findPickStops(db: Db, condition: SQL): Promise<PickStop[]> {
  return rows<PickStop>(
    db,
    sql`select s.id as "stopId", routes.date::text as date, coalesce(s.market_id, s.vending_machine_id) as "locationId",
          case when s.market_id is null then 'vending_machine' else 'market' end as type
        from routes left join route_stops s on s.route_id = routes.id where ${condition} order by s.stop_order, s.id`,
  );
}

export type PickedRow = {
  stopId: number;
  itemType: ItemType;
  id: number;
  productName: string;
  slotNumber: string | null;
  fill: number;
  instead: string | null;
};

/** What was packed for a route whose list is finished, by stop; null while it is not: what is needed counts then. */
export async function findPacked(db: Db, routeId: number): Promise<PickedRow[] | null> {
  const found = await rows<PickedRow & { finished: boolean }>(
    db,
    sql`select g."stopId", g."itemType", g.id, g."productName", g."slotNumber", g.fill, g.instead
        from pick_sheets h left join lateral (
          select l.id as line, l.stop_id as "stopId", l.item_type as "itemType", l.item_id as id, l.product_name as "productName",
            l.slot_number as "slotNumber", l.picked as fill, null::text as instead
          from pick_lines l where l.route_id = h.route_id and l.picked > 0
          union all
          select l.id, l.stop_id, l.item_type, l.item_id, p.name, l.slot_number, l.instead_units, l.product_name
          from pick_lines l join products p on p.id = l.instead_id where l.route_id = h.route_id and l.instead_units > 0) g on true
        where h.route_id = ${routeId} and h.finished_at is not null order by g.line`,
  );
  return found.length > 0 ? found.filter((row) => row.stopId !== null) : null;
}

export type NoteRow = { type: LocationType; id: number; at: string; text: string };

/** The latest note of a visit at each location that has one. */
export function findLastNotes(db: Db, refs: readonly LocationRef[]): Promise<NoteRow[]> {
  return rows<NoteRow>(
    db,
    sql`select r.type, r.id, to_char(n.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, n.note as text
        from ${listed(refs)} cross join lateral (
          select v.opened_at, v.note from visits v
          where v.note is not null and ((r.type = 'market' and v.market_id = r.id)
            or (r.type = 'vending_machine' and v.vending_machine_id = r.id))
          order by v.opened_at desc limit 1) n`,
  );
}
