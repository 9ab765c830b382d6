import { and, eq, getTableColumns, ilike, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type Db, firstRow, rows } from '../db/database.ts';
import { countedLately, rememberMany } from '../db/many.ts';
import { atMost, plannedOnce } from '../db/postgres/kept-plans.ts';
import { containing, containsWord, isBlank, partsOf } from '../db/statements/like.ts';
import { findKeys, type Key } from '../db/statements/pieces.ts';
import { named, type Told } from '../db/statements/told.ts';
import type { Deps } from '../deps.ts';
import { vendingMachines } from './tables.ts';

// The partner's raw record can be large and no list carries it.
const { integrationData, searchText, slotCount, slotsUnderPercent, ...columns } = getTableColumns(vendingMachines);

export type MachineRow = Omit<
  typeof vendingMachines.$inferSelect,
  'integrationData' | 'searchText' | 'slotCount' | 'slotsUnderPercent'
>;
type NewMachine = typeof vendingMachines.$inferInsert;

const { deletedAt, changeSeq, changedXid, ...listed } = columns;
const listedFields = named('vending_machines', listed);

export type ListedMachine = Told<Omit<MachineRow, 'deletedAt' | 'changeSeq' | 'changedXid'>>;

/** By name; the first of them where there is a limit. */
export function findMachines(db: Db, condition: SQL, limit: number | null = null): Promise<ListedMachine[]> {
  return rows(
    db,
    plannedOnce(sql`select ${listedFields} from ${vendingMachines} where ${condition}
        order by ${vendingMachines.name}, ${vendingMachines.id} ${limit === null ? sql`` : sql`limit ${atMost(limit)}`}`),
  );
}

/** True for the machines of a route designation, or for all. */
export const hasDesignation = (designation: string | null): SQL =>
  designation === null ? sql`true` : sql`${vendingMachines.routeDesignation} = ${designation}`;

/** Those of `findMachines`, in the same order. */
export function findMachineKeys(db: Db, condition: SQL): Promise<Key[]> {
  return findKeys(
    db,
    sql`select ${vendingMachines.id} as id from ${vendingMachines} where ${condition}
        order by ${vendingMachines.name}, ${vendingMachines.id}`,
  );
}

/** Signs stand for nothing in plain text; here they are looked for as they are. */
const hasSign = /[^\p{L}\p{N}]/u;

/** True where the name, number, location or address of a machine contains a word. */
export const machineSays = (id: SQL, word: string): SQL =>
  sql`${id} in (select t.machine_id from machine_texts t where ${containsWord(sql`t.plain`, word)})`;

export type MachineFilter = {
  q?: string | undefined;
  status?: string | undefined;
  route?: string | undefined;
  sort: 'name' | 'stock';
  cursor?: number | undefined;
  limit: number;
};

const byName = sql`lower(${vendingMachines.name})`;
/** Word for word as in its index. */
const byStock = sql`(${vendingMachines.currentStock}::float8 / greatest(1, ${vendingMachines.capacity}))`;

type Seen = { everything: boolean; machines: SQL };

/** One page of machines and how many match. The cursor is the last machine of the page before, gone or not. */
export async function findMachinePage(
  on: Pick<Deps, 'db' | 'clock'>,
  { everything, machines: inScope }: Seen,
  filter: MachineFilter,
): Promise<{ machines: ListedMachine[]; total: number }> {
  const matching = and(inScope, ...conditionsOf(filter)) ?? inScope;
  const order = filter.sort === 'stock' ? byStock : byName;
  const after = filter.cursor
    ? sql`(${order}, ${vendingMachines.id}) > (select ${order}, ${vendingMachines.id} from ${vendingMachines}
        where ${vendingMachines.id} = ${filter.cursor})`
    : undefined;
  const isSearched = partsOf(filter.q).length > 0;
  // Thousands that say a letter take longer to count than the page to read.
  const what = everything && isSearched ? `machines ${JSON.stringify([filter.q, filter.status, filter.route])}` : null;
  const known = what === null ? null : countedLately(on, what);
  const counting = everything ? countOf(filter, matching) : countRows(matching);
  const counted = known === null ? counting : sql`${known}::int`;
  const statement = sql`
    select ${listedFields}, (${counted}) as total
    from ${vendingMachines} where ${matching} and ${after ?? sql`true`}
    order by ${order}, ${vendingMachines.id} limit ${atMost(filter.limit)}`;
  const { db } = on;
  const found = await rows<ListedMachine & { total: number }>(db, isSearched ? statement : plannedOnce(statement));
  // Without a row to bring it, it is asked for: the rows of this page may have gone since the page before.
  const total = found[0]?.total ?? (after ? await db.$count(vendingMachines, matching) : 0);
  if (what !== null && known === null) rememberMany(on, what, total);
  return { machines: found, total };
}

const countRows = (matching: SQL): SQL => sql`select count(*)::int from ${vendingMachines} where ${matching}`;

/** How many of all machines match. What is asked about texts alone is counted where they lie side by side, what else as it is kept. */
function countOf({ q, status, route }: MachineFilter, matching: SQL): SQL {
  const words = partsOf(q);
  if (words.length === 0) return countKept({ status, route });
  if (status || route || words.some((word) => hasSign.test(word))) return countRows(matching);
  const says = words.map((word) => containsWord(sql`t.plain`, word));
  return sql`select count(*)::int from machine_texts t where ${sql.join([sql`t.living`, ...says], sql` and `)}`;
}

/** How many living machines there are, of a status or on a route. */
export function countKept({ status, route }: Pick<MachineFilter, 'status' | 'route'>): SQL {
  const ofStatus = status ? sql`c.status = ${status}` : sql`true`;
  const ofRoute = route ? sql`c.route_designation = ${route}` : sql`true`;
  return sql`select coalesce(sum(c.machines), 0)::int from machine_counts c where ${ofStatus} and ${ofRoute}`;
}

function conditionsOf({ q, status, route }: MachineFilter): (SQL | undefined)[] {
  const { id, name, machineId, location, address } = vendingMachines;
  const isAsWritten = (word: string): SQL | undefined =>
    hasSign.test(word)
      ? or(...[name, machineId, location, address].map((column) => ilike(column, containing(word))))
      : undefined;
  return [
    ...partsOf(q).flatMap((word) => [isBlank(word) ? undefined : machineSays(sql`${id}`, word), isAsWritten(word)]),
    status ? eq(vendingMachines.status, status) : undefined,
    route ? eq(vendingMachines.routeDesignation, route) : undefined,
  ];
}

export async function findMachine(db: Db, inScope: SQL, id: number): Promise<MachineRow | undefined> {
  const [found] = await db
    .select(columns)
    .from(vendingMachines)
    .where(and(eq(vendingMachines.id, id), inScope));
  return found;
}

/** What the partner or the list that a machine comes from told of it. */
export async function findIntegrationData(db: Db, id: number): Promise<unknown> {
  const [found] = await db.select({ integrationData }).from(vendingMachines).where(eq(vendingMachines.id, id));
  return found?.integrationData ?? null;
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

/** Whether another machine has this Machine ID but for capitals. */
export async function hasTwin(db: Db, machineId: string, id: number | null): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select id from vending_machines where lower(machine_id) = lower(${machineId}) and id is distinct from ${id} limit 1`,
  );
  return found !== undefined;
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

export async function renameMachineDesignation(db: Db, from: string, to: string): Promise<void> {
  await db.execute(
    sql`update vending_machines set route_designation = ${to}, updated_at = now() where route_designation = ${from}`,
  );
}
