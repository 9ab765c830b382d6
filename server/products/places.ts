import { type SQL, sql } from 'drizzle-orm';
import type { ProductPlace } from '../../contract/products.ts';
import { notFound } from '../../domain/errors.ts';
import { type Db, firstRow } from '../db/database.ts';
import { findPage, type Order, type Reading, type Window } from '../db/statements/paging.ts';
import type { Deps } from '../deps.ts';
import { findProduct, hasId } from './queries.ts';

/** What each order sorts an item `i` of a market `m` by, and a slot `s` of a machine `v`; of the list of both it is `l.value`. */
type PlaceOrder = Pick<Order, 'type'> & { items: SQL; slots: SQL };

const byName: PlaceOrder = { type: 'text', items: sql`lower(m.name)`, slots: sql`lower(v.name)` };
const orders: Record<string, PlaceOrder> = {
  quantity: { type: 'bigint', items: sql`i.current_quantity`, slots: sql`s.current_quantity` },
  price: { type: 'numeric', items: sql`coalesce(p.unit_price, -1)`, slots: sql`s.price` },
};

const slotKey = sql`(s.id::bigint * 2 + 1)`;
/** From so many places on machines are looked at by name until a page is full; fewer are put in order. */
const manyPlaces = 2_000;

type Asked = { id: number; order: PlaceOrder; places: number };

/** The two parts of the page of places: no more of either kind than it can show, with nothing but the key and what it is sorted by. */
function keysOf({ id, order, places }: Asked, window: Window, reading: Reading): SQL {
  const { items, slots } = order;
  const isHeld = sql`s.product_id = ${id} and s.deleted_at is null`;
  // Read before they are put in order: along the names of markets each of them would be compared with all items of the product.
  const ofItems = sql`select * from (
      select (i.id::bigint * 2) as key, ${items} as value from inventory_items i join markets m on m.id = i.market_id
      join products p on p.id = i.product_id
      where i.product_id = ${id} and i.deleted_at is null and m.deleted_at is null offset 0) i
    ${window({ condition: sql`true`, value: sql`i.value`, id: sql`i.key` })}`;
  const inMachines = sql`select ${slotKey} as key, ${slots} as value from vending_machine_inventory s`;
  const { direction, most, reached, beyond } = reading;
  // Along the index of names; the rows inside are kept apart, or the page would be sorted out of all slots of the product.
  const called = sql`lower(n.name)`;
  const byMachine = sql`select ${slotKey} as key, ${called} as value from vending_machines n
    cross join lateral (select s.id from vending_machine_inventory s where s.machine_id = n.id and ${isHeld} offset 0) s
    where n.deleted_at is null and ${reached(called)} and ${beyond(called, slotKey)}
    order by ${called} ${direction}, ${slotKey} ${direction} limit ${most}`;
  // The few that are gone are told apart by their own index: the rows of machines lie far apart.
  const isThere = sql`s.machine_id not in (select g.id from vending_machines g where g.deleted_at is not null)`;
  const sorted =
    slots === byName.slots
      ? sql`${inMachines} join machine_texts v on v.machine_id = s.machine_id
            ${window({ condition: sql`${isHeld} and v.living`, value: slots, id: slotKey })}`
      : sql`${inMachines} ${window({ condition: sql`${isHeld} and ${isThere}`, value: slots, id: slotKey })}`;
  return sql`(
    (${ofItems})
    union all
    (${slots === byName.slots && places >= manyPlaces ? byMachine : sorted})) l`;
}

/** By what is kept of the kinds of living slots and items. */
const countPlaces = async (db: Db, id: number): Promise<number> =>
  (
    await firstRow<{ places: number }>(
      db,
      sql`select coalesce(sum(k.items), 0)::int as places from kind_days k where k.day = '-infinity' and k.product_id = ${id}`,
    )
  )?.places ?? 0;

type PlacesWish = { sort: string; page?: string | undefined; limit: number };

/** A page of where a product is. */
export async function findProductPlaces(deps: Deps, id: number, { sort, page, limit }: PlacesWish) {
  const { db } = deps;
  if (!(await findProduct(db, hasId(id)))) throw notFound('product');
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const order = orders[name] ?? byName;
  const places = await countPlaces(db, id);
  return findPage<ProductPlace>(db, {
    fields: sql`l.key, case when s.id is null then 'market' else 'vending_machine' end as type, coalesce(v.id, m.id) as id,
      coalesce(v.name, m.name) as name, s.slot_number as "slotNumber", coalesce(s.current_quantity, i.current_quantity) as quantity,
      s.max_quantity as capacity, (case when s.id is null then p.unit_price else s.price end)::text as price`,
    source: (window, reading) => sql`${keysOf({ id, order, places }, window, reading)}
      left join vending_machine_inventory s on l.key % 2 = 1 and s.id = (l.key / 2)::int
      left join vending_machines v on v.id = s.machine_id
      left join inventory_items i on l.key % 2 = 0 and i.id = (l.key / 2)::int
      left join markets m on m.id = i.market_id
      left join products p on p.id = i.product_id`,
    condition: sql`true`,
    order: { name, down, id: sql`l.key`, type: order.type, value: sql`l.value` },
    page,
    limit,
    total: async () => places,
  });
}
