import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';

export type StopShift = {
  id: number;
  incidents: number[];
  delay: number;
  detourM: number;
  /** Metres that the leg is longer than before. */
  longerM: number;
  /** Seconds that the leg takes longer than before, and that the arrival moves. */
  added: number;
  shift: number;
};

/** Moves arrivals and legs of stops by the change of their delays and detours, in one statement. */
export async function shiftStops(db: Db, shifts: readonly StopShift[]): Promise<void> {
  await db.execute(
    sql`update route_stops s set incidents = c.incidents, delay = c.delay, detour_m = c."detourM",
          leg_distance_km = case when c."longerM" = 0 then s.leg_distance_km
            else round((s.leg_distance_km * 1000 + c."longerM")::numeric) / 1000 end,
          leg_duration_min = s.leg_duration_min + c.added / 60.0,
          estimated_arrival = s.estimated_arrival + make_interval(secs => c.shift),
          expected_arrival = s.expected_arrival + make_interval(secs => c.shift)
        from jsonb_to_recordset(${JSON.stringify(shifts)}::jsonb) as c(id int, incidents jsonb, delay int, "detourM" int, "longerM" int, added int,
          shift int)
        where s.id = c.id`,
  );
}
