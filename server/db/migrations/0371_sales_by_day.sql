-- At a large operator nearly every sale has a row of its own in sales_daily: what reports and the dashboard ask for by day stands in
-- two smaller sums of it, which triggers keep.
CREATE TABLE sales_by_route (
  day date NOT NULL,
  route_designation varchar(20) NOT NULL,
  units integer NOT NULL,
  amount numeric(14,2) NOT NULL,
  PRIMARY KEY (day, route_designation)
);
--> statement-breakpoint
CREATE TABLE sales_by_product (
  day date NOT NULL,
  product_name varchar(255) NOT NULL,
  units integer NOT NULL,
  amount numeric(14,2) NOT NULL,
  PRIMARY KEY (day, product_name)
);
--> statement-breakpoint
CREATE FUNCTION add_sales_by_day(days date[], routes text[], names text[], units integer[], amounts numeric[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO sales_by_route AS r (day, route_designation, units, amount)
  SELECT t.day, t.route, sum(t.units), sum(t.amount)
  FROM unnest(days, routes, units, amounts) AS t(day, route, units, amount) GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (day, route_designation) DO UPDATE SET units = r.units + excluded.units, amount = r.amount + excluded.amount;
  INSERT INTO sales_by_product AS p (day, product_name, units, amount)
  SELECT t.day, t.name, sum(t.units), sum(t.amount)
  FROM unnest(days, names, units, amounts) AS t(day, name, units, amount) GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (day, product_name) DO UPDATE SET units = p.units + excluded.units, amount = p.amount + excluded.amount;
$$;
--> statement-breakpoint
CREATE FUNCTION note_sales_daily() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_sales_by_day(array_agg(day), array_agg(route_designation::text), array_agg(product_name::text), array_agg(units), array_agg(amount))
    FROM touched;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_sales_by_day(array_agg(day), array_agg(route_designation::text), array_agg(product_name::text), array_agg(-units), array_agg(-amount))
    FROM before;
  ELSE
    PERFORM add_sales_by_day(array_agg(day), array_agg(route_designation::text), array_agg(product_name::text), array_agg(units), array_agg(amount))
    FROM (SELECT day, route_designation, product_name, units, amount FROM touched
          UNION ALL SELECT day, route_designation, product_name, -units, -amount FROM before) t;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
INSERT INTO sales_by_route SELECT day, route_designation, sum(units), sum(amount) FROM sales_daily GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO sales_by_product SELECT day, product_name, sum(units), sum(amount) FROM sales_daily GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER sales_daily_insert_sums AFTER INSERT ON sales_daily REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_sales_daily();
--> statement-breakpoint
CREATE TRIGGER sales_daily_update_sums AFTER UPDATE ON sales_daily REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_sales_daily();
--> statement-breakpoint
CREATE TRIGGER sales_daily_delete_sums AFTER DELETE ON sales_daily REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION note_sales_daily();
