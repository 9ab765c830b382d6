import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { addends, type Figure, type Rows } from './stretches.ts';
import type { Wish } from './wish.ts';

/** A place as one number, which tells places apart faster than their type and id: even ones are markets. */
const placeNumber = sql`(d.location_id::bigint * 2 + (d.location_type = 'vending_machine')::int)`;
export const typeOfPlace = (place: SQL): SQL => sql`case ${place} % 2 when 1 then 'vending_machine' else 'market' end`;
export const idOfPlace = (place: SQL): SQL => sql`(${place} / 2)::int`;

/** All markets may be one place, the number 0, which no place has. */
export type Markets = 'apart' | 'together';

/** What is kept of places by so many days in a row. */
const kept: Rows[] = [
  { days: 64, table: sql`place_blocks`, firstDay: sql`d.days = 64 and d.first_day` },
  { days: 16, table: sql`place_stretches`, firstDay: sql`d.first_day` },
  { days: 4, table: sql`place_blocks`, firstDay: sql`d.days = 4 and d.first_day` },
  { days: 1, table: sql`place_days`, firstDay: sql`d.day` },
];

const sums: Record<Figure, SQL> = {
  units: sql`sum(d.units) as units`,
  amount: sql`coalesce(sum(d.amount), 0) as amount`,
  before: sql`coalesce(sum(d.before), 0) as before`,
  cost: sql`sum(d.cost) as cost, sum(d.costed) as costed`,
  empty: sql`sum(d.empty) as empty`,
};

export const allFigures: readonly Figure[] = ['units', 'amount', 'before', 'cost', 'empty'];

type Asked = { only: SQL; markets: Markets; figures: readonly Figure[] };

/** One row for each `place` with the figures that are wanted; `only` is about the columns of a row `d`. */
export function sumsOfPlaces(wish: Wish, { only, markets, figures }: Asked): SQL {
  const place =
    markets === 'apart' ? placeNumber : sql`case when d.location_type = 'market' then 0 else ${placeNumber} end`;
  return sql`(
    select ${sql.join([sql`d.place`, ...figures.map((figure) => sums[figure]), sql`sum(d.items) as places`], sql`, `)}
    from (${addends(wish, { rows: kept, columns: sql`${place} as place`, condition: only, figures })}) d
    group by d.place)`;
}

export type PlaceRef = { type: 'market' | 'vending_machine'; id: number };

/** Rows `d` of these places. */
export const isOneOf = (places: readonly PlaceRef[]): SQL => sql`(d.location_type, d.location_id) in (
  select p.type, p.id from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(type text, id int))`;

/** The places of a route, with those that are gone: living ones and others are listed by an index each. */
export function findPlacesOf(db: Db, route: string): Promise<PlaceRef[]> {
  const machines = sql`select 'vending_machine' as type, id from vending_machines where route_designation = ${route}`;
  return rows<PlaceRef>(
    db,
    sql`${machines} and deleted_at is null union all ${machines} and deleted_at is not null
        union all select 'market', id from markets where route_designation = ${route}`,
  );
}
