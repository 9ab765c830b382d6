import { and, eq, isNull, sql } from 'drizzle-orm';
import { type OperatorRules, usualRules } from '../../domain/operator-rules.ts';
import { dayIn } from '../../domain/time.ts';
import type { DistanceUnit } from '../../domain/unit-schemas.ts';
import { type Db, rows } from '../db/database.ts';
import { lately } from '../db/lately.ts';
import type { Clock } from '../deps.ts';
import { installation, operator, routeDesignations } from './tables.ts';

export type Operator = OperatorRules & {
  name: string;
  timeZone: string;
  currency: string;
  distanceUnit: DistanceUnit;
  mapStyleUrl: string | null;
  isDemo: boolean;
  demoProfile: string | null;
  demoSeed: number | null;
  demoUntil: string | null;
};

const unset: Operator = {
  ...usualRules,
  name: '',
  timeZone: 'UTC',
  currency: 'USD',
  distanceUnit: 'mi',
  mapStyleUrl: null,
  isDemo: false,
  demoProfile: null,
  demoSeed: null,
  demoUntil: null,
};

/** The operator's settings; neutral ones before the first administrator has set them. */
export function getOperator(db: Db): Promise<Operator> {
  return lately(db, { key: 'operator', from: ['operator'] }, async () => {
    const [row] = await db.select().from(operator).where(eq(operator.id, 1));
    if (!row) return unset;
    return { ...row, distanceUnit: row.distanceUnit === 'km' ? 'km' : 'mi' };
  });
}

/** Until the end of the transaction nobody else changes the operator's row, if there is one. */
export async function lockOperator(tx: Db): Promise<void> {
  await tx.select({ id: operator.id }).from(operator).where(eq(operator.id, 1)).for('update');
}

/** Creates or changes the operator's one row. */
export async function saveOperator(db: Db, fields: Partial<Operator>): Promise<void> {
  const values = { ...unset, ...fields };
  await db
    .insert(operator)
    .values({ id: 1, ...values })
    .onConflictDoUpdate({ target: operator.id, set: Object.keys(fields).length ? fields : { name: values.name } });
}

/** The operator's row with neutral settings where there is none: sums of sales are kept by its days and in its currency. */
export async function ensureOperator(db: Db): Promise<void> {
  await db
    .insert(operator)
    .values({ id: 1, ...unset })
    .onConflictDoNothing();
}

/** Designations that a person named and nobody retired, carried by a place or not. */
export async function namedDesignations(db: Db): Promise<string[]> {
  const found = await db
    .select({ name: routeDesignations.name })
    .from(routeDesignations)
    .where(isNull(routeDesignations.retiredAt));
  return found.map(({ name }) => name);
}

/** Every route that a place or a person is on. */
export async function designationsInUse(db: Db): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    sql`select route_designation as name from machine_counts where machines > 0 and route_designation <> ''
        union select route_designation from markets where deleted_at is null and route_designation <> ''
        union select route_designation from users where is_active and route_designation <> '' order by 1`,
  );
  return found.map(({ name }) => name);
}

/** Names a designation, retired since an instant or in use. */
export async function saveDesignation(db: Db, name: string, retiredAt: Date | null): Promise<void> {
  await db
    .insert(routeDesignations)
    .values({ name, retiredAt })
    .onConflictDoUpdate({ target: routeDesignations.name, set: { retiredAt } });
}

export async function forgetDesignation(db: Db, name: string): Promise<void> {
  await db.delete(routeDesignations).where(eq(routeDesignations.name, name));
}

/** Today's calendar day where the operator is. */
export async function today(db: Db, clock: Clock): Promise<string> {
  return dayIn((await getOperator(db)).timeZone, clock.now());
}

/** When this database came back from an archive: phones that copied the one before copy all of it again. */
export const restoredMarker = 'restored-at';

/** A durable marker of this installation by name. */
export async function getMarker(db: Db, name: string): Promise<string | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, name));
  return row?.value ?? null;
}

/** Sets a marker, or removes it with null. */
export async function setMarker(db: Db, name: string, value: string | null): Promise<void> {
  if (value === null) {
    await db.delete(installation).where(eq(installation.name, name));
    return;
  }
  await db
    .insert(installation)
    .values({ name, value })
    .onConflictDoUpdate({ target: installation.name, set: { value } });
}

/** Removes a marker that has this value; false when it has not. Of two callers at once only one is told true. */
export async function takeMarker(db: Db, name: string, value: string): Promise<boolean> {
  const taken = await db
    .delete(installation)
    .where(and(eq(installation.name, name), eq(installation.value, value)))
    .returning({ name: installation.name });
  return taken.length === 1;
}
