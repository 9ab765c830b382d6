import { randomBytes } from 'node:crypto';
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Role } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { type Db, firstRow } from '../db/database.ts';
import { lately } from '../db/lately.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { requiredMarker } from '../second-factor/service.ts';
import { sha256 } from '../settings/secrets.ts';
import { cutAddress } from './limits.ts';
import { noteSessionUse } from './noted-use.ts';
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

type Opening = {
  userId: number;
  role: Role;
  deviceId: string | null;
  at: Date;
  /** Shown to the person in the list of their sessions; of the address only its network is kept. */
  from?: { ip: string; userAgent: string | null };
  /** True when a second factor was proven. */
  isStrong?: boolean;
};

/** A new session of a person: the value for the cookie. Only its hash is stored. */
export async function openSession(db: Db, opening: Opening): Promise<string> {
  const { userId, role: who, deviceId, at, from, isStrong = false } = opening;
  const value = randomBytes(32).toString('base64url');
  const shown = from ? { agent: from.userAgent?.slice(0, 300) ?? null, network: cutAddress(from.ip) } : {};
  await db.insert(sessions).values({
    sid: sha256(value),
    sess: { deviceId, isStrong, ...shown },
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
  isStrong: boolean;
  isStrengthAsked: boolean;
  createdAt: string;
  lastSeenAt: string;
  expire: string;
};

/** The person of a session cookie's value, or null when it is unknown, expired, or theirs no longer. */
export async function callerOfSession(db: Db, value: string, call: { at: Date; ip: string }): Promise<Caller | null> {
  const found = await sessionOf(db, sha256(value));
  if (!found || new Date(found.expire) <= call.at) return null;
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
    needsSecondStep: found.isStrengthAsked && !found.isStrong && found.role !== 'field_worker',
    address: call.ip,
  };
}

function sessionOf(db: Db, sid: string): Promise<Found | undefined> {
  return lately(db, { key: `session ${sid}`, from: ['sessions', 'users', 'installation'] }, () =>
    firstRow<Found>(
      db,
      plannedOnce(sql`select s.sid, s.user_id as "userId", u.email, u.first_name as "firstName", u.last_name as "lastName", u.role,
                 u.route_designation as "routeDesignation", s.sess->>'deviceId' as "sessionDevice",
                 coalesce((s.sess->>'isStrong')::boolean, false) as "isStrong",
                 exists (select from installation i where i.name = ${requiredMarker} and i.value = '1') as "isStrengthAsked",
                 s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expire
          from sessions s join users u on u.id = s.user_id
          where s.sid = ${sid} and u.is_active`),
    ),
  );
}

async function noteUse(db: Db, found: Found, at: Date): Promise<void> {
  if (at.getTime() - new Date(found.lastSeenAt).getTime() < noteEveryMs) return;
  const latest = new Date(found.createdAt).getTime() + absoluteMs;
  const idle = at.getTime() + idleMs(role.parse(found.role), found.sessionDevice);
  const expire = new Date(Math.min(idle, latest));
  // Those who call at this moment are told the same of the session.
  Object.assign(found, { lastSeenAt: at.toISOString(), expire: expire.toISOString() });
  await noteSessionUse(db, { sid: found.sid, at, expire });
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

/** The sessions of a person that still open something, latest use first. */
export async function sessionsOf(db: Db, userId: number, at: Date) {
  const mine = and(eq(sessions.userId, userId), gt(sessions.expire, at));
  const found = await db.select().from(sessions).where(mine).orderBy(desc(sessions.lastSeenAt));
  return found.map(({ sid, sess, createdAt, lastSeenAt }) => ({ sid, createdAt, lastSeenAt, ...kept.parse(sess) }));
}

const kept = z.object({
  agent: z.string().nullish(),
  network: z.string().nullish(),
  isStrong: z.boolean().nullish(),
});

/** Ends every session of a person but one. */
export async function endOtherSessions(db: Db, userId: number, sid: string): Promise<void> {
  const others = and(eq(sessions.userId, userId), ne(sessions.sid, sid));
  await endStreams(db, await db.delete(sessions).where(others).returning({ sid: sessions.sid }));
}

/** Notes that a second factor stands behind this session from now on. */
export async function strengthen(db: Db, sid: string): Promise<void> {
  await db
    .update(sessions)
    .set({ sess: sql`${sessions.sess} || '{"isStrong": true}'::jsonb` })
    .where(eq(sessions.sid, sid));
}

/** When a session began. */
export async function sessionStart(db: Db, sid: string): Promise<Date | null> {
  const [row] = await db.select({ createdAt: sessions.createdAt }).from(sessions).where(eq(sessions.sid, sid));
  return row?.createdAt ?? null;
}
