-- What was paid back is not sold. The movement of such a sale stays, since the stock stays as it is until the next count: the day says
-- how much of what moved does not count as sold, and whoever writes the day's units anew takes it off.
-- squawk-ignore adding-field-with-default
ALTER TABLE item_days ADD COLUMN refunded integer NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION fold_item_days(types text[], ids integer[], days date[], zone text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO item_days (item_type, item_id, day, units, sold_out_seconds, closing, spoiled, missing, empty_before)
  WITH touched AS (
    SELECT t.item_type, t.item_id, t.day, before.closing AS opening
    FROM unnest(types, ids, days) AS t(item_type, item_id, day)
    LEFT JOIN LATERAL (
      SELECT d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id AND d.day < t.day
        AND d.closing IS NOT NULL ORDER BY d.day DESC LIMIT 1) before ON true
  ), moved AS (
    SELECT t.item_type, t.item_id, t.opening, m.kind, m.reason, m.quantity, m.effective_at, m.event_id,
           (m.effective_at AT TIME ZONE zone)::date AS day,
           count(*) FILTER (WHERE m.kind = 'count') OVER (
             PARTITION BY t.item_type, t.item_id ORDER BY m.effective_at, m.event_id ROWS UNBOUNDED PRECEDING) AS counts
    FROM touched t CROSS JOIN LATERAL (
      SELECT s.kind, s.reason, s.quantity, s.effective_at, s.event_id FROM stock_movements s
      WHERE s.item_type = t.item_type AND s.item_id = t.item_id
        AND s.effective_at >= (t.day::timestamp AT TIME ZONE zone)) m
  ), held AS (
    SELECT moved.*, CASE WHEN counts = 0 THEN opening ELSE first_value(quantity) OVER since END
             + coalesce(sum(quantity) FILTER (WHERE kind <> 'count') OVER since, 0) AS after
    FROM moved
    WINDOW since AS (PARTITION BY item_type, item_id, counts ORDER BY effective_at, event_id ROWS UNBOUNDED PRECEDING)
  ), timed AS (
    SELECT held.*, lag(after, 1, opening::bigint) OVER along AS before,
           greatest(day::timestamp AT TIME ZONE zone, lag(effective_at) OVER along) AS since_at,
           lead(day) OVER along IS NOT DISTINCT FROM day AS goes_on,
           lag(day) OVER along IS DISTINCT FROM day AS begins,
           (day + 1)::timestamp AT TIME ZONE zone AS ends_at
    FROM held WINDOW along AS (PARTITION BY item_type, item_id ORDER BY effective_at, event_id)
  )
  SELECT item_type, item_id, day, coalesce(-sum(quantity) FILTER (WHERE kind = 'sale'), 0)::integer,
         round(coalesce(sum(extract(epoch FROM effective_at - since_at)) FILTER (WHERE before = 0), 0)
             + coalesce(sum(extract(epoch FROM ends_at - effective_at)) FILTER (WHERE after = 0 AND NOT goes_on), 0))::integer,
         (array_agg(after) FILTER (WHERE NOT goes_on))[1]::integer,
         coalesce(-sum(quantity) FILTER (WHERE kind = 'spoilage'), 0)::integer,
         coalesce(sum(greatest(0, before - after)) FILTER (WHERE kind = 'count' AND reason IS DISTINCT FROM 'opening'), 0)::integer,
         coalesce(bool_or(before = 0 AND begins), false)
  FROM timed GROUP BY item_type, item_id, day ORDER BY item_type, item_id, day
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = excluded.units - item_days.refunded, sold_out_seconds = excluded.sold_out_seconds, closing = excluded.closing,
        spoiled = excluded.spoiled, missing = excluded.missing, empty_before = excluded.empty_before
$function$;
--> statement-breakpoint
-- Movement and sale may come in either order: this adds to what is there, the fold takes off what this has noted.
CREATE OR REPLACE FUNCTION note_item_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
BEGIN
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  IF books.id IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO item_days (item_type, item_id, day, units, refunded, amount)
    SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
           (sale_date AT TIME ZONE books.time_zone)::date, coalesce(sum(quantity) FILTER (WHERE refunded), 0),
           -coalesce(sum(quantity) FILTER (WHERE refunded), 0),
           -coalesce(sum(total_amount) FILTER (WHERE NOT refunded AND currency = books.currency), 0)
    FROM before WHERE item_id IS NOT NULL AND successful AND (refunded OR currency = books.currency)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = item_days.units + excluded.units, refunded = item_days.refunded + excluded.refunded,
        amount = item_days.amount + excluded.amount;
  END IF;
  INSERT INTO item_days (item_type, item_id, day, units, refunded, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, -coalesce(sum(quantity) FILTER (WHERE refunded), 0),
         coalesce(sum(quantity) FILTER (WHERE refunded), 0),
         coalesce(sum(total_amount) FILTER (WHERE NOT refunded AND currency = books.currency), 0)
  FROM touched WHERE item_id IS NOT NULL AND successful AND (refunded OR currency = books.currency)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = item_days.units + excluded.units, refunded = item_days.refunded + excluded.refunded,
        amount = item_days.amount + excluded.amount;
  RETURN NULL;
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
  PERFORM set_config('milkrun.rebuilding', 'on', true);
  DELETE FROM item_days WHERE day >= kept;
  IF books.id IS NULL THEN
    PERFORM set_config('milkrun.rebuilding', '', true), rebuild_stock_days();
    RETURN;
  END IF;
  FOREACH kind IN ARRAY ARRAY['machine_slot', 'market_item'] LOOP
    FOR first IN SELECT generate_series(min(item_id), max(item_id), step) FROM item_balances WHERE item_type = kind LOOP
      PERFORM fold_item_days(array_agg(b.item_type::text), array_agg(b.item_id), array_agg(kept), books.time_zone)
      FROM item_balances b WHERE b.item_type = kind AND b.item_id >= first AND b.item_id < first + step;
    END LOOP;
  END LOOP;
  INSERT INTO item_days (item_type, item_id, day, units, refunded, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, -coalesce(sum(quantity) FILTER (WHERE refunded), 0),
         coalesce(sum(quantity) FILTER (WHERE refunded), 0),
         coalesce(sum(total_amount) FILTER (WHERE NOT refunded AND currency = books.currency), 0)
  FROM sales WHERE item_id IS NOT NULL AND successful AND (refunded OR currency = books.currency)
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = item_days.units + excluded.units, refunded = excluded.refunded, amount = excluded.amount;
  PERFORM set_config('milkrun.rebuilding', '', true), rebuild_stock_days();
END $$;
--> statement-breakpoint
-- Of the sales that are still here. The sums of these days follow by their triggers.
UPDATE item_days d SET units = d.units - s.back, refunded = s.back
FROM (SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END AS item_type, item_id,
             (sale_date AT TIME ZONE o.time_zone)::date AS day, sum(quantity) AS back
      FROM sales CROSS JOIN operator o WHERE o.id = 1 AND item_id IS NOT NULL AND successful AND refunded GROUP BY 1, 2, 3) s
WHERE d.item_type = s.item_type AND d.item_id = s.item_id AND d.day = s.day;
