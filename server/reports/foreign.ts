import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import type { Wish } from './wish.ts';

/**
 * Units paid in another currency than the operator's, which bring no amount and so no margin: what they cost is taken off what all
 * units cost. Rows `d` of the view `foreign_sold`; one of what was sold in no slot has no place.
 */
export const foreignIn = ({ range, route }: Pick<Wish, 'range' | 'route'>): SQL => sql`
  foreign_sold d where d.day between ${range.from}::date and ${range.to}::date
    ${route === null ? sql`` : sql`and d.route_designation = ${route}`}`;

/** How many there are; of both kinds of places and of what was sold in no slot, or of markets only. */
export async function countForeignUnits(db: Db, wish: Wish, of: 'all' | 'markets'): Promise<number> {
  const found = await firstRow<{ units: number }>(
    db,
    sql`select coalesce(sum(d.units), 0)::int as units from ${foreignIn(wish)}
        ${of === 'markets' ? sql`and d.location_type = 'market'` : sql``}`,
  );
  return found?.units ?? 0;
}
