import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { depots, vehicles } from '../route-planning/tables.ts';

type DepotFields = Omit<typeof depots.$inferInsert, 'id'>;
type VehicleFields = Omit<typeof vehicles.$inferInsert, 'id'>;

export const findDepots = (db: Db) => db.select().from(depots).orderBy(asc(depots.name), asc(depots.id));
export const findVehicles = (db: Db) => db.select().from(vehicles).orderBy(asc(vehicles.name), asc(vehicles.id));

export async function findDepot(db: Db, id: number) {
  const [found] = await db.select().from(depots).where(eq(depots.id, id)).for('update');
  return found;
}

export async function findVehicle(db: Db, id: number) {
  const [found] = await db.select().from(vehicles).where(eq(vehicles.id, id)).for('update');
  return found;
}

export async function insertDepot(db: Db, fields: DepotFields) {
  const [made] = await db.insert(depots).values(fields).returning();
  return made;
}

export async function updateDepotFields(db: Db, id: number, fields: DepotFields) {
  const [changed] = await db.update(depots).set(fields).where(eq(depots.id, id)).returning();
  return changed;
}

/** At most one depot is the default. */
export async function clearDefault(db: Db): Promise<void> {
  await db.update(depots).set({ isDefault: false }).where(eq(depots.isDefault, true));
}

export async function deleteDepot(db: Db, id: number): Promise<void> {
  await db.delete(depots).where(eq(depots.id, id));
}

export async function insertVehicle(db: Db, fields: VehicleFields) {
  const [made] = await db.insert(vehicles).values(fields).returning();
  return made;
}

export async function updateVehicleFields(db: Db, id: number, fields: VehicleFields) {
  const [changed] = await db.update(vehicles).set(fields).where(eq(vehicles.id, id)).returning();
  return changed;
}

export async function deleteVehicle(db: Db, id: number): Promise<void> {
  await db.delete(vehicles).where(eq(vehicles.id, id));
}

/** What still needs a depot: vehicles that stand there, and routes from a day on. */
export async function countDepotUses(db: Db, id: number, from: string): Promise<{ vehicles: number; routes: number }> {
  const found = await firstRow<{ vehicles: number; routes: number }>(
    db,
    sql`select (select count(*)::int from vehicles where depot_id = ${id}) as vehicles,
               (select count(*)::int from routes where depot_id = ${id} and date >= ${from}) as routes`,
  );
  return found ?? { vehicles: 0, routes: 0 };
}

export async function countVehicleRoutes(db: Db, id: number, from: string): Promise<number> {
  const found = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from routes where vehicle_id = ${id} and date >= ${from}`,
  );
  return found?.n ?? 0;
}
