-- The report of the stock read every item whole, twice: for what the stock is worth, and for what is below its minimum.
CREATE INDEX inventory_items_worth ON inventory_items (product_id, current_quantity) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX inventory_items_short ON inventory_items ((current_quantity - minimum_quantity), id) INCLUDE (market_id)
  WHERE is_low AND deleted_at IS NULL AND current_quantity < minimum_quantity;
