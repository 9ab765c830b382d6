import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { VendorResource } from '../../domain/integration.ts';
import { type Db, firstRow, rows } from '../db/database.ts';
import { syncCursors, syncRuns } from './tables.ts';

export type RunRow = typeof syncRuns.$inferSelect;
export type CursorRow = typeof syncCursors.$inferSelect;
type NewRun = typeof syncRuns.$inferInsert;

export async function insertRun(db: Db, run: NewRun): Promise<RunRow> {
  const [made] = await db.insert(syncRuns).values(run).returning();
  if (!made) throw new Error('the run was not stored');
  return made;
}

export async function findRun(db: Db, id: number): Promise<RunRow | undefined> {
  const [found] = await db.select().from(syncRuns).where(eq(syncRuns.id, id));
  return found;
}

export async function updateRun(db: Db, id: number, fields: Partial<NewRun>): Promise<RunRow | undefined> {
  const [written] = await db.update(syncRuns).set(fields).where(eq(syncRuns.id, id)).returning();
  return written;
}

/** Nothing for a run that has ended meanwhile; else whether somebody asked to stop it. */
export async function renewLease(db: Db, id: number, until: Date): Promise<{ cancelRequested: boolean } | undefined> {
  const [renewed] = await db
    .update(syncRuns)
    .set({ leaseUntil: until })
    .where(and(eq(syncRuns.id, id), eq(syncRuns.status, 'running')))
    .returning({ cancelRequested: syncRuns.cancelRequested });
  return renewed;
}

/** Notes that a run rests because the partner asked for it. */
export async function noteRest(db: Db, id: number, until: Date): Promise<void> {
  await db
    .update(syncRuns)
    .set({ progress: sql`${syncRuns.progress} || ${JSON.stringify({ waitsUntil: until.toISOString() })}::jsonb` })
    .where(and(eq(syncRuns.id, id), eq(syncRuns.status, 'running')));
}

/**
 * Makes a waiting run the one at work on its configuration; false while another one is. The lock makes two processes
 * that try at once take turns.
 */
export function claimRun(db: Db, run: RunRow, { at, until }: { at: Date; until: Date }): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sync-run'), ${run.configId})`);
    const busy = await firstRow(
      tx,
      sql`select 1 from sync_runs where config_id = ${run.configId} and status = 'running' and lease_until > ${at.toISOString()}::timestamptz`,
    );
    if (busy) return false;
    const claimed = await tx
      .update(syncRuns)
      .set({ status: 'running', startedAt: at, leaseUntil: until })
      .where(and(eq(syncRuns.id, run.id), eq(syncRuns.status, 'pending')))
      .returning({ id: syncRuns.id });
    return claimed.length > 0;
  });
}

/** Gives up the runs whose lease ended before an instant, or all that are at work. */
export function abandonRuns(db: Db, at: Date, leaseBefore: Date | null): Promise<RunRow[]> {
  const isLost = leaseBefore ? lt(syncRuns.leaseUntil, leaseBefore) : undefined;
  return db
    .update(syncRuns)
    .set({
      status: 'abandoned',
      completedAt: at,
      message: 'The server stopped in the middle. A new run goes on there.',
    })
    .where(and(eq(syncRuns.status, 'running'), isLost))
    .returning();
}

export function findPendingRuns(db: Db): Promise<RunRow[]> {
  return db.select().from(syncRuns).where(eq(syncRuns.status, 'pending')).orderBy(asc(syncRuns.id)).limit(200);
}

/** The run of a configuration that waits or is at work. */
export async function findOpenRun(db: Db, configId: number): Promise<RunRow | undefined> {
  const [found] = await db
    .select()
    .from(syncRuns)
    .where(and(eq(syncRuns.configId, configId), inArray(syncRuns.status, ['pending', 'running'])))
    .orderBy(asc(syncRuns.id))
    .limit(1);
  return found;
}

/** The latest look back of a configuration since an instant. */
export async function findNightlyRun(db: Db, configId: number, since: Date): Promise<RunRow | undefined> {
  const [found] = await db
    .select()
    .from(syncRuns)
    .where(and(eq(syncRuns.configId, configId), eq(syncRuns.cause, 'nightly'), gte(syncRuns.createdAt, since)))
    .orderBy(desc(syncRuns.id))
    .limit(1);
  return found;
}

export function findCursors(db: Db, configId: number): Promise<CursorRow[]> {
  return db.select().from(syncCursors).where(eq(syncCursors.configId, configId));
}

export async function saveCursor(
  db: Db,
  configId: number,
  resource: VendorResource,
  fields: Partial<Omit<CursorRow, 'configId' | 'resource'>>,
): Promise<void> {
  await writeCursor(db, { configId, resource, fields, change: fields });
}

/** As `saveCursor`, for a resource read to its end: one that was asked for since that began stays due. */
export async function saveCursorRead(
  db: Db,
  configId: number,
  resource: VendorResource,
  {
    since,
    now,
    ...fields
  }: Omit<CursorRow, 'configId' | 'resource' | 'rereadOn' | 'cursor'> & {
    cursor?: unknown;
    rereadOn?: string;
    nextDueAt: Date;
    since: Date;
    now: Date;
  },
): Promise<void> {
  const [from, to] = [since.toISOString(), now.toISOString()];
  const { nextDueAt } = syncCursors;
  const next = sql`case when ${nextDueAt} > ${from}::timestamptz and ${nextDueAt} <= ${to}::timestamptz
    then ${nextDueAt} else ${fields.nextDueAt.toISOString()}::timestamptz end`;
  await writeCursor(db, { configId, resource, fields, change: { ...fields, nextDueAt: next } });
}

type Change = PgUpdateSetSource<typeof syncCursors>;
type Written = { configId: number; resource: VendorResource; fields: Partial<CursorRow>; change: Change };

async function writeCursor(db: Db, { configId, resource, fields, change }: Written): Promise<void> {
  await db
    .insert(syncCursors)
    .values({ ...fields, configId, resource })
    .onConflictDoUpdate({ target: [syncCursors.configId, syncCursors.resource], set: change });
}

/** Makes resources due at once, also where a run is just reading them: what is asked for now may be past it. */
export async function makeDue(
  db: Db,
  { configId, resources, at }: { configId: number; resources: readonly string[]; at: Date },
): Promise<void> {
  await db
    .update(syncCursors)
    .set({ nextDueAt: at })
    .where(and(eq(syncCursors.configId, configId), inArray(syncCursors.resource, [...resources])));
}

/** Takes back a run that was asked for and never began: another one was at work. */
export async function deleteUnbegun(db: Db, id: number): Promise<void> {
  await db.delete(syncRuns).where(and(eq(syncRuns.id, id), eq(syncRuns.status, 'pending')));
}

export async function deleteOldRuns(db: Db, before: Date): Promise<void> {
  await rows(
    db,
    sql`delete from sync_runs where created_at < ${before.toISOString()}::timestamptz and status not in ('pending', 'running')`,
  );
}
