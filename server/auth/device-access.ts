import { eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { fieldDevices, sessions } from './tables.ts';

const ofDevice = (deviceId: string) => sql`${sessions.sess}->>'deviceId' = ${deviceId}`;

/** The device that a session was opened on; null when it names none. */
export async function deviceOfSession(db: Db, sid: string): Promise<string | null> {
  const [row] = await db
    .select({ deviceId: sql<string | null>`${sessions.sess}->>'deviceId'` })
    .from(sessions)
    .where(eq(sessions.sid, sid));
  return row?.deviceId ?? null;
}

/** From now on the session counts as that device's. */
export async function tieSession(db: Db, sid: string, deviceId: string): Promise<void> {
  await db
    .update(sessions)
    .set({ sess: sql`${sessions.sess} || jsonb_build_object('deviceId', ${deviceId}::text)` })
    .where(eq(sessions.sid, sid));
}

/** Ends every session of a device, and their event streams. */
export async function endSessionsOfDevice(db: Db, deviceId: string): Promise<void> {
  const ended = await db.delete(sessions).where(ofDevice(deviceId)).returning({ sid: sessions.sid });
  if (ended.length === 0) return;
  await publish(db, { topic: 'settings', routes: [], endSessions: ended.map(({ sid }) => sid) });
}

/** The device's credential is worth nothing any more, until a person signs in on it again. */
export async function switchOffDevice(db: Db, deviceId: string): Promise<void> {
  await db.update(fieldDevices).set({ isActive: false }).where(eq(fieldDevices.deviceId, deviceId));
  await endSessionsOfDevice(db, deviceId);
}
