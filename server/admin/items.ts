import { type SQL, sql } from 'drizzle-orm';
import type { AdminItem } from '../../contract/admin.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { countedLately, countMany, rememberMany } from '../db/many.ts';
import { wordsOf } from '../db/statements/like.ts';
import { type Counted, findPage, type Reading, type Window } from '../db/statements/paging.ts';
import type { Deps } from '../deps.ts';
import { slotIsLow } from '../inventory/service.ts';
import { type Group, isSaidAt, listOf, lookUp, type Places, placesOnRoute } from './item-search.ts';
import { evenKey, oddKey, type PageWish } from './page-keys.ts';

type Wish = PageWish & { stock: 'all' | 'low' };

/** Products of markets and of machines in one list. */
export async function findItems(deps: Pick<Deps, 'db' | 'clock'>, wish: Wish) {
  const { db } = deps;
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const [groups, onRoute] = await Promise.all([
    lookUp(deps, wordsOf(wish.search), wish.route),
    wish.route ? placesOnRoute(db, wish.route) : null,
  ]);
  const named = groups?.flatMap((group) => group.names ?? []) ?? [];
  const parts = (groups ?? [null]).flatMap((group) =>
    [items, slots].map((kind) => ({ kind, group, wish, named, onRoute })),
  );
  const byStock = name === 'stock';
  return findPage<AdminItem>(db, {
    fields: sql`i.key, i."locationType", i."locationId", i.location, i."routeDesignation", i."productName", i."slotNumber",
      i."currentQuantity", i."minimumQuantity", i.capacity, i.price, i."isLow"`,
    source: (window, reading) => {
      const pages = parts.map((part) => pageOf(part, window, byStock ? null : reading));
      return sql`(${sql.join(pages, sql` union all `)}) i`;
    },
    condition: sql`true`,
    order: {
      name,
      down,
      id: sql`i.key`,
      ...(byStock
        ? { value: sql`i."currentQuantity"`, type: 'bigint' }
        : { value: sql`lower(i."productName")`, type: 'text' }),
    },
    page: wish.page,
    limit: wish.limit,
    total: () => (groups || wish.route ? countFound : countAll)(deps, wish, parts),
  });
}

/** More rows than this are not counted one by one. */
const mostCounted = 1000;

/** All there are, or all that are low: each place keeps how many it has, and there are many places. */
async function countAll(deps: Pick<Deps, 'db' | 'clock'>, { stock }: Wish, parts: readonly Part[]): Promise<Counted> {
  return { total: await countMany(deps, `items ${stock}`, async () => (await count(deps.db, parts)).total) };
}

/** What a search or a route finds. More than are counted one by one are remembered: to come so far costs more than the page. */
async function countFound(deps: Pick<Deps, 'db' | 'clock'>, wish: Wish, parts: readonly Part[]): Promise<Counted> {
  const what = `items ${JSON.stringify([wish.stock, wish.route, ...wordsOf(wish.search)])}`;
  const known = countedLately(deps, what);
  if (known !== null) return { total: known, isMore: true };
  const counted = await count(deps.db, parts);
  if (counted.isMore) rememberMany(deps, what, counted.total);
  return counted;
}

async function count(db: Db, parts: readonly Part[]): Promise<Counted> {
  const counts = parts.map((part) => ({ part, isKept: isKept(part) }));
  const found = await firstRow<{ counted: number[] }>(
    db,
    sql`select jsonb_build_array(${sql.join(
      counts.map((one) => (one.isKept ? keptCountOf(one.part) : rowCountOf(one.part))),
      sql`, `,
    )}) as counted`,
  );
  const isCut = counts.some((one, n) => !one.isKept && (found?.counted[n] ?? 0) > mostCounted);
  const total = counts.reduce((sum, one, n) => {
    const counted = found?.counted[n] ?? 0;
    return sum + (one.isKept ? counted : Math.min(counted, mostCounted));
  }, 0);
  return isCut ? { total, isMore: true } : { total };
}

const isLowItem = sql`i.current_quantity <= i.minimum_quantity`;

const items = {
  type: 'market_item',
  source: sql`inventory_items i join markets l on l.id = i.market_id`,
  /** The same with as much of each place as the conditions ask for: rows of machines are wide. */
  counted: sql`inventory_items i join markets l on l.id = i.market_id`,
  fields: sql`${evenKey(sql`i.id`)} as key, 'market' as "locationType", l.id as "locationId", l.name as location,
    l.route_designation as "routeDesignation", i.product_name as "productName", null::text as "slotNumber",
    i.current_quantity as "currentQuantity", i.minimum_quantity as "minimumQuantity", null::int as capacity,
    (select p.unit_price::text from products p where p.id = i.product_id) as price, ${isLowItem} as "isLow"`,
  row: sql`i`,
  key: evenKey(sql`i.id`),
  isLow: isLowItem,
  isAt: (places: Places) => sql`i.market_id = any(${listOf(places.markets)}::int[])`,
  /** Where each place keeps how many it has, and how many of them are low. */
  kept: { table: sql`markets`, all: sql`item_count`, low: sql`low_stock_count` },
};

const slots: typeof items = {
  type: 'machine_slot',
  source: sql`vending_machine_inventory s join vending_machines l on l.id = s.machine_id`,
  counted: sql`vending_machine_inventory s join (
    select t.machine_id as id, t.plain as search_text, null::timestamptz as deleted_at from machine_texts t where t.living
  ) l on l.id = s.machine_id`,
  fields: sql`${oddKey(sql`s.id`)} as key, 'vending_machine' as "locationType", l.id as "locationId", l.name as location,
    l.route_designation as "routeDesignation", s.product_name as "productName", s.slot_number as "slotNumber",
    s.current_quantity as "currentQuantity", 0 as "minimumQuantity", s.max_quantity as capacity, s.price::text as price,
    ${slotIsLow} as "isLow"`,
  row: sql`s`,
  key: oddKey(sql`s.id`),
  isLow: slotIsLow,
  isAt: (places: Places) => sql`s.machine_id = any(${listOf(places.machines)}::int[])`,
  kept: { table: sql`vending_machines`, all: sql`slot_count`, low: sql`slots_under_percent` },
};

/** What a group finds in one of the two tables; without a group, everything. `named`: the names of all groups. */
type Part = { kind: typeof items; group: Group | null; wish: Wish; named: string[]; onRoute: Places | null };

const nameOf = ({ kind }: Pick<Part, 'kind'>): SQL => sql`lower(${kind.row}.product_name)`;

function conditionOf({ kind, group, wish, onRoute }: Part): SQL {
  const parts = [sql`${kind.row}.deleted_at is null`, sql`l.deleted_at is null`];
  if (onRoute) parts.push(kind.isAt(onRoute));
  if (wish.stock === 'low') parts.push(kind.isLow);
  if (group?.places) parts.push(kind.isAt(group.places));
  for (const word of group?.words ?? []) parts.push(isSaidAt(sql`l`, word));
  return sql.join(parts, sql` and `);
}

/** `byName`: how names follow one another; null where the rows are sorted by stock. */
function pageOf(part: Part, window: Window, byName: Reading | null): SQL {
  const { kind, group, wish } = part;
  const value = byName === null ? sql`${kind.row}.current_quantity` : nameOf(part);
  const pageWhere = (condition: SQL): SQL =>
    sql`select ${kind.fields} from ${kind.source}
        ${window({ condition: sql`${conditionOf(part)} and ${condition}`, value, id: kind.key })}`;
  // By name one after the other, or the order would be followed past all the names before it. A route has few places.
  if (byName && group?.names && !wish.route) {
    const names = sql`unnest(${listOf(group.names)}::text[]) u(name)`;
    return sql`(select x.* from (select u.name from ${names} order by u.name ${byName.direction} offset 0) n
                cross join lateral (${pageWhere(sql`${nameOf(part)} = n.name`)}) x
                order by n.name ${byName.direction}, x.key ${byName.direction} limit ${byName.most})`;
  }
  return sql`(${pageWhere(isNamed(part))})`;
}

function isNamed({ kind, group, named, onRoute }: Part): SQL {
  if (!group) return sql`true`;
  // The slots of a route are found by its places: as an expression without an index the name cannot lead elsewhere.
  const name = onRoute ? sql`(${nameOf({ kind })} || '')` : nameOf({ kind });
  return group.names
    ? sql`${name} = any(${listOf(group.names)}::text[])`
    : sql`${name} <> all(${listOf(named)}::text[])`;
}

/** A sum says how many there are; rows are counted only where none is kept. */
const isKept = ({ group, wish }: Part): boolean =>
  !group || (group.names !== null && !group.places && group.words.length === 0 && !wish.route && wish.stock === 'all');

function keptCountOf({ kind, group, wish }: Part): SQL {
  if (!group) {
    const { table, all, low } = kind.kept;
    const at = wish.route ? sql`route_designation = ${wish.route}` : sql`true`;
    return sql`(select coalesce(sum(${wish.stock === 'low' ? low : all}), 0) from ${table} where deleted_at is null and ${at})`;
  }
  return sql`(select coalesce(sum(k.items), 0) from kind_days k where k.day = '-infinity' and k.item_type = ${kind.type}
                and lower(k.product_name) = any(${listOf(group.names ?? [])}::text[]))`;
}

const rowCountOf = (part: Part): SQL =>
  sql`(select count(*) from (select from ${part.kind.counted} where ${conditionOf(part)} and ${isNamed(part)}
         limit ${mostCounted + 1}) c)`;
