import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { containsWord } from '../db/like.ts';

/** Ids of places. */
export type Places = { markets: number[]; machines: number[] };

/** Slots and items that a search finds for one cause; each is in one group only. */
export type Group = {
  /** Names of products in lower case; null for all that are in no other group. */
  names: string[] | null;
  /** Places that say the words which the names do not; null where the names say them all. */
  places: Places | null;
};

/**
 * There are few names and places and many slots: each name and place is looked at once, and the slots are then found by index.
 * The names are those of the sums of what living slots and items hold. Null: every slot and item is found.
 */
export async function lookUp(db: Db, words: readonly string[], route: string | undefined): Promise<Group[] | null> {
  const onRoute = route ? isOnRoute(route) : sql`true`;
  if (words.length === 0) return null;
  const [names, ...hits] = await Promise.all([
    findNames(db, words),
    ...words.map((word) => placesWhere(db, sql`${containsWord(sql`x.search_text`, word)} and ${onRoute}`)),
  ]);
  if (names.every(({ says }) => says.every(Boolean))) return null;
  const byLack = new Map<string, { lacks: number[]; names: string[] }>();
  for (const { name, says } of names) {
    const lacks = says.flatMap((isSaid, n) => (isSaid ? [] : [n]));
    const group = byLack.get(lacks.join()) ?? { lacks, names: [] };
    group.names.push(name);
    byLack.set(lacks.join(), group);
  }
  const saying = (kind: 'markets' | 'machines', lacks: readonly number[]): number[] => {
    const [first = [], ...others] = lacks.map((n) => hits[n]?.[kind] ?? []);
    const sets = others.map((ids) => new Set(ids));
    return first.filter((id) => sets.every((ids) => ids.has(id)));
  };
  const groups = [...byLack.values()].flatMap((group): Group[] => {
    if (group.lacks.length === 0) return [{ names: group.names, places: null }];
    const places = { markets: saying('markets', group.lacks), machines: saying('machines', group.lacks) };
    if (places.markets.length + places.machines.length === 0) return [];
    return [{ names: group.lacks.length === words.length ? null : group.names, places }];
  });
  return groups.length > 0 ? groups : [{ names: [], places: null }];
}

function findNames(db: Db, words: readonly string[]): Promise<{ name: string; says: boolean[] }[]> {
  const says = words.map((word) => containsWord(sql`plain_text(k.name)`, word));
  return rows(
    db,
    sql`select k.name, jsonb_build_array(${sql.join(says, sql`, `)}) as says
        from (select distinct lower(product_name) as name from kind_days where day = '-infinity' and items > 0) k`,
  );
}

/** Places on a route: few, so that their slots are found by them. */
export const placesOnRoute = (db: Db, route: string): Promise<Places> => placesWhere(db, isOnRoute(route));

const isOnRoute = (route: string): SQL => sql`x.route_designation = ${route}`;

async function placesWhere(db: Db, condition: SQL): Promise<Places> {
  const idsOf = (places: SQL): SQL => sql`(select coalesce(jsonb_agg(x.id), '[]') from ${places} x where ${condition})`;
  const found = await firstRow<Places>(
    db,
    sql`select ${idsOf(sql`markets`)} as markets, ${idsOf(sql`vending_machines`)} as machines`,
  );
  return found ?? { markets: [], machines: [] };
}

/** A list as the one parameter that both databases read while they plan. */
export const listOf = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/[\\"]/g, '\\$&')}"`).join(',')}}`;
