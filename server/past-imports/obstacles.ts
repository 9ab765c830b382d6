import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

export type WrittenTable =
  | 'vending_machine_inventory'
  | 'products'
  | 'vending_machines'
  | 'markets'
  | 'traffic_incidents';

// A value, not a join: before anybody counted the rows of a large import, a join reads all its barcodes for every product.
const codeOfImport = sql`(select k.row_key from import_changes k
  where k.import_id = c.import_id and k.table_name = 'product_barcodes' and k.row_key = x.normal_code)`;

/** How a row is called, what tells that it is gone already, and what else hangs on a new one. */
const about: Record<WrittenTable, { name: SQL; gone: SQL; used: SQL }> = {
  vending_machine_inventory: {
    name: sql`'slot ' || r.slot_number || ' (' || r.product_name || ')'`,
    gone: sql`r.deleted_at is not null`,
    used: sql`exists (select from stock_movements s where s.item_type = 'machine_slot' and s.item_id = r.id
      and s.received_at > (select i.imported_at from imports i where i.id = c.import_id))`,
  },
  products: {
    name: sql`r.name`,
    gone: sql`false`,
    used: sql`(exists (select from inventory_items x where x.product_id = r.id and x.deleted_at is null)
      or exists (select from vending_machine_inventory x where x.product_id = r.id and x.deleted_at is null)
      or exists (select from products x where x.merged_into = r.id)
      or exists (select from pick_lines x where x.product_id = r.id)
      or r.id in (select distinct x.product_id from sales x where x.product_id is not null)
      or exists (select from vendor_mappings x where x.product_id = r.id)
      or exists (select from product_barcodes x where x.product_id = r.id and ${codeOfImport} is null))`,
  },
  vending_machines: {
    name: sql`r.name`,
    gone: sql`r.deleted_at is not null`,
    used: sql`(exists (select from vending_machine_inventory x where x.machine_id = r.id and x.deleted_at is null)
      or exists (select from sales x where x.machine_id = r.id)
      or exists (select from route_stops x where x.vending_machine_id = r.id)
      or exists (select from visits x where x.vending_machine_id = r.id)
      or exists (select from vendor_devices x where x.machine_id = r.id))`,
  },
  markets: {
    name: sql`r.name`,
    gone: sql`r.deleted_at is not null`,
    used: sql`(exists (select from inventory_items x where x.market_id = r.id and x.deleted_at is null)
      or exists (select from sales x where x.market_id = r.id)
      or exists (select from route_stops x where x.market_id = r.id)
      or exists (select from visits x where x.market_id = r.id)
      or exists (select from vendor_devices x where x.market_id = r.id))`,
  },
  traffic_incidents: { name: sql`r.title`, gone: sql`false`, used: sql`false` },
};

export type Obstacle = { name: string; why: 'changed' | 'used'; total: number };

/** Rows of an import that somebody changed since, or that something else hangs on by now; the first few and how many. */
export async function findObstacles(tx: Db, importId: number, table: WrittenTable): Promise<Obstacle[]> {
  const { name, gone, used } = about[table];
  const differs = sql`exists (select from jsonb_each(c.after) a
    where told_fields(to_jsonb(r)) -> a.key is distinct from nullif(a.value, 'null'::jsonb))`;
  // New rows are in nothing yet, but where a few places sold everything the planner takes half of all sales for theirs: it would
  // read them all for each new place, for an hour.
  await tx.execute(sql`set local enable_seqscan = off`);
  // A table without an index counts as so dear then that PostgreSQL would compile the statement, for seconds.
  await tx.execute(sql`set local jit = off`);
  const found = await rows<Obstacle>(
    tx,
    sql`select found.name, found.why, (count(*) over ())::int as total from (
          select ${name} as name, case
            when c.before is null and md5(told_fields(to_jsonb(r))::text) <> c.seal then 'changed'
            when c.before is not null and ${differs} then 'changed'
            when c.before is null and ${used} then 'used' end as why
          from import_changes c join ${sql.identifier(table)} r on r.id = c.row_key::int
          where c.import_id = ${importId} and c.table_name = ${table} and not (${gone})) found
        where found.why is not null limit 3`,
  );
  await tx.execute(sql`set local enable_seqscan to default`);
  await tx.execute(sql`set local jit to default`);
  return found;
}
