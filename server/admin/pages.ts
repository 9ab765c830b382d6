import { type SQL, sql } from 'drizzle-orm';
import type { AdminItem, AdminLocation } from '../../contract/admin.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/like.ts';
import { findPage, type Order, type Window } from '../db/paging.ts';
import { slotIsLow } from './queries.ts';

type Wish = {
  search?: string | undefined;
  route?: string | undefined;
  sort: string;
  page?: string | undefined;
  limit: number;
};

const instant = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Ids of two tables in one order: even ones are of markets and their items, odd ones of machines and their slots. */
const evenKey = (id: SQL): SQL => sql`(${id}::bigint * 2)`;
const oddKey = (id: SQL): SQL => sql`(${id}::bigint * 2 + 1)`;

type Places = { table: SQL; alias: SQL };

/**
 * A word stands in the kept search text of a place or in what stands beside it. Cities, states and designations are few: each
 * combination is made plain once; without the offset each place would be.
 */
function conditionOf({ table, alias }: Places, { search, route }: Pick<Wish, 'search' | 'route'>): SQL {
  const beside = (of: SQL): SQL =>
    sql`coalesce(${of}.city, ''), coalesce(${of}.state, ''), coalesce(${of}.route_designation, '')`;
  const parts = [
    sql`${alias}.deleted_at is null`,
    ...wordsOf(search).map(
      (word) => sql`(${containsWord(sql`${alias}.search_text`, word)} or (${beside(alias)}) in (
        select b.city, b.state, b.designation from (select distinct ${beside(sql`x`)} from ${table} x offset 0) b(city, state, designation)
        where ${containsWord(sql`plain_text(concat_ws(' ', b.city, b.state, b.designation))`, word)}))`,
    ),
  ];
  if (route) parts.push(sql`${alias}.route_designation = ${route}`);
  return sql.join(parts, sql` and `);
}

const countOf = async (db: Db, statement: SQL): Promise<number> =>
  (await firstRow<{ n: number }>(db, statement))?.n ?? 0;

type LocationOrder = Pick<Order, 'value' | 'type'> & { markets: SQL; machines: SQL };

const byName: LocationOrder = {
  ...{ value: sql`lower(l.name)`, type: 'text' },
  ...{ markets: sql`lower(m.name)`, machines: sql`lower(v.name)` },
};

/** What each order sorts a market `m` and a machine `v` by, and the list of both `l`. */
const locationOrders: Record<string, LocationOrder> = {
  name: byName,
  type: { value: sql`l.type`, type: 'text', markets: sql`'market'::text`, machines: sql`'vending_machine'::text` },
  route: {
    ...{ value: sql`coalesce(l.route_designation, '')`, type: 'text' },
    ...{ markets: sql`coalesce(m.route_designation, '')`, machines: sql`coalesce(v.route_designation, '')` },
  },
  status: { value: sql`l.status`, type: 'text', markets: sql`m.status::text`, machines: sql`v.status::text` },
  updated: {
    ...{ value: sql`l.updated`, type: 'timestamptz' },
    ...{
      markets: sql`greatest(m.last_updated, m.updated_at)`,
      machines: sql`greatest(v.updated_at, v.last_restocked)`,
    },
  },
};

/** Markets and vending machines in one list. */
export function findLocations(db: Db, wish: Wish) {
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const shared = (alias: SQL): SQL =>
    sql`${alias}.id, ${alias}.name, ${alias}.route_designation, ${alias}.status::text as status, ${alias}.address, ${alias}.city,
        ${alias}.state, ${alias}.latitude, ${alias}.longitude`;
  const ofMarkets = conditionOf({ table: sql`markets`, alias: sql`m` }, wish);
  const ofMachines = conditionOf({ table: sql`vending_machines`, alias: sql`v` }, wish);
  const { markets, machines, ...order } = locationOrders[name] ?? byName;
  return findPage<AdminLocation>(db, {
    fields: sql`l.key, l.type, l.id, l.name, l.route_designation as "routeDesignation", l.status, l.address, l.city, l.state,
      l.latitude::text as latitude, l.longitude::text as longitude, ${instant(sql`l.updated`)} as "lastUpdated"`,
    source: (window) => sql`(
      (select ${evenKey(sql`m.id`)} as key, 'market'::text as type, ${shared(sql`m`)}, greatest(m.last_updated, m.updated_at) as updated
       from markets m ${window({ condition: ofMarkets, value: markets, id: evenKey(sql`m.id`) })})
      union all
      (select ${oddKey(sql`v.id`)}, 'vending_machine', ${shared(sql`v`)}, greatest(v.updated_at, v.last_restocked)
       from vending_machines v ${window({ condition: ofMachines, value: machines, id: oddKey(sql`v.id`) })})) l`,
    condition: sql`true`,
    order: { name, down, id: sql`l.key`, ...order },
    page: wish.page,
    limit: wish.limit,
    total: () =>
      countOf(
        db,
        sql`select ((select count(*) from markets m where ${ofMarkets})
                    + (select count(*) from vending_machines v where ${ofMachines}))::int as n`,
      ),
  });
}

type Stocked = { table: SQL; product: SQL; places: SQL; place: SQL };

/**
 * True where the name of a product or the place it is at contains a word. There are few names and places and many slots: each
 * name is looked at once, found by stepping along its index.
 */
function saysWord({ table, product, places, place }: Stocked, word: string): SQL {
  return sql`(lower(${product}) in (
      with recursive known as (
        (select lower(x.product_name) as name from ${table} x where x.deleted_at is null order by 1 limit 1)
        union all
        select (select lower(x.product_name) from ${table} x
                where x.deleted_at is null and lower(x.product_name) > known.name order by 1 limit 1)
        from known where known.name is not null)
      select known.name from known where ${containsWord(sql`plain_text(known.name)`, word)})
    or ${place} in (select x.id from ${places} x where ${containsWord(sql`x.search_text`, word)}))`;
}

type ItemWish = Wish & { stock: 'all' | 'low' };

/** Products of markets and of machines in one list. */
export function findItems(db: Db, wish: ItemWish) {
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const parts = partsOf(wish);
  const byStock = name === 'stock';
  return findPage<AdminItem>(db, {
    fields: sql`i.key, i."locationType", i."locationId", i.location, i."routeDesignation", i."productName", i."slotNumber",
      i."currentQuantity", i."minimumQuantity", i.capacity, i.price, i."isLow"`,
    source: (window) => sql`(${parts.items(window, byStock)} union all ${parts.slots(window, byStock)}) i`,
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
    total: () => countOf(db, parts.count),
  });
}

function partsOf({ search, route, stock }: ItemWish) {
  const isLowItem = sql`i.current_quantity <= i.minimum_quantity`;
  const placed = (alias: SQL): SQL[] => [
    sql`${alias}.deleted_at is null`,
    ...(route ? [sql`${alias}.route_designation = ${route}`] : []),
  ];
  const named = (stocked: Stocked): SQL[] => wordsOf(search).map((word) => saysWord(stocked, word));
  const all = (conditions: SQL[]): SQL => sql.join(conditions, sql` and `);
  const ofItems = all([
    sql`i.deleted_at is null`,
    ...placed(sql`m`),
    ...named({
      table: sql`inventory_items`,
      product: sql`i.product_name`,
      places: sql`markets`,
      place: sql`i.market_id`,
    }),
    ...(stock === 'low' ? [isLowItem] : []),
  ]);
  const ofSlots = all([
    sql`s.deleted_at is null`,
    ...placed(sql`v`),
    ...named({
      ...{ table: sql`vending_machine_inventory`, product: sql`s.product_name` },
      ...{ places: sql`vending_machines`, place: sql`s.machine_id` },
    }),
    ...(stock === 'low' ? [slotIsLow] : []),
  ]);
  const fromItems = sql`inventory_items i join markets m on m.id = i.market_id`;
  const fromSlots = sql`vending_machine_inventory s join vending_machines v on v.id = s.machine_id`;
  const value = (alias: SQL, byStock: boolean): SQL =>
    byStock ? sql`${alias}.current_quantity` : sql`lower(${alias}.product_name)`;
  return {
    items: (window: Window, byStock: boolean) =>
      sql`(select ${evenKey(sql`i.id`)} as key, 'market' as "locationType", m.id as "locationId", m.name as location,
             m.route_designation as "routeDesignation", i.product_name as "productName", null::text as "slotNumber",
             i.current_quantity as "currentQuantity", i.minimum_quantity as "minimumQuantity", null::int as capacity,
             (select p.unit_price::text from products p where p.id = i.product_id) as price, ${isLowItem} as "isLow"
           from ${fromItems} ${window({ condition: ofItems, value: value(sql`i`, byStock), id: evenKey(sql`i.id`) })})`,
    slots: (window: Window, byStock: boolean) =>
      sql`(select ${oddKey(sql`s.id`)}, 'vending_machine', v.id, v.name, v.route_designation, s.product_name, s.slot_number,
             s.current_quantity, 0, s.max_quantity, s.price::text, ${slotIsLow}
           from ${fromSlots} ${window({ condition: ofSlots, value: value(sql`s`, byStock), id: oddKey(sql`s.id`) })})`,
    count: sql`select ((select count(*) from ${fromItems} where ${ofItems})
                       + (select count(*) from ${fromSlots} where ${ofSlots}))::int as n`,
  };
}
