import { sql } from 'drizzle-orm';
import type { OperatorPlan } from '../../simulator/operator/operator.ts';
import type { OpenDay } from '../../simulator/today.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { fromMs } from './movement-queries.ts';

/** Routes with their stops; driver, vehicle and depot are their territory's. */
export async function insertRoutes(db: Db, plan: OperatorPlan, routes: readonly OpenDay[]): Promise<void> {
  if (routes.length === 0) return;
  const territories = new Map(plan.territories.map((territory) => [territory.designation, territory]));
  const given = routes.map(({ driven, status }) => {
    const { tour, day, plannedStartMs, startedMs, completedMs } = driven;
    const territory = territories.get(tour.designation);
    return {
      name: `Route ${tour.designation}`,
      day,
      designation: tour.designation,
      status,
      totalKm: tour.totalKm,
      drivingMin: tour.drivingMin,
      serviceMin: tour.serviceMinTotal,
      driverId: territory?.driver.id,
      vehicleId: territory?.vehicle.id,
      depotId: territory?.depot.id,
      plannedStartMs,
      startedMs: status === 'planned' ? null : startedMs,
      completedMs: status === 'completed' ? completedMs : null,
    };
  });
  await db.execute(
    sql`insert into routes (name, date, route_designation, optimized, total_distance, estimated_time, driving_min,
          service_min, distance_source, status, driver_id, vehicle_id, depot_id, planned_start_at, started_at, completed_at,
          created_by, created_at, updated_at)
        select g.name, g.day, g.designation, true, g."totalKm", g."drivingMin" + g."serviceMin", g."drivingMin",
          g."serviceMin", 'estimate', g.status, g."driverId", g."vehicleId", g."depotId", ${fromMs(sql`g."plannedStartMs"`)},
          ${fromMs(sql`g."startedMs"`)}, ${fromMs(sql`g."completedMs"`)}, 2,
          ${fromMs(sql`g."plannedStartMs"`)} - interval '12 hours',
          ${fromMs(sql`coalesce(g."completedMs", g."startedMs", g."plannedStartMs")`)}
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(name text, day date, designation text, status text,
          "totalKm" float8, "drivingMin" int, "serviceMin" int, "driverId" int, "vehicleId" int, "depotId" int,
          "plannedStartMs" bigint, "startedMs" bigint, "completedMs" bigint)`,
  );
  await insertStops(db, routes);
}

function insertStops(db: Db, routes: readonly OpenDay[]) {
  const stops = routes.flatMap(({ driven, doneStops }) =>
    driven.tour.sites.map((site, index) => ({
      day: driven.day,
      designation: driven.tour.designation,
      type: site.type,
      place: site.id,
      number: index + 1,
      plannedMs: driven.plannedMs[index],
      actualMs: index < doneStops ? driven.actualMs[index] : null,
      doneMs: index < doneStops ? driven.doneMs[index] : null,
      serviceMin: driven.tour.serviceMin[index],
      legKm: driven.tour.legKm[index],
      legMin: driven.tour.legMin[index],
    })),
  );
  return db.execute(
    sql`insert into route_stops (route_id, market_id, vending_machine_id, stop_order, estimated_arrival, actual_arrival,
          completed_at, completed, completed_by, location_name, location_type, service_min, leg_distance_km, leg_duration_min)
        select r.id, m.id, v.id, g.number, ${fromMs(sql`g."plannedMs"`)}, ${fromMs(sql`g."actualMs"`)},
          ${fromMs(sql`g."doneMs"`)}, g."actualMs" is not null, case when g."actualMs" is not null then r.driver_id end, coalesce(m.name, v.name), g.type,
          g."serviceMin", g."legKm", round(g."legMin"::numeric, 1)
        from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as g(day date, designation text, type text, place int,
          number int, "plannedMs" bigint, "actualMs" bigint, "doneMs" bigint, "serviceMin" int, "legKm" float8, "legMin" float8)
        join routes r on r.date = g.day and r.route_designation = g.designation and r.created_by = 2
        left join markets m on g.type = 'market' and m.id = g.place and m.deleted_at is null
        left join vending_machines v on g.type = 'vending_machine' and v.id = g.place and v.deleted_at is null
        where coalesce(m.id, v.id) is not null
        order by r.id, g.number`,
  );
}

export type OpenStop = {
  /** Of its route. */
  day: string;
  routeId: number;
  stopId: number;
  marketId: number | null;
  machineId: number | null;
  driverId: number | null;
  /** When the route left, and when its last stop was done. */
  beganMs: number;
};

/** Stops not done of routes of days before one, in driving order; a route without any comes with stop 0. */
export function findOpenStops(db: Db, day: string): Promise<OpenStop[]> {
  return rows<OpenStop>(
    db,
    sql`select to_char(r.date, 'YYYY-MM-DD') as day, r.id as "routeId", coalesce(s.id, 0) as "stopId", s.market_id as "marketId",
          s.vending_machine_id as "machineId", r.driver_id as "driverId",
          (extract(epoch from greatest(coalesce(r.started_at, r.planned_start_at, r.date + interval '11 hours'),
            (select max(d.actual_arrival) from route_stops d where d.route_id = r.id and d.completed))) * 1000)::bigint as "beganMs"
        from routes r
        left join route_stops s on s.route_id = r.id and not s.completed and s.skipped_reason is null
        where r.date < ${day} and r.status <> 'completed'
        order by r.id, s.stop_order, s.id`,
  );
}

/** Marks stops as done by their drivers. */
export async function updateDoneStops(db: Db, stops: readonly { stopId: number; atMs: number }[]): Promise<void> {
  await db.execute(
    sql`update route_stops s set completed = true, actual_arrival = ${fromMs(sql`g."atMs"`)},
          completed_by = (select r.driver_id from routes r where r.id = s.route_id)
        from jsonb_to_recordset(${JSON.stringify(stops)}::jsonb) as g("stopId" int, "atMs" bigint) where s.id = g."stopId"`,
  );
}

/** Marks routes as driven to their end. */
export async function updateDoneRoutes(
  db: Db,
  routes: readonly { routeId: number; beganMs: number; endedMs: number }[],
): Promise<void> {
  await db.execute(
    sql`update routes r set status = 'completed', completed_at = ${fromMs(sql`g."endedMs"`)}, updated_at = now(),
          started_at = coalesce(r.started_at, ${fromMs(sql`g."beganMs"`)})
        from jsonb_to_recordset(${JSON.stringify(routes)}::jsonb) as g("routeId" int, "beganMs" bigint, "endedMs" bigint)
        where r.id = g."routeId"`,
  );
}

/** Which designations have a route on which days of a span. */
export async function findPlannedDays(db: Db, from: string, until: string): Promise<Set<string>> {
  const found = await rows<{ key: string }>(
    db,
    sql`select distinct to_char(date, 'YYYY-MM-DD') || ' ' || route_designation as key from routes
        where date between ${from} and ${until} and route_designation is not null`,
  );
  return new Set(found.map((row) => row.key));
}
