import { and, asc, desc, eq, gte, or, sql } from 'drizzle-orm';
import type { IncidentStatus } from '../../domain/incident.ts';
import type { Db } from '../db/database.ts';
import { trafficIncidents } from './tables.ts';

export type IncidentRow = typeof trafficIncidents.$inferSelect;
export type NewIncident = typeof trafficIncidents.$inferInsert;

/** Most incidents of one list. */
const listLimit = 500;

/** Active incidents and those resolved since an instant, the active ones first, the newest first. */
export function findIncidents(db: Db, since: Date, status: IncidentStatus | null): Promise<IncidentRow[]> {
  return db
    .select()
    .from(trafficIncidents)
    .where(
      and(
        or(eq(trafficIncidents.status, 'active'), gte(trafficIncidents.resolvedAt, since)),
        status === null ? undefined : eq(trafficIncidents.status, status),
      ),
    )
    .orderBy(asc(trafficIncidents.status), desc(trafficIncidents.reportedAt), desc(trafficIncidents.id))
    .limit(listLimit);
}

export async function findIncident(db: Db, id: number): Promise<IncidentRow | undefined> {
  const [found] = await db.select().from(trafficIncidents).where(eq(trafficIncidents.id, id));
  return found;
}

/** As `findIncident`, held until the transaction ends. */
export async function findIncidentLocked(db: Db, id: number): Promise<IncidentRow | undefined> {
  const [found] = await db.select().from(trafficIncidents).where(eq(trafficIncidents.id, id)).for('update');
  return found;
}

/** The incident that an earlier import made of the same row. */
export async function findImported(
  db: Db,
  same: Pick<IncidentRow, 'title' | 'latitude' | 'longitude'> & { reportedAt: Date | null },
): Promise<IncidentRow | undefined> {
  const [found] = await db
    .select()
    .from(trafficIncidents)
    .where(
      and(
        eq(trafficIncidents.source, 'import'),
        eq(trafficIncidents.title, same.title),
        sql`${trafficIncidents.latitude} = round(${same.latitude}::numeric, 8)`,
        sql`${trafficIncidents.longitude} = round(${same.longitude}::numeric, 8)`,
        same.reportedAt ? eq(trafficIncidents.reportedAt, same.reportedAt) : undefined,
      ),
    )
    .limit(1);
  return found;
}

export async function insertIncident(db: Db, values: NewIncident): Promise<IncidentRow | undefined> {
  const [inserted] = await db.insert(trafficIncidents).values(values).returning();
  return inserted;
}

export async function updateIncidentFields(
  db: Db,
  id: number,
  fields: Partial<NewIncident>,
): Promise<IncidentRow | undefined> {
  const [updated] = await db.update(trafficIncidents).set(fields).where(eq(trafficIncidents.id, id)).returning();
  return updated;
}
