import { type SQL, sql } from 'drizzle-orm';
import type { ListedPlace, PlaceCount, PlaceFilter, PlaceGroup } from '../../contract/locations.ts';
import type { LocationType } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { addressText } from '../db/statements/address-text.ts';
import { containing, containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Page } from '../db/statements/paging.ts';
import { missingInSlots } from '../inventory/service.ts';

/** What the caller may see, as conditions on `markets` and `vending_machines`. */
export type Seen = { markets: SQL; machines: SQL };

/** One of the two tables: what of it stands where in a list of both. */
type Kind = { type: LocationType; table: SQL; key: SQL; place: SQL; low: SQL; missing: SQL; says: Says };
/** `oneByOne`: of each place by itself, for a list that is read in its order and full after a few of many. */
type Says = (word: string, oneByOne: boolean) => SQL;

const kinds: readonly Kind[] = [
  {
    type: 'market',
    table: sql`markets`,
    key: sql`(markets.id::bigint * 2)`,
    place: addressText(sql`markets`),
    low: sql`markets.low_stock_count`,
    missing: sql`greatest(0, markets.target_units - markets.stocked_units)`,
    says: (word) =>
      sql`(${containsWord(sql`markets.search_text`, word)} or markets.route_designation ilike ${containing(word)})`,
  },
  {
    type: 'vending_machine',
    table: sql`vending_machines`,
    key: sql`(vending_machines.id::bigint * 2 + 1)`,
    place: sql`vending_machines.location`,
    low: sql`vending_machines.low_slots`,
    missing: sql`null::int`,
    // One list of ids, which is joined: as two conditions with an `or` each machine would be looked at.
    says: (word, oneByOne) =>
      oneByOne
        ? sql`((select ${containsWord(sql`t.plain`, word)} from machine_texts t where t.machine_id = vending_machines.id)
            or vending_machines.route_designation ilike ${containing(word)})`
        : sql`vending_machines.id in (
      select t.machine_id from machine_texts t where ${containsWord(sql`t.plain`, word)}
      union all
      select v.id from machine_counts c join vending_machines v on v.route_designation = c.route_designation and v.deleted_at is null
      where c.route_designation ilike ${containing(word)})`,
  },
];

const kindsOf = ({ type }: Pick<PlaceFilter, 'type'>): readonly Kind[] =>
  type === undefined ? kinds : kinds.filter((kind) => kind.type === type);

const seenOf = ({ type }: Pick<Kind, 'type'>, seen: Seen): SQL => (type === 'market' ? seen.markets : seen.machines);

type Search = PlaceFilter & { oneByOne?: boolean };

function conditionOf({ type, table, low, says }: Kind, filter: Search, seen: Seen): SQL {
  const route = sql`coalesce(${table}.route_designation, '')`;
  const parts = [seenOf({ type }, seen)];
  for (const word of wordsOf(filter.search)) parts.push(says(word, filter.oneByOne ?? false));
  if (filter.route) parts.push(sql`${table}.route_designation = ${filter.route}`);
  if (filter.routes)
    parts.push(sql`${route} in (select jsonb_array_elements_text(${JSON.stringify(filter.routes)}::jsonb))`);
  if (filter.low === 'true') parts.push(sql`${low} > 0`);
  if (filter.visited === 'true') parts.push(sql`${table}.status <> 'inactive'`);
  if (filter.west !== undefined) parts.push(sql`${table}.longitude >= ${filter.west}`);
  if (filter.east !== undefined) parts.push(sql`${table}.longitude <= ${filter.east}`);
  if (filter.south !== undefined) parts.push(sql`${table}.latitude >= ${filter.south}`);
  if (filter.north !== undefined) parts.push(sql`${table}.latitude <= ${filter.north}`);
  return sql.join(parts, sql` and `);
}

const columns = ({ type, table, key, place, low, missing }: Kind): SQL =>
  sql`${key} as key, ${type}::text as type, ${table}.id, ${table}.name, ${place} as place, ${addressText(table)} as address, ${table}.latitude,
      ${table}.longitude, ${table}.status::text as status, ${table}.route_designation, ${low} as low_count, ${table}.access_hours,
      ${missing} as missing_units`;

/** Of machines only where a row is shown: no sum of theirs is kept. */
const missingUnits = sql`coalesce(l.missing_units, ${missingInSlots(sql`l.id`)}, 0)`;

const fields = sql`l.type, l.id, l.name, l.place, l.address, l.latitude::text as latitude, l.longitude::text as longitude,
  l.status, l.route_designation as "routeDesignation", l.low_count as "lowCount",
  l.access_hours as "accessHours", ${missingUnits} as "missingUnits"`;

const union = (parts: SQL[]): SQL => sql`(${sql.join(parts, sql` union all `)}) l`;

export type Wish = PlaceFilter & { sort: string; page?: string | undefined; limit: number };

/**
 * Where more than these say a word, and one machine in ten, a page in the order of names is full before all of them would be listed.
 * Of fewer all might have names late in the alphabet.
 */
const mostListed = 1_000;
const ofMany = 10;

async function areMany(db: Db, found: number): Promise<boolean> {
  if (found <= mostListed) return false;
  const all = await firstRow<{ n: number }>(db, sql`select coalesce(sum(machines), 0)::int as n from machine_counts`);
  return found * ofMany > (all?.n ?? 0);
}

/** Markets and machines that match, page by page, and how many of them run low. */
export async function findPlacePage(
  db: Db,
  seen: Seen,
  { wish, counts }: { wish: Wish; counts: () => Promise<PlaceCounts> },
): Promise<Page<ListedPlace> & { low: number }> {
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const byLow = name === 'low';
  const sortedBy = (kind: Kind): SQL => (byLow ? kind.low : sql`lower(${kind.table}.name)`);
  const counted = counts();
  const total = async (): Promise<number> => {
    const found = await counted;
    return wish.low === 'true' ? found.low : found.all;
  };
  const oneByOne = !byLow && wordsOf(wish.search).length > 0 && (await areMany(db, await total()));
  const [page, { low }] = await Promise.all([
    findPage<ListedPlace>(db, {
      fields,
      source: (window) =>
        union(
          kindsOf(wish).map((kind) => {
            const condition = conditionOf(kind, { ...wish, oneByOne }, seen);
            return sql`(select ${columns(kind)} from ${kind.table}
                        ${window({ condition, value: sortedBy(kind), id: kind.key })})`;
          }),
        ),
      condition: sql`true`,
      order: {
        ...{ name, down, id: sql`l.key` },
        ...(byLow ? { value: sql`l.low_count`, type: 'bigint' } : { value: sql`lower(l.name)`, type: 'text' }),
      },
      page: wish.page,
      limit: wish.limit,
      total,
    }),
    counted,
  ]);
  return { ...page, low };
}

export type PlaceCounts = { all: number; low: number };

/** How many locations match, whether they run low or not, and how many of them do. */
export async function countPlaces(db: Db, seen: Seen, filter: PlaceFilter): Promise<PlaceCounts> {
  const parts = kindsOf(filter).map(
    (kind) =>
      sql`select count(*) as n, count(*) filter (where ${kind.low} > 0) as low from ${kind.table}
          where ${conditionOf(kind, { ...filter, low: 'false' }, seen)}`,
  );
  const found = await firstRow<PlaceCounts>(
    db,
    sql`select coalesce(sum(l.n), 0)::int as "all", coalesce(sum(l.low), 0)::int as low from ${union(parts)}`,
  );
  return found ?? { all: 0, low: 0 };
}

/** Up to so many locations each stand on the map by themselves. */
const mostSingle = 400;
/** Without a zoom, groups are so many to the longer side. */
const groupsAcross = 12;
/** A group is as wide as its mark and a little; the world is 512 pixels wide at zoom 0. */
const groupPx = 64;

type Spread = { total: number; west: number; south: number; east: number; north: number };

/** What a map draws of the locations that match. */
export async function findMapPlaces(db: Db, seen: Seen, filter: PlaceFilter & { zoom?: number | undefined }) {
  const matching = (kind: Kind): SQL => conditionOf(kind, filter, seen);
  const read = (condition: (kind: Kind) => SQL): Promise<ListedPlace[]> => {
    const parts = kindsOf(filter).map(
      (kind) => sql`select ${columns(kind)} from ${kind.table} where ${condition(kind)}`,
    );
    return rows(db, sql`select ${fields} from ${union(parts)} order by lower(l.name), l.key`);
  };
  const found = await findGroups(db, kindsOf(filter), { matching, zoom: filter.zoom });
  const [first] = found;
  if (!first) return { total: 0, bounds: null, places: [], groups: [] };
  const { total, ...bounds } = first.spread;
  if (total <= mostSingle) return { total, bounds, places: await read(matching), groups: [] };
  const alone = (type: LocationType): number[] =>
    found.flatMap((group) => (group.count === 1 && group.type === type ? [group.id] : []));
  const isAlone = ({ type, table }: Kind): SQL =>
    sql`${table}.id in (select jsonb_array_elements_text(${JSON.stringify(alone(type))}::jsonb)::int)`;
  return {
    total,
    bounds,
    places: await read((kind) => sql`${isAlone(kind)} and ${seenOf(kind, seen)}`),
    groups: found.flatMap(({ type: _type, id: _id, spread: _spread, ...group }) => (group.count > 1 ? [group] : [])),
  };
}

/** Neighbours, with one place of each group, and with how many there are of all and where they lie. */
type FoundGroup = PlaceGroup & { type: LocationType; id: number; spread: Spread };

function findGroups(
  db: Db,
  asked: readonly Kind[],
  { matching, zoom }: { matching: (kind: Kind) => SQL; zoom: number | undefined },
): Promise<FoundGroup[]> {
  const points = asked.map(
    (kind) =>
      sql`select ${kind.key} as key, ${kind.table}.latitude::float8 as lat, ${kind.table}.longitude::float8 as lng
          from ${kind.table} where ${matching(kind)}`,
  );
  const cell =
    zoom === undefined
      ? sql`greatest(0.0005, greatest(s.east - s.west, s.north - s.south) / ${groupsAcross})`
      : sql`${(groupPx / 512) * (360 / 2 ** zoom)}::float8`;
  return rows(
    db,
    sql`with p as materialized (select * from ${union(points)}),
          s as materialized (select count(*)::int as total, min(p.lng) as west, min(p.lat) as south, max(p.lng) as east, max(p.lat) as north from p)
        select g.lat, g.lng, g.count, g.west, g.south, g.east, g.north,
          case when g.key % 2 = 0 then 'market' else 'vending_machine' end as type, (g.key / 2)::int as id,
          (select to_jsonb(s) from s) as spread
        from (select avg(p.lat) as lat, avg(p.lng) as lng, count(*)::int as count, min(p.key) as key,
                min(p.lng) as west, min(p.lat) as south, max(p.lng) as east, max(p.lat) as north
              from p, s group by floor(p.lat / ${cell}), floor(p.lng / ${cell})) g
        order by g.count desc`,
  );
}

/** How many locations are visited by plan, and how many of them need it, by route designation. */
export async function countByRoute(db: Db, seen: Seen): Promise<PlaceCount[]> {
  const filter: PlaceFilter = { low: 'false', visited: 'true' };
  const parts = kinds.map(
    (kind) =>
      sql`select coalesce(${kind.table}.route_designation, '') as designation, count(*) as n,
            count(*) filter (where ${kind.low} > 0) as low
          from ${kind.table} where ${conditionOf(kind, filter, seen)} group by 1`,
  );
  return rows(
    db,
    sql`select l.designation, sum(l.n)::int as "all", sum(l.low)::int as needing from ${union(parts)}
        group by l.designation order by l.designation`,
  );
}
