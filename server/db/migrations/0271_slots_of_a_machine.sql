-- What a place held on a day counts slots and items that are gone now, which the other indexes leave out.
CREATE INDEX machine_slots_machine ON vending_machine_inventory (machine_id);
--> statement-breakpoint
CREATE INDEX inventory_items_of_market ON inventory_items (market_id);
