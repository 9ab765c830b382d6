import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { madeIds, rowsBefore, type WrittenRow } from '../db/statements/written-before.ts';
import { publish } from '../live/hub.ts';

/** A market out of a file or a partner system. Null keeps what is stored. */
export type ImportedMarket = {
  integrationId: string;
  integrationSource: string;
  name: string | null;
  /** For a new market without a name or address. */
  fallbackName: string;
  fallbackAddress: string;
  address: string | null;
  city: string | null;
  state: string | null;
  latitude: string;
  longitude: string;
  status: string | null;
  routeDesignation: string | null;
  accessHours?: string | null;
  data: Record<string, string> | null;
};

type Touched = { id: number; routeDesignation: string | null };

/**
 * Creates and updates markets by their integration id, many per statement; ids must differ within one call. People read the
 * number of a market and expect the next one: none is used up by a market that is known, and in a dry run none at all.
 */
export async function saveImportedMarkets(
  tx: Db,
  markets: readonly ImportedMarket[],
  { at, isDry }: { at: Date; isDry: boolean },
): Promise<{ created: number; updated: number }> {
  if (markets.length === 0) return { created: 0, updated: 0 };
  const given = sql`jsonb_to_recordset(${JSON.stringify(markets)}::jsonb) as g("integrationId" text, "integrationSource" text,
    name text, "fallbackName" text, "fallbackAddress" text, address text, city text, state text, latitude numeric(10,8),
    longitude numeric(11,8), status text, "routeDesignation" text, "accessHours" text, data jsonb)`;
  const when = sql`${at.toISOString()}::timestamptz`;
  const updated = await rows<Touched>(
    tx,
    sql`update markets m set name = n.name, address = n.address, city = n.city, state = n.state, latitude = n.latitude,
          longitude = n.longitude, status = n.status, route_designation = n.route, access_hours = n.hours, integration_data = n.data,
          updated_at = ${when}, last_updated = ${when}
        from (select o.id, coalesce(g.name, o.name) as name, coalesce(g.address, o.address) as address,
                coalesce(g.city, o.city) as city, coalesce(g.state, o.state) as state, g.latitude, g.longitude,
                coalesce(g.status, o.status) as status, coalesce(g."routeDesignation", o.route_designation) as route,
                coalesce(g."accessHours", o.access_hours) as hours,
                coalesce(g.data, o.integration_data) as data
              from ${given} join markets o on o.integration_id = g."integrationId" and o.deleted_at is null) n
        where m.id = n.id
          and (m.name, m.address, m.city, m.state, m.latitude, m.longitude, m.status, m.route_designation, m.access_hours, m.integration_data)
            is distinct from (n.name, n.address, n.city, n.state, n.latitude, n.longitude, n.status, n.route, n.hours, n.data)
        returning m.id, m.route_designation as "routeDesignation"`,
  );
  const id = isDry
    ? sql`(select least(min(id), 0) from markets) - row_number() over ()`
    : sql`nextval(pg_get_serial_sequence('markets', 'id'))`;
  const created = await rows<Touched>(
    tx,
    sql`insert into markets (id, name, address, city, state, latitude, longitude, status, route_designation, access_hours, integration_id,
          integration_source, integration_data, created_at, updated_at, last_updated)
        select ${id}, coalesce(g.name, g."fallbackName"), coalesce(g.address, g."fallbackAddress"), g.city, g.state, g.latitude,
          g.longitude, coalesce(g.status, 'active'), g."routeDesignation", g."accessHours", g."integrationId", g."integrationSource", g.data,
          ${when}, ${when}, ${when}
        from ${given} where not exists (select from markets o where o.integration_id = g."integrationId")
        on conflict do nothing returning id, route_designation as "routeDesignation"`,
  );
  const touched = [...updated, ...created];
  if (touched.length) await tell(tx, touched);
  return { created: created.length, updated: updated.length };
}

async function tell(tx: Db, touched: readonly Touched[]): Promise<void> {
  const routes = new Set(touched.flatMap((market) => market.routeDesignation ?? []));
  await publish(tx, { topic: 'markets', ids: touched.map((market) => market.id), routes: [...routes] });
}

/** Takes back what an import wrote: its new markets go, changed ones read as before. */
export async function takeBackMarkets(tx: Db, written: readonly WrittenRow[], at: Date): Promise<void> {
  const when = sql`${at.toISOString()}::timestamptz`;
  const gone = await rows<Touched>(
    tx,
    sql`update markets set deleted_at = ${when}, updated_at = ${when}, last_updated = ${when},
          integration_id = integration_id || '~deleted-' || id
        where deleted_at is null and id in ${madeIds(written)} returning id, route_designation as "routeDesignation"`,
  );
  const back = await rows<Touched>(
    tx,
    sql`update markets m set name = n.name, address = n.address, city = n.city, state = n.state, latitude = n.latitude,
          longitude = n.longitude, status = n.status, route_designation = n.route_designation, access_hours = n.access_hours,
          integration_data = n.integration_data, updated_at = ${when}, last_updated = ${when}
        from ${rowsBefore(written, sql`markets`)} n where m.id = n.id and m.deleted_at is null
        returning m.id, m.route_designation as "routeDesignation"`,
  );
  if (gone.length + back.length) await tell(tx, [...gone, ...back]);
}
