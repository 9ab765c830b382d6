import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type AccessRecord, accessPower, applicationName } from '../../domain/application.ts';
import type { Db } from '../db/database.ts';
import { applicationAccess } from './tables.ts';

type Row = typeof applicationAccess.$inferSelect;
export type Access = AccessRecord & { id: number; userId: number; permissions: z.infer<typeof accessPower>[] };

/** Names of an older or newer release mean nothing here and are left out. */
const known = z.object({ applicationName, permissions: z.array(accessPower) });

function toAccess(row: Row): Access | null {
  const parsed = known.safeParse(row);
  if (!parsed.success) return null;
  const { id, userId, routeDesignation, isActive, expiresAt } = row;
  return { id, userId, routeDesignation, isActive, expiresAt, ...parsed.data };
}

export async function findAccessOf(db: Db, userIds: number[]): Promise<Access[]> {
  const found = await db
    .select()
    .from(applicationAccess)
    .where(inArray(applicationAccess.userId, userIds))
    .orderBy(asc(applicationAccess.applicationName), asc(applicationAccess.id));
  return found.flatMap((row) => toAccess(row) ?? []);
}

/** Locked until the transaction ends. */
export async function lockAccess(db: Db, id: number): Promise<Access | null> {
  const [row] = await db.select().from(applicationAccess).where(eq(applicationAccess.id, id)).for('update');
  return row ? toAccess(row) : null;
}

export type Given = Pick<Access, 'routeDesignation' | 'permissions' | 'isActive' | 'expiresAt'>;

/** Null when the person has an access to this application on this route already. */
export async function insertAccess(db: Db, access: Given & Pick<Access, 'userId' | 'applicationName'>) {
  const [row] = await db.insert(applicationAccess).values(access).onConflictDoNothing().returning();
  return row ? toAccess(row) : null;
}

export async function existsOther(db: Db, { id, userId, applicationName: name }: Access, route: string | null) {
  const same = and(
    eq(applicationAccess.userId, userId),
    eq(applicationAccess.applicationName, name),
    sql`coalesce(${applicationAccess.routeDesignation}, '') = coalesce(${route}::text, '')`,
    sql`${applicationAccess.id} <> ${id}`,
  );
  return (await db.select({ id: applicationAccess.id }).from(applicationAccess).where(same)).length > 0;
}

export async function updateAccess(db: Db, id: number, given: Given & { updatedAt: Date }): Promise<void> {
  await db.update(applicationAccess).set(given).where(eq(applicationAccess.id, id));
}

export async function deleteAccess(db: Db, id: number): Promise<void> {
  await db.delete(applicationAccess).where(eq(applicationAccess.id, id));
}

export async function renameAccessDesignation(db: Db, from: string, to: string): Promise<void> {
  await db.execute(
    sql`update application_access set route_designation = ${to}, updated_at = now() where route_designation = ${from}`,
  );
}
