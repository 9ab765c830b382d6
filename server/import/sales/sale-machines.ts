import { saveImportedMachines } from '../../machines/service.ts';
import { findDefaultDepot, findMachineIds } from '../queries.ts';
import type { Run } from '../run.ts';
import type { SoldRow } from './sale-rows.ts';

/** Where a machine is put that nobody has placed yet and no depot is known: the middle of the contiguous United States. */
const nowhere = { latitude: '39.82830000', longitude: '-98.57950000' };

export type Machines = { idOf: (deviceId: string) => number | undefined; created: string[] };

/** Knows the machines that sales name, and makes those that do not exist yet, to be placed by a person. */
export function machinesOf(run: Run): Machines & { ensure: (sales: readonly SoldRow[]) => Promise<void> } {
  const ids = new Map<string, number>();
  const created: string[] = [];
  const ensure = async (sales: readonly SoldRow[]): Promise<void> => {
    const wanted = new Map(sales.filter((sale) => !ids.has(sale.deviceId)).map((sale) => [sale.deviceId, sale]));
    if (wanted.size === 0) return;
    const known = await findMachineIds(run.tx, [...wanted.keys()]);
    const missing = [...wanted.values()].filter((sale) => !known.has(sale.deviceId));
    if (missing.length) await create(run, missing);
    created.push(...missing.map((sale) => sale.deviceId));
    for (const [deviceId, id] of await findMachineIds(run.tx, [...wanted.keys()])) ids.set(deviceId, id);
  };
  return { idOf: (deviceId) => ids.get(deviceId), created, ensure };
}

async function create(run: Run, missing: readonly SoldRow[]): Promise<void> {
  const depot = await findDefaultDepot(run.tx);
  const { latitude, longitude } = depot ?? nowhere;
  await saveImportedMachines(
    run.tx,
    missing.map((sale) => ({
      integrationId: `import:device:${sale.deviceId}`,
      integrationSource: 'import',
      machineId: sale.deviceId,
      name: sale.machineName,
      fallbackName: sale.deviceId,
      location: sale.location,
      fallbackLocation: '(unknown place)',
      address: null,
      fallbackAddress: '(no address)',
      city: null,
      state: null,
      latitude,
      longitude,
      status: null,
      routeDesignation: null,
      data: null,
    })),
    run.at,
  );
  const where = depot ? `at the depot ${depot.name}` : 'in the middle of the country, as there is no depot';
  for (const { deviceId, machineName } of missing) {
    const name = machineName && machineName !== deviceId ? `${deviceId} (${machineName})` : deviceId;
    run.tally.note(`Machine ${name} was new and stands ${where}: place unknown, set it on the machine.`);
  }
}
