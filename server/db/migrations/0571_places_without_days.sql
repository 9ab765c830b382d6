-- An import of tens of thousands of places, or its undo, changed the sums for each of them: nothing is kept of a place before it has
-- items. What one place has is looked up, whatever is known of the sizes of the tables.
CREATE OR REPLACE FUNCTION note_changed_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := TG_ARGV[0];
  facts stock_fact[];
BEGIN
  -- Of a new place nothing is kept yet: a deleted one may have items that no sum counts. Whoever puts the first item there holds the
  -- row of the place, which this change holds as well.
  IF NOT EXISTS (SELECT FROM place_days p WHERE p.location_type = kind AND p.location_id = NEW.id) THEN
    IF kind = 'market' THEN
      IF NOT EXISTS (SELECT FROM inventory_items i WHERE i.market_id = NEW.id) THEN
        RETURN NULL;
      END IF;
    ELSIF NOT EXISTS (SELECT FROM vending_machine_inventory s WHERE s.machine_id = NEW.id) THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM hold_places(ARRAY[kind], ARRAY[NEW.id]);
  IF OLD.route_designation IS DISTINCT FROM NEW.route_designation THEN
    INSERT INTO designation_days AS r (day, route_designation, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
    SELECT p.day, coalesce(g.name, ''), g.sign * p.units, g.sign * p.amount, g.sign * p.cost, g.sign * p.costed,
           g.sign * p.empty_seconds, g.sign * p.emptied, g.sign * p.filled, g.sign * p.items, g.sign * p.empty_now
    FROM place_days p CROSS JOIN (VALUES (-1, OLD.route_designation), (1, NEW.route_designation)) AS g(sign, name)
    WHERE p.location_type = kind AND p.location_id = NEW.id
      AND coalesce(OLD.route_designation, '') <> coalesce(NEW.route_designation, '')
    ORDER BY 1, 2
    ON CONFLICT (day, route_designation) DO UPDATE
      SET units = r.units + excluded.units, amount = r.amount + excluded.amount, cost = r.cost + excluded.cost,
          costed = r.costed + excluded.costed, empty_seconds = r.empty_seconds + excluded.empty_seconds,
          emptied = r.emptied + excluded.emptied, filled = r.filled + excluded.filled, items = r.items + excluded.items,
          empty_now = r.empty_now + excluded.empty_now;
  END IF;
  IF (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) THEN
    SELECT array_agg(f) INTO facts
    FROM (SELECT 'machine_slot' AS item_type, id FROM vending_machine_inventory
          WHERE kind = 'vending_machine' AND machine_id = NEW.id AND deleted_at IS NULL
          UNION ALL
          SELECT 'market_item', id FROM inventory_items WHERE kind = 'market' AND market_id = NEW.id AND deleted_at IS NULL) i
    CROSS JOIN LATERAL (SELECT * FROM stock_sellers v WHERE v.item_type = i.item_type AND v.item_id = i.id OFFSET 0) v
    CROSS JOIN (VALUES (true, 1), (false, -1)) AS g(living, sign)
    CROSS JOIN LATERAL stock_facts_of(
      ROW(v.item_type, v.item_id, v.location_type, v.location_id, v.product_id, v.product_name, v.category, v.own_cost, v.cost, g.living,
          v.route_designation)::stock_sellers,
      CASE WHEN NEW.deleted_at IS NULL THEN g.sign ELSE -g.sign END) f;
    IF facts IS NOT NULL THEN
      PERFORM add_stock_facts(facts);
    END IF;
  END IF;
  RETURN NULL;
END $$;
