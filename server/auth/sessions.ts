import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { type Role, role } from '../../domain/permissions.ts';
import { type Db, firstRow } from '../db/database.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { sha256 } from '../settings/secrets.ts';
import { sessions } from './tables.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A session of office staff, or of a shared computer, unused this long ends: a working day. */
const staffIdleMs = 12 * hourMs;
/** A driver's own phone stays signed in over days off and a week without coverage. */
const deviceIdleMs = 14 * dayMs;
/** A session older than this ends, used or not. */
export const absoluteMs = 30 * dayMs;
/** Use is noted at most this often: a read must not cost a write. */
const noteEveryMs = 60_000;

function idleMs(who: Role, deviceId: string | null): number {
  return who === 'field_worker' && deviceId ? deviceIdleMs : staffIdleMs;
}

type Opening = { userId: number; role: Role; deviceId: string | null; at: Date };

/** A new session of a person: the value for the cookie. Only its hash is stored. */
export async function openSession(db: Db, { userId, role: who, deviceId, at }: Opening): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  await db.insert(sessions).values({
    sid: sha256(value),
    sess: { deviceId },
    userId,
    createdAt: at,
    lastSeenAt: at,
    expire: new Date(at.getTime() + idleMs(who, deviceId)),
  });
  return value;
}

type Found = {
  sid: string;
  userId: number;
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  routeDesignation: string | null;
  sessionDevice: string | null;
  createdAt: string;
  lastSeenAt: string;
};

/** The person of a session cookie's value, or null when it is unknown, expired, or theirs no longer. */
export async function callerOfSession(db: Db, value: string, call: { at: Date; ip: string }): Promise<Caller | null> {
  const found = await firstRow<Found>(
    db,
    sql`select s.sid, s.user_id as "userId", u.email, u.first_name as "firstName", u.last_name as "lastName", u.role,
               u.route_designation as "routeDesignation", s.sess->>'deviceId' as "sessionDevice",
               s.created_at as "createdAt", s.last_seen_at as "lastSeenAt"
        from sessions s join users u on u.id = s.user_id
        where s.sid = ${sha256(value)} and s.expire > ${call.at.toISOString()} and u.is_active`,
  );
  if (!found) return null;
  await noteUse(db, found, call.at);
  return {
    userId: found.userId,
    email: found.email,
    name: `${found.firstName} ${found.lastName}`.trim() || found.email,
    role: role.parse(found.role),
    routeDesignation: found.routeDesignation,
    sid: found.sid,
    deviceId: null,
    deviceOnly: false,
    isActive: true,
    address: call.ip,
  };
}

async function noteUse(db: Db, found: Found, at: Date): Promise<void> {
  if (at.getTime() - new Date(found.lastSeenAt).getTime() < noteEveryMs) return;
  const latest = new Date(found.createdAt).getTime() + absoluteMs;
  const idle = at.getTime() + idleMs(role.parse(found.role), found.sessionDevice);
  await db
    .update(sessions)
    .set({ lastSeenAt: at, expire: new Date(Math.min(idle, latest)) })
    .where(eq(sessions.sid, found.sid));
}

/** When a session ends if it is not used any more. */
export async function sessionEnd(db: Db, sid: string): Promise<Date | null> {
  const [row] = await db.select({ expire: sessions.expire }).from(sessions).where(eq(sessions.sid, sid));
  return row?.expire ?? null;
}

/** Ends one session and its event stream. */
export async function endSession(db: Db, sid: string): Promise<void> {
  const ended = await db.delete(sessions).where(eq(sessions.sid, sid)).returning({ sid: sessions.sid });
  await endStreams(db, ended);
}

/** Ends every session of a person. */
export async function endSessionsOf(db: Db, userId: number): Promise<void> {
  const ended = await db.delete(sessions).where(eq(sessions.userId, userId)).returning({ sid: sessions.sid });
  await endStreams(db, ended);
}

async function endStreams(db: Db, ended: readonly { sid: string }[]): Promise<void> {
  if (ended.length === 0) return;
  await publish(db, { topic: 'settings', routes: [], endSessions: ended.map(({ sid }) => sid) });
}
