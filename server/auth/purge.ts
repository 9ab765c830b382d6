import { sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import { purgeSteps } from '../second-factor/service.ts';

const deviceTraceDays = 90;

/** Removes sessions, codes and counters that mean nothing any more; codes a day after they expired. */
export async function purgeExpired(deps: Deps): Promise<void> {
  const now = deps.clock.now().toISOString();
  await deps.db.execute(sql`delete from sessions where expire < ${now}`);
  await deps.db.execute(sql`delete from login_codes where expires_at < ${now}::timestamptz - interval '1 day'`);
  await purgeSteps(deps.db, deps.clock.now());
  await deps.db.execute(
    sql`update field_devices set user_agent = null where user_agent is not null
        and last_seen_at < ${now}::timestamptz - ${deviceTraceDays} * interval '1 day'`,
  );
  await deps.db.execute(sql`delete from rate_limits where window_ends_at < ${now}`);
}
