-- A movement of stock writes every index of its item and of its place anew, each on a page of its own. Those go of which another one
-- answers the same: of markets and designations the longer ones that begin alike, of names and stocks those that lists of
-- both kinds of items are read by.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX inventory_items_market;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX inventory_items_name;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX inventory_items_stock;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX vending_machines_route;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX inventory_items_product;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX inventory_items_worth;
--> statement-breakpoint
CREATE INDEX inventory_items_product ON inventory_items (product_id, current_quantity);
--> statement-breakpoint
CREATE INDEX inventory_items_gone ON inventory_items (product_id, current_quantity) WHERE deleted_at IS NOT NULL;
