import { type SQL, sql } from 'drizzle-orm';
import type { Reply } from '../../contract/endpoint.ts';
import type { MachineRecord, machinePage, VendingMachine } from '../../contract/machines.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import type { MachineInput, MachineUpdate } from '../../domain/machine.ts';
import { may } from '../../domain/permissions.ts';
import { resolveAlertsOfMachine } from '../alerts/service.ts';
import { requireNewest } from '../audit/older-edit.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { blanksToNull } from '../db/statements/blanks.ts';
import { atOnceOrInPieces, isOneOf } from '../db/statements/pieces.ts';
import { isoInstant, isoOrNull } from '../db/statements/told.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Pieces } from '../http/long-list.ts';
import { removeStockOf } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { requireStatus } from '../locations/service.ts';
import { tellRoutesTo } from '../route-planning/service.ts';
import { machineInScope, scopeOf } from '../scope/service.ts';
import {
  findIntegrationData,
  findMachine,
  findMachineKeys,
  findMachineLocked,
  findMachinePage,
  findMachines,
  hasDesignation,
  hasTwin,
  insertMachine,
  type ListedMachine,
  type MachineFilter,
  type MachineRow,
  updateMachineDeleted,
  updateMachineFields,
} from './queries.ts';
import { vendingMachines } from './tables.ts';

export { clearSumsWithoutSlots, countWrongCounts, remakeCounts } from './counts.ts';
export { type ImportedMachine, saveImportedMachines, takeBackMachines } from './imported.ts';
export { findMachineWords, hasWords } from './machine-words.ts';
export { changePartnerMachine, createPartnerMachines, noteMachinesSeen, type PartnerMachine } from './partner.ts';
export { countKept, machineSays, renameMachineDesignation } from './queries.ts';

export async function listMachines(
  deps: Deps,
  caller: Caller,
  designation: string | null,
): Promise<Pieces<VendingMachine>> {
  const { db } = deps;
  const inScope = machineInScope(await scopeOf(deps, caller));
  const wanted = sql`${inScope} and ${hasDesignation(designation)}`;
  return atOnceOrInPieces({
    upTo: async (limit) => (await findMachines(db, wanted, limit)).map(toListed),
    keys: () => findMachineKeys(db, wanted),
    read: (ids) => loadMachines(db, sql`${inScope} and ${isOneOf(vendingMachines.id, ids)}`),
  });
}

/** One page of the machines that match, and the cursor of the next. */
export async function pageOfMachines(
  deps: Deps,
  caller: Caller,
  filter: MachineFilter,
): Promise<Reply<typeof machinePage>> {
  const scope = await scopeOf(deps, caller);
  const seen = { everything: scope.everything, machines: machineInScope(scope) };
  // One more than asked for says whether there is a next page.
  const found = await findMachinePage(deps, seen, { ...filter, limit: filter.limit + 1 });
  const machines = found.machines.slice(0, filter.limit);
  const hasMore = found.machines.length > filter.limit;
  return {
    machines: machines.map(toListed),
    total: found.total,
    next: hasMore ? (machines.at(-1)?.id ?? null) : null,
  };
}

export async function getMachine(deps: Deps, caller: Caller, id: number): Promise<VendingMachine> {
  const found = await findMachine(deps.db, machineInScope(await scopeOf(deps, caller)), id);
  if (!found) throw notFound('machine');
  return toMachine(found);
}

/** The same, for the office with what its partner told of it. */
export async function getMachineRecord(deps: Deps, caller: Caller, id: number): Promise<MachineRecord> {
  const machine = await getMachine(deps, caller, id);
  if (!may(caller.role, 'office:read')) return machine;
  return { ...machine, integrationData: await findIntegrationData(deps.db, id) };
}

export async function createMachine(deps: Deps, caller: Caller, input: MachineInput): Promise<VendingMachine> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    await refuseTwin(tx, input.machineId, null);
    const values = { ...storedOf(input), createdAt: at, updatedAt: at };
    const created = written(await insertMachine(tx, values));
    await recordAudit(tx, caller, { action: 'machine.create', objectType: 'vending_machine', objectId: created.id });
    await tell(tx, [created]);
    return toMachine(created);
  });
}

type Stored<T> = Omit<T, 'lastMaintenance'> & { lastMaintenance?: Date | null };

function storedOf<T extends MachineUpdate>({ lastMaintenance, ...fields }: T): Stored<T> {
  const at = lastMaintenance ? new Date(lastMaintenance) : null;
  return { ...blanksToNull(fields), ...(lastMaintenance === undefined ? {} : { lastMaintenance: at }) };
}

/** Two instants are alike where they are written alike. */
const inWords = (fields: { lastMaintenance?: Date | null }): Record<string, unknown> =>
  fields.lastMaintenance ? { ...fields, lastMaintenance: fields.lastMaintenance.toISOString() } : fields;

/** Partners write a number in capitals or not: of two machines that differ by these alone, their sales could be either's. */
async function refuseTwin(db: Db, machineId: string, id: number | null): Promise<void> {
  if (!(await hasTwin(db, machineId, id))) return;
  const sentence = 'Another machine has this Machine ID. Machine IDs are unique.';
  throw new AppError('conflict', sentence, { fields: { machineId: sentence } });
}

export async function updateMachine(
  deps: Deps,
  caller: Caller,
  id: number,
  { input, version }: { input: MachineUpdate; version: number | null },
): Promise<VendingMachine> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    const before = await findMachineLocked(tx, inScope, id);
    if (!before) throw notFound('machine');
    const versions = { read: version, held: before.updatedAt.getTime() };
    await requireNewest(tx, versions, { subject: 'This machine was', objectType: 'vending_machine', id });
    requireStatus(input.status, before.status);
    const { machineId = before.machineId } = input;
    if (machineId !== before.machineId) await refuseTwin(tx, machineId, id);
    const { accessNotes, notes, ...told } = storedOf(input);
    const values = { ...told, accessNotes, notes, updatedAt: deps.clock.now() };
    const after = written(await updateMachineFields(tx, id, values));
    const detail = changedFields(inWords(before), inWords(told));
    await recordAudit(tx, caller, { action: 'machine.update', objectType: 'vending_machine', objectId: id, detail });
    await tell(tx, [before, after]);
    return toMachine(after);
  });
}

/** Takes a machine, its slots and its open alerts off every list. Stops of routes under way keep naming it. */
export async function removeMachine(deps: Deps, caller: Caller, id: number): Promise<{ id: number }> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const before = await findMachine(tx, inScope, id);
    if (!before) throw notFound('machine');
    // Stock before its location: counts lock in this order too.
    await removeStockOf(tx, { type: 'vending_machine', id }, at);
    await resolveAlertsOfMachine(tx, before);
    if (!(await updateMachineDeleted(tx, id, at))) throw notFound('machine');
    await recordAudit(tx, caller, {
      action: 'machine.remove',
      objectType: 'vending_machine',
      objectId: id,
      detail: { name: before.name, machineId: before.machineId },
    });
    await tellRoutesTo(tx, { type: 'vending_machine', id });
    await tell(tx, [before]);
    return { id };
  });
}

function written(row: MachineRow | undefined): MachineRow {
  if (!row) throw new AppError('internal', 'The machine was not stored.');
  return row;
}

async function tell(tx: Db, touched: readonly MachineRow[]): Promise<void> {
  const ids = new Set(touched.map((machine) => machine.id));
  const routes = new Set(touched.flatMap((machine) => machine.routeDesignation ?? []));
  await publish(tx, { topic: 'machines', ids: [...ids], routes: [...routes] });
}

function toMachine(row: MachineRow): VendingMachine {
  const { changeSeq, changedXid, deletedAt, ...told } = row;
  return {
    ...told,
    lastRestocked: row.lastRestocked?.toISOString() ?? null,
    lastMaintenance: row.lastMaintenance?.toISOString() ?? null,
    lastSeen: row.lastSeen?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toListed(row: ListedMachine): VendingMachine {
  return {
    ...row,
    lastRestocked: isoOrNull(row.lastRestocked),
    lastMaintenance: isoOrNull(row.lastMaintenance),
    lastSeen: isoOrNull(row.lastSeen),
    createdAt: isoInstant(row.createdAt),
    updatedAt: isoInstant(row.updatedAt),
  };
}

/** Machines under a condition on the table, as they travel. */
export async function loadMachines(db: Db, condition: SQL): Promise<VendingMachine[]> {
  return (await findMachines(db, condition)).map(toListed);
}
