-- A phone asks what changed in its places since it looked last: told by the place, and not out of what changed at all others.
CREATE INDEX machine_slots_changed ON vending_machine_inventory (machine_id, change_seq, changed_xid);
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX machine_slots_machine;
--> statement-breakpoint
CREATE INDEX inventory_items_changed ON inventory_items (market_id, change_seq, changed_xid);
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX inventory_items_of_market;
