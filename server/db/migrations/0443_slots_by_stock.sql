-- Administration sorts the products of markets and machines in one list by their stock.
CREATE INDEX inventory_items_stock_order ON inventory_items (current_quantity, (id::bigint * 2)) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX machine_slots_stock_order ON vending_machine_inventory (current_quantity, (id::bigint * 2 + 1)) WHERE deleted_at IS NULL;
