import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { LocationRef } from '../../domain/location.ts';
import { type ServiceTime, serviceTime } from '../../domain/service-time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import { addressText } from '../db/statements/address-text.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { personName } from '../db/statements/person-name.ts';
import { isOneOf, type Key } from '../db/statements/pieces.ts';
import { missingInSlots } from '../inventory/service.ts';
import { pastMinutesOf } from './service-queries.ts';
import { depots, routeStops, routes, vehicles } from './tables.ts';

export type RouteRow = typeof routes.$inferSelect & {
  driverName: string | null;
  vehicleName: string | null;
  depotName: string | null;
  depotLatitude: string | null;
  depotLongitude: string | null;
  totalStops: number;
  completedStops: number;
};

const extras = {
  driverName: sql<string | null>`(select ${personName('u')} from users u where u.id = ${routes.driverId})`,
  vehicleName: sql<string | null>`(select v.name from vehicles v where v.id = ${routes.vehicleId})`,
  depotName: sql<string | null>`(select d.name from depots d where d.id = ${routes.depotId})`,
  depotLatitude: sql<string | null>`(select d.latitude::text from depots d where d.id = ${routes.depotId})`,
  depotLongitude: sql<string | null>`(select d.longitude::text from depots d where d.id = ${routes.depotId})`,
  totalStops: sql<number>`(select count(*)::int from route_stops s where s.route_id = routes.id)`,
  completedStops: sql<number>`(select count(*)::int from route_stops s where s.route_id = routes.id and s.completed)`,
};

/** The newest day first, then by name. */
const byDay = [desc(routes.date), asc(routes.name), asc(routes.id)] as const;

/** The first of them where there is a limit. */
export async function findRoutes(db: Db, condition: SQL | undefined, limit?: number): Promise<RouteRow[]> {
  const finding = db
    .select({ route: routes, ...extras })
    .from(routes)
    .where(condition)
    .orderBy(...byDay);
  const found = await (limit === undefined ? finding : finding.limit(limit));
  return found.map(({ route, ...more }) => ({ ...route, ...more }));
}

/** Those of `findRoutes`, in the same order. */
export function findRouteKeys(db: Db, condition: SQL | undefined): Promise<Key[]> {
  return db
    .select({ id: routes.id })
    .from(routes)
    .where(condition)
    .orderBy(...byDay);
}

type RoutePageWish = RouteFilter & {
  past: boolean;
  today: string;
  sort: string;
  page?: string | undefined;
  limit: number;
};

/** A page of routes by day. */
export function findRoutePage(db: Db, scope: SQL, wish: RoutePageWish): Promise<Page<RouteRow>> {
  const { past, today, sort, page, limit } = wish;
  const isPast = sql`(${routes.date} < ${today}::date or ${routes.status} = 'completed')`;
  const condition = and(routeFilter(scope, wish), past ? isPast : undefined) ?? scope;
  const order = {
    name: 'date',
    down: sort.startsWith('-'),
    value: sql`${routes.date}`,
    type: 'date',
    id: sql`${routes.id}`,
  } as const;
  return findWholePage(db, { condition, order, page, limit });
}

type DayPageWish = { day: string; search?: string | undefined; page?: string | undefined; limit: number };

/**
 * A page of a day's routes, of those whose name, designation or driver have all words of a search: by name those under way, then those
 * to come, then those completed.
 */
export function findDayPage(db: Db, scope: SQL, { day, search, page, limit }: DayPageWish): Promise<Page<RouteRow>> {
  const named = sql`plain_text(concat_ws(' ', ${routes.name}, ${routes.routeDesignation},
    (select ${personName('u')} from users u where u.id = ${routes.driverId})))`;
  const words = wordsOf(search).map((word) => containsWord(named, word));
  const condition = and(scope, eq(routes.date, day), ...words) ?? scope;
  const value = sql`(array_position(array['in_progress', 'planned', 'completed'], ${routes.status}::text) || ${routes.name})`;
  const order = { name: 'state', down: false, value, type: 'text', id: sql`${routes.id}` } as const;
  return findWholePage(db, { condition, order, page, limit, isPlannedOnce: words.length === 0 });
}

type Read = { isPlannedOnce?: boolean; condition: SQL; order: Order; page: string | undefined; limit: number };

/** A page of routes; what each of them tells is read for those of the page alone. */
async function findWholePage(db: Db, { condition, order, page, limit, isPlannedOnce = false }: Read) {
  const found = await findPage<{ id: number }>(db, {
    isPlannedOnce,
    fields: sql`${routes.id} as id`,
    source: sql`${routes}`,
    condition,
    order,
    page,
    limit,
    total: sql`select count(*)::int from ${routes} where ${condition}`,
  });
  const ids = found.rows.map(({ id }) => id);
  const told = new Map((await findRoutes(db, isOneOf(routes.id, ids))).map((route) => [route.id, route]));
  return { ...found, rows: ids.flatMap((id) => told.get(id) ?? []) };
}

export type RouteFilter = { from?: string | undefined; to?: string | undefined; status?: string | undefined };

export function routeFilter(scope: SQL, filter: RouteFilter): SQL | undefined {
  return and(
    scope,
    filter.from ? gte(routes.date, filter.from) : undefined,
    filter.to ? lte(routes.date, filter.to) : undefined,
    filter.status ? eq(routes.status, filter.status) : undefined,
  );
}

export type StopRow = {
  id: number;
  routeId: number;
  marketId: number | null;
  vendingMachineId: number | null;
  stopOrder: number;
  estimatedArrival: string | null;
  actualArrival: string | null;
  expectedArrival: string | null;
  opensAt: string | null;
  closesAt: string | null;
  completed: boolean;
  skippedReason: string | null;
  locationName: string;
  locationType: 'market' | 'vending_machine';
  address: string;
  routeDesignation: string | null;
  latitude: string;
  longitude: string;
  serviceMin: number;
  serviceVisits: number;
  legDistanceKm: number | null;
  legDurationMin: number | null;
  incidents: number[];
  delay: number;
  detourM: number;
  lowCount: number;
  emptyCount: number;
  isDeleted: boolean;
};

/** Stops of routes in their order, with what their locations need. */
export function findStops(db: Db, condition: SQL): Promise<StopRow[]> {
  return rows<StopRow>(
    db,
    plannedOnce(sql`select s.id, s.route_id as "routeId", s.market_id as "marketId", s.vending_machine_id as "vendingMachineId",
          s.stop_order as "stopOrder", s.estimated_arrival as "estimatedArrival", s.actual_arrival as "actualArrival", s.expected_arrival as "expectedArrival",
          s.opens_at as "opensAt", s.closes_at as "closesAt", s.completed, s.skipped_reason as "skippedReason", coalesce(m.name, v.name, s.location_name) as "locationName",
          s.location_type as "locationType", case when m.id is null then ${addressText(sql`v`)} else ${addressText(sql`m`)} end as address,
          coalesce(m.route_designation, v.route_designation) as "routeDesignation",
          coalesce(m.latitude, v.latitude)::text as latitude, coalesce(m.longitude, v.longitude)::text as longitude,
          s.service_min as "serviceMin", s.service_visits as "serviceVisits",
          s.leg_distance_km as "legDistanceKm", s.leg_duration_min as "legDurationMin",
          s.incidents, s.delay, s.detour_m as "detourM",
          coalesce(m.low_stock_count - e.sold_out, v.low_slots - v.empty_slots, 0)::int as "lowCount",
          coalesce(e.sold_out, v.empty_slots, 0)::int as "emptyCount",
          coalesce(m.deleted_at, v.deleted_at) is not null as "isDeleted"
        from route_stops s
        left join markets m on m.id = s.market_id
        left join vending_machines v on v.id = s.vending_machine_id
        left join lateral (
          select count(*) filter (where i.current_quantity = 0)::int as sold_out from inventory_items i
          where i.market_id = m.id and i.is_low and i.deleted_at is null) e on m.id is not null
        where ${condition} order by s.route_id, s.stop_order, s.id`),
  );
}

export const stopsOfRoutes = (ids: readonly number[]): SQL => isOneOf(sql`s.route_id`, ids);

export type PlannedLocation = {
  type: 'market' | 'vending_machine';
  id: number;
  name: string;
  address: string;
  latitude: string;
  longitude: string;
  routeDesignation: string | null;
  accessHours: string | null;
  missingUnits: number;
} & ServiceTime;

type LocationRow = Omit<PlannedLocation, keyof ServiceTime> & { pastMinutes: number[] };

/** Locations by reference under a condition of scope per kind, with the units missing to their targets and what a stop takes. */
export async function findLocations(
  db: Db,
  refs: readonly LocationRef[],
  scope: { markets: SQL; machines: SQL },
): Promise<PlannedLocation[]> {
  const list = sql`jsonb_to_recordset(${JSON.stringify(refs)}::jsonb) as r(type text, id int)`;
  const found = await rows<LocationRow>(
    db,
    sql`select 'market' as type, markets.id, markets.name, ${addressText(sql`markets`)} as address, markets.latitude::text as latitude,
          markets.longitude::text as longitude, markets.route_designation as "routeDesignation",
          markets.access_hours as "accessHours",
          markets.target_units - markets.stocked_units as "missingUnits",
          ${pastMinutesOf('market')} as "pastMinutes"
        from markets where ${scope.markets} and markets.id in (select r.id from ${list} where r.type = 'market')
        union all
        select 'vending_machine', vending_machines.id, vending_machines.name, ${addressText(sql`vending_machines`)},
          vending_machines.latitude::text, vending_machines.longitude::text, vending_machines.route_designation,
          vending_machines.access_hours,
          coalesce(${missingInSlots(sql`vending_machines.id`)}, 0),
          ${pastMinutesOf('vending_machine')}
        from vending_machines
        where ${scope.machines} and vending_machines.id in (select r.id from ${list} where r.type = 'vending_machine')`,
  );
  return found.map(({ pastMinutes, ...location }) => ({ ...location, ...serviceTime({ ...location, pastMinutes }) }));
}

export async function findDepot(db: Db, id: number | null): Promise<typeof depots.$inferSelect | undefined> {
  const condition = id === null ? undefined : eq(depots.id, id);
  const [found] = await db
    .select()
    .from(depots)
    .where(condition)
    .orderBy(desc(depots.isDefault), asc(depots.id))
    .limit(1);
  return found;
}

/** The depot that most completed or planned routes of a designation leave from. */
export async function findDepotOfDesignation(db: Db, designation: string): Promise<number | null> {
  const [found] = await db
    .select({ id: routes.depotId })
    .from(routes)
    .where(and(eq(routes.routeDesignation, designation), sql`${routes.depotId} is not null`))
    .orderBy(desc(routes.date))
    .limit(1);
  return found?.id ?? null;
}

export const findDepots = (db: Db) => db.select().from(depots).orderBy(desc(depots.isDefault), asc(depots.name));
export const findVehicles = (db: Db) => db.select().from(vehicles).orderBy(asc(vehicles.name));

export async function findVehicle(db: Db, id: number): Promise<typeof vehicles.$inferSelect | undefined> {
  const [found] = await db.select().from(vehicles).where(eq(vehicles.id, id));
  return found;
}

export async function lockRoute(db: Db, id: number): Promise<typeof routes.$inferSelect | undefined> {
  const [found] = await db.select().from(routes).where(eq(routes.id, id)).for('update');
  return found;
}

/** In one order for everybody, so that nobody waits in a circle. */
export async function lockRoutes(db: Db, ids: readonly number[]): Promise<void> {
  await db
    .select({ id: routes.id })
    .from(routes)
    .where(inArray(routes.id, [...ids]))
    .orderBy(asc(routes.id))
    .for('update');
}

export type StopChange = {
  id: number;
  stopOrder: number;
  estimatedArrival: string;
  opensAt: string | null;
  closesAt: string | null;
  serviceMin: number;
  serviceVisits: number;
  /** Null: no way leads there. */
  legDistanceKm: number | null;
  legDurationMin: number | null;
  incidents: number[];
  delay: number;
  detourM: number;
};

/** New order and times of stops in one statement. */
export async function updateStopPlan(db: Db, changes: readonly StopChange[]): Promise<void> {
  await db.execute(
    sql`update route_stops s set stop_order = c."stopOrder", estimated_arrival = c."estimatedArrival",
          opens_at = c."opensAt", closes_at = c."closesAt", service_min = c."serviceMin", service_visits = c."serviceVisits",
          leg_distance_km = c."legDistanceKm", leg_duration_min = c."legDurationMin",
          incidents = c.incidents, delay = c.delay, detour_m = c."detourM"
        from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(id int, "stopOrder" int,
          "estimatedArrival" timestamptz, "opensAt" timestamptz, "closesAt" timestamptz, "serviceMin" int, "serviceVisits" int, "legDistanceKm" float8, "legDurationMin" float8,
          incidents jsonb, delay int, "detourM" int)
        where s.id = c.id`,
  );
}

export const updateRouteRow = (db: Db, id: number, fields: Partial<typeof routes.$inferInsert>) =>
  db.update(routes).set(fields).where(eq(routes.id, id));

export const insertRoute = (db: Db, values: typeof routes.$inferInsert) =>
  db.insert(routes).values(values).returning({ id: routes.id });

export const insertStops = (db: Db, values: (typeof routeStops.$inferInsert)[]) => db.insert(routeStops).values(values);

export const updateStops = (db: Db, ids: readonly number[], fields: Partial<typeof routeStops.$inferInsert>) =>
  db
    .update(routeStops)
    .set(fields)
    .where(inArray(routeStops.id, [...ids]));

/** Whom a route can be given to, by route designation. */
export function findDrivers(db: Db): Promise<{ id: number; name: string; routeDesignation: string | null }[]> {
  return rows(
    db,
    sql`select id, ${personName('users')} as name,
          route_designation as "routeDesignation"
        from users where is_active and role in ('field_worker', 'route_manager')
        order by route_designation nulls last, name, id limit 5000`,
  );
}

/** Drivers with routes of a day that are not completed. */
export function findDriversOfDay(db: Db, scope: SQL, day: string): Promise<{ driverId: number; routes: number }[]> {
  return rows(
    db,
    sql`select ${routes.driverId} as "driverId", count(*)::int as routes from ${routes}
        where ${scope} and ${routes.date} = ${day} and ${routes.driverId} is not null and ${routes.status} <> 'completed'
        group by ${routes.driverId} order by ${routes.driverId}`,
  );
}

type Renamed = { from: string; to: string; since: string };

/** Routes from a day on; those before were driven under the old name. */
export async function renameRouteDesignation(db: Db, { from, to, since }: Renamed): Promise<void> {
  await db.execute(
    sql`update routes set route_designation = ${to}, updated_at = now() where route_designation = ${from} and date >= ${since}::date`,
  );
}
