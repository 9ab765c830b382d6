import { sql } from 'drizzle-orm';
import { type Db, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';

const wholeAddressDays = 30;
const traceDays = 90;

/** An address as /24 or /48: enough to tell places apart, too little for a person. */
const cut = sql`case when family(ip_address::inet) = 4 then host(network(set_masklen(ip_address::inet, 24))) || '/24'
                     else host(network(set_masklen(ip_address::inet, 48))) || '/48' end`;
const isWhole = sql`ip_address is not null and ip_address not like '%/%'`;

/** Cuts the addresses of device sign-ins after 30 days; after 90 days address, place and browser are gone. */
export async function purgeDeviceTraces({ db, clock }: Deps): Promise<void> {
  const before = (days: number): string => new Date(clock.now().getTime() - days * 86_400_000).toISOString();
  await db.execute(
    sql`update device_sessions set ip_address = null, user_agent = null, location = null
        where last_activity < ${before(traceDays)}
          and (ip_address is not null or user_agent is not null or location is not null)`,
  );
  await db.execute(
    sql`update device_sessions set ip_address = ${cut} where last_activity < ${before(wholeAddressDays)} and ${isWhole}`,
  );
}

/** Takes a person's traces off the devices they signed in on. */
export async function forgetDevicesOf(db: Db, userId: number): Promise<void> {
  await db.execute(
    sql`update device_sessions set ip_address = null, user_agent = null, location = null, is_active = false,
               device_name = 'Device ' || id where user_id = ${userId}`,
  );
}

/** The devices on which a person signed in by pairing, for their own copy of their data. */
export function deviceLoginsOf(db: Db, userId: number): Promise<Record<string, unknown>[]> {
  return rows(
    db,
    sql`select device_id, device_name, device_type, route_designation, is_active, last_activity, ip_address, user_agent,
               location, created_at
        from device_sessions where user_id = ${userId} order by created_at`,
  );
}
