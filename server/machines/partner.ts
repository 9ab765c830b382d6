import { eq, type SQL, sql } from 'drizzle-orm';
import { recordAudit, recordAudits } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { seenOnly } from '../db/lately.ts';
import { insertRows } from '../db/statements/insert-rows.ts';
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

/**
 * Adds machines that a partner tells of, each of another integration id; returns their ids in order. A Machine ID already
 * in use gives way to the partner's own id.
 */
export async function createPartnerMachines(tx: Db, machines: readonly PartnerMachine[], at: Date): Promise<number[]> {
  const made = new Map<string, number>();
  const namings = [
    (machine: PartnerMachine) => machine.machineId,
    (machine: PartnerMachine) => machine.integrationId.slice(0, 100),
  ];
  for (const nameOf of namings) {
    const missing = machines.filter(({ integrationId }) => !made.has(integrationId));
    if (missing.length === 0) break;
    const named = missing.map((machine) => ({ ...machine, createdAt: at, updatedAt: at, machineId: nameOf(machine) }));
    const added = await rows<{ id: number; integrationId: string }>(
      tx,
      sql`${insertRows(vendingMachines, named)} on conflict (machine_id) do nothing
          returning id, integration_id as "integrationId"`,
    );
    for (const { id, integrationId } of added) made.set(integrationId, id);
  }
  const ids = machines.map(({ integrationId }) => {
    const id = made.get(integrationId);
    if (id === undefined) throw new Error(`no free Machine ID for ${integrationId}`);
    return id;
  });
  await recordAudits(
    tx,
    null,
    machines.map(({ integrationSource, integrationId }, nth) => ({
      action: 'machine.create',
      objectType: 'vending_machine',
      objectId: ids[nth] ?? 0,
      detail: { from: integrationSource, integrationId },
    })),
  );
  if (ids.length > 0) await publish(tx, { topic: 'machines', ids });
  return ids;
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
    seenOnly(sql`update vending_machines m set last_seen = g.at
        from ${listed(seen)} where m.id = g.id and m.deleted_at is null
          and (m.last_seen is null or m.last_seen < g.at - interval '10 minutes')
        returning m.id, m.route_designation as route`),
  );
  if (touched.length === 0) return;
  const routes = new Set(touched.flatMap(({ route }) => route ?? []));
  await publish(tx, { topic: 'machines', ids: touched.map(({ id }) => id), routes: [...routes] });
}

const listed = (seen: readonly { id: number; at: Date }[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as g(id int, at timestamptz)`;
