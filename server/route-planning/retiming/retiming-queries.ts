import { sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';

export type StopShift = {
  id: number;
  incidents: number[];
  delay: number;
  /** Seconds that the leg takes longer than before, and that the arrival moves. */
  added: number;
  shift: number;
};

/** Moves arrivals and legs of stops by the change of their delays, in one statement. */
export async function shiftStops(db: Db, shifts: readonly StopShift[]): Promise<void> {
  await db.execute(
    sql`update route_stops s set incidents = c.incidents, delay = c.delay,
          leg_duration_min = s.leg_duration_min + c.added / 60.0,
          estimated_arrival = s.estimated_arrival + make_interval(secs => c.shift),
          expected_arrival = s.expected_arrival + make_interval(secs => c.shift)
        from jsonb_to_recordset(${JSON.stringify(shifts)}::jsonb) as c(id int, incidents jsonb, delay int, added int,
          shift int)
        where s.id = c.id`,
  );
}
