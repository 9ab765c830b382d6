import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import type { Wish } from './wish.ts';

/**
 * Units paid in another currency than the operator's, which bring no amount and so no margin: what they cost is taken off what all
 * units cost. Rows `d` of the view `foreign_sold`; one of what was sold in no slot has no place.
 */
export const foreignIn = ({ range, route }: Pick<Wish, 'range' | 'route'>): SQL => sql`
  foreign_sold d where d.day between ${range.from}::date and ${range.to}::date
    ${route === null ? sql`` : sql`and d.route_designation = ${route}`}`;

/** How many units there are: what stands after `select`. */
export const foreignUnitsIn = (wish: Pick<Wish, 'range' | 'route'>): SQL =>
  sql`coalesce(sum(d.units), 0)::int as units from ${foreignIn(wish)}`;

/** How many markets sold. */
export async function countForeignUnitsOfMarkets(db: Db, wish: Wish): Promise<number> {
  const found = await firstRow<{ units: number }>(
    db,
    plannedOnce(sql`select ${foreignUnitsIn(wish)} and d.location_type = 'market'`),
  );
  return found?.units ?? 0;
}
