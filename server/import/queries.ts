import { sql } from 'drizzle-orm';
import type { LocationType } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';

/** Integration ids that a location of the other type holds already. */
export async function findOfOtherType(db: Db, type: LocationType, ids: readonly string[]): Promise<Set<string>> {
  const other = type === 'market' ? sql.identifier('vending_machines') : sql.identifier('markets');
  const found = await rows<{ id: string }>(
    db,
    sql`select integration_id as id from ${other}
        where deleted_at is null
          and integration_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
  );
  return new Set(found.map((row) => row.id));
}

/** Database ids of machines by their Machine ID. */
export async function findMachineIds(db: Db, machineIds: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ machineId: string; id: number }>(
    db,
    sql`select machine_id as "machineId", id from vending_machines
        where deleted_at is null
          and machine_id in (select jsonb_array_elements_text(${JSON.stringify(machineIds)}::jsonb))`,
  );
  return new Map(found.map((row) => [row.machineId, row.id]));
}

export type DepotPoint = { name: string; address: string; latitude: string; longitude: string };

/** The depot that routes start from unless told otherwise. */
export function findDefaultDepot(db: Db): Promise<DepotPoint | undefined> {
  return firstRow<DepotPoint>(
    db,
    sql`select name, address, latitude::text, longitude::text from depots order by is_default desc, id limit 1`,
  );
}

/** Database ids of machines by name, in lower case; names that several machines share are left out. */
export async function findMachineIdsByName(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ name: string; id: number }>(
    db,
    sql`select lower(name) as name, min(id) as id from vending_machines
        where deleted_at is null
          and lower(name) in (select lower(n) from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) n)
        group by lower(name) having count(*) = 1`,
  );
  return new Map(found.map((row) => [row.name, row.id]));
}
