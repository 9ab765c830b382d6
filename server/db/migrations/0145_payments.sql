-- Every payment as one row, whatever told of it: sales that a partner's records tell come from those, with what is known of
-- the card; all others come from the ledger. A sale that two partners tell counts once.
CREATE FUNCTION is_partner(source text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT split_part(source, ':', 1) IN ('lightspeed', 'cantaloupe', 'nayax', 'moma', 'nama_vdi') $$;
--> statement-breakpoint
-- What stays with the operator: failed and pending payments bring nothing, a refund of its own takes away what it gives back.
CREATE FUNCTION payment_revenue(status text, amount numeric) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE status WHEN 'completed' THEN amount WHEN 'refunded' THEN least(amount, 0) ELSE 0 END $$;
--> statement-breakpoint
CREATE FUNCTION ledger_status(successful boolean, refunded boolean) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN NOT successful THEN 'failed' WHEN refunded THEN 'refunded' ELSE 'completed' END $$;
--> statement-breakpoint
-- What is held back is not believed yet.
CREATE FUNCTION partner_status(status text, outcome text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN outcome = 'held' THEN 'pending' ELSE status END $$;
--> statement-breakpoint
CREATE VIEW payments AS
  SELECT 'ledger'::text AS origin, s.id * 2 AS sort_id, split_part(s.source, ':', 1)::varchar AS system, NULL::integer AS config_id,
         s.transaction_id::varchar AS payment_id, s.event_id, NULL::varchar AS device_id, s.machine_id, s.market_id,
         CASE WHEN s.machine_id IS NULL THEN 'market:' || s.market_id ELSE 'vending_machine:' || s.machine_id END AS place,
         s.product_name, s.quantity, s.total_amount::numeric AS amount,
         payment_revenue(ledger_status(s.successful, s.refunded), s.total_amount) AS revenue, NULL::numeric AS fee, s.currency,
         coalesce(s.payment_method, '')::varchar AS payment_method, ''::varchar AS card_type, NULL::varchar AS last_four,
         ledger_status(s.successful, s.refunded) AS status, s.sale_date AS paid_at
  FROM sales s WHERE NOT is_partner(s.source)
  UNION ALL
  SELECT 'partner'::text, v.id * 2 + 1, v.system, v.config_id, v.vendor_id, NULL, coalesce(v.device_id, v.integration_id), d.machine_id, d.market_id,
         'device:' || v.config_id || ':' || coalesce(v.device_id, v.integration_id, ''),
         v.product_name, v.quantity, v.amount,
         payment_revenue(partner_status(v.status, v.outcome), v.amount), v.fee, v.currency,
         coalesce(v.payment_method, ''), coalesce(v.card_type, ''), v.last_four, partner_status(v.status, v.outcome), v.sold_at
  FROM vendor_sales v LEFT JOIN vendor_devices d ON d.config_id = v.config_id AND d.vendor_id = v.device_id
  WHERE v.outcome <> 'same';
--> statement-breakpoint
CREATE TABLE payment_hours (
  day date NOT NULL,
  hour smallint NOT NULL,
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
  PRIMARY KEY (day, currency, hour, system, payment_method, card_type, status)
);
--> statement-breakpoint
-- By place, by day and by week (from its Monday): ninety days at many machines are a few weeks and a few days.
CREATE TABLE payment_places (
  grain varchar(4) NOT NULL,
  first_day date NOT NULL,
  place varchar(300) NOT NULL,
  system varchar(50) NOT NULL,
  currency varchar(3) NOT NULL,
  lines integer NOT NULL,
  failed integer NOT NULL,
  revenue numeric(16,2) NOT NULL,
  PRIMARY KEY (grain, first_day, currency, place, system)
);
--> statement-breakpoint
CREATE TYPE payment_fact AS (
  day date, hour smallint, system text, payment_method text, card_type text, status text, currency text, place text,
  lines integer, units integer, amount numeric, revenue numeric, fee numeric, fee_lines integer
);
--> statement-breakpoint
CREATE FUNCTION add_payments(facts payment_fact[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO payment_hours AS h
  SELECT day, hour, system, payment_method, card_type, status, currency, sum(lines), sum(units), sum(amount), sum(revenue),
         sum(fee), sum(fee_lines)
  FROM unnest(facts) GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 7, 2, 3, 4, 5, 6
  ON CONFLICT (day, currency, hour, system, payment_method, card_type, status) DO UPDATE
    SET lines = h.lines + excluded.lines, units = h.units + excluded.units, amount = h.amount + excluded.amount,
        revenue = h.revenue + excluded.revenue, fee = h.fee + excluded.fee, fee_lines = h.fee_lines + excluded.fee_lines;
  INSERT INTO payment_places AS p
  SELECT g.grain, CASE g.grain WHEN 'day' THEN f.day ELSE date_trunc('week', f.day)::date END, f.place, f.system, f.currency,
         sum(f.lines), coalesce(sum(f.lines) FILTER (WHERE f.status = 'failed'), 0), sum(f.revenue)
  FROM unnest(facts) f CROSS JOIN (VALUES ('day'), ('week')) AS g(grain)
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 5, 3, 4
  ON CONFLICT (grain, first_day, currency, place, system) DO UPDATE
    SET lines = p.lines + excluded.lines, failed = p.failed + excluded.failed, revenue = p.revenue + excluded.revenue
$$;
--> statement-breakpoint
CREATE FUNCTION note_sale_payments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text;
BEGIN
  -- First the lock, then statements that see what a rebuild in another zone has committed.
  LOCK TABLE payment_hours IN ROW EXCLUSIVE MODE;
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  IF zone IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    PERFORM add_payments(array_agg(ROW(day, hour, system, method, '', status, currency, place, -lines, -units, -amount,
                                       -revenue, 0, 0)::payment_fact))
    FROM (SELECT (sale_date AT TIME ZONE zone)::date AS day, extract(hour FROM sale_date AT TIME ZONE zone)::smallint AS hour,
                 split_part(source, ':', 1) AS system, coalesce(payment_method, '') AS method,
                 ledger_status(successful, refunded) AS status, currency,
                 CASE WHEN machine_id IS NULL THEN 'market:' || market_id ELSE 'vending_machine:' || machine_id END AS place,
                 count(*)::int AS lines, sum(quantity)::int AS units, sum(total_amount) AS amount,
                 sum(payment_revenue(ledger_status(successful, refunded), total_amount)) AS revenue
          FROM before WHERE NOT is_partner(source) GROUP BY 1, 2, 3, 4, 5, 6, 7) f HAVING count(*) > 0;
  END IF;
  PERFORM add_payments(array_agg(ROW(day, hour, system, method, '', status, currency, place, lines, units, amount, revenue,
                                     0, 0)::payment_fact))
  FROM (SELECT (sale_date AT TIME ZONE zone)::date AS day, extract(hour FROM sale_date AT TIME ZONE zone)::smallint AS hour,
               split_part(source, ':', 1) AS system, coalesce(payment_method, '') AS method,
               ledger_status(successful, refunded) AS status, currency,
               CASE WHEN machine_id IS NULL THEN 'market:' || market_id ELSE 'vending_machine:' || machine_id END AS place,
               count(*)::int AS lines, sum(quantity)::int AS units, sum(total_amount) AS amount,
               sum(payment_revenue(ledger_status(successful, refunded), total_amount)) AS revenue
        FROM touched WHERE NOT is_partner(source) GROUP BY 1, 2, 3, 4, 5, 6, 7) f HAVING count(*) > 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION note_partner_payments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text;
BEGIN
  LOCK TABLE payment_hours IN ROW EXCLUSIVE MODE;
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  IF zone IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM add_payments(array_agg(ROW(day, hour, system, method, card, told, currency, place, -lines, -units, -amount,
                                       -revenue, -fee, -fees)::payment_fact))
    FROM (SELECT (sold_at AT TIME ZONE zone)::date AS day, extract(hour FROM sold_at AT TIME ZONE zone)::smallint AS hour,
                 system, coalesce(payment_method, '') AS method, coalesce(card_type, '') AS card,
                 partner_status(status, outcome) AS told, currency,
                 'device:' || config_id || ':' || coalesce(device_id, integration_id, '') AS place,
                 count(*)::int AS lines, sum(quantity)::int AS units, sum(amount) AS amount,
                 sum(payment_revenue(partner_status(status, outcome), amount)) AS revenue,
                 coalesce(sum(fee), 0) AS fee, count(fee)::int AS fees
          FROM before WHERE outcome <> 'same' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) f HAVING count(*) > 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM add_payments(array_agg(ROW(day, hour, system, method, card, told, currency, place, lines, units, amount, revenue,
                                       fee, fees)::payment_fact))
    FROM (SELECT (sold_at AT TIME ZONE zone)::date AS day, extract(hour FROM sold_at AT TIME ZONE zone)::smallint AS hour,
                 system, coalesce(payment_method, '') AS method, coalesce(card_type, '') AS card,
                 partner_status(status, outcome) AS told, currency,
                 'device:' || config_id || ':' || coalesce(device_id, integration_id, '') AS place,
                 count(*)::int AS lines, sum(quantity)::int AS units, sum(amount) AS amount,
                 sum(payment_revenue(partner_status(status, outcome), amount)) AS revenue,
                 coalesce(sum(fee), 0) AS fee, count(fee)::int AS fees
          FROM touched WHERE outcome <> 'same' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) f HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sales_insert_payments AFTER INSERT ON sales REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_sale_payments();
--> statement-breakpoint
CREATE TRIGGER sales_update_payments AFTER UPDATE ON sales REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_sale_payments();
--> statement-breakpoint
CREATE TRIGGER vendor_sales_insert_payments AFTER INSERT ON vendor_sales REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_partner_payments();
--> statement-breakpoint
CREATE TRIGGER vendor_sales_update_payments AFTER UPDATE ON vendor_sales REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_partner_payments();
--> statement-breakpoint
CREATE TRIGGER vendor_sales_delete_payments AFTER DELETE ON vendor_sales REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION note_partner_payments();
--> statement-breakpoint
-- All rows anew. Writers wait meanwhile; what they add comes after it.
CREATE FUNCTION rebuild_payments() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text;
BEGIN
  LOCK TABLE payment_hours IN SHARE ROW EXCLUSIVE MODE;
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  DELETE FROM payment_hours;
  DELETE FROM payment_places;
  IF zone IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO payment_hours
  SELECT (paid_at AT TIME ZONE zone)::date, extract(hour FROM paid_at AT TIME ZONE zone)::smallint, system, payment_method,
         card_type, status, currency, count(*), sum(quantity), sum(amount), sum(revenue), coalesce(sum(fee), 0), count(fee)
  FROM payments GROUP BY 1, 2, 3, 4, 5, 6, 7;
  INSERT INTO payment_places
  SELECT 'day', (paid_at AT TIME ZONE zone)::date, place, system, currency, count(*),
         count(*) FILTER (WHERE status = 'failed'), sum(revenue)
  FROM payments GROUP BY 2, 3, 4, 5;
  INSERT INTO payment_places
  SELECT 'week', date_trunc('week', first_day)::date, place, system, currency, sum(lines), sum(failed), sum(revenue)
  FROM payment_places GROUP BY 2, 3, 4, 5;
END $$;
--> statement-breakpoint
CREATE FUNCTION note_operator_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_payments();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER operator_insert_payments AFTER INSERT ON operator FOR EACH ROW EXECUTE FUNCTION note_operator_payments();
--> statement-breakpoint
CREATE TRIGGER operator_update_payments AFTER UPDATE ON operator FOR EACH ROW
  WHEN (OLD.time_zone <> NEW.time_zone) EXECUTE FUNCTION note_operator_payments();
--> statement-breakpoint
-- The newest payments of all are shown first.
CREATE INDEX sales_newest ON sales (sale_date DESC, id DESC);
--> statement-breakpoint
CREATE INDEX vendor_sales_newest_of_all ON vendor_sales (sold_at DESC, id DESC);
--> statement-breakpoint
SELECT rebuild_payments();
