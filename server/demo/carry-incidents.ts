import { sql } from 'drizzle-orm';
import { incidentsUntil } from '../../simulator/incidents.ts';
import { type Db, rows } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { retimeRoutes } from '../route-planning/service.ts';
import type { Carry } from './carry-routes.ts';

/** Reports the incidents begun since and ends those that are over; a person's own are left as they are. */
export async function carryIncidents(tx: Db, { plan, nowMs, today }: Carry): Promise<void> {
  const begun = JSON.stringify(incidentsUntil(plan, today, nowMs));
  const now = sql`to_timestamp(${nowMs}::float8 / 1000)`;
  const reported = await rows(
    tx,
    sql`insert into traffic_incidents (title, description, latitude, longitude, severity, type, radius,
          estimated_duration, reported_at, source)
        select i.title, i.description, i.lat, i.lng, i.severity, i.type, i."radiusKm", i."durationMin",
          to_timestamp(i."reportedMs" / 1000.0), 'demo'
        from jsonb_to_recordset(${begun}::jsonb) as i(title text, description text, lat numeric, lng numeric,
          severity text, type text, "radiusKm" float8, "durationMin" int, "reportedMs" bigint)
        where not exists (select 1 from traffic_incidents t
          where t.source = 'demo' and t.type = i.type and t.reported_at = to_timestamp(i."reportedMs" / 1000.0))
        returning id`,
  );
  const ended = await rows(
    tx,
    sql`update traffic_incidents set status = 'resolved',
          resolved_at = reported_at + make_interval(mins => estimated_duration), updated_at = ${now}
        where source = 'demo' and status = 'active' and reported_at + make_interval(mins => estimated_duration) <= ${now}
        returning id`,
  );
  if (reported.length + ended.length > 0) await publish(tx, { topic: 'incidents' });
  await retimeRoutes(tx, new Date(nowMs));
}
