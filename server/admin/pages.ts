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

function conditionOf(alias: SQL, { search, route }: Pick<Wish, 'search' | 'route'>, text: SQL): SQL {
  const parts = [
    sql`${alias}.deleted_at is null`,
    ...wordsOf(search).map((word) => containsWord(sql`plain_text(${text})`, word)),
  ];
  if (route) parts.push(sql`${alias}.route_designation = ${route}`);
  return sql.join(parts, sql` and `);
}

const countOf = async (db: Db, statement: SQL): Promise<number> =>
  (await firstRow<{ n: number }>(db, statement))?.n ?? 0;

const locationOrders: Record<string, Pick<Order, 'value' | 'type'>> = {
  name: { value: sql`lower(l.name)`, type: 'text' },
  type: { value: sql`l.type`, type: 'text' },
  route: { value: sql`coalesce(l.route_designation, '')`, type: 'text' },
  status: { value: sql`l.status`, type: 'text' },
  updated: { value: sql`l.updated`, type: 'timestamptz' },
};

/** Markets and vending machines in one list. */
export function findLocations(db: Db, wish: Wish) {
  const down = wish.sort.startsWith('-');
  const name = down ? wish.sort.slice(1) : wish.sort;
  const shared = (alias: SQL): SQL =>
    sql`${alias}.id, ${alias}.name, ${alias}.route_designation, ${alias}.status::text as status, ${alias}.address, ${alias}.city,
        ${alias}.state, ${alias}.latitude, ${alias}.longitude`;
  const ofMarkets = conditionOf(
    sql`m`,
    wish,
    sql`concat_ws(' ', m.name, m.address, m.city, m.state, m.route_designation)`,
  );
  const ofMachines = conditionOf(
    sql`v`,
    wish,
    sql`concat_ws(' ', v.name, v.machine_id, v.location, v.address, v.city, v.state, v.route_designation)`,
  );
  return findPage<AdminLocation>(db, {
    fields: sql`l.key, l.type, l.id, l.name, l.route_designation as "routeDesignation", l.status, l.address, l.city, l.state,
      l.latitude::text as latitude, l.longitude::text as longitude, ${instant(sql`l.updated`)} as "lastUpdated"`,
    source: sql`(
      select ${evenKey(sql`m.id`)} as key, 'market' as type, ${shared(sql`m`)}, greatest(m.last_updated, m.updated_at) as updated
      from markets m where ${ofMarkets}
      union all
      select ${oddKey(sql`v.id`)}, 'vending_machine', ${shared(sql`v`)}, greatest(v.updated_at, v.last_restocked)
      from vending_machines v where ${ofMachines}) l`,
    condition: sql`true`,
    order: { name, down, id: sql`l.key`, ...(locationOrders[name] ?? { value: sql`lower(l.name)`, type: 'text' }) },
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
  const named = (alias: SQL, place: SQL): SQL[] =>
    wordsOf(search).map((word) =>
      containsWord(sql`plain_text(concat_ws(' ', ${alias}.product_name, ${place}.name))`, word),
    );
  const all = (conditions: SQL[]): SQL => sql.join(conditions, sql` and `);
  const ofItems = all([
    sql`i.deleted_at is null`,
    ...placed(sql`m`),
    ...named(sql`i`, sql`m`),
    ...(stock === 'low' ? [isLowItem] : []),
  ]);
  const ofSlots = all([
    sql`s.deleted_at is null`,
    ...placed(sql`v`),
    ...named(sql`s`, sql`v`),
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
