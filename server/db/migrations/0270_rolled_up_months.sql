CREATE TABLE rolled_up_months (
  parent varchar(30) NOT NULL,
  -- First day of the month, UTC.
  month date NOT NULL,
  -- A month that was rolled up gets another part when something older came in late.
  part integer NOT NULL,
  row_count bigint NOT NULL,
  file varchar(100) NOT NULL,
  sha256 varchar(64) NOT NULL,
  rolled_up_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (parent, month, part)
);
--> statement-breakpoint
-- The only way in which rows of the ledger ever go: a whole month, after its rows were written to a file and counted.
CREATE FUNCTION drop_rolled_up_month(of_parent text, of_month date, of_part integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'public' AS $$
DECLARE
  child text := of_parent || '_' || to_char(of_month, 'YYYY_MM');
  ends timestamptz := (of_month + interval '1 month') AT TIME ZONE 'UTC';
  written bigint;
  there bigint;
  needed boolean := false;
BEGIN
  IF of_parent NOT IN ('stock_movements', 'sales') OR of_month > now() - interval '13 months' THEN
    RAISE EXCEPTION '% is not a month to roll up', child;
  END IF;
  SELECT row_count INTO written FROM rolled_up_months WHERE parent = of_parent AND month = of_month AND part = of_part;
  -- Readers and bookings of other months go on while it is counted.
  EXECUTE format('LOCK TABLE %I IN SHARE MODE', child);
  EXECUTE format('SELECT count(*) FROM %I', child) INTO there;
  IF there IS DISTINCT FROM written THEN
    RAISE EXCEPTION '% has % rows, % were written', child, there, coalesce(written, 0);
  END IF;
  IF of_parent = 'stock_movements' THEN
    -- A row of an item that was new to the ledger after the opening counts were written: its balance is made of it.
    EXECUTE format('SELECT EXISTS (SELECT FROM item_balances b WHERE (b.anchor_at IS NULL OR b.anchor_at < $1)
      AND EXISTS (SELECT FROM %I m WHERE m.item_type = b.item_type AND m.item_id = b.item_id))', child)
      INTO needed USING ends;
  END IF;
  IF needed THEN
    RAISE EXCEPTION '% has rows of items without a count after it', child;
  END IF;
  EXECUTE format('DROP TABLE %I', child);
END $$;
--> statement-breakpoint
-- Sums of days before it cannot be made anew: what they were made from is in files. Months are of UTC, days are the
-- operator's: a day that lies in both is not whole any more.
CREATE FUNCTION first_kept_day(of_parent text) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(ceiled.day, '0001-01-02') FROM (
    SELECT (border + interval '1 day' - interval '1 microsecond')::date AS day FROM (
      SELECT max(month + interval '1 month') AT TIME ZONE 'UTC'
               AT TIME ZONE coalesce((SELECT time_zone FROM operator WHERE id = 1), 'UTC') AS border
      FROM rolled_up_months WHERE parent = of_parent) local) ceiled
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION rebuild_item_days() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
  kind text;
  first integer;
  kept date := first_kept_day('stock_movements');
  step constant integer := 20000;
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  DELETE FROM item_days WHERE day >= kept;
  IF books.id IS NULL THEN
    RETURN;
  END IF;
  FOREACH kind IN ARRAY ARRAY['machine_slot', 'market_item'] LOOP
    FOR first IN SELECT generate_series(min(item_id), max(item_id), step) FROM item_balances WHERE item_type = kind LOOP
      PERFORM fold_item_days(array_agg(b.item_type::text), array_agg(b.item_id), array_agg(kept), books.time_zone)
      FROM item_balances b WHERE b.item_type = kind AND b.item_id >= first AND b.item_id < first + step;
    END LOOP;
  END LOOP;
  INSERT INTO item_days (item_type, item_id, day, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, sum(total_amount)
  FROM sales WHERE item_id IS NOT NULL AND successful AND NOT refunded AND currency = books.currency
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE SET amount = excluded.amount;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION rebuild_payments() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text;
  kept date := first_kept_day('sales');
  monday date := date_trunc('week', kept)::date;
BEGIN
  LOCK TABLE payment_hours IN SHARE ROW EXCLUSIVE MODE;
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  DELETE FROM payment_hours WHERE day >= kept;
  DELETE FROM payment_places WHERE first_day >= CASE grain WHEN 'week' THEN monday ELSE kept END;
  IF zone IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO payment_hours
  SELECT (paid_at AT TIME ZONE zone)::date, extract(hour FROM paid_at AT TIME ZONE zone)::smallint, system, payment_method,
         card_type, status, currency, count(*), sum(quantity), sum(amount), sum(revenue), coalesce(sum(fee), 0), count(fee)
  FROM payments WHERE paid_at >= kept::timestamp AT TIME ZONE zone GROUP BY 1, 2, 3, 4, 5, 6, 7;
  INSERT INTO payment_places
  SELECT 'day', (paid_at AT TIME ZONE zone)::date, place, system, currency, count(*),
         count(*) FILTER (WHERE status = 'failed'), sum(revenue)
  FROM payments WHERE paid_at >= kept::timestamp AT TIME ZONE zone GROUP BY 2, 3, 4, 5;
  INSERT INTO payment_places
  SELECT 'week', date_trunc('week', first_day)::date, place, system, currency, sum(lines), sum(failed), sum(revenue)
  FROM payment_places WHERE grain = 'day' AND first_day >= monday GROUP BY 2, 3, 4, 5;
END $$;
