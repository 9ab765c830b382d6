import { type SQL, sql } from 'drizzle-orm';
import { addends } from './stretches.ts';
import type { Wish } from './wish.ts';

/** A place as one number, which tells places apart faster than their type and id: even ones are markets. */
const placeNumber = sql`(d.location_id::bigint * 2 + (d.location_type = 'vending_machine')::int)`;
export const typeOfPlace = (place: SQL): SQL => sql`case ${place} % 2 when 1 then 'vending_machine' else 'market' end`;
export const idOfPlace = (place: SQL): SQL => sql`(${place} / 2)::int`;

/**
 * One row for each `place`, by sums as `rangeSums` has them; `only` is about the columns of a row `d`, and all markets may be one
 * place, 0.
 */
export function sumsOfPlaces(wish: Wish, only: SQL, marketsAre: 'apart' | 'together' = 'apart'): SQL {
  const condition = wish.route === null ? only : sql`${only} and ${isOnRoute(wish.route)}`;
  const place =
    marketsAre === 'apart' ? placeNumber : sql`case when d.location_type = 'market' then 0 else ${placeNumber} end`;
  const sums = {
    ...{ days: sql`place_days`, stretches: sql`place_stretches`, priced: true },
    ...{ columns: sql`${place} as place`, condition },
  };
  return sql`(
    select d.place, sum(d.units) as units, coalesce(sum(d.amount), 0) as amount, coalesce(sum(d.before), 0) as before,
           sum(d.cost) as cost, sum(d.costed) as costed, sum(d.items) as places, sum(d.empty) as empty
    from (${addends(wish, sums)}) d
    group by d.place)`;
}

const isOnRoute = (route: string): SQL => sql`(d.location_type, d.location_id) in (
  select 'vending_machine', m.id from vending_machines m where m.route_designation = ${route}
  union all select 'market', m.id from markets m where m.route_designation = ${route})`;
