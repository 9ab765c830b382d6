import { and, asc, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { vendingMachines } from './tables.ts';

// The partner's raw record can be large and no reply carries it.
const { integrationData, ...columns } = getTableColumns(vendingMachines);

export type MachineRow = Omit<typeof vendingMachines.$inferSelect, 'integrationData'>;
type NewMachine = typeof vendingMachines.$inferInsert;

export function findMachines(db: Db, inScope: SQL, designation: string | null): Promise<MachineRow[]> {
  const wanted = designation === null ? undefined : eq(vendingMachines.routeDesignation, designation);
  return db
    .select(columns)
    .from(vendingMachines)
    .where(and(inScope, wanted))
    .orderBy(asc(vendingMachines.name), asc(vendingMachines.id));
}

export async function findMachine(db: Db, inScope: SQL, id: number): Promise<MachineRow | undefined> {
  const [found] = await db
    .select(columns)
    .from(vendingMachines)
    .where(and(eq(vendingMachines.id, id), inScope));
  return found;
}

/** As `findMachine`, held until the transaction ends. */
export async function findMachineLocked(db: Db, inScope: SQL, id: number): Promise<MachineRow | undefined> {
  const [found] = await db
    .select(columns)
    .from(vendingMachines)
    .where(and(eq(vendingMachines.id, id), inScope))
    .for('update');
  return found;
}

export async function insertMachine(db: Db, machine: NewMachine): Promise<MachineRow | undefined> {
  const [inserted] = await db.insert(vendingMachines).values(machine).returning(columns);
  return inserted;
}

export async function updateMachineFields(
  db: Db,
  id: number,
  fields: Partial<NewMachine>,
): Promise<MachineRow | undefined> {
  const [updated] = await db.update(vendingMachines).set(fields).where(eq(vendingMachines.id, id)).returning(columns);
  return updated;
}

/**
 * Marks a machine as gone. Its Machine ID and Integration ID are unique and the row stays for its history: a suffix
 * sets both free, so that a machine taken back or replaced can carry the same number. 75 characters leave room for it.
 */
export async function updateMachineDeleted(db: Db, id: number, at: Date): Promise<boolean> {
  const suffix = sql`'~deleted-' || ${vendingMachines.id}`;
  const deleted = await db
    .update(vendingMachines)
    .set({
      deletedAt: at,
      updatedAt: at,
      machineId: sql`left(${vendingMachines.machineId}, 75) || ${suffix}`,
      integrationId: sql`${vendingMachines.integrationId} || ${suffix}`,
    })
    .where(and(eq(vendingMachines.id, id), isNull(vendingMachines.deletedAt)))
    .returning({ id: vendingMachines.id });
  return deleted.length > 0;
}
