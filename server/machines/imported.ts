import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { madeIds, rowsBefore, type WrittenRow } from '../db/statements/written-before.ts';
import { publish } from '../live/hub.ts';

/** A machine out of a file or a partner system. Null keeps what is stored. */
export type ImportedMachine = {
  integrationId: string;
  integrationSource: string;
  machineId: string;
  name: string | null;
  /** For a new machine without a name, place or address. */
  fallbackName: string;
  fallbackLocation: string;
  fallbackAddress: string;
  location: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  latitude: string;
  longitude: string;
  status: string | null;
  routeDesignation: string | null;
  accessHours?: string | null;
  model?: string | null;
  serialNumber?: string | null;
  data: Record<string, string> | null;
};

type Touched = { id: number; routeDesignation: string | null };

const listed = (machines: readonly ImportedMachine[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(machines)}::jsonb) as g("integrationId" text, "integrationSource" text,
    "machineId" text, name text, "fallbackName" text, "fallbackLocation" text, "fallbackAddress" text, location text,
    address text, city text, state text, latitude numeric(10,8), longitude numeric(11,8), status text,
    "routeDesignation" text, "accessHours" text, model text, "serialNumber" text, data jsonb)`;

/**
 * Creates machines and updates those known by their integration id or Machine ID, many per statement; both ids must
 * differ within one call.
 */
export async function saveImportedMachines(
  tx: Db,
  machines: readonly ImportedMachine[],
  at: Date,
): Promise<{ created: number; updated: number }> {
  if (machines.length === 0) return { created: 0, updated: 0 };
  const updated = await updateKnown(tx, machines, at);
  const created = await insertNew(tx, machines, at);
  const touched = [...updated, ...created];
  if (touched.length) await tell(tx, touched);
  return { created: created.length, updated: updated.length };
}

function updateKnown(tx: Db, machines: readonly ImportedMachine[], at: Date): Promise<Touched[]> {
  return rows<Touched>(
    tx,
    sql`update vending_machines m set name = n.name, location = n.location, address = n.address, city = n.city, state = n.state,
          latitude = n.latitude, longitude = n.longitude, status = n.status, route_designation = n.route,
          access_hours = n.hours, model = n.model, serial_number = n.serial, integration_data = n.data, updated_at = ${at.toISOString()}::timestamptz
        from (select distinct on (o.id) o.id, coalesce(g.name, o.name) as name, coalesce(g.location, o.location) as location,
                coalesce(g.address, o.address) as address, coalesce(g.city, o.city) as city,
                coalesce(g.state, o.state) as state, g.latitude, g.longitude, coalesce(g.status, o.status) as status,
                coalesce(g."routeDesignation", o.route_designation) as route,
                coalesce(g."accessHours", o.access_hours) as hours, coalesce(g.model, o.model) as model,
                coalesce(g."serialNumber", o.serial_number) as serial, coalesce(g.data, o.integration_data) as data
              from ${listed(machines)}
              join vending_machines o on (o.integration_id = g."integrationId" or o.machine_id = g."machineId")
                and o.deleted_at is null
              order by o.id, o.integration_id = g."integrationId" desc) n
        where m.id = n.id and (m.name, m.location, m.address, m.city, m.state, m.latitude, m.longitude, m.status,
            m.route_designation, m.access_hours, m.model, m.serial_number, m.integration_data)
          is distinct from (n.name, n.location, n.address, n.city, n.state, n.latitude, n.longitude, n.status, n.route, n.hours,
            n.model, n.serial, n.data)
        returning m.id, m.route_designation as "routeDesignation"`,
  );
}

function insertNew(tx: Db, machines: readonly ImportedMachine[], at: Date): Promise<Touched[]> {
  const when = sql`${at.toISOString()}::timestamptz`;
  return rows<Touched>(
    tx,
    sql`insert into vending_machines (name, machine_id, location, address, city, state, latitude, longitude, status,
          route_designation, access_hours, model, serial_number, integration_id, integration_source, integration_data, created_at, updated_at)
        select coalesce(g.name, g."fallbackName"), g."machineId", coalesce(g.location, g."fallbackLocation"),
          coalesce(g.address, g."fallbackAddress"), g.city, g.state, g.latitude, g.longitude, coalesce(g.status, 'active'),
          g."routeDesignation", g."accessHours", g.model, g."serialNumber", g."integrationId", g."integrationSource", g.data, ${when}, ${when}
        from ${listed(machines)} on conflict do nothing returning id, route_designation as "routeDesignation"`,
  );
}

async function tell(tx: Db, touched: readonly Touched[]): Promise<void> {
  const routes = new Set(touched.flatMap((machine) => machine.routeDesignation ?? []));
  await publish(tx, { topic: 'machines', ids: touched.map((machine) => machine.id), routes: [...routes] });
}

/** Takes back what an import wrote: its new machines go, changed ones read as before. */
export async function takeBackMachines(tx: Db, written: readonly WrittenRow[], at: Date): Promise<void> {
  const when = sql`${at.toISOString()}::timestamptz`;
  const gone = await rows<Touched>(
    tx,
    sql`update vending_machines set deleted_at = ${when}, updated_at = ${when},
          machine_id = left(machine_id, 75) || '~deleted-' || id, integration_id = integration_id || '~deleted-' || id
        where deleted_at is null and id in ${madeIds(written)} returning id, route_designation as "routeDesignation"`,
  );
  const back = await rows<Touched>(
    tx,
    sql`update vending_machines m set name = n.name, location = n.location, address = n.address, city = n.city, state = n.state,
          latitude = n.latitude, longitude = n.longitude, status = n.status, route_designation = n.route_designation,
          access_hours = n.access_hours, model = n.model, serial_number = n.serial_number,
          integration_data = n.integration_data, updated_at = ${when}
        from ${rowsBefore(written, sql`vending_machines`)} n where m.id = n.id and m.deleted_at is null
        returning m.id, m.route_designation as "routeDesignation"`,
  );
  if (gone.length + back.length) await tell(tx, [...gone, ...back]);
}
