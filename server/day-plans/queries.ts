import { and, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import { type DayPlanRow, dayPlans } from './tables.ts';

/** A search gives a sign of life several times a second: without one for this long its process has died. */
const lost = sql<boolean>`${dayPlans.status} in ('solving', 'stopping') and ${dayPlans.updatedAt} < now() - interval '10 seconds'`;

export type FoundPlan = DayPlanRow & { isLost: boolean };

const found = { ...getTableColumns(dayPlans), isLost: lost };

export async function findPlan(db: Db, id: string): Promise<FoundPlan | undefined> {
  const [plan] = await db.select(found).from(dayPlans).where(eq(dayPlans.id, id));
  return plan;
}

export async function lockPlan(db: Db, id: string): Promise<FoundPlan | undefined> {
  const [plan] = await db.select(found).from(dayPlans).where(eq(dayPlans.id, id)).for('update');
  return plan;
}

type Found = Partial<typeof dayPlans.$inferInsert>;

/** Writes what a search found; false when the plan is no longer that search's to write. */
export async function updateSearched(
  db: Db,
  search: { id: string; searchId: string },
  fields: Found,
): Promise<boolean> {
  const written = await db
    .update(dayPlans)
    .set({
      ...fields,
      // Hands work on the picture they see: a newer arrangement is a newer version.
      ...(fields.arrangement ? { version: sql`${dayPlans.version} + 1` as unknown as number } : {}),
      updatedAt: sql`now()` as unknown as Date,
    })
    .where(
      and(
        eq(dayPlans.id, search.id),
        eq(dayPlans.searchId, search.searchId),
        inArray(dayPlans.status, ['solving', 'stopping']),
      ),
    )
    .returning({ id: dayPlans.id });
  return written.length > 0;
}

export async function insertPlan(db: Db, values: typeof dayPlans.$inferInsert): Promise<void> {
  await db.insert(dayPlans).values(values);
}

export async function updatePlan(db: Db, id: string, fields: Partial<typeof dayPlans.$inferInsert>): Promise<void> {
  await db
    .update(dayPlans)
    .set({ ...fields, updatedAt: sql`now()` as unknown as Date })
    .where(eq(dayPlans.id, id));
}

export async function deletePlan(db: Db, id: string): Promise<void> {
  await db.delete(dayPlans).where(eq(dayPlans.id, id));
}

export async function deletePlansBefore(db: Db, at: Date): Promise<void> {
  await db.delete(dayPlans).where(lt(dayPlans.createdAt, at));
}

export type CrewRow = {
  index: number;
  driverName: string | null;
  driverIsActive: boolean | null;
  vehicleName: string | null;
  capacityTotes: number | null;
  depotId: number | null;
  depotName: string | null;
  depotLatitude: string | null;
  depotLongitude: string | null;
};

type CrewWish = {
  driverId?: number | null | undefined;
  vehicleId?: number | null | undefined;
  depotId?: number | null | undefined;
};

/** Names, capacity and depot of crews, in their order; the depot is the chosen one, else the vehicle's, else the default. */
export function findCrews(db: Db, crews: readonly CrewWish[]): Promise<CrewRow[]> {
  const list = crews.map((crew, index) => ({
    index,
    driverId: crew.driverId ?? null,
    vehicleId: crew.vehicleId ?? null,
    depotId: crew.depotId ?? null,
  }));
  return rows<CrewRow>(
    db,
    sql`select c.index, ${personName('u')} as "driverName",
          u.is_active as "driverIsActive", v.name as "vehicleName", v.capacity_totes as "capacityTotes", d.id as "depotId",
          d.name as "depotName", d.latitude::text as "depotLatitude", d.longitude::text as "depotLongitude"
        from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as c(index int, "driverId" int, "vehicleId" int, "depotId" int)
        left join users u on u.id = c."driverId"
        left join vehicles v on v.id = c."vehicleId"
        left join lateral (select * from depots x
          where x.id = coalesce(c."depotId", v.depot_id) or (coalesce(c."depotId", v.depot_id) is null)
          order by x.is_default desc, x.id limit 1) d on true
        order by c.index`,
  );
}
