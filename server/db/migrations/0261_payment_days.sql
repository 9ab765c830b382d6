-- Ninety days of a large operator were a quarter of a million rows a report: what stands by day needs no hour, and what
-- stands by hour neither way of paying nor card.
CREATE TABLE payment_days (
  day date NOT NULL,
  system varchar(50) NOT NULL,
  payment_method varchar(50) NOT NULL,
  card_type varchar(50) NOT NULL,
  status varchar(20) NOT NULL,
  currency varchar(3) NOT NULL,
  lines integer NOT NULL,
  units integer NOT NULL,
  amount numeric(16,2) NOT NULL,
  revenue numeric(16,2) NOT NULL,
  fee numeric(16,4) NOT NULL,
  -- Payments whose fee is known.
  fee_lines integer NOT NULL,
  PRIMARY KEY (day, currency, system, payment_method, card_type, status)
);
--> statement-breakpoint
CREATE INDEX payment_days_system ON payment_days (system);
--> statement-breakpoint
INSERT INTO payment_days
SELECT day, system, payment_method, card_type, status, currency, sum(lines), sum(units), sum(amount), sum(revenue), sum(fee),
       sum(fee_lines)
FROM payment_hours GROUP BY 1, 2, 3, 4, 5, 6;
--> statement-breakpoint
CREATE TEMPORARY TABLE hours_of_systems ON COMMIT DROP AS
SELECT day, hour, system, currency, sum(lines)::integer AS lines, sum(amount)::numeric(16,2) AS amount,
       sum(revenue)::numeric(16,2) AS revenue
FROM payment_hours GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
-- squawk-ignore ban-drop-table
DROP TABLE payment_hours;
--> statement-breakpoint
CREATE TABLE payment_hours (
  day date NOT NULL,
  hour smallint NOT NULL,
  system varchar(50) NOT NULL,
  currency varchar(3) NOT NULL,
  lines integer NOT NULL,
  amount numeric(16,2) NOT NULL,
  revenue numeric(16,2) NOT NULL,
  PRIMARY KEY (day, currency, hour, system)
);
--> statement-breakpoint
INSERT INTO payment_hours SELECT day, hour, system, currency, lines, amount, revenue FROM hours_of_systems;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION add_payments(facts payment_fact[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO payment_days AS d (day, system, payment_method, card_type, status, currency, lines, units, amount, revenue, fee, fee_lines)
  SELECT day, system, payment_method, card_type, status, currency, sum(lines), sum(units), sum(amount), sum(revenue), sum(fee),
         sum(fee_lines)
  FROM unnest(facts) GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 6, 2, 3, 4, 5
  ON CONFLICT (day, currency, system, payment_method, card_type, status) DO UPDATE
    SET lines = d.lines + excluded.lines, units = d.units + excluded.units, amount = d.amount + excluded.amount,
        revenue = d.revenue + excluded.revenue, fee = d.fee + excluded.fee, fee_lines = d.fee_lines + excluded.fee_lines;
  INSERT INTO payment_hours AS h (day, hour, system, currency, lines, amount, revenue)
  SELECT day, hour, system, currency, sum(lines), sum(amount), sum(revenue)
  FROM unnest(facts) GROUP BY 1, 2, 3, 4 ORDER BY 1, 4, 2, 3
  ON CONFLICT (day, currency, hour, system) DO UPDATE
    SET lines = h.lines + excluded.lines, amount = h.amount + excluded.amount, revenue = h.revenue + excluded.revenue;
  INSERT INTO payment_places AS p
  SELECT g.grain, CASE g.grain WHEN 'day' THEN f.day ELSE date_trunc('week', f.day)::date END, f.place, f.system, f.currency,
         sum(f.lines), coalesce(sum(f.lines) FILTER (WHERE f.status = 'failed'), 0), sum(f.revenue)
  FROM unnest(facts) f CROSS JOIN (VALUES ('day'), ('week')) AS g(grain)
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 5, 3, 4
  ON CONFLICT (grain, first_day, currency, place, system) DO UPDATE
    SET lines = p.lines + excluded.lines, failed = p.failed + excluded.failed, revenue = p.revenue + excluded.revenue
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION rebuild_payments() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text;
  kept date := first_kept_day('sales');
  monday date := date_trunc('week', kept)::date;
BEGIN
  LOCK TABLE payment_hours IN SHARE ROW EXCLUSIVE MODE;
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  DELETE FROM payment_days WHERE day >= kept;
  DELETE FROM payment_hours WHERE day >= kept;
  DELETE FROM payment_places WHERE first_day >= CASE grain WHEN 'week' THEN monday ELSE kept END;
  IF zone IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO payment_days (day, system, payment_method, card_type, status, currency, lines, units, amount, revenue, fee, fee_lines)
  SELECT (paid_at AT TIME ZONE zone)::date, system, payment_method, card_type, status, currency, count(*), sum(quantity),
         sum(amount), sum(revenue), coalesce(sum(fee), 0), count(fee)
  FROM payments WHERE paid_at >= kept::timestamp AT TIME ZONE zone GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO payment_hours (day, hour, system, currency, lines, amount, revenue)
  SELECT (paid_at AT TIME ZONE zone)::date, extract(hour FROM paid_at AT TIME ZONE zone)::smallint, system, currency, count(*),
         sum(amount), sum(revenue)
  FROM payments WHERE paid_at >= kept::timestamp AT TIME ZONE zone GROUP BY 1, 2, 3, 4;
  INSERT INTO payment_places
  SELECT 'day', (paid_at AT TIME ZONE zone)::date, place, system, currency, count(*),
         count(*) FILTER (WHERE status = 'failed'), sum(revenue)
  FROM payments WHERE paid_at >= kept::timestamp AT TIME ZONE zone GROUP BY 2, 3, 4, 5;
  INSERT INTO payment_places
  SELECT 'week', date_trunc('week', first_day)::date, place, system, currency, sum(lines), sum(failed), sum(revenue)
  FROM payment_places WHERE grain = 'day' AND first_day >= monday GROUP BY 2, 3, 4, 5;
END $$;
--> statement-breakpoint
-- A sale taken back leaves the sums it had come into; what that empties is looked for among its own sums only.
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
  UPDATE item_days d SET amount = d.amount - s.amount
  FROM (SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END AS item_type, item_id,
               (sale_date AT TIME ZONE books.time_zone)::date AS day, sum(total_amount) AS amount
        FROM before WHERE item_id IS NOT NULL AND successful AND NOT refunded AND currency = books.currency GROUP BY 1, 2, 3) s
  WHERE d.item_type = s.item_type AND d.item_id = s.item_id AND d.day = s.day;
  UPDATE sales_daily d SET units = d.units - s.units, amount = d.amount - s.amount, lines = d.lines - s.lines
  FROM (SELECT (sale_date AT TIME ZONE books.time_zone)::date AS day, coalesce(route_designation, '') AS route,
               coalesce(product_name, '') AS product, coalesce(payment_method, '') AS method,
               sum(quantity) AS units, sum(total_amount) AS amount, count(*) AS lines
        FROM before WHERE successful AND NOT refunded AND currency = books.currency GROUP BY 1, 2, 3, 4) s
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
-- Whoever adds to them holds item_days first, so that a rebuild and a sale never wait for each other in a circle.
CREATE FUNCTION rebuild_sales_daily() RETURNS void LANGUAGE plpgsql AS $$
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
         coalesce(payment_method, ''), sum(quantity), sum(total_amount), count(*)
  FROM sales WHERE successful AND NOT refunded AND currency = books.currency
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3, 4;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_operator_books() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_item_days();
  -- Before there is an operator nothing is sold; an archive brings its own sums.
  IF TG_OP = 'UPDATE' THEN
    PERFORM rebuild_sales_daily();
  END IF;
  RETURN NULL;
END $$;
