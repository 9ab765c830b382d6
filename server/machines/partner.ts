import { eq, type SQL, sql } from 'drizzle-orm';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { vendingMachines } from './tables.ts';

/** A machine as a partner system tells of it; the position is known. */
export type PartnerMachine = {
  name: string;
  machineId: string;
  location: string;
  address: string;
  city: string | null;
  state: string | null;
  latitude: string;
  longitude: string;
  status: string;
  model: string | null;
  serialNumber: string | null;
  integrationId: string;
  integrationSource: string;
  integrationData: unknown;
  lastSeen: Date | null;
};

/** Adds a machine that a partner tells of. A Machine ID already in use gives way to the partner's own id. */
export async function createPartnerMachine(tx: Db, machine: PartnerMachine, at: Date): Promise<number> {
  const dated = { createdAt: at, updatedAt: at };
  const numbers = [machine.machineId, machine.integrationId.slice(0, 100)];
  for (const machineId of numbers) {
    const [made] = await tx
      .insert(vendingMachines)
      .values({ ...machine, ...dated, machineId })
      .onConflictDoNothing({ target: vendingMachines.machineId })
      .returning({ id: vendingMachines.id });
    if (!made) continue;
    const detail = { from: machine.integrationSource, integrationId: machine.integrationId };
    await recordAudit(tx, null, {
      action: 'machine.create',
      objectType: 'vending_machine',
      objectId: made.id,
      detail,
    });
    await publish(tx, { topic: 'machines', ids: [made.id] });
    return made.id;
  }
  throw new Error(`no free Machine ID for ${machine.integrationId}`);
}

/** Writes what a partner changed about a machine, e.g. its new place. */
export async function changePartnerMachine(
  tx: Db,
  id: number,
  change: Partial<PartnerMachine>,
  at: Date,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const [written] = await tx
    .update(vendingMachines)
    .set({ ...change, updatedAt: at })
    .where(eq(vendingMachines.id, id))
    .returning({ route: vendingMachines.routeDesignation });
  const { integrationData: _raw, ...detail } = change;
  await recordAudit(tx, null, { action: 'machine.update', objectType: 'vending_machine', objectId: id, detail });
  await publish(tx, { topic: 'machines', ids: [id], routes: written?.route ? [written.route] : [] });
}

/** Notes when machines were heard of; steps of less than ten minutes are not worth a write each. */
export async function noteMachinesSeen(tx: Db, seen: readonly { id: number; at: Date }[]): Promise<void> {
  if (seen.length === 0) return;
  const touched = await rows<{ id: number; route: string | null }>(
    tx,
    sql`update vending_machines m set last_seen = g.at
        from ${listed(seen)} where m.id = g.id and m.deleted_at is null
          and (m.last_seen is null or m.last_seen < g.at - interval '10 minutes')
        returning m.id, m.route_designation as route`,
  );
  if (touched.length === 0) return;
  const routes = new Set(touched.flatMap(({ route }) => route ?? []));
  await publish(tx, { topic: 'machines', ids: touched.map(({ id }) => id), routes: [...routes] });
}

const listed = (seen: readonly { id: number; at: Date }[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as g(id int, at timestamptz)`;
