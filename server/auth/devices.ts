import { randomBytes } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { role } from '../../domain/role-schemas.ts';
import { type Db, firstRow } from '../db/database.ts';
import type { Caller } from '../http/caller.ts';
import { sha256 } from '../settings/secrets.ts';
import type { DeviceCookies } from './cookies.ts';
import { deviceHolders, fieldDevices } from './tables.ts';

/** A credential not renewed by a sign-in this long ends. */
export const credentialLifeMs = 90 * 24 * 3_600_000;
const noteEveryMs = 60_000;

type Binding = { deviceId: string; userId: number; userAgent: string | null; at: Date };

/**
 * Gives a device a new credential and makes the person its holder from now on; the credential before is worth nothing
 * any more. A device that was switched off is on again: the person has just proven who they are, and could as well have
 * signed in on a new one.
 */
export async function bindDevice(db: Db, { deviceId, userId, userAgent, at }: Binding): Promise<DeviceCookies> {
  const credential = randomBytes(32).toString('base64url');
  const known = randomBytes(32).toString('base64url');
  const fresh = {
    tokenHash: sha256(credential),
    knownHash: sha256(known),
    isActive: true,
    userAgent: userAgent?.slice(0, 500) ?? null,
    lastSeenAt: at,
    expiresAt: new Date(at.getTime() + credentialLifeMs),
  };
  await db
    .insert(fieldDevices)
    .values({ deviceId, createdAt: at, ...fresh })
    .onConflictDoUpdate({ target: fieldDevices.deviceId, set: fresh });
  // The row above is locked until the end of the transaction: of two sign-ins the later one holds the device.
  const open = and(eq(deviceHolders.deviceId, deviceId), isNull(deviceHolders.validTo));
  const [holder] = await db.select().from(deviceHolders).where(open);
  if (holder?.userId === userId) return { credential, known };
  await db.update(deviceHolders).set({ validTo: at }).where(open);
  await db.insert(deviceHolders).values({ deviceId, userId, validFrom: at });
  return { credential, known };
}

type Shown = { known: string | null; deviceId: string | null };

/**
 * Whether what a browser shows is of a device that this person holds, or held as lately as a credential lives: colleagues
 * who share a phone need no manager at each change of hands. A device that has signed in last before there was anything to
 * show is taken at its id, which is random, until this sign-in gives it more.
 */
export async function isHeldBy(db: Db, { known, deviceId }: Shown, { userId, at }: { userId: number; at: Date }) {
  const lately = new Date(at.getTime() - credentialLifeMs).toISOString();
  const held = await firstRow(
    db,
    sql`select 1 from field_devices d join device_holders h on h.device_id = d.device_id
        where (d.known_hash = ${known && sha256(known)} or (d.known_hash is null and d.device_id = ${deviceId}::uuid))
        and d.is_active and d.expires_at > ${at.toISOString()}
        and h.user_id = ${userId} and (h.valid_to is null or h.valid_to > ${lately})`,
  );
  return held !== undefined;
}

type Found = {
  deviceId: string;
  lastSeenAt: string;
  userId: number;
  email: string;
  firstName: string;
  lastName: string;
  role: string;
  routeDesignation: string | null;
  isActive: boolean;
};

/** The holder of a device by its credential alone, deactivated ones too; null when it is unknown, off or expired. */
export async function callerOfDevice(db: Db, token: string, call: { at: Date; ip: string }) {
  const found = await firstRow<Found>(
    db,
    sql`select d.device_id as "deviceId", d.last_seen_at as "lastSeenAt", u.id as "userId", u.email,
               u.first_name as "firstName", u.last_name as "lastName", u.role, u.route_designation as "routeDesignation",
               u.is_active as "isActive"
        from field_devices d
        join device_holders h on h.device_id = d.device_id and h.valid_to is null
        join users u on u.id = h.user_id
        where d.token_hash = ${sha256(token)} and d.is_active and d.expires_at > ${call.at.toISOString()}`,
  );
  if (!found) return null;
  await noteUse(db, found, call.at);
  const caller: Caller & { deviceId: string } = {
    userId: found.userId,
    email: found.email,
    name: `${found.firstName} ${found.lastName}`.trim() || found.email,
    role: role.parse(found.role),
    routeDesignation: found.routeDesignation,
    sid: null,
    deviceId: found.deviceId,
    deviceOnly: true,
    isActive: found.isActive,
    address: call.ip,
  };
  return caller;
}

async function noteUse(db: Db, found: Found, at: Date): Promise<void> {
  if (at.getTime() - new Date(found.lastSeenAt).getTime() < noteEveryMs) return;
  await db.update(fieldDevices).set({ lastSeenAt: at }).where(eq(fieldDevices.deviceId, found.deviceId));
}
