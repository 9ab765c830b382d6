-- A page of all products of all places reads no more than it shows: both kinds of rows in one order.
CREATE INDEX inventory_items_product_order ON inventory_items (lower(product_name), (id::bigint * 2)) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX machine_slots_product_order ON vending_machine_inventory (lower(product_name), (id::bigint * 2 + 1)) WHERE deleted_at IS NULL;
