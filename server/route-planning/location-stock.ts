import { sql } from 'drizzle-orm';
import type { LocationStock } from '../../contract/routes.ts';
import { notFound } from '../../domain/errors.ts';
import type { LocationRef } from '../../domain/location.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { machineInScope, marketInScope, type Scope } from '../scope/service.ts';
import { findLocations } from './queries.ts';

/** Stock rows of one location in scope, a machine's in the order of its slots; refuses unknown ones. */
export async function listStockOfLocation(db: Db, scope: Scope, ref: LocationRef): Promise<LocationStock[]> {
  const [found] = await findLocations(db, [ref], { markets: marketInScope(scope), machines: machineInScope(scope) });
  if (!found) throw notFound('location');
  if (ref.type === 'market') {
    return rows<LocationStock>(
      db,
      sql`select i.id, 'market_item' as "itemType", i.product_name as "productName", null as "slotNumber",
            i.current_quantity as "currentQuantity", i.minimum_quantity as "minimumQuantity", null::int as capacity,
            p.unit_price::text as price
          from inventory_items i left join products p on p.id = i.product_id
          where i.market_id = ${ref.id} and i.deleted_at is null order by i.product_name, i.id`,
    );
  }
  return rows<LocationStock>(
    db,
    sql`select s.id, 'machine_slot' as "itemType", s.product_name as "productName", s.slot_number as "slotNumber",
          s.current_quantity as "currentQuantity", s.minimum_quantity as "minimumQuantity", s.max_quantity as capacity,
          s.price::text as price
        from vending_machine_inventory s where s.machine_id = ${ref.id} and s.deleted_at is null
        order by length(s.slot_number), s.slot_number, s.id`,
  );
}
