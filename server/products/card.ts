import { sql } from 'drizzle-orm';
import type { ProductCard } from '../../contract/products.ts';
import { notFound } from '../../domain/errors.ts';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { today } from '../settings/service.ts';
import { findProduct, hasId } from './queries.ts';
import { toProduct } from './service.ts';

/** Days that the figures look back over, and as many before them. */
const soldDays = 30;

/** Where a product is, how it sells and what it earns. */
export async function productCard(deps: Deps, id: number): Promise<ProductCard> {
  const { db } = deps;
  const found = await findProduct(db, hasId(id));
  if (!found) throw notFound('product');
  const places = await findPlaces(db, id);
  return {
    ...toProduct(found),
    names: await rows(db, sql`select id, name from products where merged_into = ${id} order by name, id`),
    quantity: places.reduce((sum, place) => sum + place.quantity, 0),
    places,
    sold: { days: soldDays, ...(await findSold(db, id, await today(db, deps.clock))) },
  };
}

function findPlaces(db: Db, id: number): Promise<ProductCard['places']> {
  return rows(
    db,
    sql`select 'market' as type, m.id, m.name, null as "slotNumber", i.current_quantity as quantity,
               null::int as capacity, p.unit_price::text as price
        from inventory_items i join markets m on m.id = i.market_id join products p on p.id = i.product_id
        where i.product_id = ${id} and i.deleted_at is null and m.deleted_at is null
        union all
        select 'vending_machine', m.id, m.name, s.slot_number, s.current_quantity, s.max_quantity, s.price::text
        from vending_machine_inventory s join vending_machines m on m.id = s.machine_id
        where s.product_id = ${id} and s.deleted_at is null and m.deleted_at is null
        order by 3, 4, 2`,
  );
}

type Sold = Omit<ProductCard['sold'], 'days'>;

async function findSold(db: Db, id: number, day: string): Promise<Sold> {
  const from = addDays(day, 1 - soldDays);
  const inDays = sql`d.day >= ${from}`;
  const cost = sql`coalesce(nullif(d.own_cost, -1), p.unit_cost)`;
  const found = await firstRow<Sold>(
    db,
    sql`select coalesce(sum(d.units) filter (where ${inDays}), 0)::int as units,
               coalesce(sum(d.units) filter (where not ${inDays}), 0)::int as "unitsBefore",
               coalesce(sum(d.amount) filter (where ${inDays}), 0)::numeric(14, 2)::text as amount,
               case when count(d.day) > 0 and bool_and(${cost} is not null)
                 then coalesce(sum(d.amount - d.units * ${cost}) filter (where ${inDays}), 0)::numeric(14, 2)::text end as margin
        from kind_days d join products p on p.id = d.product_id
        where d.product_id = ${id} and d.day between ${addDays(from, -soldDays)} and ${day}`,
  );
  return found ?? { units: 0, unitsBefore: 0, amount: '0.00', margin: null };
}
