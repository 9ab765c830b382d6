import { sql } from 'drizzle-orm';
import type { FirstStep } from '../../contract/first-steps.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';

/** Enough to say that something is there: a list of a million is not counted to the end. */
const enough = 10_000;

/** How much of each there is, at most `enough`. */
export async function countSetUp(db: Db): Promise<Record<FirstStep, number>> {
  const counted = (what: ReturnType<typeof sql>) => sql`(select count(*)::int from (${what} limit ${enough}) counted)`;
  const found = await firstRow<Record<FirstStep, number>>(
    db,
    sql`select ${counted(sql`select 1 from depots`)} as depot,
          ${counted(sql`select 1 from markets where deleted_at is null union all
            select 1 from vending_machines where deleted_at is null`)} as locations,
          ${counted(sql`select 1 from products where merged_into is null`)} as products,
          ${counted(sql`select 1 from inventory_items where deleted_at is null union all
            select 1 from vending_machine_inventory where deleted_at is null`)} as stock,
          ${counted(sql`select 1 from users where is_active and role = 'field_worker'`)} as people,
          ${counted(sql`select 1 from sales`)} as sales,
          ${counted(sql`select 1 from routes`)} as route`,
  );
  return found ?? { depot: 0, locations: 0, products: 0, stock: 0, people: 0, sales: 0, route: 0 };
}
