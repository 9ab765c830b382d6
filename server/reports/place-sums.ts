import { type SQL, sql } from 'drizzle-orm';
import { addends, type Figure, type Rows } from './stretches.ts';
import type { Wish } from './wish.ts';

/** A place as one number, which tells places apart faster than their type and id: even ones are markets. */
const placeNumber = sql`(d.location_id::bigint * 2 + (d.location_type = 'vending_machine')::int)`;
export const typeOfPlace = (place: SQL): SQL => sql`case ${place} % 2 when 1 then 'vending_machine' else 'market' end`;
export const idOfPlace = (place: SQL): SQL => sql`(${place} / 2)::int`;

/** All markets may be one place, the number 0, which no place has. */
export type Markets = 'apart' | 'together';

/** What is kept of places by so many days in a row. */
const rows: Rows[] = [
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
  const condition = inRoute(wish, only);
  return sql`(
    select ${sql.join([sql`d.place`, ...figures.map((figure) => sums[figure]), sql`sum(d.items) as places`], sql`, `)}
    from (${addends(wish, { rows, columns: sql`${place} as place`, condition, figures })}) d
    group by d.place)`;
}

/** Places of a row `d` that are counted. */
export const inRoute = ({ route }: Wish, only: SQL): SQL =>
  route === null ? only : sql`${only} and ${isOnRoute(route)}`;

const isOnRoute = (route: string): SQL => sql`(d.location_type, d.location_id) in (
  select 'vending_machine', m.id from vending_machines m where m.route_designation = ${route}
  union all select 'market', m.id from markets m where m.route_designation = ${route})`;
