import type { Depot, Vehicle } from '../../contract/settings.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import type { DepotInput, VehicleInput } from '../../domain/fleet.ts';
import { contentVersion, requireNewest } from '../audit/older-edit.ts';
import { changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { today } from '../settings/service.ts';
import * as queries from './queries.ts';

export const listFleet = async (db: Db): Promise<{ depots: Depot[]; vehicles: Vehicle[] }> => ({
  depots: (await queries.findDepots(db)).map(versioned),
  vehicles: (await queries.findVehicles(db)).map(versioned),
});

const versioned = <R extends object>(row: R): R & { version: number } => ({ ...row, version: contentVersion(row) });

type Edit<I> = { input: I; version: number | null };

type Noted = { action: string; objectType: string; id: number; detail: object };

async function note(tx: Db, caller: Caller, { action, objectType, id, detail }: Noted): Promise<void> {
  await recordAudit(tx, caller, { action, objectType, objectId: id, detail: { ...detail } });
  await publish(tx, { topic: 'settings', ids: [] });
}

/** Adds a depot. The first one is the default, whatever is asked: routes must begin somewhere. */
export function createDepot(deps: Deps, caller: Caller, input: DepotInput): Promise<Depot> {
  return deps.db.transaction(async (tx) => {
    const isFirst = (await queries.findDepots(tx)).length === 0;
    if (input.isDefault) await queries.clearDefault(tx);
    const made = await queries.insertDepot(tx, { ...input, isDefault: input.isDefault || isFirst });
    if (!made) throw new AppError('internal', 'The depot was not stored.');
    await note(tx, caller, { action: 'depot.create', objectType: 'depot', id: made.id, detail: { name: made.name } });
    return versioned(made);
  });
}

export function updateDepot(
  deps: Deps,
  caller: Caller,
  id: number,
  { input, version }: Edit<DepotInput>,
): Promise<Depot> {
  return deps.db.transaction(async (tx) => {
    const before = await queries.findDepot(tx, id);
    if (!before) throw notFound('depot');
    const versions = { read: version, held: versioned(before).version };
    await requireNewest(tx, versions, { subject: 'This depot was', objectType: 'depot', id });
    if (before.isDefault && !input.isDefault) {
      const sentence = 'One depot is the default. Make another one the default instead.';
      throw new AppError('invalid-input', sentence, { fields: { isDefault: sentence } });
    }
    if (input.isDefault) await queries.clearDefault(tx);
    const changed = await queries.updateDepotFields(tx, id, input);
    if (!changed) throw notFound('depot');
    const detail = changedFields(before, input);
    await note(tx, caller, { action: 'depot.update', objectType: 'depot', id, detail });
    return versioned(changed);
  });
}

export function removeDepot(deps: Deps, caller: Caller, id: number): Promise<Record<string, never>> {
  return deps.db.transaction(async (tx) => {
    const before = await queries.findDepot(tx, id);
    if (!before) throw notFound('depot');
    const uses = await queries.countDepotUses(tx, id, await today(tx, deps.clock));
    if (uses.vehicles > 0)
      throw new AppError('conflict', 'Vehicles start from this depot. Give them another one first.');
    if (uses.routes > 0)
      throw new AppError('conflict', 'Routes of today or later start from this depot. Change them first.');
    if (before.isDefault && (await queries.findDepots(tx)).length > 1) {
      throw new AppError('conflict', 'This is the default depot. Make another one the default first.');
    }
    await queries.deleteDepot(tx, id);
    await note(tx, caller, { action: 'depot.remove', objectType: 'depot', id, detail: { name: before.name } });
    return {};
  });
}

export function createVehicle(deps: Deps, caller: Caller, input: VehicleInput): Promise<Vehicle> {
  return deps.db.transaction(async (tx) => {
    const made = await queries.insertVehicle(tx, await known(tx, input));
    if (!made) throw new AppError('internal', 'The vehicle was not stored.');
    await note(tx, caller, {
      action: 'vehicle.create',
      objectType: 'vehicle',
      id: made.id,
      detail: { name: made.name },
    });
    return versioned(made);
  });
}

export function updateVehicle(
  deps: Deps,
  caller: Caller,
  id: number,
  { input, version }: Edit<VehicleInput>,
): Promise<Vehicle> {
  return deps.db.transaction(async (tx) => {
    const before = await queries.findVehicle(tx, id);
    if (!before) throw notFound('vehicle');
    const versions = { read: version, held: versioned(before).version };
    await requireNewest(tx, versions, { subject: 'This vehicle was', objectType: 'vehicle', id });
    const changed = await queries.updateVehicleFields(tx, id, await known(tx, input));
    if (!changed) throw notFound('vehicle');
    const detail = changedFields(before, input);
    await note(tx, caller, { action: 'vehicle.update', objectType: 'vehicle', id, detail });
    return versioned(changed);
  });
}

/** With empty texts as nothing, and a depot that is there. */
async function known(tx: Db, { depotId = null, licensePlate, ...rest }: VehicleInput) {
  if (depotId !== null && !(await queries.findDepot(tx, depotId))) {
    const sentence = 'This depot is gone. Choose another one.';
    throw new AppError('invalid-input', sentence, { fields: { depotId: sentence } });
  }
  return { ...rest, depotId, licensePlate: licensePlate || null };
}

export function removeVehicle(deps: Deps, caller: Caller, id: number): Promise<Record<string, never>> {
  return deps.db.transaction(async (tx) => {
    const before = await queries.findVehicle(tx, id);
    if (!before) throw notFound('vehicle');
    if ((await queries.countVehicleRoutes(tx, id, await today(tx, deps.clock))) > 0) {
      throw new AppError('conflict', 'Routes of today or later use this vehicle. Give them another one first.');
    }
    await queries.deleteVehicle(tx, id);
    await note(tx, caller, { action: 'vehicle.remove', objectType: 'vehicle', id, detail: { name: before.name } });
    return {};
  });
}
