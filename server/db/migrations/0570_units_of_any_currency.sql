-- A unit is sold whatever was paid for it: those paid in another currency than the operator's count in the daily sums as they do in
-- the days of the slots they came out of, and add nothing to the amount.
CREATE OR REPLACE FUNCTION forget_sales() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
  facts payment_fact[];
BEGIN
  LOCK TABLE item_days, payment_hours IN ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  IF books.id IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE item_days d SET units = d.units + s.back, refunded = d.refunded - s.back, amount = d.amount - s.amount
  FROM (SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END AS item_type, item_id,
               (sale_date AT TIME ZONE books.time_zone)::date AS day,
               coalesce(sum(quantity) FILTER (WHERE refunded), 0) AS back,
               coalesce(sum(total_amount) FILTER (WHERE NOT refunded AND currency = books.currency), 0) AS amount
        FROM before WHERE item_id IS NOT NULL AND successful AND (refunded OR currency = books.currency) GROUP BY 1, 2, 3) s
  WHERE d.item_type = s.item_type AND d.item_id = s.item_id AND d.day = s.day;
  UPDATE sales_daily d SET units = d.units - s.units, amount = d.amount - s.amount, lines = d.lines - s.lines
  FROM (SELECT (sale_date AT TIME ZONE books.time_zone)::date AS day, coalesce(route_designation, '') AS route,
               coalesce(product_name, '') AS product, coalesce(payment_method, '') AS method,
               sum(quantity) AS units, coalesce(sum(total_amount) FILTER (WHERE currency = books.currency), 0) AS amount,
               count(*) AS lines
        FROM before WHERE successful AND NOT refunded GROUP BY 1, 2, 3, 4) s
  WHERE d.day = s.day AND d.route_designation = s.route AND d.product_name = s.product AND d.payment_method = s.method;
  DELETE FROM sales_daily d
  USING (SELECT DISTINCT (sale_date AT TIME ZONE books.time_zone)::date AS day, coalesce(route_designation, '') AS route,
                coalesce(product_name, '') AS product, coalesce(payment_method, '') AS method FROM before) s
  WHERE d.day = s.day AND d.route_designation = s.route AND d.product_name = s.product AND d.payment_method = s.method
    AND d.lines = 0 AND d.amount = 0;
  SELECT array_agg(ROW(day, hour, system, method, '', status, currency, place, -lines, -units, -amount, -revenue, 0, 0)::payment_fact)
  INTO facts
  FROM (SELECT (sale_date AT TIME ZONE books.time_zone)::date AS day,
               extract(hour FROM sale_date AT TIME ZONE books.time_zone)::smallint AS hour,
               split_part(source, ':', 1) AS system, coalesce(payment_method, '') AS method,
               ledger_status(successful, refunded) AS status, currency,
               CASE WHEN machine_id IS NULL THEN 'market:' || market_id ELSE 'vending_machine:' || machine_id END AS place,
               count(*)::int AS lines, sum(quantity)::int AS units, sum(total_amount) AS amount,
               sum(payment_revenue(ledger_status(successful, refunded), total_amount)) AS revenue
        FROM before WHERE NOT is_partner(source) GROUP BY 1, 2, 3, 4, 5, 6, 7) f;
  IF facts IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM add_payments(facts);
  DELETE FROM payment_days d
  USING (SELECT DISTINCT day, currency, system, payment_method, card_type, status FROM unnest(facts)) f
  WHERE d.day = f.day AND d.currency = f.currency AND d.system = f.system AND d.payment_method = f.payment_method
    AND d.card_type = f.card_type AND d.status = f.status AND d.lines = 0 AND d.amount = 0;
  DELETE FROM payment_hours h USING (SELECT DISTINCT day, currency, hour, system FROM unnest(facts)) f
  WHERE h.day = f.day AND h.currency = f.currency AND h.hour = f.hour AND h.system = f.system AND h.lines = 0 AND h.amount = 0;
  DELETE FROM payment_places p
  USING (SELECT DISTINCT g.grain, CASE g.grain WHEN 'day' THEN day ELSE date_trunc('week', day)::date END AS first_day,
                currency, place, system
         FROM unnest(facts) CROSS JOIN (VALUES ('day'), ('week')) AS g(grain)) f
  WHERE p.grain = f.grain AND p.first_day = f.first_day AND p.currency = f.currency AND p.place = f.place
    AND p.system = f.system AND p.lines = 0 AND p.revenue = 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION rebuild_sales_daily() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
  kept date := first_kept_day('sales');
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE sales_daily IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  IF books.id IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM sales_daily WHERE day >= kept;
  INSERT INTO sales_daily (day, route_designation, product_name, payment_method, units, amount, lines)
  SELECT (sale_date AT TIME ZONE books.time_zone)::date, coalesce(route_designation, ''), coalesce(product_name, ''),
         coalesce(payment_method, ''), sum(quantity), coalesce(sum(total_amount) FILTER (WHERE currency = books.currency), 0), count(*)
  FROM sales WHERE successful AND NOT refunded
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3, 4;
END $$;
--> statement-breakpoint
-- Of the sales that are still here; those of months in files are not known apart. The sums by day follow by their triggers.
INSERT INTO sales_daily AS d (day, route_designation, product_name, payment_method, units, amount, lines)
SELECT (s.sale_date AT TIME ZONE o.time_zone)::date, coalesce(s.route_designation, ''), coalesce(s.product_name, ''),
       coalesce(s.payment_method, ''), sum(s.quantity), 0, count(*)
FROM sales s CROSS JOIN operator o
WHERE o.id = 1 AND s.successful AND NOT s.refunded AND s.currency <> o.currency
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (day, route_designation, product_name, payment_method) DO UPDATE
  SET units = d.units + excluded.units, lines = d.lines + excluded.lines;
