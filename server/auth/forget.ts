import { inArray, sql } from 'drizzle-orm';
import { type Db, rows } from '../db/database.ts';
import { endSessionsOf } from './sessions.ts';
import { demoOutbox, loginCodes } from './tables.ts';

type Person = { id: number; email: string; phoneNumber: string | null };

/** Ends every session and device of a person and removes their codes, counters and messages: no contact stays. */
export async function forgetSignIns(db: Db, { id, email, phoneNumber }: Person): Promise<void> {
  await endSessionsOf(db, id);
  const contacts = [email.toLowerCase(), ...(phoneNumber ? [phoneNumber] : [])];
  await db.delete(loginCodes).where(inArray(loginCodes.contact, contacts));
  await db.delete(demoOutbox).where(inArray(sql`lower(${demoOutbox.recipient})`, contacts));
  for (const contact of contacts) {
    await db.execute(sql`delete from rate_limits where key like '%:' || ${contact.replaceAll(/[\\%_]/g, '\\$&')}`);
  }
  await db.execute(
    sql`update field_devices set user_agent = null, is_active = false where device_id in
        (select device_id from device_holders where user_id = ${id} and valid_to is null)`,
  );
}

/** Where a person was signed in and which devices they held, for their own copy of their data. */
export async function signInsOf(db: Db, userId: number) {
  const sessions = await rows(
    db,
    sql`select sess->>'agent' as browser, sess->>'network' as network, created_at, last_seen_at from sessions
        where user_id = ${userId} order by created_at`,
  );
  const devices = await rows(
    db,
    sql`select h.valid_from, h.valid_to, d.user_agent from device_holders h
        left join field_devices d on d.device_id = h.device_id where h.user_id = ${userId} order by h.valid_from`,
  );
  return { sessions, devices };
}
