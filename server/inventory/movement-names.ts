import { type SQL, sql } from 'drizzle-orm';

/**
 * What a movement `m` moved: the product that was in the slot when it was counted. The item's own name where that is its product
 * still, or where nobody said which it was.
 */
export const nameOfMovement: SQL = sql`coalesce(
  (select p.name from products p where p.id = m.product_id and m.product_id is distinct from case m.item_type
    when 'machine_slot' then (select s.product_id from vending_machine_inventory s where s.id = m.item_id)
    else (select i.product_id from inventory_items i where i.id = m.item_id) end),
  case m.item_type
    when 'machine_slot' then (select s.product_name from vending_machine_inventory s where s.id = m.item_id)
    else (select i.product_name from inventory_items i where i.id = m.item_id) end, '')`;
