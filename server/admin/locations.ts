import { type SQL, sql } from 'drizzle-orm';
import type { AdminLocation } from '../../contract/admin.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { countMany } from '../db/many.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Reading, type Window } from '../db/statements/paging.ts';
import type { Deps } from '../deps.ts';
import { countKept } from '../machines/service.ts';
import { besideOf, findSaidMachines, type SaidMachines } from './location-search.ts';
import { evenKey, oddBounds, oddKey, type PageWish } from './page-keys.ts';

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const isLiving = (alias: SQL, route: string | undefined): SQL =>
  sql`${alias}.deleted_at is null${route ? sql` and ${alias}.route_designation = ${route}` : sql``}`;

/**
 * A word stands in the kept search text of a market or in what stands beside it. Cities, states and designations are few: each
 * combination is made plain once; without the offset each market would be.
 */
function conditionOfMarkets({ search, route }: Pick<PageWish, 'search' | 'route'>): SQL {
  const said = wordsOf(search).map(
    (word) => sql`(${containsWord(sql`m.search_text`, word)} or (${besideOf(sql`m`)}) in (
        select b.city, b.state, b.designation from (select distinct ${besideOf(sql`x`)} from markets x offset 0) b(city, state, designation)
        where ${containsWord(sql`plain_text(concat_ws(' ', b.city, b.state, b.designation))`, word)}))`,
  );
  return sql.join([isLiving(sql`m`, route), ...said], sql` and `);
}

const countOf = async (db: Db, statement: SQL): Promise<number> =>
  (await firstRow<{ n: number }>(db, statement))?.n ?? 0;

/** The few values that all machines `v` have, and which of them have one. */
type Groups = { values: SQL; isOf: (group: SQL) => SQL };
type LocationOrder = Pick<Order, 'value' | 'type'> & { markets: SQL; machines: SQL; groups?: readonly Groups[] };

const byName: LocationOrder = {
  ...{ value: sql`lower(l.name)`, type: 'text' },
  ...{ markets: sql`lower(m.name)`, machines: sql`lower(v.name)` },
};

const counted = (column: SQL): SQL =>
  sql`select distinct c.${column}::text from machine_counts c where c.machines > 0 and c.${column} <> ''`;

/** What each order sorts a market `m` and a machine `v` by, and the list of both `l`. */
const locationOrders: Record<string, LocationOrder> = {
  name: byName,
  type: {
    ...{ value: sql`l.type`, type: 'text', markets: sql`'market'::text`, machines: sql`'vending_machine'::text` },
    groups: [{ values: sql`select 'vending_machine'::text`, isOf: () => sql`true` }],
  },
  route: {
    ...{ value: sql`coalesce(l.route_designation, '')`, type: 'text' },
    ...{ markets: sql`coalesce(m.route_designation, '')`, machines: sql`coalesce(v.route_designation, '')` },
    groups: [
      { values: counted(sql`route_designation`), isOf: (group) => sql`v.route_designation = ${group}` },
      { values: sql`select ''::text`, isOf: () => sql`(v.route_designation is null or v.route_designation = '')` },
    ],
  },
  status: {
    ...{ value: sql`l.status`, type: 'text', markets: sql`m.status::text`, machines: sql`v.status::text` },
    groups: [{ values: counted(sql`status`), isOf: (group) => sql`v.status = ${group}` }],
  },
  updated: {
    ...{ value: sql`l.updated`, type: 'timestamptz' },
    ...{
      markets: sql`greatest(m.last_updated, m.updated_at)`,
      machines: sql`greatest(v.updated_at, v.last_restocked)`,
    },
  },
};

const shared = (alias: SQL): SQL =>
  sql`${alias}.id, ${alias}.name, ${alias}.route_designation, ${alias}.status::text as status, ${alias}.address, ${alias}.city,
      ${alias}.state, ${alias}.latitude, ${alias}.longitude`;
const ofMarket = sql`${evenKey(sql`m.id`)} as key, 'market'::text as type, ${shared(sql`m`)},
  greatest(m.last_updated, m.updated_at) as updated`;
const ofMachine = sql`${oddKey(sql`v.id`)} as key, 'vending_machine'::text as type, ${shared(sql`v`)},
  greatest(v.updated_at, v.last_restocked) as updated`;

/** Machines of one value after the other until the page is full: there are few values and many machines, which no index holds so. */
function groupOfMachines({ values, isOf }: Groups, condition: SQL, reading: Reading): SQL {
  const { direction, most, reached, ofGroup } = reading;
  const group = sql`g.value`;
  return sql`(select x.* from (
      select u.value from (${values}) u(value) where ${reached(sql`u.value`)} order by u.value ${direction} offset 0) g
    cross join lateral (
      select ${ofMachine} from vending_machines v where ${condition} and ${isOf(group)} and ${ofGroup(group, sql`v.id`, oddBounds)}
      order by v.id ${direction} limit ${most}) x
    order by ${group} ${direction}, x.key ${direction} limit ${most})`;
}

type Parts = Pick<LocationOrder, 'markets' | 'machines' | 'groups'> & { ofMarkets: SQL; ofMachines: SQL };

function sourceOf({ markets, machines, groups, ofMarkets, ofMachines }: Parts, window: Window, reading: Reading): SQL {
  const inOrder = window({ condition: ofMachines, value: machines, id: oddKey(sql`v.id`) });
  const parts = [
    sql`(select ${ofMarket} from markets m ${window({ condition: ofMarkets, value: markets, id: evenKey(sql`m.id`) })})`,
    ...(groups?.map((group) => groupOfMachines(group, ofMachines, reading)) ?? [
      sql`(select ${ofMachine} from vending_machines v ${inOrder})`,
    ]),
  ];
  return sql`(${sql.join(parts, sql` union all `)}) l`;
}

/** Markets and vending machines in one list. */
export async function findLocations(on: Pick<Deps, 'db' | 'clock'>, wish: PageWish) {
  const { db } = on;
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const { markets, machines, groups, ...order } = locationOrders[name] ?? byName;
  const words = wordsOf(wish.search);
  const said = words.length > 0 ? await findSaidMachines(on, words) : null;
  // Where few are shown, they lie in any group.
  const isOfMany = !wish.route && (words.length === 0 || Boolean(said?.oneByOne));
  const inGroups = groups && isOfMany ? { groups } : {};
  const isInOrder = isOfMany && (name === 'name' || groups !== undefined);
  const ofMarkets = conditionOfMarkets(wish);
  const living = isLiving(sql`v`, wish.route);
  const ofMachines = said ? sql`${living} and ${(isInOrder && said.oneByOne) || said.listed}` : living;
  const machineCount = countOfMachines(wish, said, ofMachines);
  const count = (): Promise<number> =>
    countOf(db, sql`select ((select count(*) from markets m where ${ofMarkets}) + (${machineCount}))::int as n`);
  return findPage<AdminLocation>(db, {
    fields: sql`l.key, l.type, l.id, l.name, l.route_designation as "routeDesignation", l.status, l.address, l.city, l.state,
      l.latitude::text as latitude, l.longitude::text as longitude, ${instant(sql`l.updated`)} as "lastUpdated"`,
    source: (window, reading) => sourceOf({ markets, machines, ofMarkets, ofMachines, ...inGroups }, window, reading),
    condition: sql`true`,
    order: { name, down, id: sql`l.key`, ...order },
    page: wish.page,
    limit: wish.limit,
    // Without words there are sums.
    total: () =>
      words.length === 0 ? count() : countMany(on, `locations ${JSON.stringify([words, wish.route])}`, count),
  });
}

function countOfMachines({ route }: PageWish, said: SaidMachines | null, ofMachines: SQL): SQL {
  if (!said) return countKept({ route });
  if (said.total !== null && !route) return sql`${said.total}::int`;
  return sql`select count(*) from vending_machines v where ${ofMachines}`;
}
