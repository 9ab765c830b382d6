import { sql } from 'drizzle-orm';
import { addDays, dayIn } from '../../domain/time.ts';
import { rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';

const minuteMs = 60_000;
/** A job of each minute begins up to a minute late, and a figure in whole minutes changes half a minute later still. */
const lookedBackMs = 4 * minuteMs;

type Late = { id: number; routeDesignation: string | null };

/**
 * Tells open screens what changes by the clock alone: routes that became late just now, and a day that ended. Told twice, it does
 * no harm. Returns what was told.
 */
export async function tellAsTimePasses({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const now = clock.now().getTime();
  const { lateAfterMin, timeZone } = await getOperator(db);
  const [day, dayBefore] = [now, now - lookedBackMs].map((at) => dayIn(timeZone, new Date(at)));
  const due = new Date(now - lateAfterMin * minuteMs);
  const late = await rows<Late>(
    db,
    sql`select r.id, r.route_designation as "routeDesignation" from routes r
        where r.date between ${addDays(day ?? '', -1)} and ${addDays(day ?? '', 1)} and r.status in ('planned', 'in_progress')
          and exists (select from route_stops t
            where t.route_id = r.id and not t.completed and t.skipped_reason is null
              and t.estimated_arrival > ${new Date(due.getTime() - lookedBackMs).toISOString()}::timestamptz
              and t.estimated_arrival <= ${due.toISOString()}::timestamptz)`,
  );
  const isNewDay = day !== dayBefore;
  // A phone has a day of its own, and all of them would ask at once: a new day is told to the office alone.
  const designations = isNewDay ? [] : late.flatMap(({ routeDesignation }) => routeDesignation ?? []);
  const ids = isNewDay ? [] : late.map(({ id }) => id);
  if (isNewDay || ids.length > 0) await publish(db, { topic: 'routes', ids, routes: designations });
  return { ids, isNewDay };
}
