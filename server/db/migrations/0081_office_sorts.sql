-- What the office sorts its items by: the first rows are read, not all of them.
CREATE INDEX "inventory_items_stock" ON "inventory_items" (current_quantity, id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX "inventory_items_minimum" ON "inventory_items" (minimum_quantity, id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX "inventory_items_restocked" ON "inventory_items"
  ((coalesce(last_restocked, '-infinity'::timestamptz)), id) WHERE deleted_at IS NULL;
