-- The dashboard shows the worst of what is low: empty items first, then the smallest part of the minimum.
CREATE INDEX inventory_items_worst ON inventory_items (
  (greatest(current_quantity, 0)::bigint * 1000 / greatest(minimum_quantity, 1) * 1000000 - least(minimum_quantity, 999999)), id)
  WHERE is_low AND deleted_at IS NULL;
