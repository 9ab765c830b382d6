-- A slot may hold another product by the time somebody reads what was counted in it. Null: as the item is now.
ALTER TABLE stock_movements ADD COLUMN product_id integer;
