import { sql } from 'drizzle-orm';
import type { FieldVisit } from '../../simulator/visits.ts';
import type { Db } from '../db/database.ts';
import { fromMs } from './movement-queries.ts';

const visitsAtOnce = 5_000;

/** Visits to stops that are done: each belongs to the stop that was reached when it began. */
export async function insertVisits(db: Db, visits: readonly FieldVisit[]): Promise<void> {
  for (let from = 0; from < visits.length; from += visitsAtOnce) {
    await insertSome(db, visits.slice(from, from + visitsAtOnce));
  }
}

async function insertSome(db: Db, visits: readonly FieldVisit[]): Promise<void> {
  const given = visits.map(({ point, ...visit }) => ({ ...visit, lat: point.lat, lng: point.lng }));
  await db.execute(
    sql`with given as materialized (
          select g.*, ${fromMs(sql`g."openedMs"`)} as opened_at, ${fromMs(sql`g."closedMs"`)} as closed_at
          from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id uuid, type text, "siteId" int,
            "openedMs" bigint, "closedMs" bigint, note text, "bagNumber" text, refunds numeric, lat float8, lng float8))
        insert into visits (id, market_id, vending_machine_id, route_id, stop_id, actor_id, device_seq, opened_at, closed_at,
          note, bag_number, refunds, latitude, longitude, saved_at)
        select g.id, s.market_id, s.vending_machine_id, s.route_id, s.id, r.driver_id, 0, g.opened_at, g.closed_at, g.note,
          g."bagNumber", g.refunds, round(g.lat::numeric, 3), round(g.lng::numeric, 3), g.closed_at
        from given g
        join route_stops s on s.actual_arrival = g.opened_at and s.location_type = g.type
          and coalesce(s.market_id, s.vending_machine_id) = g."siteId"
        join routes r on r.id = s.route_id
        on conflict (id) do nothing`,
  );
}
