import { sql } from 'drizzle-orm';
import type { LocationRef } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { tellRoute } from './tell.ts';

/** Routes that have still to stop at a place that is being deleted: the phones that carry them learn of it. */
export async function tellRoutesTo(tx: Db, { type, id }: LocationRef): Promise<void> {
  const column = type === 'market' ? sql`s.market_id` : sql`s.vending_machine_id`;
  const touched = await rows<{ id: number; routeDesignation: string | null; driverId: number | null }>(
    tx,
    sql`update routes set updated_at = now() where status <> 'completed'
          and id in (select s.route_id from route_stops s where ${column} = ${id})
        returning id, route_designation as "routeDesignation", driver_id as "driverId"`,
  );
  for (const route of touched) await tellRoute(tx, route);
}
