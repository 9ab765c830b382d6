import { sql } from 'drizzle-orm';
import type { ProductCard } from '../../contract/products.ts';
import { notFound } from '../../domain/errors.ts';
import { addDays } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { plannedOnce } from '../db/postgres/kept-plans.ts';
import type { Deps } from '../deps.ts';
import { toldAlike } from '../scope/service.ts';
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
  const { quantity, places } = await toldAlike(
    deps,
    { everything: true },
    {
      asked: ['product places', id],
      read: async () => (await sumPlaces(db, id)) ?? { quantity: 0, places: 0 },
      ofMany: { rows: (sum) => sum.places, from: ['markets', 'vending_machines', 'products'] },
    },
  );
  return {
    ...toProduct(found),
    names: await rows(db, sql`select id, name from products where merged_into = ${id} order by name, id`),
    ...{ quantity, places },
    sold: { days: soldDays, ...(await findSold(db, id, await today(db, deps.clock))) },
  };
}

/** Of market items and slots. Which places are gone is looked up, for those that are there are many. */
const sumPlaces = (db: Db, id: number) =>
  firstRow<{ quantity: number; places: number }>(
    db,
    sql`select coalesce(sum(l.quantity), 0)::int as quantity, count(*)::int as places from (
          select i.current_quantity as quantity from inventory_items i where i.product_id = ${id} and i.deleted_at is null
            and i.market_id not in (select m.id from markets m where m.deleted_at is not null)
          union all
          select s.current_quantity from vending_machine_inventory s where s.product_id = ${id} and s.deleted_at is null
            and s.machine_id not in (select m.id from vending_machines m where m.deleted_at is not null)) l`,
  );

type Sold = Omit<ProductCard['sold'], 'days'>;

async function findSold(db: Db, id: number, day: string): Promise<Sold> {
  const from = addDays(day, 1 - soldDays);
  const inDays = sql`d.day >= ${from}`;
  const cost = sql`coalesce(nullif(d.own_cost, -1), p.unit_cost)`;
  // They bring no amount: what they cost is no part of the margin.
  // What was sold in no slot keeps the product it was sold as.
  const names = sql`(select a.id from products a where a.id = ${id} or a.merged_into = ${id})`;
  const found = await firstRow<Sold>(
    db,
    plannedOnce(sql`with f as (select coalesce(sum(units), 0)::int as units, coalesce(sum(cost), 0) as cost from foreign_sold
          where product_id in ${names} and day between ${from}::date and ${day}::date)
        select coalesce(sum(d.units) filter (where ${inDays}), 0)::int as units,
               coalesce(sum(d.units) filter (where not ${inDays}), 0)::int as "unitsBefore",
               coalesce(sum(d.amount) filter (where ${inDays}), 0)::numeric(14, 2)::text as amount,
               case when count(d.day) > 0 and bool_and(${cost} is not null)
                 then (coalesce(sum(d.amount - d.units * ${cost}) filter (where ${inDays}), 0)
                       + (select cost from f))::numeric(14, 2)::text end as margin,
               (select units from f) as "foreignUnits"
        from kind_days d join products p on p.id = ${id}
        where d.product_id in ${names} and d.day between ${addDays(from, -soldDays)} and ${day}`),
  );
  return found ?? { units: 0, unitsBefore: 0, amount: '0.00', margin: null, foreignUnits: 0 };
}
