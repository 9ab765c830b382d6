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
-- A sale taken back leaves the sums it had come into.
CREATE OR REPLACE FUNCTION forget_sales() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
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
  PERFORM add_payments(array_agg(ROW(day, hour, system, method, '', status, currency, place, -lines, -units, -amount,
                                     -revenue, 0, 0)::payment_fact))
  FROM (SELECT (sale_date AT TIME ZONE books.time_zone)::date AS day,
               extract(hour FROM sale_date AT TIME ZONE books.time_zone)::smallint AS hour,
               split_part(source, ':', 1) AS system, coalesce(payment_method, '') AS method,
               ledger_status(successful, refunded) AS status, currency,
               CASE WHEN machine_id IS NULL THEN 'market:' || market_id ELSE 'vending_machine:' || machine_id END AS place,
               count(*)::int AS lines, sum(quantity)::int AS units, sum(total_amount) AS amount,
               sum(payment_revenue(ledger_status(successful, refunded), total_amount)) AS revenue
        FROM before WHERE NOT is_partner(source) GROUP BY 1, 2, 3, 4, 5, 6, 7) f HAVING count(*) > 0;
  DELETE FROM payment_days WHERE lines = 0 AND amount = 0;
  DELETE FROM payment_hours WHERE lines = 0 AND amount = 0;
  DELETE FROM payment_places WHERE lines = 0 AND revenue = 0;
  DELETE FROM sales_daily WHERE lines = 0 AND amount = 0;
  RETURN NULL;
END $$;
