import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { DeviceRow } from '../../contract/devices.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order } from '../db/statements/paging.ts';
import { personName } from '../db/statements/person-name.ts';
import { deviceSessions, pairingCodes } from './tables.ts';

export type Device = typeof deviceSessions.$inferSelect;
type NewDevice = Omit<Device, 'id' | 'createdAt'>;

/** The device's row, made or renewed. */
export async function saveDevice(db: Db, device: NewDevice, at: Date): Promise<void> {
  await db
    .insert(deviceSessions)
    .values({ ...device, createdAt: at })
    .onConflictDoUpdate({ target: deviceSessions.deviceId, set: device });
}

export async function findActiveDevice(db: Db, deviceId: string, userId: number): Promise<Device | null> {
  const own = and(eq(deviceSessions.deviceId, deviceId), eq(deviceSessions.userId, userId), deviceSessions.isActive);
  const [row] = await db.select().from(deviceSessions).where(own);
  return row ?? null;
}

export async function findDevice(db: Db, id: number): Promise<Device | null> {
  const [row] = await db.select().from(deviceSessions).where(eq(deviceSessions.id, id)).for('update');
  return row ?? null;
}

export async function endDevice(db: Db, id: number): Promise<void> {
  await db.update(deviceSessions).set({ isActive: false }).where(eq(deviceSessions.id, id));
}

type NewCode = Pick<
  typeof pairingCodes.$inferInsert,
  'codeHash' | 'routeDesignation' | 'userId' | 'issuedBy' | 'createdAt' | 'expiresAt'
>;
const isLive = (at: Date) => and(isNull(pairingCodes.usedAt), gt(pairingCodes.expiresAt, at));

/** The person's code before ends with it. */
export async function insertCode(db: Db, code: NewCode, at: Date): Promise<void> {
  await db
    .update(pairingCodes)
    .set({ expiresAt: at })
    .where(and(eq(pairingCodes.userId, code.userId), isLive(at)));
  await db.insert(pairingCodes).values(code);
}

export async function findLiveCode(db: Db, codeHash: string, at: Date) {
  const [row] = await db
    .select()
    .from(pairingCodes)
    .where(and(eq(pairingCodes.codeHash, codeHash), isLive(at)));
  return row ?? null;
}

/** Uses a code up; false when another device did so first. */
export async function consumeCode(
  db: Db,
  id: number,
  { at, deviceId }: { at: Date; deviceId: string },
): Promise<boolean> {
  const used = await db
    .update(pairingCodes)
    .set({ usedAt: at, usedBy: deviceId })
    .where(and(eq(pairingCodes.id, id), isLive(at)))
    .returning({ id: pairingCodes.id });
  return used.length === 1;
}

/** Codes that ended a day ago and more. */
export async function deleteOldCodes(db: Db, at: Date): Promise<void> {
  await db
    .delete(pairingCodes)
    .where(sql`${pairingCodes.expiresAt} < ${at.toISOString()}::timestamptz - interval '1 day'`);
}

const workerName = personName('u');

type Choice = { routeDesignation: string | null; workers: { id: number; name: string }[] };

/** Who has no route yet comes last. */
export function findChoices(db: Db): Promise<Choice[]> {
  return rows(
    db,
    sql`select nullif(u.route_designation, '') as "routeDesignation",
               json_agg(json_build_object('id', u.id, 'name', ${workerName}) order by ${workerName}, u.id) as workers
        from users u
        where u.is_active and u.role = 'field_worker'
        group by 1 order by 1 nulls last`,
  );
}

type Wish = {
  search?: string | undefined;
  route?: string | undefined;
  state: 'all' | 'active' | 'ended';
  sort: string;
  page?: string | undefined;
  limit: number;
};

const byActivity = { value: sql`d.last_activity`, type: 'timestamptz' } as const;
const orders: Record<string, Pick<Order, 'value' | 'type'>> = {
  name: { value: sql`lower(d.device_name)`, type: 'text' },
  worker: { value: sql`lower(${workerName})`, type: 'text' },
  route: { value: sql`d.route_designation::text`, type: 'text' },
  activity: byActivity,
};
const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const source = sql`device_sessions d join users u on u.id = d.user_id`;
/** A deactivated person's devices are shut out with them. */
const isOn = sql`(d.is_active and u.is_active)`;

export function findDevicePage(db: Db, wish: Wish) {
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const parts = wordsOf(wish.search).map((word) =>
    containsWord(
      sql`plain_text(concat_ws(' ', d.device_name, d.device_id::text, ${workerName}, d.route_designation))`,
      word,
    ),
  );
  if (wish.route) parts.push(sql`d.route_designation = ${wish.route}`);
  if (wish.state !== 'all') parts.push(wish.state === 'active' ? isOn : sql`not ${isOn}`);
  const condition = parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
  return findPage<DeviceRow>(db, {
    fields: sql`d.id, d.device_id as "deviceId", d.device_name as "deviceName", d.device_type as "deviceType",
      d.route_designation as "routeDesignation", d.user_id as "userId", ${workerName} as worker, ${isOn} as "isActive",
      ${instant(sql`d.last_activity`)} as "lastActivity", ${instant(sql`d.created_at`)} as "createdAt",
      d.ip_address as "ipAddress", d.user_agent as "userAgent", d.location`,
    source,
    condition,
    order: { name, down, id: sql`d.id`, ...(orders[name] ?? byActivity) },
    page: wish.page,
    limit: wish.limit,
    total: async () => {
      const found = await firstRow<{ n: number }>(db, sql`select count(*)::int as n from ${source} where ${condition}`);
      return found?.n ?? 0;
    },
  });
}

/** The devices of a route and the codes that wait to tie one to it. */
export async function renameDeviceDesignation(db: Db, from: string, to: string): Promise<void> {
  await db.execute(sql`update device_sessions set route_designation = ${to} where route_designation = ${from}`);
  await db.execute(
    sql`update pairing_codes set route_designation = ${to} where route_designation = ${from} and used_at is null`,
  );
}
