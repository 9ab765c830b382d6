import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { countedLately, rememberMany } from '../db/many.ts';
import { containsWord } from '../db/statements/like.ts';
import type { Deps } from '../deps.ts';
import { findMachineWords, hasWords } from '../machines/service.ts';

type On = Pick<Deps, 'db' | 'clock'>;

/** Ids of places. */
export type Places = { markets: number[]; machines: number[] };

/** Slots and items that a search finds for one cause; each is in one group only. */
export type Group = {
  /** Names of products in lower case; null for all that are in no other group. */
  names: string[] | null;
  /** Places that say the words which the names do not; null where the names say them all, or too many places do. */
  places: Places | null;
  /** Words that too many places say to list them: each place is asked. */
  words: string[];
};

/** The ids of more places than this stay in the database. */
const mostPlaces = 1000;

/**
 * There are few names and places and many slots: each name and place is looked at once, and the slots are then found by index.
 * The names are those of the sums of what living slots and items hold. Null: every slot and item is found.
 */
export async function lookUp(deps: On, words: readonly string[], route: string | undefined): Promise<Group[] | null> {
  const { db } = deps;
  if (words.length === 0) return null;
  const [names, inMachines] = await Promise.all([
    findNames(db, words),
    findMachineWords(
      db,
      words.map((word) => [word]),
    ),
  ]);
  const hits = await Promise.all(
    words.map((word, n) => fewPlacesThatSay(deps, { word, held: inMachines?.[n] ?? null, route })),
  );
  if (names.every(({ says }) => says.every(Boolean))) return null;
  const byLack = new Map<string, { lacks: number[]; names: string[] }>();
  for (const { name, says } of names) {
    const lacks = says.flatMap((isSaid, n) => (isSaid ? [] : [n]));
    const group = byLack.get(lacks.join()) ?? { lacks, names: [] };
    group.names.push(name);
    byLack.set(lacks.join(), group);
  }
  const groups = [...byLack.values()].flatMap(({ lacks, names: named }): Group[] => {
    const listed = lacks.flatMap((n) => hits[n] ?? []);
    const places = listed.length === 0 ? null : inAll(listed);
    if (places && places.markets.length + places.machines.length === 0) return [];
    const asked = lacks.flatMap((n) => (hits[n] ? [] : [words[n] ?? '']));
    // Names stand in the way where they are few among the others; where nothing else is found there is no need to look at them.
    const isOfAll = lacks.length === words.length && (places !== null || byLack.size === 1);
    return [{ names: isOfAll ? null : named, places, words: asked }];
  });
  return groups.length > 0 ? groups : [{ names: [], places: null, words: [] }];
}

function inAll(listed: readonly Places[]): Places {
  const inEach = (kind: keyof Places): number[] => {
    const [first = [], ...others] = listed.map((places) => places[kind]);
    const sets = others.map((ids) => new Set(ids));
    return first.filter((id) => sets.every((ids) => ids.has(id)));
  };
  return { markets: inEach('markets'), machines: inEach('machines') };
}

/** True where a place, the table behind the alias, says a word. */
export const isSaidAt = (alias: SQL, word: string): SQL => containsWord(sql`${alias}.search_text`, word);

function findNames(db: Db, words: readonly string[]): Promise<{ name: string; says: boolean[] }[]> {
  const says = words.map((word) => containsWord(sql`k.plain`, word));
  return rows(
    db,
    sql`select k.name, jsonb_build_array(${sql.join(says, sql`, `)}) as says
        from (select n.name, plain_text(n.name) as plain
              from (select distinct lower(product_name) as name from kind_days where day = '-infinity' and items > 0) n
              offset 0) k`,
  );
}

/** Places on a route: few, so that their slots are found by them. */
export const placesOnRoute = (db: Db, route: string): Promise<Places> => placesWhere(db, isOnRoute(route));

/** Without the places that are gone, as the index of routes is. */
const isOnRoute = (route: string): SQL => sql`x.route_designation = ${route} and x.deleted_at is null`;

async function placesWhere(db: Db, condition: SQL): Promise<Places> {
  const idsOf = (places: SQL): SQL => sql`(select coalesce(jsonb_agg(x.id), '[]') from ${places} x where ${condition})`;
  const found = await firstRow<Places>(
    db,
    sql`select ${idsOf(sql`markets`)} as markets, ${idsOf(sql`vending_machines`)} as machines`,
  );
  return found ?? { markets: [], machines: [] };
}

type Said = { word: string; held: string[] | null; route: string | undefined };

/** `held`: the words of machines that hold the word. Null: more than are listed. Then not even all of them are looked for. */
async function fewPlacesThatSay(deps: On, { word, held, route }: Said): Promise<Places | null> {
  const { db } = deps;
  // That they were many a moment ago is enough: what is found does not depend on it.
  const what = `places ${JSON.stringify([word, route])}`;
  if (countedLately(deps, what) !== null) return null;
  const text = held ? hasWords([held]) : sql`t.living and ${containsWord(sql`t.plain`, word)}`;
  const onRoute = route ? isOnRoute(route) : sql`true`;
  const markets = sql`select x.id from markets x where ${isSaidAt(sql`x`, word)} and ${onRoute}`;
  const said = sql`select t.machine_id as id from machine_texts t where ${text}`;
  const machines = route ? sql`select x.id from vending_machines x where ${onRoute} and x.id in (${said})` : said;
  const idsOf = (places: SQL): SQL =>
    sql`(select coalesce(jsonb_agg(f.id), '[]') from (${places} limit ${mostPlaces + 1}) f)`;
  const found = await firstRow<Places>(db, sql`select ${idsOf(markets)} as markets, ${idsOf(machines)} as machines`);
  const isFew = (ids: readonly number[] = []): boolean => ids.length <= mostPlaces;
  if (found && isFew(found.markets) && isFew(found.machines)) return found;
  rememberMany(deps, what, mostPlaces + 1);
  return null;
}

/** A list as the one parameter that both databases read while they plan. */
export const listOf = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/[\\"]/g, '\\$&')}"`).join(',')}}`;
