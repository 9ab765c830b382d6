-- What goods cost is told in the operator's currency, and so is a margin: units that were paid in another one have no part in it. Here is
-- how many they were, apart from the days of items, because few operators have any.
CREATE TABLE foreign_days (
  day date NOT NULL,
  item_type varchar(12) NOT NULL,
  item_id integer NOT NULL,
  route_designation varchar(20) NOT NULL,
  units integer NOT NULL,
  PRIMARY KEY (item_type, item_id, day, route_designation)
);
--> statement-breakpoint
-- Of a slot or item the designation is that of today; of what was sold in none ('none', 0) it is the sale's.
CREATE FUNCTION note_foreign_units() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
BEGIN
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  IF books.id IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO foreign_days AS d (day, item_type, item_id, route_designation, units)
    SELECT (sale_date AT TIME ZONE books.time_zone)::date,
           CASE WHEN item_id IS NULL THEN 'none' WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, coalesce(item_id, 0),
           CASE WHEN item_id IS NULL THEN coalesce(route_designation, '') ELSE '' END, -sum(quantity)
    FROM before WHERE successful AND NOT refunded AND currency <> books.currency
    GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 1, 4
    ON CONFLICT (item_type, item_id, day, route_designation) DO UPDATE SET units = d.units + excluded.units;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO foreign_days AS d (day, item_type, item_id, route_designation, units)
    SELECT (sale_date AT TIME ZONE books.time_zone)::date,
           CASE WHEN item_id IS NULL THEN 'none' WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, coalesce(item_id, 0),
           CASE WHEN item_id IS NULL THEN coalesce(route_designation, '') ELSE '' END, sum(quantity)
    FROM touched WHERE successful AND NOT refunded AND currency <> books.currency
    GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 1, 4
    ON CONFLICT (item_type, item_id, day, route_designation) DO UPDATE SET units = d.units + excluded.units;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sales_insert_item_foreign AFTER INSERT ON sales REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_foreign_units();
--> statement-breakpoint
CREATE TRIGGER sales_update_item_foreign AFTER UPDATE ON sales REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_foreign_units();
--> statement-breakpoint
CREATE TRIGGER sales_delete_item_foreign AFTER DELETE ON sales REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION note_foreign_units();
--> statement-breakpoint
-- Of the sales that are still here; days whose sales are in files stay as they are.
CREATE FUNCTION rebuild_foreign_days() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
  kept date := first_kept_day('sales');
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  DELETE FROM foreign_days WHERE day >= kept;
  INSERT INTO foreign_days (day, item_type, item_id, route_designation, units)
  SELECT (sale_date AT TIME ZONE books.time_zone)::date,
         CASE WHEN item_id IS NULL THEN 'none' WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, coalesce(item_id, 0),
         CASE WHEN item_id IS NULL THEN coalesce(route_designation, '') ELSE '' END, sum(quantity)
  FROM sales WHERE successful AND NOT refunded AND currency <> books.currency
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3, 4;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_operator_books() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_item_days();
  -- Before there is an operator nothing is sold; an archive brings its own sums.
  IF TG_OP = 'UPDATE' THEN
    PERFORM rebuild_sales_daily(), rebuild_foreign_days();
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE INDEX foreign_days_day ON foreign_days (day);
--> statement-breakpoint
-- The units with what they are counted as today, and what goods that have a known cost cost. Each is looked up by its id: they are few
-- among all slots.
CREATE VIEW foreign_sold AS
  SELECT f.day, s.location_type, s.location_id, coalesce(s.route_designation, '') AS route_designation, s.product_id, s.product_name,
         s.category, s.own_cost, f.units, coalesce(f.units * s.cost, 0) AS cost
  FROM foreign_days f
  CROSS JOIN LATERAL (SELECT * FROM stock_sellers s WHERE s.item_type = f.item_type AND s.item_id = f.item_id OFFSET 0) s
  UNION ALL
  SELECT day, NULL, NULL, route_designation, NULL, NULL, NULL, NULL, units, 0 FROM foreign_days WHERE item_type = 'none';
--> statement-breakpoint
SELECT rebuild_foreign_days();
--> statement-breakpoint
ANALYZE foreign_days;
